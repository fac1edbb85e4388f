"""Strings as sequences of UTF-16 code units."""

import re

#: A surrogate code point; in a Python string it stands for one unpaired code unit.
SURROGATE = re.compile("[\ud800-\udfff]")


def utf16(text: str) -> str:
    """Join surrogate pairs that stand as two characters, so equal code units are equal strings.

    Lone surrogates stay as they are.

    Source: JSON-ACCEPT (facts: events §8).
    """
    if not SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
