"""Log files as their owners have them: found, judged, converted and written."""
