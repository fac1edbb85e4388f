"""What can go wrong with a report."""


class Unwritable(Exception):  # noqa: N818 - it says what the directory is
    """The report cannot be written; the message is one line that says why and what to do."""
