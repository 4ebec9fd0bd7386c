"""The commands of `sniperboard`, one file each. They handle the terminal only; the work is done elsewhere.

A file has a function that adds the command. `run` gets the parsed arguments and returns the exit code::

    def add_command(commands: Any) -> None:
        commands.add_parser("hello", help="print a greeting").set_defaults(run=_run)
"""
