"""The benchmark of large logs measures what it says."""

import pytest
from click.testing import CliRunner

from dsh_conformance.bench.logs import Cost, Run, measure
from dsh_conformance.commands.bench import command


def _run(cpu: float, **stages: float) -> Run:
    wall = {name: 2 * seconds for name, seconds in stages.items()}
    return Run(wall=4 * cpu, cpu=cpu, stages_wall=wall, stages_cpu=stages, peak=cpu, events=10)


def test_costs_are_medians_and_leave_the_start_out() -> None:
    own = (_run(9, read=1, admit=2), _run(1, read=3, admit=4), _run(5, read=2, admit=9))
    opening = (_run(7, open=3), _run(8, open=4), _run(9, open=5))
    idle = (_run(2), _run(3), _run(4))
    cost = Cost(task="lint", events=10, size=1, own=own, opening=opening, idle=idle)
    assert cost.stages == ("read", "admit")
    assert (cost.stage("read"), cost.stage("admit"), cost.cpu, cost.wall) == (2, 4, 7, 14)
    assert (cost.opening_cpu, cost.opening_wall, cost.whole_ratio) == (5, 8, 20 / 32)
    assert cost.peak == 9


def test_without_the_runtime_there_is_nothing_to_compare_with() -> None:
    cost = Cost(task="lint", events=10, size=1, own=(_run(1, read=1),))
    assert (cost.opening_cpu, cost.opening_wall, cost.whole_ratio) == (None, None, None)


def test_fresh_processes_go_through_all_events() -> None:
    lint, migrate = measure([100], repeats=1, beside_runtime=False)
    assert (lint.task, lint.stages) == ("lint", ("read", "admit", "fold"))
    assert (migrate.task, migrate.stages) == ("migrate", ("read", "migrate", "spell"))
    assert lint.events == migrate.events >= 100
    assert lint.cpu > 0


@pytest.mark.parametrize("option", ["--events", "--repeats"])
def test_there_is_no_log_of_no_events(option: str) -> None:
    assert CliRunner().invoke(command, ["logs", option, "0"]).exit_code == 2


def test_the_command_shows_a_table_of_each_task() -> None:
    result = CliRunner().invoke(
        command, ["logs", "--events", "50", "--repeats", "1", "--alone"], standalone_mode=False
    )
    assert result.exit_code == 0, result.output
    assert "lint" in result.output
    assert "migrate" in result.output
