"""Broken packs: each is refused with its file, its line, its rule and key, and the nearest word."""

from __future__ import annotations

import pytest
from rulebook import HEAD, load_texts

from mcp_cassette.errors import PackError

RULE = '[[rule]]\nid = "ACME001"\nmessage = "m"\n'
WORDS = 'words = ["x"]\n'
TEST = '[[rule.test]]\ntext = "x"\nmatch = true\n'
OWNER = "rule ACME001"


def rule(keys: str, after: str = "") -> str:
    return HEAD + RULE + keys + TEST + after


# The mark <! stands (in a comment, or as a comment) on the line that must be named.
CASES = {
    # unknown keys, at every level
    "unknown key at the top": ("formt = 1 #<!\n" + HEAD, ["'formt'", 'did you mean "format"']),
    "unknown table at the top": (HEAD + '[[rules]] #<!\nid = "ACME001"\n', ["'rules'", 'did you mean "rule"']),
    "unknown table with a dotted header": (HEAD + "[paterns.x] #<!\nwords = ['a']\n", ["'paterns'", '"pattern"']),
    "unknown key of the pack": (
        'format = 1\n[pack]\nname = "acme"\nprefx = "ACME" #<!\n',
        ["key pack.prefx", 'did you mean "prefix"'],
    ),
    "unknown key of a rule": (rule('levle = "error" #<!\n' + WORDS), [OWNER, "levle", 'did you mean "level"']),
    "unknown key of a pattern": (
        rule('[rule.pattern.a]\nregx = "x" #<!\n'),
        [OWNER, "key pattern.a.regx", 'did you mean "regex"'],
    ),
    "unknown key of a shared pattern": (
        HEAD + '[pattern.a]\nword = ["x"] #<!\n',
        ["key pattern.a.word", 'did you mean "words"'],
    ),
    "unknown key of near": (
        rule(
            '[rule.pattern.a]\nwords = [\'a\']\n[rule.pattern.b]\nnear = { first = "a", then = "a", witin = 3 } #<!\n'
        ),
        [OWNER, "pattern.b.near.witin", 'did you mean "within"'],
    ),
    "unknown key of when": (rule(WORDS + 'when = { anny = ["match"] } #<!\n'), [OWNER, "when.anny", '"any"']),
    "unknown key of on": (
        rule(WORDS + '[rule.on.output]\ncapp = "warn" #<!\n'),
        [OWNER, "on.output.capp", 'did you mean "cap"'],
    ),
    "unknown key of a test": (
        HEAD + RULE + WORDS + '[[rule.test]]\ntext = "x"\nmach = true #<!\n',
        [OWNER, "test.mach", 'did you mean "match"'],
    ),
    "unknown key of repeat": (
        HEAD + RULE + WORDS + '[[rule.test]]\nmatch = true\nrepeat = { text = "x", time = 3 } #<!\n',
        [OWNER, "test.repeat.time", 'did you mean "times"'],
    ),
    "unknown key of a secret": (
        HEAD + '[[secret]]\nname = "token"\nregx = "x" #<!\n',
        ["secret token", "regx", 'did you mean "regex"'],
    ),
    "a key inside an array of inline tables": (
        HEAD + RULE + WORDS + 'test = [\n  { text = "x", match = true },\n  { txt = "y", match = true }, #<!\n]\n',
        [OWNER, "test.txt", 'did you mean "text"'],
    ),
    # types
    "format as a string": ('format = "1" #<!\n[pack]\nname="a"\nprefix="A"\n', ["format", "whole number"]),
    "words as a string": (rule('words = "x" #<!\n'), [OWNER, "key words", "a list of strings"]),
    "a number among words": (rule('words = [\n"a",\n3, #<!\n]\n'), [OWNER, "words", "a list of strings"]),
    "default as a string": (rule(WORDS + 'default = "yes" #<!\n'), [OWNER, "default", "true or false"]),
    "within as a boolean": (
        rule('when = { any = ["a"], within = true } #<!\n[rule.pattern.a]\nwords = ["a"]\n'),
        [OWNER, "when.within", "whole number"],
    ),
    "rule as a table": (HEAD + '[rule] #<!\nid = "ACME001"\n', ["rule", "a list of tables"]),
    "a pattern that is no table": (rule("[rule.pattern]\na = 3 #<!\n"), [OWNER, "pattern.a", "must be a table"]),
    # what must be there
    "no id": (HEAD + '[[rule]] #<!\nmessage = "m"\n' + WORDS + TEST, ["rule 1", "'id'"]),
    "no message": (HEAD + '[[rule]] #<!\nid = "ACME001"\n' + WORDS + TEST, [OWNER, "'message'"]),
    "an empty message": (HEAD + '[[rule]]\nid = "ACME001"\nmessage = "" #<!\n' + WORDS + TEST, [OWNER, "message"]),
    "no test": (HEAD + RULE.replace("[[rule]]", "[[rule]] #<!") + WORDS, [OWNER, "test"]),
    "no pattern": (HEAD + RULE.replace("[[rule]]", "[[rule]] #<!") + TEST, [OWNER, "regex", "words", "pattern"]),
    "no prefix": ('format = 1\n[pack] #<!\nname = "acme"\n', ["'prefix'"]),
    "no pack table": ("format = 1 #<!\n", ["'pack'"]),
    "an empty file": ("#<!", ["'format'"]),
    "a test without match": (HEAD + RULE + WORDS + '[[rule.test]] #<!\ntext = "x"\n', [OWNER, "'match'"]),
    "a test without text": (HEAD + RULE + WORDS + "[[rule.test]] #<!\nmatch = true\n", [OWNER, "text", "repeat"]),
    # patterns
    "two kinds in one pattern": (
        rule('[rule.pattern.a] #<!\nregex = "x"\nwords = ["x"]\n'),
        [OWNER, "pattern.a", "exactly one", "regex and words"],
    ),
    "two kinds on the rule": (rule('regex = "x"\nwords = ["x"] #<!\n'), [OWNER, "regex or words"]),
    "a pattern of no kind": (rule('[rule.pattern.a] #<!\nviews = ["raw"]\n'), [OWNER, "exactly one", "none"]),
    "flags without regex": (rule('words = ["x"]\nflags = "i" #<!\n'), [OWNER, "flags", "regex"]),
    "an unknown flag": (rule('regex = "x"\nflags = "x" #<!\n'), [OWNER, "flags"]),
    "an unknown view": (rule(WORDS + 'views = ["foldet"] #<!\n'), [OWNER, "views", 'did you mean "folded"']),
    "an empty phrase": (rule('words = [\n"a",\n" ", #<!\n]\n'), [OWNER, "words", "empty"]),
    "no words": (rule("words = [] #<!\n"), [OWNER, "words", "at least 1"]),
    "a pattern name in capitals": (rule('[rule.pattern.URL] #<!\nwords = ["x"]\n'), [OWNER, "pattern", "'URL'"]),
    # names of patterns
    "an unknown name in when": (
        rule('when = { any = ["sendd"] } #<!\n[rule.pattern.send]\nwords = ["x"]\n'),
        [OWNER, "when.any", "'sendd'", 'did you mean "send"'],
    ),
    "an unknown name in a when below": (
        rule(
            '[rule.when]\nany = ["send"]\nnone = [\n"send",\n"quite", #<!\n]\n'
            '[rule.pattern.send]\nwords = ["x"]\n[rule.pattern.quiet]\nwords = ["y"]\n'
        ),
        [OWNER, "when.none", "'quite'", 'did you mean "quiet"'],
    ),
    "an unknown name in near": (
        rule(
            '[rule.pattern.verb]\nwords = ["x"]\n[rule.pattern.b]\n'
            'near = { first = "verb", then = "vreb", within = 3 } #<!\n'
        ),
        [OWNER, "pattern.b.near.then", 'did you mean "verb"'],
    ),
    "an unknown name in except": (
        rule('words = ["x"]\nexcept = ["our"] #<!\n[rule.pattern.ours]\nwords = ["y"]\n'),
        [OWNER, "except", 'did you mean "ours"'],
    ),
    "an unknown name in a when of on": (
        rule(WORDS + '[rule.on.output]\nwhen = { all = ["matsch"] } #<!\n'),
        [OWNER, "on.output.when.all", 'did you mean "match"'],
    ),
    "a pattern near itself": (
        rule('[rule.pattern.a]\nnear = { first = "a", then = "a", within = 3 } #<!\n'),
        [OWNER, "refers to itself"],
    ),
    "patterns in a circle": (
        rule('[rule.pattern.a]\nwords = ["x"]\nexcept = ["b"]\n[rule.pattern.b]\nwords = ["y"]\nexcept = ["a"] #<!\n'),
        [OWNER, "refers to itself"],
    ),
    "shared patterns in a circle": (
        HEAD + '[pattern.a]\nwords = ["x"]\nexcept = ["b"]\n[pattern.b]\nwords = ["y"]\nexcept = ["a"] #<!\n',
        ["refers to itself"],
    ),
    # ids
    "an id twice": (rule(WORDS, '[[rule]]\nid = "ACME001" #<!\nmessage = "m"\n' + WORDS + TEST), [OWNER, "taken"]),
    "an id without the prefix": (
        HEAD + '[[rule]]\nid = "OTHER001" #<!\nmessage = "m"\n' + WORDS + TEST,
        ["rule OTHER001", "key id", "'ACME'"],
    ),
    "an id of another form": (HEAD + '[[rule]]\nid = "acme-1" #<!\nmessage = "m"\n' + WORDS + TEST, ["acme-1", "id"]),
    "the reserved prefix CAS-": (HEAD.replace('"ACME"', '"CAS-" #<!'), ["pack.prefix", "reserved"]),
    "the reserved prefix CAS-X": (HEAD.replace('"ACME"', '"CAS-X" #<!'), ["pack.prefix", "reserved"]),
    "the reserved prefix R": (HEAD.replace('"ACME"', '"R" #<!'), ["pack.prefix", "reserved"]),
    "a reserved id under a prefix that begins it": (
        HEAD.replace("ACME", "CA") + '[[rule]]\nid = "CAS-L900" #<!\nmessage = "m"\n' + WORDS + TEST,
        ["rule CAS-L900", "reserved"],
    ),
    "the name of a group as an id": (
        HEAD.replace("ACME", "R0") + '[[rule]]\nid = "R001" #<!\nmessage = "m"\n' + WORDS + TEST,
        ["rule R001", "reserved"],
    ),
    # surfaces
    "an unknown surface": (
        rule(WORDS + 'surfaces = ["prose", "tool.descripton"] #<!\n'),
        [OWNER, "surfaces", 'did you mean "tool.description"'],
    ),
    "an unknown surface of on": (
        rule(WORDS + '[rule.on."output.tol"] #<!\noff = true\n'),
        [OWNER, "output.tol", 'did you mean "output.tool"'],
    ),
    "an unknown surface of a test": (
        HEAD + RULE + WORDS + '[[rule.test]]\non = "promt.name" #<!\ntext = "x"\nmatch = true\n',
        [OWNER, "test.on", 'did you mean "prompt.name"'],
    ),
    "on for a surface the rule does not read": (
        rule(WORDS + 'surfaces = ["prose"]\n[rule.on.output] #<!\ncap = "warn"\n'),
        [OWNER, "on.output", "does not read"],
    ),
    "no surfaces at all": (rule(WORDS + "surfaces = [] #<!\n"), [OWNER, "surfaces"]),
    # predicates
    "an unknown predicate": (
        rule('[rule.pattern.a]\npredicate = "invisble-run" #<!\n'),
        [OWNER, "pattern.a.predicate", 'did you mean "invisible-run"'],
    ),
    "an unknown parameter": (
        rule('[rule.pattern.a]\npredicate = "unbroken-run"\nparams = { mim = 3 } #<!\n'),
        [OWNER, "pattern.a.params.mim", 'did you mean "min"'],
    ),
    "a parameter of the wrong type": (
        rule('[rule.pattern.a]\npredicate = "unbroken-run"\n[rule.pattern.a.params]\nmin = "3" #<!\n'),
        [OWNER, "params.min", "whole number"],
    ),
    "a parameter out of range": (
        rule('[rule.pattern.a]\npredicate = "unbroken-run"\nparams = { min = 0 } #<!\n'),
        [OWNER, "params.min", "1"],
    ),
    "parameters without a predicate": (
        rule('[rule.pattern.a]\nwords = ["x"]\nparams = { min = 3 } #<!\n'),
        [OWNER, "params", "predicate"],
    ),
    # expressions
    "an expression that does not compile": (rule("regex = '(a' #<!\n"), [OWNER, "key regex", "does not compile"]),
    "a group that is missing": (
        rule("[rule.pattern.a]\nregex = '(?P<host>a)'\ngroup = \"hst\" #<!\n"),
        [OWNER, "pattern.a.group", "'hst'", 'did you mean "host"'],
    ),
    "a group number too high": (rule("regex = '(a)'\ngroup = \"2\" #<!\n"), [OWNER, "group", "2"]),
    "a group that is no number": (rule("regex = '(a)'\ngroup = \"²\" #<!\n"), [OWNER, "group"]),
    "the group of a secret": (
        HEAD + '[[secret]]\nname = "token"\nregex = \'x\'\ngroup = "token" #<!\n',
        ["secret token", "group", "'token'"],
    ),
    "a secret that does not compile": (
        HEAD + "[[secret]]\nname = \"token\"\nregex = '[z-a]' #<!\n",
        ["secret token", "regex"],
    ),
    # tags and levels
    "a tag of no list": (rule(WORDS + 'owasp = ["MCP6:2025"] #<!\n'), [OWNER, "owasp", 'did you mean "MCP06:2025"']),
    "a technique of no list": (rule(WORDS + 'safe_mcp = ["SAFE-T9"] #<!\n'), [OWNER, "safe_mcp", "SAFE-T9"]),
    "intent above warn": (rule(WORDS + 'evidence = "intent"\nlevel = "error" #<!\n'), [OWNER, "level", "intent"]),
    "an unknown level": (rule(WORDS + 'level = "eror" #<!\n'), [OWNER, "level", 'did you mean "error"']),
    "an unknown group": (rule(WORDS + 'groups = ["R005"] #<!\n'), [OWNER, "groups", "R005"]),
    "an unknown softener": (rule(WORDS + 'soften = ["quotes"] #<!\n'), [OWNER, "soften", 'did you mean "quoted"']),
    "a check in a house pack": (HEAD + RULE + 'check = "duplicate-name" #<!\n', [OWNER, "check"]),
    # when
    "at_least without of": (
        rule(WORDS + 'when = { any = ["match"], at_least = 2 } #<!\n'),
        [OWNER, "when.at_least", "of"],
    ),
    "of without at_least": (rule(WORDS + 'when = { of = ["match"] } #<!\n'), [OWNER, "when.of", "at_least"]),
    "a when with nothing that matches": (
        rule(WORDS + 'when = { none = ["match"] } #<!\n'),
        [OWNER, "when", "any, all, of"],
    ),
    "an empty any": (rule(WORDS + "when = { any = [] } #<!\n"), [OWNER, "when.any"]),
    "a window of nothing": (
        rule(WORDS + 'when = { any = ["match"], within = 0 } #<!\n'),
        [OWNER, "when.within", "at least 1"],
    ),
    # the file
    "a format from the future": (HEAD.replace("format = 1", "format = 2 #<!"), ["format", "at most 1"]),
    "a newer tool": (HEAD + 'min_tool = "99.1" #<!\n', ["min_tool", "99.1"]),
    "a level for a test that must not match": (
        HEAD + RULE + WORDS + '[[rule.test]] #<!\ntext = "y"\nmatch = false\nlevel = "warn"\n',
        [OWNER, "match = false"],
    ),
    "a text of 17 million characters": (
        HEAD
        + RULE
        + WORDS
        + '[[rule.test]]\nmatch = true\nrepeat = { text = "'
        + "x" * 17
        + '", times = 1000000 } #<!\n',
        [OWNER, "repeat", "16 million"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_broken_pack_names_the_place(name: str) -> None:
    text, parts = CASES[name]
    assert text.count("#<!") == 1
    line = text[: text.index("#<!")].count("\n") + 1
    with pytest.raises(PackError) as caught:
        load_texts(text)
    message = str(caught.value)
    assert message.startswith(f"pack1.toml:{line}: "), message
    assert "\n" not in message
    for part in parts:
        assert part in message, message
    assert caught.value.exit_code == 2


BROKEN_TOML = {
    "a value is missing": ("format = 1\nlevel =\n", 2, 8),
    "an equals sign is missing": ('format = 1\n\n[pack]\nname "x"\n', 4, 6),
    "a key twice": ("format = 1\nformat = 1\n", 2, 11),
    "a header is not closed": ("format = 1\n[pack", 2, 6),
    "a string is not closed": ('format = 1\nx = """a\nb\n', 3, 2),
    "a NUL": ("format = 1\nx = '\0'\n", 2, 6),
}


@pytest.mark.parametrize("name", BROKEN_TOML)
def test_what_is_no_toml_names_line_and_column(name: str) -> None:
    text, line, column = BROKEN_TOML[name]
    with pytest.raises(PackError, match="not TOML") as caught:
        load_texts(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"pack1.toml:{line}:{column}: ")


def test_a_number_too_long_to_read_is_an_error_of_the_pack() -> None:
    with pytest.raises(PackError, match="not TOML"):
        load_texts("format = " + "1" * 5000)


def test_what_is_not_utf8_names_the_line() -> None:
    with pytest.raises(PackError) as caught:
        load_texts(HEAD.encode() + b"# caf\xe9\n")
    assert str(caught.value) == "pack1.toml:5: not UTF-8"


def test_nested_brackets_are_an_error_and_no_crash() -> None:
    with pytest.raises(PackError) as caught:
        load_texts("format = " + "[" * 20_000 + "]" * 20_000)
    assert "pack1.toml" in str(caught.value)


def test_a_long_chain_of_patterns_is_an_error_and_no_crash() -> None:
    chain = "".join(f'[rule.pattern.p{i}]\nwords = ["w"]\nexcept = ["p{i + 1}"]\n' for i in range(3000))
    with pytest.raises(PackError, match="deep"):
        load_texts(rule(chain + '[rule.pattern.p3000]\nwords = ["w"]\n'))
    shared = chain.replace("rule.pattern", "pattern") + '[pattern.p3000]\nwords = ["w"]\n'
    with pytest.raises(PackError, match="deep"):
        load_texts(HEAD + shared)


def test_a_pack_that_is_not_there_or_is_a_folder(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from mcp_cassette.packs.load import load

    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(PackError, match=r"acme\.toml: the pack cannot be read"):
            load([(path, "acme.toml")], bundled=False)


def test_a_huge_pack_is_refused() -> None:
    with pytest.raises(PackError, match="4 MiB"):
        load_texts(HEAD + "#" + "x" * (4 * 1024 * 1024))


def test_ids_are_unique_across_packs() -> None:
    first = rule(WORDS)
    second = first.replace('"acme"', '"other"').replace('"ACME"', '"ACM"')
    with pytest.raises(PackError) as caught:
        load_texts(first, second)
    assert str(caught.value).startswith("pack2.toml:6: rule ACME001, key id: ")
    assert "pack1.toml:6" in str(caught.value)


def test_an_id_of_a_bundled_rule_is_refused() -> None:
    text = HEAD.replace('"ACME"', '"CA"') + RULE.replace("ACME001", "CAS-L001") + WORDS + TEST
    with pytest.raises(PackError, match=r"pack1\.toml:6: rule CAS-L001, key id"):
        load_texts(text, bundled=True)


def test_two_packs_of_one_name() -> None:
    with pytest.raises(PackError, match=r"pack2\.toml:3: key pack\.name: .*pack1\.toml"):
        load_texts(rule(WORDS), HEAD.replace('"ACME"', '"B"'))


def test_a_shared_name_that_two_other_packs_define_is_ambiguous() -> None:
    def shared(name: str) -> str:
        return f'format = 1\n[pack]\nname = "{name}"\nprefix = "{name.upper()}"\n[pattern.verb]\nwords = ["x"]\n'

    user = rule('when = { any = ["verb"] }\n[rule.pattern.own]\nwords = ["y"]\n')
    with pytest.raises(PackError, match=r"pack3\.toml:8: rule ACME001, key when\.any: .*pack1\.toml and pack2\.toml"):
        load_texts(shared("a"), shared("b"), user)


def test_all_packs_load_or_none() -> None:
    with pytest.raises(PackError, match=r"^pack2\.toml:5: "):
        load_texts(rule(WORDS), HEAD.replace("acme", "other") + "x = 1\n")
