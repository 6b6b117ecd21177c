"""``mcp-cassette suppress``."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import click

from mcp_cassette.config import DATE, FINDING_ID, find, load, nearest_file, shown_as
from mcp_cassette.errors import ConfigError, UsageError, place
from mcp_cassette.lint import suppress as suppressions
from mcp_cassette.lint.append import append
from mcp_cassette.writing import replace_file


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("finding_id", metavar="FINDING_ID")
@click.option("--reason", required=True, metavar="TEXT", help="Why: for whoever reads the configuration next.")
@click.option("--until", metavar="YYYY-MM-DD", help="The last day on which it counts. [default: no end]")
@click.option("--config", "config_file", metavar="FILE", help="The pyproject.toml to write. [default: the nearest]")
def suppress(finding_id: str, reason: str, until: str | None, config_file: str | None) -> int:
    """Suppress one finding: add it to the configuration, with a reason and perhaps an end.

    FINDING_ID is printed by lint --verbose on a terminal, and stands in every report of lint --format json. A text that
    changes has another one, and is reported again. The block is appended to pyproject.toml, of which no other byte
    changes.
    """
    if not re.fullmatch(FINDING_ID, finding_id):
        raise UsageError(f"{finding_id!r} is no finding id: 16 of the characters 0-9 and a-f")
    if not reason.strip():
        raise UsageError("--reason must not be empty")
    try:
        reason.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError("--reason is not valid text") from None
    end = None if until is None else _date(until)
    file = Path(config_file) if config_file is not None else find(Path.cwd()).file or nearest_file(Path.cwd())
    if file is None:
        raise UsageError("there is no pyproject.toml here or above: make one (an empty file will do) or give --config")
    shown = shown_as(file)
    config = load(file, required=False)
    for known in config.suppress if config is not None else ():
        if known.finding_id == finding_id:
            over = known.until is not None and known.until < suppressions.today()
            said = f"its suppression ended on {known.until}: change that date" if over else "it is suppressed already"
            raise ConfigError(f"{finding_id}: {said}", file=shown, line=known.line)
    try:
        data, line = append(file.read_bytes(), finding_id, reason, end, shown)
        replace_file(file, data)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror or error}", file=shown) from None
    click.echo(f"{place(shown, line)}: {finding_id} is suppressed{f' until {end}' if end else ''}")
    return 0


def _date(word: str) -> datetime.date:
    try:
        if not re.fullmatch(DATE, word):
            raise ValueError
        day = datetime.date.fromisoformat(word)
    except ValueError:
        raise UsageError(f"--until takes a day as YYYY-MM-DD, not {word!r}") from None
    if day < suppressions.today():
        raise UsageError(f"--until {word} is over")
    return day
