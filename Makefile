# Short names for the programs in tools/; `make help` lists them.
# Pass options with ARGS, for example: make test ARGS="-k sight"

PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: play test setup check fire drill soak load bench emulate nightly games screenshots docs dist audit lock install uninstall help

play test setup check fire drill soak load bench emulate nightly games screenshots docs dist audit lock install uninstall help:
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here: install Python 3.11 or newer (on Debian: sudo apt-get install -y python3 python3-venv), then start again." >&2; exit 1; }
	@exec $(PYTHON) tools/bootstrap.py $@ $(ARGS)
