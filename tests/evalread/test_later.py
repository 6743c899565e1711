"""A later file read as an earlier one was: same roles, other rows, with or without labels."""

import numpy as np
import pytest

from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes
from evalread.dataset import NO_CHOICES, Choices, Dataset, Table
from evalread.later import Unlabelled, as_before, shifted
from evalread.loading import load, read_all

EARLIER = b"id,truth,m_score,n_score,region\n1,no,0.1,0.2,a\n2,yes,0.8,0.9,b\n3,no,0.4,0.3,a\n"


def earlier(choices: Choices = NO_CHOICES) -> Dataset:
    return load([("old.csv", EARLIER)], choices)


def table(text: str) -> Table:
    return read_all([("new.csv", text.encode())])


def binary(read: Dataset | Unlabelled, model: str) -> BinaryOutcomes:
    assert isinstance(read, Dataset)
    rows = read.models[model]
    assert isinstance(rows, BinaryOutcomes)
    return rows


def test_roles_and_the_positive_class_are_those_of_the_earlier_file():
    later = as_before(
        table("m_score,extra,truth\n0.7,x,no\n0.2,y,yes\n"), earlier(Choices(positive="no"))
    )
    rows = binary(later, "m")
    assert rows.classes == ("yes", "no")
    assert rows.truth.tolist() == [1, 0]
    assert isinstance(later, Dataset)
    assert [*later.models] == ["m"]  # the other model's column is not there
    assert later.roles.id is None


def test_a_file_with_one_class_keeps_which_is_positive():
    rows = binary(as_before(table("truth,m_score\nno,0.3\nno,0.2\n"), earlier()), "m")
    assert rows.truth.tolist() == [0, 0]
    assert binary(as_before(table("truth,m_score\nyes,0.3\n"), earlier()), "m").truth.tolist() == [
        1
    ]


@pytest.mark.parametrize(
    "text",
    ["m_score\n0.25\n0.75\n", "truth,m_score\n,0.25\n,0.75\n", "truth,m_score\n ,0.25\n,0.75"],
)
def test_without_labels_what_models_say_is_known(text: str):
    later = as_before(table(text), earlier())
    assert isinstance(later, Unlabelled)
    assert later.probability["m"].tolist() == [0.25, 0.75]
    assert shifted(earlier(), table(text), None, Options()).model == "m"
    with pytest.raises(EvalError, match='one that does: "m"'):
        shifted(earlier(), table(text), None, Options(), "n")


def test_several_classes_without_labels_keep_the_order_of_the_earlier_file():
    text = "truth,m_prob_a,m_prob_b,m_prob_c\na,0.5,0.3,0.2\nb,0.1,0.8,0.1\nc,0.2,0.2,0.6\n"
    before = load([("old.csv", text.encode())])
    later = as_before(table("m_prob_c,m_prob_a,m_prob_b\n0.7,0.1,0.2\n"), before)
    assert isinstance(later, Unlabelled)
    np.testing.assert_allclose(next(iter(later.probability.values())), [[0.1, 0.2, 0.7]])


def test_what_is_lacking_is_named():
    with pytest.raises(EvalError, match='no column "m_score", "n_score"'):
        as_before(table("truth,other\nno,0.2\nyes,0.3\n"), earlier())
    numbers = load([("old.csv", b"actual,predicted\n1.5,2.5\n2.5,3.5\n")])
    with pytest.raises(EvalError, match="has no truth"):
        as_before(table("predicted\n2.5\n3.5\n"), numbers)
    labels = load([("old.csv", b"truth,m_label\nno,yes\nyes,yes\n")])
    with pytest.raises(EvalError, match="no model gives probabilities"):
        as_before(table("m_label\nno\nyes\n"), labels)


WIDE = "repeat,fold,ridge,forest\n" + "".join(
    f"{k % 2 + 1},{k // 2 + 1},0.7{k},0.8{k % 7}\n" for k in range(10)
)
LONG = "fold,model,auc\n" + "".join(f"{k // 2 + 1},{'ab'[k % 2]},0.7{k}\n" for k in range(10))
CLUSTERS = "x,y,kmeans\n1,2,0\n3,4,1\n5,6,1\n7,8,0\n"


@pytest.mark.parametrize("first", [WIDE, LONG, EARLIER.decode()])
@pytest.mark.parametrize("second", [WIDE, LONG])
def test_files_of_fold_scores_have_no_periods_to_compare(first: str, second: str):
    before = load([("old.csv", first.encode())], NO_CHOICES)
    with pytest.raises(EvalError, match=r"has no rows.*evalboard compare FILE") as caught:
        as_before(table(second), before)
    assert caught.value.code == "two-periods"


def test_clusters_say_nothing_of_a_truth_in_two_periods():
    before = load([("old.csv", CLUSTERS.encode())], NO_CHOICES)
    with pytest.raises(EvalError, match="clusters say nothing of it"):
        as_before(table(CLUSTERS), before)


def test_right_and_wrong_answers_of_two_periods_are_compared():
    text = "item,gpt,llama\n" + "".join(f"q{k},{k % 2},{k % 3 % 2}\n" for k in range(40))
    before = load([("old.csv", text.encode())], NO_CHOICES)
    rows = "".join(f"r{k},{int(k % 4 == 0)},{k % 2}\n" for k in range(40))
    made = shifted(before, table("item,gpt,llama\n" + rows), ["accuracy"], Options(), "gpt")
    found = made.metrics["accuracy"]
    assert (found.rest.value, found.value.value, made.n) == (0.5, 0.25, (40, 40))
