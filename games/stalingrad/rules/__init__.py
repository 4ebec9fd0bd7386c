"""The rules, pure (ledger: stalingrad). Every name that the protocol speaks is spelt here as it writes it."""
