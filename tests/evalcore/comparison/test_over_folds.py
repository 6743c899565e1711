import numpy as np
import pytest

from evalcore.comparison.by_fold import over_folds
from evalcore.options import Options
from evalread.loading import load

FILE = b"truth,fold,prediction\n" + b"\n".join(
    f"{i % 7 + i / 10},{1 + i // 10},{i % 7 + i / 10 + (i * i % 11) / 2 - 1}".encode()
    for i in range(30)
)


def test_mean_error_and_interval_of_the_folds_by_scikit_learn_and_scipy():
    from scipy.stats import t
    from sklearn.metrics import mean_absolute_error

    dataset = load([("f.csv", FILE)])
    made = over_folds(dataset, "mae", Options())
    [outcomes] = dataset.models.values()
    each = [
        mean_absolute_error(outcomes.truth[k : k + 10], outcomes.prediction[k : k + 10])
        for k in (0, 10, 20)
    ]
    assert made.scores.score[0] == pytest.approx(each)
    assert made.merged == pytest.approx(mean_absolute_error(outcomes.truth, outcomes.prediction))
    error = np.std(each, ddof=1) * np.sqrt(1 / 3 + 10 / 20)
    assert made.corrected == pytest.approx(error)
    low, high = t.interval(0.95, 2, np.mean(each), error)
    assert (float(made.interval.low), float(made.interval.high)) == pytest.approx((low, high))


def test_a_metric_that_the_model_does_not_give_has_no_folds():
    assert over_folds(load([("f.csv", FILE)]), "roc_auc", Options()) is None
