"""The portable subset of expressions, construct by construct; and where things stand in a TOML file."""

from __future__ import annotations

import time

import pytest
import regex
from rulebook import HEAD, load_texts

from mcp_cassette.errors import PackError
from mcp_cassette.packs.portable import complaint, examine
from mcp_cassette.places import Places

ACCEPTED = [
    r"ignore\s{1,9}all",
    r"(?:a|b)+?c*?d??",
    r"(?=a)(?!b)(?<=c)(?<!d)a",
    r"(?P<host>[a-z.-]{1,63})",
    r"(a)(b)",
    r"[^\]\[\-]",
    r"[a-zA-Z0-9_-]",
    r"\d\D\w\W\s\S\b\B\n\r\t\f\v",
    r"\x41\u0041\U00000041\0",
    r"\p{L}\P{Lu}\p{Script=Cyrillic}\p{sc=Han}\p{gc=Nd}",
    r"[\p{L}\d]",
    r"\.\*\+\?\(\)\{\}\|\^\$\/",
    r"a{3}a{3,}a{3,5}",
    r"^a.*$",
    r"忽略|игнорируй",
    r"[.*+?(){}|$]",
    r"[)](?:a{1000})[)]{1000}",
    r"(?:a{1000})\){1000}",
    r"(?:a{1000})b{1000}",
    r"(?P<a>x)(?P<b>y)(z)(z)",
    r"\]\}a{2}",
]

REFUSED = {
    r"(a)\1": "backreference",
    r"(?P<a>x)(?P=a)": "backreference",
    r"\g<a>": "escape",
    r"(?R)": "recursion",
    r"(?1)": "not portable",
    r"(?P>a)": "recursion",
    r"(?&a)": "recursion",
    r"(a)?(?(1)b|c)": "conditional",
    r"(?>a)": "atomic",
    r"a++": "possessive",
    r"a*+": "possessive",
    r"a?+": "possessive",
    r"a{2,3}+": "possessive",
    r"(?:abc){e<=1}": "fuzzy",
    r"a{": "{",
    r"a{,3}": "{",
    r"(?|a|b)": "branch",
    r"(?#x)": "comment",
    r"(?i)a": "flags",
    r"(?i:a)": "flags",
    r"(?<name>a)": "without P",
    r"(*SKIP)": "verbs",
    r"[[:alpha:]]": "[",
    r"[a[b]]": "[",
    r"[a--b]": "set operator",
    r"[a&&b]": "set operator",
    r"[a||b]": "set operator",
    r"[a~~b]": "set operator",
    r"(?P<a>x)|(?P<a>y)": "two groups named 'a'",
    r"a]": "a literal ] must be escaped",
    r"a}": "a literal } must be escaped",
    r"a{2}}": "a literal } must be escaped",
    r"[a]]": "a literal ] must be escaped",
    r"((?:a{1000})\)){1000}": "repeats of repeats",
    r"[]a]": "]",
    r"[^]a]": "]",
    r"[\b]": "backspace",
    r"\A": "escape",
    r"\Z": "escape",
    r"\K": "escape",
    r"\G": "escape",
    r"\X": "escape",
    r"\R": "escape",
    r"\N{BULLET}": "escape",
    r"\L<words>": "escape",
    r"\h": "escape",
    r"\m": "escape",
    r"\é": "escape",
    r"\p{^L}": "\\p",
    r"\p{Cyrillic}": "\\p",
    r"\pL": "\\p",
    "a\\": "backslash",
    "a\x07b": "control",
    r"a{10001}": "10,000",
    r"a{1,10001}": "10,000",
    r"(?:a{1000}){1000}": "repeats of repeats",
    r"(?:(?:a{100}b){100}c){1,100}": "repeats of repeats",
    "a" * 4001: "4,000",
}


@pytest.mark.parametrize("pattern", ACCEPTED)
def test_what_is_portable(pattern: str) -> None:
    assert complaint(pattern) is None
    regex.compile(pattern)


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_is_not(pattern: str) -> None:
    found = complaint(pattern)
    assert found is not None
    assert REFUSED[pattern] in found[0]


@pytest.mark.parametrize(
    ("pattern", "size"),
    [
        ("", 0),
        ("abc", 3),
        (r"a\)b", 3),
        ("[a-z]b", 2),
        ("[^)]{3}", 3),
        ("a{10}", 10),
        ("a{2,10}b{0,9}c*d+", 5),
        ("(ab){10}", 20),
        ("(a(b[cd]){3}){10}x", 71),
        ("(?:(?:ab?){100}){100}", 20_000),
        (r"\x41\p{L}{5}", 6),
    ],
)
def test_the_size_of_an_expression(pattern: str, size: int) -> None:
    """Parts with every required repeat written out: what the engine makes of it."""
    assert examine(pattern) == size


