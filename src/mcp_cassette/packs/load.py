"""Pack files → a ``RuleSet``. All packs load or none; every complaint names file, line, rule and key."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import regex

from mcp_cassette import __version__
from mcp_cassette.errors import PackError, nearest
from mcp_cassette.packs.bundle import stored_tables
from mcp_cassette.packs.checks import CHECKS
from mcp_cassette.packs.compile import check_group, compile_pattern, flag_bits, group_of
from mcp_cassette.packs.keys import OLD_PACK, PACK
from mcp_cassette.packs.legacy import modernise
from mcp_cassette.packs.model import Pack, Pattern, Rule, RuleSet, Secret, compile_expression
from mcp_cassette.packs.portable import complaint, examine
from mcp_cassette.packs.rules import DIRECT, MAX_CHAIN, compile_rule
from mcp_cassette.resources import data_folder
from mcp_cassette.shape import Where, check
from mcp_cassette.tomlfile import read_toml

if TYPE_CHECKING:
    from mcp_cassette.places import Places

MAX_EXPRESSIONS = 400_000
MAX_PARTS = 600_000
"""Of all expressions of a pack together: their characters, and their parts with every required repeat written out. So
many cost four seconds, or some hundred megabytes."""
_RESERVED = regex.compile(r"CAS-|R[0-9]")


class _File:
    """One pack file between reading and compiling."""

    def __init__(self, path: Path, shown: str, *, bundled: bool, checked: bool, eager: bool) -> None:
        self.shown, self.bundled, self.checked, self.eager = shown, bundled, checked, eager
        self._path, self._text = path, ""
        stored = stored_tables(path) if bundled and not checked else None
        if stored is None:
            stored, self._text = read_toml(path, "the pack", shown, PackError)
        self.data = stored
        self.old = "format" not in self.data and "version" in self.data
        if checked:
            check(self.data, OLD_PACK if self.old else PACK, self.fail)
        if self.old:
            self.data = modernise(self.data, shown)
        if not bundled:
            self._weigh()

    @cached_property
    def places(self) -> Places:
        """Made when a line is asked for: most packs load, and are never asked."""
        from mcp_cassette.places import Places

        return Places(self._text or read_toml(self._path, "the pack", self.shown, PackError)[1])

    def _weigh(self) -> None:
        """Refuse what would take too long to compile."""
        rules = self.data.get("rule", [])
        tables = [*rules, *self.data.get("secret", []), *self.data.get("pattern", {}).values()]
        tables += [pattern for rule in rules for pattern in rule.get("pattern", {}).values()]
        texts = [text for table in tables for text in (table.get("regex", ""), *table.get("words", ()))]
        if sum(map(len, texts)) > MAX_EXPRESSIONS:
            self.fail((), f"its expressions and words have more than {MAX_EXPRESSIONS:,} characters together")
        if sum(_size(table.get("regex", ""), portable=not self.old) for table in tables) > MAX_PARTS:
            self.fail((), f"the repeats of its expressions amount to more than {MAX_PARTS:,} parts")

    @property
    def name(self) -> str:
        return str(self.data["pack"]["name"])

    def fail(self, where: Where, reason: str) -> NoReturn:
        raise PackError(self.owner(where) + reason, file=self.shown, line=self.places.line(self._original(where)))

    def line(self, where: Where) -> int:
        return self.places.line(self._original(where)) if self.checked else 1

    def _original(self, where: Where) -> Where:
        return ("patterns", *where[1:]) if self.old and where[:1] == ("rule",) else where

    def owner(self, where: Where) -> str:
        """``rule ACME001, key when.any: `` for a place inside a rule."""
        key = ".".join(str(part) for part in where if isinstance(part, str))
        for kind, label in (("rule", "id"), ("patterns", "id"), ("secret", "name")):
            if len(where) > 1 and where[0] == kind and isinstance(where[1], int):
                tables = self.data.get(kind, [])
                table = tables[where[1]] if where[1] < len(tables) else {}
                named = table.get(label) if isinstance(table, dict) else None
                owner = f"{'rule' if kind == 'patterns' else kind} {named if isinstance(named, str) else where[1] + 1}"
                key = ".".join(str(part) for part in where[2:] if isinstance(part, str))
                return f"{owner}, key {key}: " if key else f"{owner}: "
        return f"key {key}: " if key else ""


def _size(expression: str, *, portable: bool) -> int:
    found = examine(expression)
    if isinstance(found, int) or portable:
        return found if isinstance(found, int) else 0  # what is not portable is refused in a moment, with its place
    # At the most, every repeat stands in all the others.
    return math.prod(max(1, int(n)) for n in regex.findall(r"\{([0-9]{1,9})", expression))


def load(
    house: Iterable[tuple[Path, str]] = (), *, bundled: bool = True, thorough: bool = True, eager: bool = True
) -> RuleSet:
    """Load the bundled packs and the house packs given as (path, how to show it). Raises PackError.

    ``thorough`` off takes the bundled packs at their word (the tests have checked them) and leaves their inline tests
    and line numbers out: that is what a lint run needs, and it starts in half the time. ``eager`` off compiles the
    expressions of the bundled packs when a text first needs them, which takes seconds for all of them.
    """
    files: list[_File] = []
    if bundled:
        folder = data_folder("packs")
        kind = {"bundled": True, "checked": thorough, "eager": thorough and eager}
        files += [_File(p, f"packs/{p.name}", **kind) for p in sorted(folder.glob("*.toml"))]
    files += [_File(path, shown, bundled=False, checked=True, eager=True) for path, shown in house]
    _check_prefixes(files)
    shared = _Shared(files)
    return RuleSet(tuple(_compile(file, shared) for file in files))


def _check_prefixes(files: list[_File]) -> None:
    ids: dict[str, tuple[_File, int]] = {}
    names: dict[str, str] = {}
    for file in files:
        info = file.data["pack"]
        prefix = info["prefix"]
        if not file.bundled and not file.old and (prefix == "R" or prefix.split("-")[0] == "CAS"):
            file.fail(("pack", "prefix"), f"the prefix {prefix!r} is reserved")
        if file.name in names:
            file.fail(("pack", "name"), f"a pack named {file.name!r} is already loaded from {names[file.name]}")
        names[file.name] = file.shown
        if "min_tool" in info and _version(info["min_tool"]) > _version(__version__):
            file.fail(("pack", "min_tool"), f"the pack needs mcp-cassette {info['min_tool']}; this is {__version__}")
        for i, rule in enumerate(file.data.get("rule", ())):
            identifier = rule["id"]
            if not identifier.startswith(prefix):
                file.fail(("rule", i, "id"), f"the id must start with the pack's prefix {prefix!r}")
            if not file.bundled and _RESERVED.match(identifier):
                file.fail(("rule", i, "id"), f"{identifier!r} is reserved: CAS- and R belong to the bundled rules")
            if identifier in ids:
                owner, index = ids[identifier]
                line = owner.places.line(owner._original(("rule", index, "id")))
                file.fail(("rule", i, "id"), f"the id is taken: {owner.shown}:{line}")
            ids[identifier] = (file, i)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in regex.findall(r"\d+", text)[:3])


class _Shared:
    """The patterns of all packs by name. A pack's own come first; a name two other packs define is ambiguous."""

    def __init__(self, files: list[_File]) -> None:
        self._files = {file.name: file for file in files}
        self._done: dict[tuple[str, str], Pattern] = {}
        self._busy: list[tuple[str, str]] = []

    def resolve(self, asking: _File, name: str, where: Where) -> Pattern:
        owners = [f for f in self._files.values() if name in f.data.get("pattern", {})]
        if asking in owners:
            owners = [asking]
        elif asking.bundled:
            owners = [f for f in owners if f.bundled]  # a house pack cannot disturb the bundled ones
        if not owners:
            known = [n for f in self._files.values() for n in f.data.get("pattern", {})]
            local = _local_names(asking.data, where)
            asking.fail(where, f"no pattern {name!r}{nearest(name, [*local, *known])}")
        if len(owners) > 1:
            asking.fail(where, f"the pattern {name!r} is defined in {' and '.join(f.shown for f in owners)}")
        return self._compile(owners[0], name, asking, where)

    def _compile(self, owner: _File, name: str, asking: _File, where: Where) -> Pattern:
        key = (owner.name, name)
        if key not in self._done:
            if key in self._busy:
                asking.fail(where, f"the pattern {name!r} refers to itself")
            if len(self._busy) >= MAX_CHAIN:
                asking.fail(where, f"patterns that refer to patterns more than {MAX_CHAIN} deep")
            self._busy.append(key)
            self._done[key] = compile_pattern(
                name,
                owner.data["pattern"][name],
                ("pattern", name),
                owner.fail,
                lambda inner, place: self.resolve(owner, inner, place),
                eager=owner.eager,
            )
            self._busy.pop()
        return self._done[key]


