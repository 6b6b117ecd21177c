"""Entries → exchanges → texts: who answered what, and every string a model or a person will read."""

from mcp_cassette.walk.listing import ListedItem, Listing, OtherNames
from mcp_cassette.walk.messages import Direction, Message
from mcp_cassette.walk.pairing import Exchange
from mcp_cassette.walk.partial import Deferred, Tangled, walk_part
from mcp_cassette.walk.session import Found, walk

__all__ = [
    "Deferred",
    "Direction",
    "Exchange",
    "Found",
    "ListedItem",
    "Listing",
    "Message",
    "OtherNames",
    "Tangled",
    "walk",
    "walk_part",
]
