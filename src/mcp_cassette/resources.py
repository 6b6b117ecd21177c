"""Where the data files are: inside the package in a wheel, at the top of the tree in an editable install."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """The folder ``packs`` or ``schemas``. Raises FileNotFoundError when the installation is broken."""
    for folder in (_HERE / "_data" / name, _HERE.parents[1] / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the installation of mcp-cassette has no folder {name!r}")
