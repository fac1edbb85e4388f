"""The usual values, read by generated code, because most values of a log are usual.

For each class a function is generated that tests its fields one behind the other and fills the
object's slots, without a call for each.  It says yes to usual values only: dicts, lists, strings
and integers as a JSON parser makes them, with the declared keys, which fit.
At anything else it gives up, whatever that may be, and the plain reading of the class decides: its
answer is the only one that counts, and an error is always its own (ADR 15).
"""

from collections.abc import Callable, Sequence
from typing import Any, get_args

from attrs import NOTHING, Factory, fields, frozen

from dsh_spec.events.misfit import MISFITS

#: Reads a usual value; raises one of `UNUSUAL` at any other.
Usual = Callable[..., Any]


class UnusualError(Exception):
    """A value is not one of the usual ones; whether it fits is not said."""


#: What a generated function raises when it gives up.
UNUSUAL = (UnusualError, KeyError, *MISFITS)

_ABSENT = object()


@frozen
class Slot:
    """How generated code reads a field that is present."""

    #: The name of the attribute.
    name: str
    #: The JSON name.
    key: str
    #: Whether the key may be absent; the field has its default then.
    optional: bool
    #: An expression over ``v`` that holds for the usual values, which are kept as they are.
    test: str | None = None
    #: What reads the value where there is no such expression, and the type that it is told.
    read: Callable[[Any, Any], Any] | None = None
    kind: Any = None
    #: Whether the value is a list; the test or the reading is then that of its items.
    many: bool = False


def builder(cls: Any) -> Callable[..., Any]:
    """Return a function that makes an object of a class from all its fields, in their order.

    It does what the class's own ``__init__`` does, at a third of the time: that one takes the
    fields by name, and stores each through a check that the object is frozen.
    """
    names = [each.name for each in fields(cls)]
    assert not any(each.validator or each.converter for each in fields(cls))
    lines = [f"def build({', '.join(names)}):", *_filled(names), "    return made"]
    build: Callable[..., Any] = _generated("build", lines, _setters(cls))
    return build


def usual_reader(cls: Any, slots: Sequence[Slot], tag: str | None) -> Usual:
    """Return what reads the usual objects of a class, whose fields are *slots* and no others.

    *tag* is the class's ``type``, a key that is there without being a field.
    """
    constants: dict[str, Any] = {**_setters(cls), "ABSENT": _ABSENT, "No": UnusualError}
    for slot in slots:
        constants |= {f"read_{slot.name}": slot.read, f"kind_{slot.name}": slot.kind}
    keys = len(slots) + (tag is not None)
    lines = ["def usual(value, _kind=None):", "    if type(value) is not dict: raise No"]
    optional = [slot for slot in slots if slot.optional]
    absent = "".join(f" - ({_var(slot.name)} is ABSENT)" for slot in optional)
    lines += [f"    {_var(slot.name)} = {_taken(slot)}" for slot in slots]
    lines.append(f"    if len(value) != {keys}{absent}: raise No")
    if tag is not None:
        lines.append(f"    if value['type'] != {tag!r}: raise No")
    for slot in slots:
        lines += _judged(slot, constants, cls)
    values = {slot.name: _var(slot.name) for slot in slots}
    for each in fields(cls):
        if each.name not in values:
            lines.append(f"    {_var(each.name)} = {_default(each, constants)}")
    lines += _filled([each.name for each in fields(cls)], _var)
    lines.append("    return made")
    usual: Usual = _generated("usual", lines, constants)
    return usual


def _judged(slot: Slot, constants: dict[str, Any], cls: Any) -> list[str]:
    """Return the lines that test a field, or give it its default."""
    var = _var(slot.name)
    body: list[str] = []
    if slot.many:
        body.append(f"if type({var}) is not list: raise No")
        if slot.read is not None:
            body.append(f"{var} = tuple([read_{slot.name}(v, kind_{slot.name}) for v in {var}])")
        else:
            if slot.test is not None:
                body += [f"for v in {var}:", f"    if not ({slot.test}): raise No"]
            body.append(f"{var} = tuple({var})")
    elif slot.read is not None:
        body.append(f"{var} = read_{slot.name}({var}, kind_{slot.name})")
    elif slot.test is not None:
        body += [f"v = {var}", f"if not ({slot.test}): raise No"]
    if not slot.optional:
        return [f"    {line}" for line in body]
    default = _default(next(each for each in fields(cls) if each.name == slot.name), constants)
    rest = ["    else:", *(f"        {line}" for line in body)] if body else []
    return [f"    if {var} is ABSENT: {var} = {default}", *rest]


def _taken(slot: Slot) -> str:
    return f"value.get({slot.key!r}, ABSENT)" if slot.optional else f"value[{slot.key!r}]"


def _default(attribute: Any, constants: dict[str, Any]) -> str:
    """Return the expression of a field's default."""
    default = attribute.default
    assert default is not NOTHING
    name = f"default_{attribute.name}"
    if isinstance(default, Factory):  # type: ignore[arg-type]
        constants[name] = default.factory
        return f"{name}()"
    constants[name] = default
    return name


def _var(name: str) -> str:
    return f"f_{name}"


def _filled(names: Sequence[str], var: Callable[[str], str] = str) -> list[str]:
    return ["    made = new(cls)", *(f"    set_{name}(made, {var(name)})" for name in names)]


def _setters(cls: Any) -> dict[str, Any]:
    """Return what fills the slots of a class, each by the name under which code calls it."""
    setters = {f"set_{each.name}": getattr(cls, each.name).__set__ for each in fields(cls)}
    return {"cls": cls, "new": object.__new__, **setters}


def _generated(name: str, lines: Sequence[str], constants: dict[str, Any]) -> Any:
    space = dict(constants)
    exec("\n".join(lines), space)  # noqa: S102 - made of the vocabulary's own names, as attrs does
    return space[name]


def literal_test(annotation: Any) -> str:
    """Return the test of one of the listed values, which are strings and integers."""
    allowed = get_args(annotation)
    kinds = " or ".join(
        f"type(v) is {kind.__name__}" for kind in sorted({*map(type, allowed)}, key=str)
    )
    return f"({kinds}) and v in {allowed!r}"
