"""``python -m mcp_cassette``."""

from mcp_cassette.cli.main import main

if __name__ == "__main__":
    main()
