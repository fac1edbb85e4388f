"""What the logs of a session's children say of them.

A parent's log of format v3 or earlier need not list the children that it started.  So the last
edge is given one fact a child, and completes the list from them.  A child is a session whose
header says that it is a subagent's and names its parent; a fork is none.
"""

from attrs import frozen

from dsh_reference.admit.slots import is_list
from dsh_reference.migrate.edit import Wrong
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count, is_pos
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, is_object


@frozen(kw_only=True)
class ChildFact:
    """What is known of one child.

    Source: MIG34-CHILD-FACT (facts: migration §4.3).
    """

    #: The child's session id.
    child_id: str
    #: When it was created, in ms.
    created_at: int
    #: How many descriptors it has of its own.
    descriptor_count: int = 0
    #: The first of them.
    descriptor: Json = None
    #: Where its log lies, for people.
    source_path: str | None = None


@frozen(kw_only=True)
class Evidence:
    """How a child was started, from its descriptor."""

    #: ``continuable`` or ``one-shot``.
    mode: str
    #: The label that it was given; ``None`` for none.
    label: str | None = None


def read_children(raw: Json) -> tuple[ChildFact, ...] | Refusal:
    """Return the facts that a list of JSON objects states.

    Each has ``childId``, ``childCreatedAt``, ``descriptorCount`` and ``descriptor``, and may have
    ``sourcePath`` and members that mean nothing.  The refusal's kind is ``unsupported-migration``.
    """
    facts = [_read_child(item) for item in (raw if is_list(raw) else (raw,))]
    good = tuple(fact for fact in facts if fact is not None)
    if len(good) == len(facts):
        return good
    return Refusal(
        kind=RefusalKind.UNSUPPORTED_MIGRATION,
        rule="MIG34-CHILD-FACT",
        where=f"child {facts.index(None)}",
        problem="it is no fact of a child",
    )


def _read_child(raw: Json) -> ChildFact | None:
    match raw:
        case {
            "childId": str(child),
            "childCreatedAt": created,
            "descriptorCount": count,
            "descriptor": descriptor,
            **rest,
        } if is_count(created) and is_count(count):
            path = rest.get("sourcePath")
            return ChildFact(
                child_id=child,
                created_at=int(created),
                descriptor_count=int(count),
                descriptor=descriptor,
                source_path=path if isinstance(path, str) else None,
            )
    return None


def evidence_of(fact: ChildFact) -> Evidence | Wrong | None:
    """Return how a child was started, ``None`` where its log does not tell.

    A descriptor of a version that is known has to be a whole one.

    Source: MIG34-CHILD-INTERPRET (facts: migration §4.3).
    """
    descriptor = fact.descriptor
    if fact.descriptor_count != 1 or not is_object(descriptor):
        return None
    version = descriptor.get("version")
    if not is_pos(version) or version > 3:
        return None
    mode = "continuable" if version == 1 else descriptor.get("mode")
    match {**descriptor, "mode": mode}:
        case {"provider": str(), "mode": "continuable" | "one-shot", "label": str(label)}:
            return Evidence(mode=str(mode), label=label)
        case {"provider": str(), "mode": "one-shot"} if "label" not in descriptor:
            return Evidence(mode="one-shot")
    problem = f"the descriptor of the child {fact.child_id[:80]!r} is not whole"
    return Wrong(rule="MIG34-CHILD-INTERPRET", problem=problem)
