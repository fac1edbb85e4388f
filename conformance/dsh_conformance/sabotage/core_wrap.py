"""The reference with a core that is wrong in one way.

A wrong core changes what one method answers, refuses what is whole, takes what is broken, or
remembers what it should not.
"""

import copy
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from attrs import frozen

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.port import Port
from dsh_conformance.sabotage.port_wrap import ChangedPort
from dsh_spec.refusals import RefusalKind

#: A request, or an answer that may be changed.
Raw: TypeAlias = dict[str, Any]
#: The methods of a port, by name.
Methods: TypeAlias = Mapping[str, Any]
#: Answers a request; the second argument is the right method.
Answer: TypeAlias = Callable[[Any, Callable[[Any], Any]], Any]


@frozen(kw_only=True)
class WrongCore:
    """One way to be wrong, or only different."""

    #: The rule that it breaks; empty where it breaks none.
    rule: str
    #: Its name, in words joined by hyphens.
    name: str
    #: What is wrong, in one sentence.
    says: str
    #: The public field reports that it is a copy of; empty where there is none.
    like: str = ""
    #: Makes its methods of the right ones; called for each instance, so that it may remember.
    change: Callable[[Methods], Mapping[str, Any]]

    def make(self, right: Port, _workspace: Path) -> Port:
        """Return the wrong implementation."""
        return ChangedPort(right, self.change(right.methods))


_Function: TypeAlias = Callable[..., Any]
_Made: TypeAlias = Callable[[_Function], WrongCore]


def answers(rule: str, method: str, *, like: str = "") -> _Made:
    """Answer a method as the function does, which is given the request and the right method."""

    def made(function: _Function) -> WrongCore:
        def change(right: Methods) -> Mapping[str, Any]:
            return {method: lambda params: function(params, right[method])}

        return _wrong(rule, function, change, like)

    return made


def result(rule: str, method: str, *, like: str = "") -> _Made:
    """Change the answer of a method: the function is given it, and the request."""

    def made(function: _Function) -> WrongCore:
        def change(right: Methods) -> Mapping[str, Any]:
            def answer(params: Any) -> Any:
                found = copy.deepcopy(right[method](params))
                function(found, params)
                return found

            return {method: answer}

        return _wrong(rule, function, change, like)

    return made


def refuses(rule: str, method: str, *, like: str = "") -> _Made:
    """Refuse what the function says yes to: it is given the request."""

    def made(function: _Function) -> WrongCore:
        def change(right: Methods) -> Mapping[str, Any]:
            def answer(params: Any) -> Any:
                found = right[method](params)
                if function(params):
                    raise Refuse(RefusalKind.INVALID_EVENT, "it will not do")
                return found

            return {method: answer}

        return _wrong(rule, function, change, like)

    return made


def remembers(rule: str, *, like: str = "") -> _Made:
    """Answer as the methods do that the function makes of the right ones for each instance."""
    return lambda function: _wrong(rule, function, function, like)


def named(
    rule: str, name: str, says: str, change: Callable[[Methods], Mapping[str, Any]]
) -> WrongCore:
    """Return a wrong core that is one of many alike."""
    return WrongCore(rule=rule, name=name, says=says, change=change)


def _wrong(
    rule: str, function: _Function, change: Callable[[Methods], Mapping[str, Any]], like: str
) -> WrongCore:
    name = "-".join(re.findall(r"[a-z]+", function.__name__))
    says = " ".join(str(function.__doc__).split())
    return WrongCore(rule=rule, name=f"core-{name}", says=says, like=like, change=change)


def of(events: list[Raw], *types: str) -> list[Raw]:
    """Return the events of these types."""
    return [event for event in events if event.get("type") in types]
