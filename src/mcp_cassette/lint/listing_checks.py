"""Structural checks of a recorded listing: what makes a tool unusable, ambiguous, or other than it was a moment ago."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any

from mcp_cassette.lint.broken import Broken
from mcp_cassette.lint.json_schema import SchemaCheck, header_complaints
from mcp_cassette.model import Path
from mcp_cassette.neutral import visible
from mcp_cassette.walk import ListedItem, Listing

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_MAX_KNOWN = 100_000


class ListingCheck:
    """Checks each complete listing of one file, and each against those before it."""

    def __init__(self) -> None:
        self._descriptions: dict[tuple[str, str], str] = {}
        self._schemas = SchemaCheck()

    def on_listing(self, listing: Listing) -> Iterator[Broken]:
        """Every broken check of a listing's items, in order."""
        first: dict[str, int] = {}
        now: dict[tuple[str, str], str] = {}
        for item in listing.items:
            if not isinstance(item.value, dict):
                what = _json_type(item.value)
                yield _broken("item-not-an-object", f"item {item.index + 1} of the listing is {what}", item)
                continue
            if item.kind in ("tools", "prompts") and item.name is not None:
                if item.name in first:
                    detail = f'"{visible(item.name[:80])}" is also item {first[item.name]} of the listing'
                    yield _broken("duplicate-name", detail, item, "name")
                first.setdefault(item.name, item.index + 1)
            if item.kind == "tools":
                yield from _check_tool(item, self._schemas)
            yield from self._against_before(item, now)
        # Two items of one listing are compared with earlier listings, not with each other: that is a duplicate name.
        for key, digest in now.items():
            if key in self._descriptions or len(self._descriptions) < _MAX_KNOWN:
                self._descriptions[key] = digest

    def _against_before(self, item: ListedItem, seen: dict[tuple[str, str], str]) -> Iterator[Broken]:
        description = item.value.get("description")
        if item.name is None or not isinstance(description, str):
            return
        key = (item.subject, item.name)
        now = seen[key] = hashlib.sha256(description.encode("utf-8", "surrogatepass")).hexdigest()
        if self._descriptions.get(key, now) != now:
            detail = "its description is another one than earlier in this recording"
            yield _broken("listing-changed", detail, item, "description", value=now)


def _check_tool(item: ListedItem, schemas: SchemaCheck) -> Iterator[Broken]:
    tool = item.value
    name = tool.get("name")
    if not isinstance(name, str):
        yield _broken("name-shape", "the name is missing" if name is None else "the name is no string", item, "name")
    elif not _NAME.fullmatch(name):
        long = len(name) > 128
        reason = f"{len(name)} characters" if long else f'"{visible(name[:80])}"' if name else "an empty name"
        yield _broken("name-shape", reason, item, "name")
    description = tool.get("description")
    if not isinstance(description, str) or not description.strip():
        yield _broken(
            "description-missing", "there is none" if description is None else "it is empty", item, "description"
        )
    if not isinstance(tool.get("inputSchema"), dict):
        found = "there is none" if "inputSchema" not in tool else f"it is {_json_type(tool['inputSchema'])}"
        yield _broken("input-schema-missing", found, item, "inputSchema")
    for key in ("inputSchema", "outputSchema"):
        schema = tool.get(key)
        if schema is None or (key == "inputSchema" and not isinstance(schema, dict)):
            continue
        complaint = schemas.complaint(schema, root_object=key == "inputSchema")
        if complaint is not None:
            reason, path = complaint
            at: Path = (item.path, key)
            for step in path:
                at = (at, step)
            yield _broken("schema-invalid", f"{key}: {visible(reason)}", item, at=at)
        if key == "inputSchema":
            for reason, path in header_complaints(schema):
                at = (item.path, key)
                for step in path:
                    at = (at, step)
                yield _broken("header-parameter", visible(reason), item, at=at)


def _broken(
    check: str, detail: str, item: ListedItem, key: str | None = None, *, at: Path | None = None, value: str = ""
) -> Broken:
    path = at if at is not None else item.path
    if key is not None and key in item.value:
        path = (item.path, key)
    return Broken(
        check,
        detail,
        path,
        item.line,
        item.raw,
        item.subject,
        item.method,
        item.request_id,
        value=value or detail,
        embedded=item.embedded,
    )


def _json_type(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    return "an array" if isinstance(value, list) else "an object" if isinstance(value, dict) else "a number"
