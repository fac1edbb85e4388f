"""The benchmark counts what it measures."""

from time import sleep

from dsh_conformance.bench.suite import Measurement, Stopwatch


def test_a_stopwatch_adds_up() -> None:
    watch = Stopwatch()
    with watch:
        sleep(0)
    before = watch.seconds
    with watch:
        sleep(0)
    assert watch.times == 2
    assert watch.seconds > before > 0


def test_what_is_not_spent_elsewhere_is_the_suite_s_own() -> None:
    found = Measurement(seconds=10.0, examples=50, calls=7, calling=4.0, living=1.0)
    assert (found.rate, found.own) == (5.0, 0.5)
