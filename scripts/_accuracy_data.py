"""Labelled samples: a corpus from outside, the sentences of this project, and the cassettes that carry them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OWN = ROOT / "tests" / "corpus"
"""Where the project's own sentences are, a file a language."""

SURFACES = ("declaration", "output")
PARTS = ("rest", "aside")
ASIDE_OF = 5
"""One source in this many is set aside: rules are written looking at the rest only."""

CORE = r"bipia_|cse_|jailbreak|_naive|_todo|asb_escape|asb_fake|multilang|evasion_|hinglish"
"""Kinds that carry no pattern a rule could reach; "core" is the rest."""

# Well under the number of findings a file keeps, so that none is capped away.
SAMPLES_A_CASSETTE = 60


class Failed(Exception):
    """What was asked for cannot be done."""


@dataclass(frozen=True)
class Sample:
    """A text or a tool, and what it is. ``kind`` is the family of a sentence of our own."""

    id: str
    surface: str
    attack: bool
    kind: str
    lang: str
    source: str
    register: str
    text: str
    tool: dict[str, Any] | None

    @property
    def part(self) -> str:
        return PARTS[is_aside(self.source)]


def is_aside(source: str) -> bool:
    """Whether a source is set aside: the same answer on every machine, and all samples of a source stay together."""
    return int(hashlib.sha256(source.encode("utf-8")).hexdigest(), 16) % ASIDE_OF == 0


def corpus(folder: Path) -> list[Sample]:
    """The samples of a corpus: id, surface, label (attack | benign), kind, lang, source, and ``text`` or ``tool``."""
    return _read(folder, {"attack": True, "benign": False}, "kind")


def own() -> list[Sample]:
    """Our own sentences: id, lang, label (attack | near), family, surface, register, text."""
    return _read(OWN, {"attack": True, "near": False}, "family")


def is_core(sample: Sample, not_kind: re.Pattern[str]) -> bool:
    return not not_kind.search(sample.kind)


def _read(folder: Path, labels: dict[str, bool], kind: str) -> list[Sample]:
    found: dict[str, Sample] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if not line.strip():
                continue
            try:
                sample = _sample(json.loads(line), labels, kind)
            except (ValueError, KeyError, TypeError) as error:
                raise Failed(f"{path}:{number}: no sample: {error!r}") from error
            if sample.id in found:
                raise Failed(f"{path}:{number}: the id {sample.id} is taken")
            found[sample.id] = sample
    if not found:
        raise Failed(f"no samples in {folder}")
    return list(found.values())


def _sample(row: dict[str, Any], labels: dict[str, bool], kind: str) -> Sample:
    if row["surface"] not in SURFACES:
        raise ValueError(f"surface {row['surface']!r}")
    tool = row.get("tool")
    return Sample(
        id=str(row["id"]),
        surface=row["surface"],
        attack=labels[row["label"]],
        kind=row[kind],
        lang=row["lang"],
        source=row.get("source", "own"),
        register=row.get("register", "-"),
        text="" if tool else row["text"],
        tool=tool,
    )


def by_number(samples: list[Sample]) -> dict[str, list[Sample]]:
    """Cassettes of a fixed number of samples."""
    starts = range(0, len(samples), SAMPLES_A_CASSETTE)
    return {f"{start:06d}": samples[start : start + SAMPLES_A_CASSETTE] for start in starts}


def by_language(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    """A cassette for each language and surface."""
    out: dict[str, list[Sample]] = {}
    for sample in samples:
        out.setdefault(f"{sample.lang}-{sample.surface}", []).append(sample)
    return out


def lay_out(cassettes: dict[str, list[Sample]], folder: Path) -> None:
    """Write samples as cassettes, each sample an exchange of its own."""
    for name, samples in cassettes.items():
        with (folder / f"{name}.cassette.jsonl").open("w", encoding="utf-8") as out:
            out.write(json.dumps({"type": "header", "cassetteVersion": 2, "transport": "stdio"}) + "\n")
            for sample in samples:
                for entry in _exchange(sample):
                    out.write(json.dumps({"type": "frame", "t": 0, **entry}) + "\n")


def _exchange(sample: Sample) -> Iterator[dict[str, Any]]:
    """The request and the answer that carry a sample."""
    params: dict[str, Any]
    result: dict[str, Any]
    if sample.surface == "declaration":
        plain = {"name": "tool", "description": sample.text, "inputSchema": {"type": "object"}}
        method, params, result = "tools/list", {}, {"tools": [sample.tool or plain]}
    else:
        method, params = "tools/call", {"name": "tool", "arguments": {}}
        result = {"content": [{"type": "text", "text": sample.text}]}
    yield {"dir": "c2s", "frame": {"jsonrpc": "2.0", "id": sample.id, "method": method, "params": params}}
    yield {"dir": "s2c", "frame": {"jsonrpc": "2.0", "id": sample.id, "result": result}}
