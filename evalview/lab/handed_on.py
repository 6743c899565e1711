"""What models of an experiment said of rows left out, as a file for every other page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from evalread.dataset import NO_CHOICES, Choices, Task
from evalview.lab.experiments import SCHEMES, Experiment
from evalview.lab.splits import TEST, Plan

ROW, FOLD, REPEAT = "row", "fold", "repeat"
MOST_FEATURES = 60
"""Features that are handed on, for slices: more columns would make every page slow."""


@dataclass(frozen=True)
class HandedOn:
    """A file, and which of its columns is what."""

    name: str
    data: bytes
    choices: Choices


def called(scheme: str, plan: Plan) -> str:
    """Return a scheme with its numbers, in short.

    >>> called("stratified k-fold", Plan(folds=10)), called("hold-out", Plan(repeats=5))
    ('stratified 10-fold', '5 times hold-out, 25% tested')
    """
    asked = SCHEMES[scheme]
    name = scheme.replace("k-fold", f"{plan.folds}-fold")
    times = f"{plan.repeats} times " if asked.repeats and plan.repeats > 1 else ""
    share = f", {plan.test_share:.0%} tested" if asked.share else ""
    return f"{times}{name}{share}"


def handed_on(made: Experiment, scheme: str) -> HandedOn:
    """Return the truth, what each model said, folds and features, of each row that tested.

    Folds stand in for the scheme only where each row tests once in each of them. Where rows test
    several times, the tests of one row are a group, which is drawn whole.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table, again = made.table, bool((made.splits.tested > 1).any())
    columns: dict[str, Any] = {
        ROW: table.row[made.row],
        FOLD: made.place + 1,
        REPEAT: made.splits.repeat[made.place] + 1,
    }
    truth = _free(table.target, columns)
    columns[truth] = _named(made.truth, table.classes)
    labels: dict[str, str] = {}
    probabilities: dict[str, dict[str, str]] = {}
    predictions: dict[str, str] = {}
    for model, said in made.models.items():
        if not table.classes:
            predictions[model] = name = _free(model, columns)
            columns[name] = said.predicted
            continue
        labels[model] = name = _free(f"{model}: label", columns)
        columns[name] = _named(said.predicted, table.classes)
        scores = probabilities[model] = {}
        for code, label in enumerate(table.classes):
            scores[label] = name = _free(f"{model}: {label}", columns)
            columns[name] = said.probability[:, code]
    group = ROW if again else ""
    if table.group is not None:
        columns[group := _free("group", columns)] = table.group[made.row].astype(str)
    for name, values in _features(made):
        columns[_free(name, columns)] = values
    out = BytesIO()
    pq.write_table(pa.table(columns), out)
    folds = made.splits.kind.endswith("k-fold") and not again
    choices = Choices(
        task=_task(table.classes),
        truth=truth,
        fold=FOLD if folds else "",
        group=group,
        id="" if again else ROW,
        weight="",
        labels=labels or None,
        probabilities=probabilities or None,
        predictions=predictions or None,
    )
    return HandedOn(f"lab: {table.name}, {scheme}", out.getvalue(), choices)


def scores_of_rounds(made: Experiment, scheme: str) -> HandedOn:
    """Return the score of each model in each round, as a file that is compared by folds.

    A score is the accuracy, or the mean absolute error. `n_train` counts the distinct rows that
    trained: of a bootstrap fewer than were drawn.
    """
    import pandas as pd

    role, classes = made.splits.role, bool(made.table.classes)
    again = made.splits.repeat
    fold = [int((again[:place] == again[place]).sum()) + 1 for place in range(len(role))]
    parts = []
    for model in made.models:
        loss = made.trials(model).tested
        columns = {
            "model": model,
            REPEAT: again + 1,
            FOLD: fold,
            "accuracy" if classes else "mean_absolute_error": 1 - loss if classes else loss,
            "n_train": (role > 0).sum(axis=1),
            "n_test": (role == TEST).sum(axis=1),
        }
        parts.append(pd.DataFrame(columns))
    data = pd.concat(parts).to_csv(index=False).encode()
    return HandedOn(f"lab: scores of {made.table.name}, {scheme}.csv", data, NO_CHOICES)


def _task(classes: Sequence[str]) -> Task:
    if not classes:
        return Task.REGRESSION
    return Task.BINARY if len(classes) == 2 else Task.MULTICLASS


def _named(codes: Any, classes: Sequence[str]) -> Any:
    """Return codes as the names of their classes; numbers as they are."""
    if not classes:
        return codes
    import pyarrow as pa

    places = pa.array(np.asarray(codes, np.int32))
    return pa.DictionaryArray.from_arrays(places, list(classes)).dictionary_decode()


def _features(made: Experiment) -> Iterator[tuple[str, Any]]:
    """Yield features by name, at the rows that tested."""
    table = made.table
    at = table.numbers.shape[1]
    for place, name in enumerate(table.columns[:MOST_FEATURES]):
        if place < at:
            yield name, table.numbers[made.row, place]
        else:
            codes, levels = table.categories[made.row, place - at], table.levels[place - at]
            yield name, [None if code < 0 else levels[code] for code in codes]


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """Return a name that no column has yet."""
    while name in taken:
        name += "'"
    return name
