"""`rulebook engine`: games for programs in other languages, as JSON-RPC 2.0 over standard input and output.

`rpc` reads lines and answers them, `schema` says what a request must look like (`schemas/engine.json`), `sessions`
keeps books and games within limits, `methods` is what can be asked for. docs/engine.md is the protocol's reference.
"""

PROTOCOL = 1
"""The version of the protocol. It changes only when a client written for the version before would break."""