def test_the_place_in_the_expression_is_named() -> None:
    assert complaint(r"ab(c)\1") == ("backreferences are not portable", 5)
    text = HEAD + '[[rule]]\nid = "ACME001"\nmessage = "m"\nregex = \'ab(c)\\1\'\n'
    with pytest.raises(PackError, match=r"^pack1\.toml:8: rule ACME001, key regex: .*portable.*\(at character 6\)"):
        load_texts(text + '[[rule.test]]\ntext = "-"\nmatch = false\n')


def test_a_repeat_of_repeats_is_refused_before_it_is_compiled() -> None:
    text = HEAD + '[[rule]]\nid = "ACME001"\nmessage = "m"\nregex = \'(?:(?:a{10000}){10000}){10000}b\'\n'
    start = time.process_time()
    with pytest.raises(PackError, match=r"^pack1\.toml:8: "):
        load_texts(text + '[[rule.test]]\ntext = "-"\nmatch = false\n')
    assert time.process_time() - start < 1


# --- places

TOML = """\
# [not.a.table] = 1
top = 1
"quoted key" = 2
a.b . "c.d" = 3

[one]            # a comment with ] and [ and = "
x = "a # b [ ]"
list = [
  "]",           # ] not the end
  'it''s' ,
  [ 1, 2,
    3 ],
  { p = 1, q = [
      "deep" ] },
]
after = 1
[two."x.y".z]
text = \"\"\"
[inside]
key = 1 \\\"\"\" still
\"\"\"
more = '''
[inside2]
''']'''
"""
TOML = (
    TOML.replace("  'it''s' ,\n", "  'its' ,\n").replace("''']'''\n", "]'''\n")
    + '''\
quotes = """ends in four""""
next = ["""a"""", """
b"""]
last = 1
[[rule]]
id = 1
[rule.pattern.p]
words = []
[[rule.test]]
text = 1
[[rule.test]]
text = 2
[[rule]]
id = 2
[[rule.test]]
text = 3
'''
)


@pytest.mark.parametrize(
    ("where", "line"),
    [
        (("top",), 2),
        (("quoted key",), 3),
        (("a",), 4),
        (("a", "b", "c.d"), 4),
        (("one",), 6),
        (("one", "x"), 7),
        (("one", "list"), 8),
        (("one", "list", 0), 9),
        (("one", "list", 1), 10),
        (("one", "list", 2), 11),
        (("one", "list", 2, 1), 11),
        (("one", "list", 2, 2), 12),
        (("one", "list", 3, "p"), 13),
        (("one", "list", 3, "q"), 13),
        (("one", "list", 3, "q", 0), 14),
        (("one", "after"), 16),
        (("two",), 17),
        (("two", "x.y", "z"), 17),
        (("two", "x.y", "z", "text"), 18),
        (("two", "x.y", "z", "more"), 22),
        (("inside",), 1),
        (("rule",), 29),
        (("rule", 0), 29),
        (("rule", 0, "id"), 30),
        (("rule", 0, "pattern"), 31),
        (("rule", 0, "pattern", "p"), 31),
        (("rule", 0, "test", 0), 33),
        (("rule", 0, "test", 1, "text"), 36),
        (("rule", 1), 37),
        (("rule", 1, "id"), 38),
        (("rule", 1, "test", 0, "text"), 40),
        (("rule", 1, "missing", "deeper"), 37),
        (("nowhere",), 1),
        ((), 1),
    ],
)
def test_the_line_of_a_key(where: tuple[str | int, ...], line: int) -> None:
    assert Places(TOML).line(where) == line


def test_quotes_at_the_end_of_a_long_string_belong_to_it() -> None:
    places = Places(TOML)
    inner = ("two", "x.y", "z")
    assert [places.line((*inner, key)) for key in ("quotes", "next", "last")] == [25, 26, 28]
    assert places.line((*inner, "next", 1)) == 26


def test_places_are_quick_on_odd_text() -> None:
    start = time.process_time()
    for text in (
        "[" * 100_000,
        "a." * 1000 + "b=1",
        '"' * 100_001,
        "a = [" + "[" * 50_000,
        "=" * 100_000,
        " " * 100_000,
    ):
        Places(text).line(("a", 3))
    assert time.process_time() - start < 2
