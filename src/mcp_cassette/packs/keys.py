"""Every key of a rule pack: type, choices, meaning. The loader and ``pack.schema.json`` both come from here."""

from __future__ import annotations

from mcp_cassette.shape import Key, Table
from mcp_cassette.surfaces import NAMES

NAME = r"[a-z][a-z0-9_-]{0,39}"
RULE_ID = r"[A-Z][A-Z0-9]{0,15}(-[A-Z])?[0-9]{1,4}"
PREFIX = r"[A-Z][A-Z0-9]{0,15}(-[A-Z]?)?"
VERSION = r"[0-9]{1,4}(\.[0-9]{1,4}){0,2}"
VIEWS = ("raw", "folded", "skeleton", "spaced", "leet", "unescaped", "decoded", "tags")
ALL_VIEWS = "all"
SOFTENERS = ("quoted", "code")
FAMILIES_DOC = "the family of attack it belongs to, for --select and --ignore"

_WORDS = Key(
    "strings",
    "words and phrases, matched whole, in any case, with any white space between",
    min_length=1,
    max_items=5_000,
    max_length=500,
)
_REGEX = Key("string", "a regular expression in the portable subset", min_length=1)
_FLAGS = Key("string", "i (any case), m (^ and $ at every line), s (. matches a newline)", pattern="[ims]{0,3}")
_GROUP = Key("string", "the named group (or the number) that is reported instead of the whole match", min_length=1)
_VIEWS = Key(
    "strings",
    "through which views of the text to look: raw when left out, every one with all",
    choices=(*VIEWS, ALL_VIEWS),
    min_length=1,
)
_EXCEPT = Key("strings", "patterns whose match on the same spot drops this match", min_length=1)
_LEVEL = ("error", "warn", "warning", "info")

NEAR = Table(
    "near",
    "one pattern close to another",
    {
        "first": Key("string", "name of the pattern that anchors", required=True),
        "then": Key("string", "name of the pattern that must be near it", required=True),
        "within": Key("int", "the most characters between the two", required=True, minimum=0, maximum=10_000),
        "order": Key("string", "before: first stands before then; either: any order", choices=("before", "either")),
        "stop": Key("string", "sentence: no sentence may end between the two", choices=("sentence",)),
    },
)

PATTERN = Table(
    "a pattern",
    "exactly one way to find something in a text",
    {
        "regex": _REGEX,
        "words": _WORDS,
        "near": Key("table", "one pattern close to another", table=NEAR),
        "predicate": Key("string", "the name of a built-in check that no expression can say", min_length=1),
        "longer_than": Key("int", "the text has more characters than this", minimum=1),
        "params": Key("table", "parameters of the predicate"),
        "flags": _FLAGS,
        "group": _GROUP,
        "views": _VIEWS,
        "except": _EXCEPT,
    },
    exactly_one=(("regex", "words", "near", "predicate", "longer_than"),),
    needs={"params": ("predicate",), "flags": ("regex",), "group": ("regex",)},
)

WHEN = Table(
    "when",
    "how patterns combine; every part that is present must hold",
    {
        "any": Key("strings", "at least one of these patterns matches", min_length=1),
        "all": Key("strings", "every one of these patterns matches", min_length=1),
        "none": Key("strings", "none of these patterns matches", min_length=1),
        "at_least": Key("int", "so many different patterns of `of` match", minimum=1),
        "of": Key("strings", "the patterns `at_least` counts", min_length=1),
        "within": Key("int", "a window in characters that all parts share", minimum=1, maximum=100_000),
    },
    at_least_one=(("any", "all", "of"),),
    needs={"at_least": ("of",), "of": ("at_least",)},
)

ON = Table(
    "on",
    "what is different on a surface",
    {
        "level": Key("string", "another level on this surface", choices=_LEVEL),
        "cap": Key("string", "a ceiling for the level on this surface", choices=_LEVEL),
        "when": Key("table", "another combination on this surface", table=WHEN),
        "off": Key("bool", "the rule does not read this surface"),
        "since": Key("string", "the version that brought the rule to this surface", pattern=VERSION),
    },
)

REPEAT = Table(
    "repeat",
    "a text made long",
    {
        "text": Key("string", "what is repeated", required=True, min_length=1),
        "times": Key("int", "how often", required=True, minimum=1, maximum=1_000_000),
    },
)

TEST = Table(
    "a test",
    "a text and whether the rule must match it",
    {
        "text": Key("string", "the text"),
        "repeat": Key("table", "a long text (after `text`, when both are given)", table=REPEAT),
        "match": Key("bool", "whether the rule matches", required=True),
        "on": Key("string", "the surface it stands on; the first of the rule's when left out", choices=NAMES),
        "level": Key("string", "the level of the finding", choices=_LEVEL),
        "spans": Key("strings", "what is reported, in order; an ellipsis … stands for any text", min_length=1),
        "others": Key("strings", "names of the other tools of the listing", min_length=1),
        "softened": Key("string", "the context that softened the finding", choices=SOFTENERS),
    },
    at_least_one=(("text", "repeat"),),
)

EXAMPLE = Table(
    "example",
    "what a structural check finds and what it does not, for people",
    {
        "match": Key("strings", "found", required=True, min_length=1),
        "miss": Key("strings", "near, and not found", required=True, min_length=1),
    },
)

