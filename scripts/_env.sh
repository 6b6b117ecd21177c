# Sourced by the scripts beside it: finds a Python >= 3.11 and keeps one environment in .venv, made once.
# `prepare EXTRAS` installs the project in it (EXTRAS as in ".[test]") when pyproject.toml changed since the last time.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

find_python() {
  local candidate
  for candidate in "${PYTHON:-}" python3.14 python3.13 python3.12 python3.11 python3 python; do
    [ -n "$candidate" ] || continue
    if "$candidate" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return 0
    fi
  done
  echo "mcp-cassette needs Python 3.11 or newer (set PYTHON to one)" >&2
  return 1
}

prepare() {
  local extras="$1" python stamp
  if [ ! -x .venv/bin/python ]; then
    python="$(find_python)" || exit 2
    echo "making an environment in .venv with $("$python" --version)" >&2
    "$python" -m venv .venv || exit 2
  fi
  stamp=".venv/.installed-${extras//[^a-z]/_}-$(cksum < pyproject.toml | cut -d' ' -f1)"
  if [ ! -e "$stamp" ]; then
    echo "installing mcp-cassette$extras" >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".$extras" || exit 2
    touch "$stamp"
  fi
}
