"""Packs and configurations that are meant to hurt: refused in one line, before they cost time or memory."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest
from rulebook import HEAD, load_texts

from mcp_cassette.cli.common import add_packs, real
from mcp_cassette.config import LintConfig
from mcp_cassette.config import load as load_config
from mcp_cassette.errors import ConfigError, PackError, nearest
from mcp_cassette.neutral import one_line
from mcp_cassette.packs.load import load
from mcp_cassette.tomlfile import MAX_BYTES, MAX_KEYS, MAX_PARTS, read_toml

RULE = '[[rule]]\nid = "ACME{n:03}"\nmessage = "m"\n{find}\n[[rule.test]]\ntext = "-"\nmatch = false\n'


def refused(tmp_path: Path, text: str) -> PackError:
    """The complaint about a TOML text, which must come at once."""
    file = tmp_path / "odd.toml"
    file.write_text(text)
    start = time.process_time()
    with pytest.raises(PackError) as caught:
        read_toml(file, "the pack", "odd.toml", PackError)
    assert time.process_time() - start < 2
    return caught.value


# --- TOML that tomllib would choke on

LONG = ".".join(["a"] * 200_000)


@pytest.mark.parametrize(
    "text",
    [
        f"x = 1\n{LONG} = 1\n",
        f"\n[{LONG}]\n",
        f"\n[[{LONG}]]\n",
        f"\nx = {{ {LONG} = 1 }}\n",
        f"\n{LONG}\n",
        "\n" + " . ".join(['"a.b"', "'c'"] * 9) + " = 1\n",
        'x = """\na"""\n'.replace("\n", "", 1) + LONG + " = 1\n",
    ],
    ids=["key", "header", "array header", "inline", "no key", "quoted", "behind a string"],
)
def test_a_key_of_many_parts(text: str, tmp_path: Path) -> None:
    error = refused(tmp_path, text)
    assert (error.reason, error.line) == (f"a key of more than {MAX_PARTS} parts", 2)


def test_dots_that_are_no_key_and_keys_of_few_parts(tmp_path: Path) -> None:
    dots = ".".join(["a"] * 50)
    most = ".".join(["a"] * MAX_PARTS)
    text = f'# {dots}\n{most} = "{dots} \\" {dots}"\nb = """\n{dots} = 1 \\"""\n"""\nc = \'{dots}\'\n'
    (tmp_path / "good.toml").write_text(text)
    data, back = read_toml(tmp_path / "good.toml", "the pack", "good.toml", PackError)
    assert (back, data["c"], data["b"]) == (text, dots, f'{dots} = 1 """\n')


@pytest.mark.parametrize("line", ["k{i} = 1\n", "[k{i}]\n", "[[k]]\n", "[k.k{i}]\n"])
def test_many_keys(line: str, tmp_path: Path) -> None:
    text = "".join(line.format(i=i) for i in range(MAX_KEYS + 1))
    assert refused(tmp_path, text).reason == f"more than {MAX_KEYS:,} keys"


@pytest.mark.parametrize(
    "text",
    [
        '\\"""\n' * 500_000 + "." * 20 + "\n\\",
        'a = """' + 'x\\"' * 1_000_000 + "." * 20,
        "'" * 3_000_000 + "." * 20,
        "a" * 4_000_000 + "." * 20,
        "a " * 2_000_000 + "." * 20,
        "." * 4_000_000,
    ],
    ids=["escapes", "open", "quotes", "word", "words", "dots"],
)
def test_what_is_no_toml_is_said_soon(text: str, tmp_path: Path) -> None:
    refused(tmp_path, text)


