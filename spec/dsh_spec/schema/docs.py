"""The documentation of a class and of its fields, read from its source."""

import inspect
import re

from attrs import has

_FIELD = re.compile(r"    (\w+): ")


def class_doc(cls: type) -> str:
    """The first sentence of a class's documentation."""
    return _markdown((inspect.getdoc(cls) or "").partition("\n\n")[0])


def field_docs(cls: type) -> dict[str, str]:
    """The ``#:`` comments of a class's fields, inherited ones included, by the fields' names."""
    docs: dict[str, str] = {}
    for base in filter(has, reversed(cls.__mro__)):
        docs |= _own_docs(base)
    return docs


def _own_docs(cls: type) -> dict[str, str]:
    docs: dict[str, str] = {}
    comment: list[str] = []
    for line in inspect.getsource(cls).splitlines():
        if line.startswith("    #: "):
            comment.append(line.removeprefix("    #: "))
        elif (found := _FIELD.match(line)) and comment:
            docs[found[1]] = _markdown(" ".join(comment))
            comment = []
    return docs


def _markdown(text: str) -> str:
    return " ".join(text.split()).replace("``", "`")
