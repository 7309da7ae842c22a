"""The documentation site: the pages written by hand in `docs/`, and a card reference made from the packs.

:mod:`~rulebook.site.gather` reads games into plain data, :mod:`~rulebook.site.pages` turns that data into Markdown
(with :mod:`~rulebook.site.escape` between the two, so that no title is ever markup), :mod:`~rulebook.site.writing`
keeps a folder of such pages up to date, :mod:`~rulebook.site.building` makes the site with mkdocs, and
:mod:`~rulebook.site.links` checks what came out."""
