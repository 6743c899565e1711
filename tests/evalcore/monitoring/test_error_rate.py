"""How often a change is flagged where there is none, and how soon one of 5 points is found."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import norm

from evalcore.monitoring.watching import Plan
from tests.evalcore.monitoring.streams_made import watched


def alarms(looks, rows, share, reference, streams, seed=0):
    """Return the share of streams without a change in which one is flagged."""
    rng, found = np.random.default_rng(seed), 0
    for _ in range(streams):
        right, n = rng.binomial(rows, share, looks), np.full(looks, rows)
        if reference:
            right = np.append(rng.binomial(reference, share), right)
            n = np.append(reference, n)
        made = watched(right, n, Plan(looks), None if reference else share)
        found += made.at is not None
    return found / streams


def test_false_alarms_of_a_short_plan_are_rare():
    # 300 streams: 5% within four standard errors, which is at most 10%.
    assert 0.01 <= alarms(10, 100, 0.9, 500, 300) <= 0.10


@pytest.mark.slow
@pytest.mark.parametrize("looks", [10, 100, 1000])
@pytest.mark.parametrize("reference", [0, 2000])
def test_4_to_6_percent_of_streams_are_flagged_without_a_change(looks, reference, record_property):
    share = alarms(looks, 10 if looks == 1000 else 50, 0.9, reference, 2000)
    print(f"{looks} looks, reference of {reference or 'a stated value'}: {share:.2%}")
    # 2,000 streams tell 5% to within 0.5 points.
    assert 0.04 <= share <= 0.06


def fixed_test_rows(share, drop, power):
    """Return the rows of one test at 5% that finds the drop from a known share."""
    spread = sqrt(share * (1 - share)), sqrt((share - drop) * (1 - share + drop))
    reach = norm.isf(0.025) * spread[0] + norm.ppf(power) * spread[1]
    return (reach / drop) ** 2


def delays(looks, rows, share, before, streams):
    """Return the rows from a drop of 5 points until it is flagged, false alarms left out."""
    rng, found = np.random.default_rng(1), []
    for _ in range(streams):
        right = rng.binomial(rows, np.where(np.arange(looks) < before, share, share - 0.05))
        made = watched(right, np.full(looks, rows), Plan(looks), share)
        if made.at is not None and made.at < before:
            continue
        found.append(np.inf if made.at is None else (made.at + 1 - before) * rows)
    return np.array(found)


def test_a_drop_of_5_points_is_found_within_twice_the_rows_of_a_fixed_test():
    found = delays(100, 20, 0.9, 0, 100)
    assert np.median(found) <= 2 * fixed_test_rows(0.9, 0.05, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize(("looks", "rows"), [(10, 100), (100, 50), (1000, 10)])
@pytest.mark.parametrize("part", [0, 0.3])
def test_it_is_found_as_soon_wherever_it_begins(looks, rows, part):
    before = int(looks * part)
    fixed = fixed_test_rows(0.9, 0.05, 0.9)
    found = delays(looks, rows, 0.9, before, 300)
    mean, most = np.mean(found) / fixed, np.quantile(found, 0.9) / fixed
    print(
        f"{looks} looks of {rows} rows, from look {before}: {mean:.2f} of {fixed:.0f} rows on "
        f"average, 90% within {most:.2f}"
    )
    assert np.mean(found) <= 2 * fixed
