"""The rules as pure functions (ledger: stalingrad). Names are spelled as in the protocol."""
