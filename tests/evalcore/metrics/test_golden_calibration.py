"""Calibration metrics and tests against values from R."""

import numpy as np
import pytest

from evalcore.metrics import catalog, probability
from evalcore.metrics.probability import HosmerLemeshow, Spiegelhalter
from evalcore.metrics.recalibration import CalibrationLine
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids

METRIC = catalog.by_key()


def picked(*quantities: str) -> list[Golden]:
    return [entry for entry in entries(id="calib.*") if entry.quantity in quantities]


def checks(found: list[Golden]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", found, ids=ids(found))


def scored(entry: Golden) -> ScoreTable:
    return ScoreTable.from_scores(*breast_cancer(entry.params["model"]))


def binned(entry: Golden) -> ReliabilityTable:
    return ReliabilityTable.from_scores(scored(entry), entry.params["bins"])


@checks(picked("ece_equal_width_left_closed_10", "ece_equal_width_left_closed_15"))
def test_calibration_errors_agree_with_exact_decimal_bins(entry: Golden) -> None:
    table = binned(entry)
    entry.check({"ece": probability.ece(table), "mce": probability.mce(table)})


@checks(picked("brier_decomposition_10"))
def test_the_parts_of_the_brier_score_agree_with_r(entry: Golden) -> None:
    table = binned(entry)
    parts = {
        "reliability": probability.brier_reliability(table),
        "resolution": probability.brier_resolution(table),
        "uncertainty": METRIC["brier_uncertainty"](scored(entry)),
    }
    entry.check(parts)


@checks(picked("hosmer_lemeshow"))
def test_hosmer_lemeshow_agrees_with_r(entry: Golden) -> None:
    test = HosmerLemeshow.from_scores(scored(entry))
    entry.check(
        {
            "chisq": test.statistic,
            "groups": len(test.rows),
            "p_df_g": METRIC["hosmer_lemeshow_p"](test),
            "p_df_g_minus_2": METRIC["hosmer_lemeshow_p_fitted"](test),
        }
    )


@checks(picked("spiegelhalter_z"))
def test_spiegelhalter_agrees_with_r(entry: Golden) -> None:
    test = Spiegelhalter.from_scores(scored(entry))
    entry.check({"z": test.z, "p_value": test.p_value})


@checks(picked("calibration_slope_intercept_clip0.001"))
def test_the_calibration_line_agrees_with_glm(entry: Golden) -> None:
    line = CalibrationLine.from_scores(scored(entry), clip=entry.params["clip"])
    entry.check(
        {
            "slope": line.slope[0],
            "slope_se": line.slope[1],
            "intercept": line.intercept[0],
            "calibration_in_the_large": line.in_the_large[0],
        }
    )
    # The sandwich error, which R's is multiplied by: the slope is held, so that the fit is off.
    table = scored(entry)
    odds = np.log(np.clip(table.threshold, entry.params["clip"], 1 - entry.params["clip"]))
    odds -= np.log1p(-np.clip(table.threshold, entry.params["clip"], 1 - entry.params["clip"]))
    chance = 1 / (1 + np.exp(-odds - line.in_the_large[0]))
    positive, negative = table.steps()
    seen = (positive * (1 - chance) ** 2 + negative * chance**2).sum()
    promised = ((positive + negative) * chance * (1 - chance)).sum()
    entry.check({"citl_se": line.in_the_large[1] / max(np.sqrt(seen / promised), 1)})
