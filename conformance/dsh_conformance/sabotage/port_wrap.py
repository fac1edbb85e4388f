"""A port that answers some methods otherwise than a right one."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.port import Port, PureMethod
from dsh_spec.values import Json, JsonObject

#: Answers a request: the request, and what answers it rightly.
Answer: TypeAlias = Callable[[JsonObject, PureMethod], Json]


class ChangedPort:
    """A port that has other methods."""

    def __init__(self, right: Port, methods: Mapping[str, PureMethod]) -> None:
        self._right = right
        self._methods = {**right.methods, **methods}

    @property
    def capabilities(self) -> Capabilities:
        """What the right one claims."""
        return self._right.capabilities

    @property
    def methods(self) -> Mapping[str, PureMethod]:
        """What it answers."""
        return self._methods


def answering(right: Port, method: str, answer: Answer) -> Port:
    """Return a port that answers one method otherwise."""
    rightly = right.methods[method]

    def changed(params: JsonObject) -> Json:
        return answer(params, rightly)

    return ChangedPort(right, {method: changed})