def _local_names(data: Mapping[str, Any], where: Where) -> list[str]:
    if len(where) > 1 and where[0] == "rule" and isinstance(where[1], int):
        rule = data["rule"][where[1]]
        return [*rule.get("pattern", {}), *([DIRECT] if "regex" in rule or "words" in rule else [])]
    return []


def _compile(file: _File, shared: _Shared) -> Pack:
    info = file.data["pack"]
    for name in file.data.get("pattern", {}):
        shared.resolve(file, name, ("pattern", name))
    rules: list[Rule] = [
        compile_rule(
            table,
            ("rule", i),
            file.fail,
            lambda name, where: shared.resolve(file, name, where),
            pack=file.name,
            line=file.line,
            checked=file.checked,
            eager=file.eager,
            checks=frozenset(CHECKS) if file.bundled else frozenset(),
            portable=not file.old,
        )
        for i, table in enumerate(file.data.get("rule", ()))
    ]
    return Pack(
        name=file.name,
        prefix=info["prefix"],
        file=file.shown,
        bundled=file.bundled,
        rules=tuple(rules),
        version=info.get("version"),
        summary=info.get("summary", ""),
        secrets=tuple(_secret(t, ("secret", i), file) for i, t in enumerate(file.data.get("secret", ()))),
    )


def _secret(table: Mapping[str, Any], where: Where, file: _File) -> Secret:
    found = complaint(table["regex"]) if file.checked else None
    if found:
        file.fail((*where, "regex"), f"not in the portable subset: {found[0]} (at character {found[1] + 1})")
    flags, group = flag_bits(table.get("flags", "")), group_of(table)
    if not file.bundled:
        try:
            compiled = compile_expression(table["regex"], flags)
        except (regex.error, ValueError, RecursionError) as error:
            file.fail((*where, "regex"), f"the expression does not compile: {error}")
        check_group(compiled, group, where, file.fail)
    return Secret(table["name"], table["regex"], flags, group)
