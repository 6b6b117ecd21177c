"""One thin module per command: the only place that knows click, rich and exit statuses."""
