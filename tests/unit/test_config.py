"""``[tool.mcp_cassette.lint]``: found upward, checked, with lines and suggestions."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_cassette.config import LintConfig, find, load
from mcp_cassette.errors import ConfigError

FULL = """
[project]
name = "x"

[tool.mcp_cassette.lint]
packs = ["house.toml"]
paths = ["cassettes", "*.jsonl"]
exclude = ["old/*"]
select = ["CAS-L"]
ignore = ["CAS-L008"]
surfaces = ["prose"]
fail_on = "warn"
"""


def write(folder: Path, text: str | bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pyproject.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def refused(folder: Path, text: str | bytes) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        find(write(folder, text).parent)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    assert "pyproject.toml" in str(caught.value)
    return caught.value


def test_every_key(tmp_path: Path) -> None:
    file = write(tmp_path, FULL)
    assert find(tmp_path) == LintConfig(
        file=file.resolve(),
        folder=tmp_path.resolve(),
        packs=("house.toml",),
        paths=("cassettes", "*.jsonl"),
        exclude=("old/*",),
        select=("CAS-L",),
        ignore=("CAS-L008",),
        surfaces=("prose",),
        fail_on="warn",
    )


def test_an_empty_table_has_the_defaults(tmp_path: Path) -> None:
    write(tmp_path, "[tool.mcp_cassette.lint]\n")
    config = find(tmp_path)
    assert (config.fail_on, config.paths, config.select) == ("error", (), ())
    assert config.file is not None


def test_the_nearest_table_upward_wins(tmp_path: Path) -> None:
    write(tmp_path, '[tool.mcp_cassette.lint]\nfail_on = "info"\n')
    write(tmp_path / "a", "[project]\nname = 'no table here'\n")
    write(tmp_path / "a" / "b", '[tool.mcp_cassette.lint]\nfail_on = "warn"\n')
    (tmp_path / "a" / "b" / "c" / "d").mkdir(parents=True)
    assert find(tmp_path / "a" / "b" / "c" / "d").fail_on == "warn"
    assert find(tmp_path / "a" / "b").folder == (tmp_path / "a" / "b").resolve()
    assert find(tmp_path / "a").fail_on == "info"
    assert find(tmp_path / "a").folder == tmp_path.resolve()


def test_no_configuration_at_all(tmp_path: Path) -> None:
    config = find(tmp_path)
    assert config.file is None and config.fail_on == "error"


@pytest.mark.parametrize("key", ["fail_on", "fail-on"])
@pytest.mark.parametrize("word", ["error", "warn", "info", "never"])
def test_two_spellings_of_the_gate(tmp_path: Path, key: str, word: str) -> None:
    write(tmp_path, f'[tool.mcp_cassette.lint]\n{key} = "{word}"\n')
    assert find(tmp_path).fail_on == word


@pytest.mark.parametrize(
    ("text", "line", "parts"),
    [
        ('[tool.mcp_cassette.lint]\n\nselct = ["x"]\n', 3, ["'selct'", 'did you mean "select"']),
        ("[project]\n[tool.mcp_cassette.lnt]\n", 2, ["'lnt'", 'did you mean "lint"']),
        ("[tool.mcp_cassette]\nlint = 3\n", 2, ["lint", "table"]),
        ("[tool]\nmcp_cassette = 3\n", 2, ["table"]),
        ('[tool.mcp_cassette.lint]\nfail_on = "warn"\nfail-on = "warn"\n', 3, ["fail_on", "fail-on"]),
        ('[tool.mcp_cassette.lint]\nfail_on = "wran"\n', 2, ["'wran'", 'did you mean "warn"']),
        ('[tool.mcp_cassette.lint]\npaths = "x"\n', 2, ["'paths'", "list of strings"]),
        ('[tool.mcp_cassette.lint]\npaths = [\n"a",\n3,\n]\n', 4, ["'paths'", "list of strings"]),
        ("[tool.mcp_cassette.lint]\nfail_on = true\n", 2, ["'fail_on'", "string"]),
        ("[project]\n\n[tool.mcp-cassette.lint]\n", 3, ["[tool.mcp_cassette.lint]", "underscore"]),
        ('tool.mcp_cassette.lint.pack = ["x"]\n', 1, ['did you mean "packs"']),
    ],
)
def test_a_mistake_names_its_line(tmp_path: Path, text: str, line: int, parts: list[str]) -> None:
    for written in (text.encode(), b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()):
        error = refused(tmp_path, written)
        assert error.line == line
        assert f"pyproject.toml:{line}: " in str(error)
        for part in parts:
            assert part in str(error)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("[tool\n", 1, 6), ("a = 1\nb =\n", 2, 4), ("[tool", 1, 6), ('a = """\nb\n', 2, 2)],
)
def test_what_is_no_toml_names_line_and_column(tmp_path: Path, text: str, line: int, column: int) -> None:
    error = refused(tmp_path, text)
    assert "not TOML" in str(error)
    assert (error.line, error.column) == (line, column)


@pytest.mark.parametrize(
    "text", [b"[tool]\nx = '\xff'\n", b"a = " + b"[" * 20_000 + b"]" * 20_000, b"a = " + b"1" * 5_000]
)
def test_hostile_files_are_one_clear_line(tmp_path: Path, text: bytes) -> None:
    refused(tmp_path, text)


@pytest.mark.parametrize("text", ["tool = 3\n", "[tool]\n", "[tool.mcp_cassette]\n", "", "[[tool]]\n"])
def test_a_file_without_the_table_is_passed_over(tmp_path: Path, text: str) -> None:
    write(tmp_path, '[tool.mcp_cassette.lint]\nfail_on = "info"\n')
    write(tmp_path / "a", text)
    assert find(tmp_path / "a").fail_on == "info"


def test_a_named_file_must_have_the_table(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text("[project]\n")
    with pytest.raises(ConfigError, match=r"other\.toml: there is no \[tool\.mcp_cassette\.lint\]"):
        load(file)
    with pytest.raises(ConfigError, match=r"none\.toml: the configuration cannot be read"):
        load(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)
    file.write_text(FULL)
    loaded = load(file)
    assert loaded is not None and loaded.folder == tmp_path


def test_a_file_is_shown_relative_to_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a", "[tool.mcp_cassette.lint]\nx = 1\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"^a/pyproject\.toml:2: "):
        find(tmp_path / "a")
