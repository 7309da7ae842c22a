"""`rulebook explain`: what a diagnostic means, with an example that is wrong and one that is right."""

from __future__ import annotations

import click

from rulebook.commands import epilog


@click.command("explain", epilog=epilog("rulebook explain RB200", "rulebook explain"))
@click.argument("code", metavar="[CODE]", required=False)
def command(code: str | None) -> None:
    """Explain a diagnostic by its CODE; without one, list all codes."""
    from rulebook.codes import registry
    from rulebook.diagnostics import did_you_mean, visible

    codes = registry()
    if code is None:
        group = ""
        for entry in codes.values():
            if entry.group != group:
                group = entry.group
                click.echo(f"{group}:")
            click.echo(f"  {entry.code}  {entry.title}")
        return
    name = code.strip().upper()
    found = codes.get(name if name.startswith("RB") else f"RB{name}")
    if found is None:
        near = did_you_mean(name, codes)
        raise click.UsageError(f"there is no code {visible(code[:40])}" + (f"; {near}" if near else ""))
    parts = [f"{found.code}: {found.title}", found.meaning.strip()]
    if found.wrong:
        parts.append("Wrong:\n" + _indented(found.wrong))
    if found.right:
        parts.append("Right:\n" + _indented(found.right))
    click.echo("\n\n".join(parts))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").split("\n"))
