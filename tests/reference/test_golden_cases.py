"""The golden cases of every format: what the reference makes of a log is what the case says."""

import pytest

from dsh_conformance.golden import Case, corpus
from dsh_conformance.golden.check import check_case


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case.place)
def test_a_golden_case_comes_to_what_it_must(case: Case) -> None:
    assert check_case(case) == []
