"""The real dsh runtimes that load plugins from a profile, as implementations under test.

Such a runtime is one executable that takes plugins only from a *profile* below its home directory.
So a launcher makes a throw-away home, copies the adapter into a profile there, links a third-party
plugin beside it, and starts the executable on that profile.
"""

from collections.abc import Mapping
from pathlib import Path

from dsh_conformance.implementation.dsh_home import (
    DshLauncher,
    copy_adapter,
    launcher_in,
    make_home,
)
from dsh_conformance.implementation.dsh_subject import Subject, read_subject
from dsh_conformance.implementation.runtimes import CURRENT, OLDER, Era, executable, version_of
from dsh_conformance.implementation.stdio import Deadlines

_PROFILE = "session-conformance"


def launcher(config: Mapping[str, str], deadlines: Deadlines | None = None) -> DshLauncher:
    """Return what starts the current runtime; `dsh_subject` says what *config* may hold.

    Raises `Misuse` for a wrong configuration, and `Fault` where there is no runtime.
    """
    return _launcher(CURRENT, config, deadlines)


def launcher_v3(config: Mapping[str, str], deadlines: Deadlines | None = None) -> DshLauncher:
    """Return what starts the runtime of format 3, which is configured like the current one.

    Raises `Misuse` for a wrong configuration, and `Fault` where there is no runtime.
    """
    return _launcher(OLDER["dsh-v3"], config, deadlines)


def _launcher(era: Era, config: Mapping[str, str], deadlines: Deadlines | None) -> DshLauncher:
    runtime = executable(era)
    subject = read_subject(config, version_of(era), era)
    home = make_home()
    profile = home / "profiles" / _PROFILE
    copy_adapter(profile, "dsh")
    if subject.package is not None:
        _link(subject, subject.package, profile)
    return launcher_in(
        home,
        (str(runtime), "--profile", _PROFILE),
        subject,
        describe=era.name if subject.package is None else f"{era.name} with {subject.module}",
        deadlines=deadlines,
    )


def _link(subject: Subject, package: Path, profile: Path) -> None:
    link = profile / "node_modules" / subject.module
    link.parent.mkdir(parents=True)
    link.symlink_to(package, target_is_directory=True)