RULE = Table(
    "a rule",
    "what is looked for, where, and how serious it is",
    {
        "id": Key("string", "the stable id", required=True, pattern=RULE_ID),
        "message": Key("string", "what the text does, in one line", required=True, min_length=1, max_length=300),
        "title": Key("string", "a short name; the message when left out", min_length=1, max_length=120),
        "help": Key("string", "what to do about it", min_length=1),
        "why": Key("string", "why it matters, for the rule's page", min_length=1),
        "level": Key("string", "error, warn or info; warn when left out", choices=_LEVEL),
        "confidence": Key("string", "how often it is right, as measured", choices=("high", "medium", "low")),
        "evidence": Key(
            "string",
            "shape: the text alone proves it; intent: true, but maybe meant, and never above warn",
            choices=("shape", "intent"),
        ),
        "family": Key("string", FAMILIES_DOC, pattern=NAME),
        "groups": Key(
            "strings",
            "R001 injection on prose, R002 drift, R003 duplicate name, R004 injection on output",
            choices=("R001", "R002", "R003", "R004"),
        ),
        "lang": Key("string", "the language it reads", pattern="[a-z]{2,3}"),
        "default": Key("bool", "false: runs only when selected"),
        "since": Key("string", "the version that brought the rule", pattern=VERSION),
        "owasp": Key("strings", "ids of the OWASP lists, checked against the taxonomy"),
        "safe_mcp": Key("strings", "SAFE-MCP technique ids, checked against the taxonomy"),
        "surfaces": Key("strings", "where it looks; prose and output when left out", choices=NAMES, min_length=1),
        "when": Key("table", "how its patterns combine; any of them when left out", table=WHEN),
        "soften": Key("strings", "a match inside such a span is reported one level lower", choices=SOFTENERS),
        "regex": _REGEX,
        "words": _WORDS,
        "flags": _FLAGS,
        "group": _GROUP,
        "views": _VIEWS,
        "except": _EXCEPT,
        "pattern": Key("map", "the rule's patterns by name", pattern=NAME, table=PATTERN),
        "on": Key("map", "what is different on a surface; the most specific word wins", choices=NAMES, table=ON),
        "example": Key("table", "examples for the page of a structural check", table=EXAMPLE),
        "check": Key("string", "the name of a structural check (bundled packs only)", min_length=1),
        "test": Key("tables", "texts that prove the rule", table=TEST),
    },
    at_least_one=(("regex", "words", "pattern", "check"),),
    needs={
        "flags": ("regex",),
        "group": ("regex",),
        "views": ("regex", "words"),
        "except": ("regex", "words"),
        "example": ("check",),
    },
)

SECRET = Table(
    "a secret",
    "what a credential looks like",
    {
        "name": Key("string", "the label in a placeholder", required=True, pattern="[a-z]{2,20}([_-][a-z]{2,20})?"),
        "regex": Key("string", "a regular expression in the portable subset", required=True, min_length=1),
        "flags": _FLAGS,
        "group": Key("string", "the group that is the secret; the whole match when left out", min_length=1),
        "doc": Key("string", "whose credential it is", min_length=1),
    },
)

PACK_INFO = Table(
    "pack",
    "what the pack is",
    {
        "name": Key("string", "its name", required=True, pattern=NAME),
        "prefix": Key(
            "string", "what every rule id starts with; CAS- and R are reserved", required=True, pattern=PREFIX
        ),
        "version": Key("string", "its version", pattern=VERSION),
        "summary": Key("string", "what it is for", min_length=1),
        "min_tool": Key("string", "the oldest mcp-cassette it works with", pattern=VERSION),
    },
)

PACK = Table(
    "a pack",
    "A rule pack of mcp-cassette: rules that are data.",
    {
        "format": Key("int", "the version of the pack format", required=True, minimum=1, maximum=1),
        "pack": Key("table", "what the pack is", required=True, table=PACK_INFO),
        "pattern": Key("map", "patterns shared by every rule of every pack", pattern=NAME, table=PATTERN),
        "rule": Key("tables", "the rules", table=RULE),
        "secret": Key("tables", "what credentials look like", table=SECRET),
    },
)

OLD_PATTERN = Table(
    "a pattern",
    "one rule of the old format",
    {
        "id": Key(
            "string", "1 to 16 characters, not starting with R", required=True, pattern="(?!R)[A-Za-z0-9_.-]{1,16}"
        ),
        "label": Key("string", "a short name", required=True, min_length=1),
        "regex": Key("string", "a regular expression", required=True, min_length=1),
        "flags": Key("string", "of i, m, s, x", pattern="[imsx]{0,4}"),
        "severity": Key("string", "error, warning or info", choices=_LEVEL),
        "surfaces": Key("strings", "description, result", choices=("description", "result"), min_length=1),
        "message": Key("string", "what the text does", min_length=1),
    },
)

OLD_PACK = Table(
    "a pack",
    "The first pack format: version = 1 and [[patterns]].",
    {
        "version": Key("int", "1", required=True, minimum=1, maximum=1),
        "name": Key("string", "its name"),
        "patterns": Key("tables", "the rules", required=True, table=OLD_PATTERN),
    },
)