def test_a_large_configuration(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text("[tool.mcp_cassette.lint]\n#" + "x" * (MAX_BYTES - 26))
    assert load_config(file) is not None
    with file.open("a") as more:
        more.write("x" * 2)
    with pytest.raises(ConfigError, match=r"pyproject\.toml: the configuration is larger than 4 MiB$"):
        load_config(file)


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    pipe, loop = tmp_path / "pipe.toml", tmp_path / "loop.toml"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    for path, reason in (
        (pipe, "not a regular file"),
        (Path("/dev/zero"), "not a regular file"),
        (tmp_path, "Is a directory"),
        (loop, "Too many levels of symbolic links"),
        (tmp_path / "a\0b", "that is no name of a file"),
    ):
        with pytest.raises(PackError, match=f"the pack cannot be read: {reason}"):
            load([(path, "house.toml")])
        with pytest.raises(ConfigError, match=f"the configuration cannot be read: {reason}"):
            load_config(path)


def test_a_pack_is_known_by_where_its_links_lead(tmp_path: Path) -> None:
    (tmp_path / "one.toml").touch()
    (tmp_path / "two.toml").symlink_to("one.toml")
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    config = LintConfig(folder=tmp_path, packs=("one.toml", "two.toml", "loop.toml", "a\0b"))
    assert [name for _, name in add_packs(config, [])] == ["one.toml", "loop.toml", "a\0b"]
    assert real(tmp_path / "a\0b") == str(tmp_path / "a\0b")


# --- expressions that take their time to compile


def words(count: int, length: int) -> str:
    return "words = [" + ", ".join(f'"{i:0{length}}"' for i in range(count)) + "]"


def test_lists_of_words_have_an_end() -> None:
    assert load_texts(HEAD + RULE.format(n=1, find=words(5_000, 5)))
    with pytest.raises(PackError, match=r"pack1\.toml:8: rule ACME001, key words: 'words' has more than 5,000 items"):
        load_texts(HEAD + RULE.format(n=1, find=words(5_001, 5)))
    assert load_texts(HEAD + RULE.format(n=1, find=words(2, 500)))
    with pytest.raises(PackError, match=r"rule ACME001, key words: an item of 'words' is longer than 500 characters"):
        load_texts(HEAD + RULE.format(n=1, find=words(2, 501)))


@pytest.mark.parametrize(
    "finds",
    [
        [words(4_900, 30) for _ in range(3)],
        ["regex = '" + "".join(random.Random(n).choices("abc", k=3_900)) + "'" for n in range(103)],
    ],
    ids=["words", "regex"],
)
def test_all_expressions_of_a_pack_have_an_end(finds: list[str]) -> None:
    start = time.process_time()
    with pytest.raises(PackError, match=r"pack1\.toml:1: its expressions and words have more than 400,000 characters"):
        load_texts(HEAD + "".join(RULE.format(n=n, find=find) for n, find in enumerate(finds)))
    assert time.process_time() - start < 2


def test_repeats_that_are_written_out_have_an_end() -> None:
    """Each is within bounds; together they took gigabytes."""
    rules = "".join(RULE.format(n=n, find=f"regex = '(?:[a-c]x?){{{9000 + n}}}'") for n in range(200))
    start = time.process_time()
    with pytest.raises(PackError, match="the repeats of its expressions amount to more than 600,000 parts"):
        load_texts(HEAD + rules)
    old = 'version = 1\n[[patterns]]\nid = "x1"\nlabel = "l"\nregex = "(?:(?:a{2000}){2000}){2000}b"\n'
    with pytest.raises(PackError, match="the repeats of its expressions amount to more than 600,000 parts"):
        load_texts(old)
    assert time.process_time() - start < 2


# --- small things


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("cas-l001", ' (did you mean "CAS-L001"?)'),
        ("CAS-L0001", ' (did you mean "CAS-L001"?)'),
        ("Hidden-Text", ' (did you mean "hidden-text"?)'),
        ("xyz", ""),
        ("", ""),
    ],
)
def test_the_nearest_word_in_any_case(word: str, said: str) -> None:
    assert nearest(word, ["CAS-L001", "hidden-text", "R004"]) == said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ok", "ok"),
        ("", ""),
        ("  two blanks", "  two blanks"),
        ("::error::x", "./::error::x"),
        (" \u3000::error::x", "./ \u3000::error::x"),
        ("##[error]x", "#<U+0023>[error]x"),
        ("##vso", "./##vso"),
        ("a ::error::x", "a ::error::x"),
        ("\n::error::x\x1b[31m\u202e", "<U+000A>::error::x<U+001B>[31m<U+202E>"),
    ],
)
def test_a_line_that_nothing_obeys(text: str, shown: str) -> None:
    assert one_line(text) == shown
