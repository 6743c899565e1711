"""Accuracy misleads: counts, rates and the answer of the larger class."""

import pytest

from tests.evalview.explorer.lessons.staging import Load, numbers

pytestmark = pytest.mark.browser


def test_a_rare_disease_has_its_values(module: Load) -> None:
    found = numbers(module("rare"), "rare", share=260 / 11183, recall=0, specificity=1)
    assert found["accuracy"] == found["always"] == pytest.approx(10923 / 11183)
    assert round(found["accuracy"], 4) == 0.9768  # 0.97675
    assert found["precision"] == "NaN"
    third = numbers(
        module("rare"), "rare", share=78 / 3355, recall=47 / 78, specificity=2950 / 3277, rows=3355
    )
    cells = [third[name] for name in ("tp", "fn", "fp", "tn")]
    assert cells == pytest.approx([47, 31, 327, 2950])
    assert third["accuracy"] == pytest.approx(2997 / 3355)


@pytest.mark.parametrize("share", [0.001, 0.02, 0.5])
@pytest.mark.parametrize(("recall", "specificity"), [(0.9, 0.95), (0.0, 1.0), (1.0, 0.0)])
def test_accuracy_is_a_mean_weighted_by_the_share(
    share: float, recall: float, specificity: float, module: Load
) -> None:
    found = numbers(
        module("rare"), "rare", share=share, recall=recall, specificity=specificity, rows=1000
    )
    assert found["accuracy"] == pytest.approx(share * recall + (1 - share) * specificity)
    assert found["balanced"] == pytest.approx((recall + specificity) / 2)
    assert found["accuracy"] == pytest.approx((found["tp"] + found["tn"]) / 1000)
    assert found["always"] == max(share, 1 - share)
