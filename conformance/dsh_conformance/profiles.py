"""How hard a run looks: the same checks, with more or fewer examples."""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen


@frozen(kw_only=True)
class Profile:
    """One depth of search."""

    #: Its name on the command line.
    name: str
    #: How many runs (Hypothesis examples) are tried.
    examples: int
    #: How many operations a run has at most.
    steps: int
    #: How many times at most a run ends a process: starting one costs more than a whole run.
    lives: int
    #: How often each claimed rule has to be exercised before the run may say that it passed.
    at_least: int


#: Answers in under a minute on two cores: what a backend author runs on save.
QUICK = Profile(name="quick", examples=110, steps=20, lives=1, at_least=3)
#: For continuous integration.
STANDARD = Profile(name="standard", examples=600, steps=30, lives=2, at_least=10)
#: For a release; runs for an hour.
THOROUGH = Profile(name="thorough", examples=20_000, steps=50, lives=4, at_least=50)

#: The profiles by name.
PROFILES: Mapping[str, Profile] = MappingProxyType(
    {each.name: each for each in (QUICK, STANDARD, THOROUGH)}
)
