"""Files of one score per fold: told from rows, in every form that tools give them."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from evalcore.predictions import FoldScores
from evalread.dataset import Dataset, Task

from .files import codes, loaded, notice, refused

ROOT = Path(__file__).parents[2]
LONG = "model,fold,auc\nA,1,0.7\nA,2,0.8\nB,2,0.5\nB,1,0.6\n"


def scores(data: Dataset) -> FoldScores:
    assert (data.roles.task, data.models, data.classes) == (Task.FOLDS, {}, ())
    assert data.fold_scores is not None
    return data.fold_scores


def table(made: FoldScores) -> list[list[float]]:
    return made.score.tolist()


def test_long_files_are_matched_by_the_name_of_the_fold() -> None:
    made = scores(loaded(LONG))
    assert (made.metric, made.models, made.fold) == ("auc", ("A", "B"), ("1", "2"))
    assert table(made) == [[0.7, 0.8], [0.6, 0.5]]


def test_a_score_that_is_missing_stays_missing() -> None:
    made = scores(loaded(LONG + "A,3,0.9\nB,3,\n"))
    assert np.isnan(made.score[1, 2])
    assert made.score[0, 2] == 0.9


def test_wide_files_have_a_model_per_column() -> None:
    made = scores(loaded("fold,rf_accuracy,svm_accuracy\n1,0.9,0.8\n2,0.7,0.6\n"))
    assert (made.metric, made.models) == ("accuracy", ("rf", "svm"))
    assert table(made) == [[0.9, 0.7], [0.8, 0.6]]


def test_names_without_a_metric_are_models() -> None:
    made = scores(loaded("fold,forest,ridge\n1,0.9,0.8\n2,0.7,0.6\n"))
    assert (made.metric, made.models) == ("score", ("forest", "ridge"))


def test_of_several_metrics_one_is_compared_and_the_others_are_named() -> None:
    data = loaded("fold,rf_f1,svm_f1,rf_skill,svm_skill\n1,0.9,0.8,1,2\n2,0.7,0.6,3,4\n")
    assert scores(data).metric == "f1"
    assert '"rf_skill", "svm_skill"' in notice(data, "other-scores")
    made = scores(loaded("model,fold,time,skill,mae\nA,1,9,1,2\nA,2,9,1,3\n"))
    assert (made.metric, table(made)) == ("mae", [[2, 3]])


def test_the_other_metrics_are_at_hand_on_the_same_folds() -> None:
    wide = scores(loaded("fold,rf_f1,svm_f1,rf_auc,svm_auc\n1,0.9,0.8,1,0.5\n2,0.7,0.6,0.4,0.3\n"))
    assert list(wide.by_metric) == ["f1", "auc"]
    assert wide.by_metric["auc"].models == wide.models == ("rf", "svm")
    assert table(wide.by_metric["auc"]) == [[1, 0.4], [0.5, 0.3]]
    text = "model,fold,n_test,acc,mae\nA,1,9,0.5,2\nB,1,9,0.6,3\nA,2,8,0.7,4\nB,2,8,0.8,5\n"
    long = scores(loaded(text))
    assert list(long.by_metric) == ["acc", "mae"]
    assert table(long.by_metric["mae"]) == [[2, 4], [3, 5]]
    assert long.by_metric["mae"].n_test is not None


def test_another_metric_that_cannot_be_used_is_no_reason_to_refuse_the_file() -> None:
    made = scores(loaded("model,fold,acc,mae\nA,1,0.5,inf\nB,1,0.6,3\n"))
    assert list(made.by_metric) == ["acc"]


def test_what_cross_validate_gives_is_one_model() -> None:
    text = "fold,fit_time,score_time,test_accuracy,train_accuracy\n0,1,1,0.8,0.9\n1,1,1,0.7,1.0\n"
    made = scores(loaded(text))
    assert (made.metric, made.models, table(made)) == ("accuracy", ("model",), [[0.8, 0.7]])


def test_repeats_data_sets_and_sizes_are_read() -> None:
    made = scores(
        loaded(
            "dataset,repeat,fold,n_train,n_test,model,rmse\n"
            "iris,1,1,90,10,A,2\niris,1,1,90,10,B,3\niris,2,1,80,20,B,5\niris,2,1,80,20,A,4\n"
        )
    )
    assert (made.dataset, made.repeat, made.fold) == (("iris", "iris"), ("1", "2"), ("1", "1"))
    assert (made.n_train.tolist(), made.n_test.tolist()) == ([90, 80], [10, 20])
    assert table(made) == [[2, 4], [3, 5]]


def test_a_row_may_hold_two_models_that_it_names() -> None:
    made = scores(
        loaded(
            "fold,model_A,model_B,score_A,score_B\n1,x,y,0.9,0.8\n1,y,z,0.8,0.5\n2,x,y,0.7,0.6\n"
        )
    )
    assert (made.models, made.fold) == (("x", "y", "z"), ("1", "2"))
    assert np.array_equal(table(made), [[0.9, 0.7], [0.8, 0.6], [0.5, np.nan]], equal_nan=True)


def test_two_different_scores_of_one_fold_are_refused_with_their_rows() -> None:
    error = refused(LONG + "A,2,0.9\n", fold_scores={"": "auc"})
    assert (error.code, error.rows) == ("repeated-fold", (2, 5))
    assert '"A" has two scores for fold 2 (rows 2 and 5)' in error.message


@pytest.mark.parametrize(
    ("text", "code", "column", "rows"),
    [
        ("model,fold,auc\nA,1,0.7\n,2,0.8\n", "unnamed", "model", (2,)),
        ("model,fold,auc\nA,1,0.7\nA,,0.8\n", "unnamed", "fold", (2,)),
        ("model,fold,auc\nA,1,0.7\nA,2,inf\n", "infinite-score", "auc", (2,)),
        ("model,fold,auc,n_train\nA,1,0.7,9\nA,2,0.8,0\n", "bad-size", "n_train", (2,)),
    ],
)
def test_a_cell_that_cannot_be_used_is_named(
    text: str, code: str, column: str, rows: tuple[int, ...]
) -> None:
    error = refused(text)
    assert (error.code, error.column, error.rows) == (code, column, rows)
    assert f'"{column}"' in error.message
    assert "row 2" in error.message


def test_columns_can_be_chosen_with_and_without_names() -> None:
    text = "part,first,second,third\na,1,2,3\nb,4,5,6\n"
    made = scores(loaded(text, fold="part", fold_scores={"A": "first", "B": "third"}))
    assert (made.models, made.fold, table(made)) == (("A", "B"), ("a", "b"), [[1, 4], [3, 6]])
    text = "which,part,skill\nA,1,0.7\nB,1,0.8\n"
    made = scores(loaded(text, fold="part", model="which", fold_scores={"": "skill"}))
    assert (made.models, made.metric, table(made)) == (("A", "B"), "skill", [[0.7], [0.8]])


def test_rows_without_a_fold_column_are_folds_and_that_is_said() -> None:
    data = loaded("a,b\n0.9,0.8\n0.7,0.6\n", fold_scores={"a": "a", "b": "b"})
    assert scores(data).fold == ("1", "2")
    assert "each row is read as one fold" in notice(data, "rows-are-folds")
    error = refused("m,s\nA,0.7\nB,0.8\n", model="m", fold_scores={"": "s"})
    assert error.code == "no-fold"


def test_a_column_of_models_that_is_not_there_is_refused() -> None:
    for text in (LONG, "item,model,correct\nx,a,1\ny,a,0\nx,b,1\ny,b,0\n"):
        assert refused(text, model="nope").code == "no-such-column"


def test_caret_names_fold_and_repeat_in_one() -> None:
    data = loaded(
        "Resample,rf~Accuracy,rf~Kappa,svm~Accuracy,svm~Kappa\n"
        "Fold1.Rep1,0.9,0.8,0.7,0.6\nFold1.Rep2,0.5,0.4,0.3,0.2\n"
    )
    made = scores(data)
    assert (made.metric, made.models) == ("Accuracy", ("rf", "svm"))
    assert (made.fold, made.repeat) == (("Fold1", "Fold1"), ("Rep1", "Rep2"))
    assert table(made) == [[0.9, 0.5], [0.7, 0.3]]


def test_caret_without_repeats_keeps_its_folds() -> None:
    made = scores(loaded("Resample,rf~RMSE,lm~RMSE\nFold1,1,2\nFold2,3,4\n"))
    assert (made.fold, made.repeat, table(made)) == (("Fold1", "Fold2"), (), [[1, 3], [2, 4]])


def test_each_setting_of_a_search_is_a_model() -> None:
    made = scores(
        loaded(
            "params,param_C,param_k,split0_test_f1,split1_test_f1,mean_test_f1\n"
            "\"{'C': 1}\",1,rbf,0.9,0.8,0.85\n\"{'C': 2}\",2,rbf,0.7,0.6,0.65\n"
        )
    )
    assert (made.metric, made.models, made.fold) == ("f1", ("C=1", "C=2"), ("0", "1"))
    assert table(made) == [[0.9, 0.8], [0.7, 0.6]]


def test_rows_of_examples_are_no_scores_of_folds() -> None:
    for text in (
        "id,fold,score,churned\n1,1,0.9,1\n2,1,0.8,0\n3,2,0.3,1\n",
        "fold,species,pred\n1,a,a\n1,b,b\n2,a,b\n2,b,b\n",
        "split,truth,score\ntrain,1,0.9\ntest,0,0.1\n",
    ):
        roles = loaded(text).roles
        assert roles.task is not Task.FOLDS


@pytest.mark.parametrize(
    ("path", "models", "folds"),
    [
        ("assets/samples/folds.csv", 3, 30),
        ("tests/golden/five_by_two_cv_scores.csv", 4, 30),
    ],
)
def test_real_files_are_told_without_options(path: str, models: int, folds: int) -> None:
    data = loaded((path, (ROOT / path).read_bytes()))
    assert scores(data).score.shape == (models, folds)
    assert np.isfinite(scores(data).score).all()
    assert not codes(data)


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("fold,A,B\n0,0.8,0.7\n1,0.9,0.8\nMean,0.85,0.75\nSD,0.04,0.04\n", (3, 4)),
        ("fold,A,B\n1,0.8,0.7\n2,0.9,0.8\nstd. dev.,0.04,0.04\n", (3,)),
        ("dataset,A,B\niris,0.8,0.7\nwine,0.9,0.8\navg,0.8,0.7\nmedian,0.85,0.75\n", (3, 4)),
        ("model,fold,f1\nA,1,0.8\nA,2,0.9\nA,mean,0.85\nB,1,0.7\nB,2,0.8\nB,mean,0.75\n", (3, 6)),
    ],
)
def test_rows_that_sum_up_the_folds_are_no_folds(text: str, left_out: tuple[int, ...]) -> None:
    data = loaded(text)
    assert table(scores(data)) == [[0.8, 0.9], [0.7, 0.8]]
    (told,) = [notice for notice in data.notices if notice.code == "summary-rows"]
    assert told.rows == left_out


def test_too_many_models_are_refused() -> None:
    rows = "".join(f"m{k},1,0.5\n" for k in range(201))
    assert refused("model,fold,auc\n" + rows).code == "too-many-models"


@pytest.mark.parametrize("mark", ["'", '"'])
def test_settings_that_only_an_object_tells_apart_are_the_models(mark: str) -> None:
    """Such objects are not spread into columns of their own."""
    objects = [f"{{{mark}C{mark}: {c}}}" for c in (0.1, 1)]
    cells = [f'"{text.replace(chr(34), chr(34) * 2)}"' for text in objects]
    text = "params,split0_test_score,split1_test_score\n" + "".join(
        f"{cell},0.{7 + k},0.{8 + k}\n" for k, cell in enumerate(cells)
    )
    made = scores(loaded(text))
    assert made.models == tuple(objects)
    assert table(made) == [[0.7, 0.8], [0.8, 0.9]]


def rows(*keys: Sequence[object]) -> str:
    """Return lines of the crossed keys, each with a score of its own."""
    crossed = enumerate(product(*keys))
    return "".join(f"{','.join(map(str, key))},0.{60 + at}\n" for at, key in crossed)


@pytest.mark.parametrize(
    ("text", "models", "folds"),
    [
        ("representation,variant,fold,auc\n" + rows(["raw", "kg"], "xy", range(5)), 4, 5),
        ("fold,k,accuracy\n" + rows(range(4), [1, 3]), 2, 4),
        ("ticker,fold,model,mae\n" + rows("AB", range(4), ["svm", "rf"]), 2, 8),
        ("outer_fold,inner_fold,model,rmse\n" + rows(range(3), range(4), "ab"), 2, 12),
        ("model,fold,split,auc\n" + rows("ab", range(5), ["train", "test"]), 2, 5),
        ("model,fold,metric,value\n" + rows("ab", range(5), ["auc", "f1"]), 2, 5),
        ("model,seed,accuracy\n" + rows("ab", range(5)), 2, 5),
        ("kind,test_accuracy\n" + rows(["svm"] * 3 + ["rf"] * 3), 2, 3),
        ("model,fold,n_test,n groups,auc\n" + rows("ab", range(5), [40], [7]), 2, 5),
    ],
)
def test_models_folds_and_data_sets_are_told_by_what_differs(
    text: str, models: int, folds: int
) -> None:
    made = scores(loaded(text))
    assert made.score.shape == (models, folds)
    assert np.isfinite(made.score).all()


def test_rows_trained_on_and_pooled_folds_are_no_folds() -> None:
    header = "ticker,outer_fold,model,auc,n_test,scope\n"
    folds = "".join(f"A,{k},{m},0.{61 + k},9,per_fold\n" for k in range(3) for m in "xy")
    data = loaded(header + folds + "A,ALL,x,0.7,27,pooled\nA,ALL,y,0.7,27,pooled\n")
    assert table(scores(data)) == [[0.61, 0.62, 0.63]] * 2
    assert scores(data).fold == ("0", "1", "2")
    assert "were left out" in notice(data, "summary-rows")


def test_metrics_without_folds_are_finished() -> None:
    error = refused("model,size,accuracy\n" + rows("ab", [100, 200]))
    assert error.code == "finished-metrics"


def test_a_table_of_methods_asks_whether_its_rows_are_folds() -> None:
    text = "ridge_regression,random_forest\n0.41,0.32\n0.44,0.31\n0.42,0.35\n"
    error = refused(text)
    assert error.code == "ambiguous"
    (offer,) = error.offers
    made = scores(loaded(text, task=Task(offer.value)))
    assert made.models == ("ridge regression", "random forest")


@pytest.mark.parametrize("name", ["nr", "lauf", "row"])
def test_a_running_number_is_no_model_beside_the_scores_of_folds(name: str) -> None:
    wide = f"{name},fold,ridge,forest\n" + "".join(f"{k},{k},0.7{k},0.8{k}\n" for k in range(1, 9))
    data = loaded(wide)
    assert data.roles.folds is not None
    assert [*data.roles.folds.scores] == ["ridge", "forest"]
    long = f"{name},fold,model,auc\n" + "".join(
        f"{k},{k // 2},{'ab'[k % 2]},0.7{k}\n" for k in range(2, 10)
    )
    assert loaded(long).roles.folds.metric == "auc"
