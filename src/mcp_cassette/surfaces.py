"""The closed list of surfaces: where a text stands. Rules choose from it and can never add one."""

from __future__ import annotations

from collections.abc import Mapping

PROSE = (
    "server.instructions",
    "tool.title",
    "tool.description",
    "tool.annotations",
    "tool.schema",
    "tool.other",
    "prompt.title",
    "prompt.description",
    "prompt.argument",
    "prompt.other",
    "resource.title",
    "resource.description",
    "resource.other",
)
IDENTIFIER = ("server.name", "tool.name", "tool.key", "prompt.name", "resource.name")
OUTPUT = ("output.tool", "output.task", "output.resource", "output.prompt", "output.error")
ASK = ("ask.sampling", "ask.elicitation")
PUSH = ("push.log", "push.progress")
INPUT = ("input.arguments",)

SURFACES: tuple[str, ...] = PROSE + IDENTIFIER + OUTPUT + ASK + PUSH + INPUT

GROUPS: Mapping[str, tuple[str, ...]] = {
    "prose": PROSE,
    "identifier": IDENTIFIER,
    "declaration": PROSE + IDENTIFIER,
    "output": OUTPUT,
}

PREFIXES: Mapping[str, tuple[str, ...]] = {
    # An identifier is in no prefix: ``tool`` is what a tool says, never what it is called.
    prefix: tuple(s for s in SURFACES if s.startswith(prefix + ".") and s not in IDENTIFIER)
    for prefix in ("server", "tool", "prompt", "resource", "output", "ask", "push", "input")
}

LEGACY: Mapping[str, str] = {"description": "tool.description", "result": "output.tool"}
"""The words of the old pack format."""

NAMES: tuple[str, ...] = (*SURFACES, *GROUPS, *(p for p in PREFIXES if p not in GROUPS), *LEGACY)
"""Every word a rule, an override or ``--surfaces`` may use."""


def expand(name: str) -> tuple[str, ...]:
    """The surfaces a word stands for. Raises KeyError for an unknown word."""
    name = LEGACY.get(name, name)
    if name in SURFACES:
        return (name,)
    return GROUPS[name] if name in GROUPS else PREFIXES[name]


def specificity(name: str) -> int:
    """How exact a word is: an override on the most specific one wins."""
    name = LEGACY.get(name, name)
    if name in SURFACES:
        return 3
    if name == "declaration":
        return 0
    return 1 if name in GROUPS else 2
