"""The command ``mcp-cassette``: a group that imports a command only when it is called."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TextIO

import click

from mcp_cassette import __version__
from mcp_cassette.errors import CassetteError, Exit

COMMANDS = {
    "lint": ("mcp_cassette.cli.lint", "lint"),
    "rules": ("mcp_cassette.cli.rules", "rules"),
    "explain": ("mcp_cassette.cli.explain", "explain"),
    "suppress": ("mcp_cassette.cli.suppress", "suppress"),
    "pack": ("mcp_cassette.cli.pack", "pack"),
}
_HELP = {
    "lint": "Lint cassettes and saved listings.",
    "rules": "List every rule.",
    "explain": "Explain one rule.",
    "suppress": "Suppress one finding, with a reason.",
    "pack": "Work on rule packs.",
}


class LazyGroup(click.Group):
    """Knows its commands by name, so that ``--help`` and one command cost the import of no other."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _HELP[name]) for name in COMMANDS])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            from mcp_cassette.errors import nearest

            ctx.fail(f"no command {args[0]!r}{nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="mcp-cassette")
def cli() -> None:
    """Lint what MCP servers said: recorded sessions and saved listings, with rules that are data."""


def main() -> None:
    """Run the command line and exit with the documented status; never with a traceback for bad input."""
    # Started without them, there is nobody to say anything to.
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code = 0
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away (`| head`): nothing more to say, and the status stays what it was.
        _drop(sys.stdout)
    except OSError as error:  # a full disk, say
        code = Exit.UNREADABLE
        _drop(sys.stdout)
        try:
            _say(f"cannot write the output: {error.strerror or error}", code)
        except OSError:
            _drop(sys.stderr)
    sys.exit(int(code or 0))


def _run() -> int:
    """The status of the command; what it refuses is said on standard error. Raises OSError when nothing can be said."""
    try:
        # Not ``cli.main``: it ends with status 1 when the reader of a pipe goes away.
        with cli.make_context("mcp-cassette", sys.argv[1:]) as ctx:
            return int(cli.invoke(ctx) or 0)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        return _say("interrupted", Exit.INTERRUPTED)
    except click.ClickException as error:
        error.show()
        return Exit.UNREADABLE
    except CassetteError as error:
        return _say(str(error), error.exit_code)


def _drop(stream: TextIO) -> None:
    """What is still in the buffer of a stream goes nowhere: written at the very end it would change the status."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _say(message: str, code: Exit) -> Exit:
    from mcp_cassette.neutral import visible

    click.echo(f"mcp-cassette: {visible(message)}", err=True)
    return code
