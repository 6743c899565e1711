import numpy as np

from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, NumericOutcomes

TRUTH = np.array([0, 1, 2], dtype=np.int8)
PROBABILITIES = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.2, 0.3, 0.5]])


def test_a_class_is_set_against_all_others_by_its_probability() -> None:
    weight, rows = np.array([1.0, 2.0, 3.0]), np.array([2, 4, 6])
    told = ClassOutcomes(
        classes=("a", "b", "c"), truth=TRUTH, probabilities=PROBABILITIES, weight=weight, rows=rows
    )
    against = told.against_rest(("not b", "b"))
    assert against.classes == ("not b", "b")
    assert against.truth.tolist() == [0, 1, 0]
    assert against.score is not None
    assert against.score.tolist() == [0.3, 0.8, 0.3]
    assert against.probability
    assert against.weight is not None
    assert against.weight.tolist() == [1, 2, 3]
    assert against.rows is not None
    assert against.rows.tolist() == [2, 4, 6]


def test_of_two_classes_one_is_set_against_the_other_already() -> None:
    told = BinaryOutcomes(classes=("no", "yes"), truth=TRUTH.clip(max=1), score=TRUTH / 2)
    assert told.against_rest(("other", "yes")) is told


def test_what_gives_labels_or_numbers_only_is_not_scored() -> None:
    truth, classes = TRUTH.clip(max=1), ("no", "yes")
    assert BinaryOutcomes(classes=classes, truth=truth, score=TRUTH / 2).scored
    assert not BinaryOutcomes(classes=classes, truth=truth, label=truth).scored
    assert ClassOutcomes(classes=("a", "b", "c"), truth=TRUTH, probabilities=PROBABILITIES).scored
    assert not ClassOutcomes(classes=("a", "b", "c"), truth=TRUTH, label=TRUTH).scored
    assert not NumericOutcomes(truth=TRUTH / 2, prediction=TRUTH / 2).scored
