"""What `import evalcore as ec` offers of whole files: from evaluation to change over time.

They take a data set, or whatever `read` takes; all else goes by keyword.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

from evalcore import inputs
from evalcore.errors import EvalError
from evalcore.evaluate import evaluate as evaluated
from evalcore.options import Options
from evalcore.predictions import Predictions
from evalcore.results import Evaluation

if TYPE_CHECKING:
    from evalcore.comparison.results import Comparison
    from evalcore.monitoring.results import OverTime
    from evalcore.slices.results import Slices
    from evalcore.slices.shift import Shift


def read(source: Any, **roles: Any) -> Predictions:
    """Return the data set in a file or a data frame, with each column in its role.

    Args:
        source: A path, a list of paths whose files belong together, bytes, an open binary file, or
            a pandas DataFrame.
        roles: What settles a column's role, as on the command line, such as `truth="y"`,
            `score="p"` or `positive="yes"`; all else is detected.

    Raises:
        EvalError: It cannot be used; the message says what is wrong and what to do.
    """
    # Reading is a package of its own, which most of what is here does without.
    dataset: Predictions = import_module("evalread.loading").load_any(source, roles)
    return dataset


def evaluate(data: Any, *_columns: Any, **options: Any) -> Evaluation:
    """Return every number of every model, or clustering.

    Args:
        data: A data set, or whatever `read` takes.
        options: Fields of `Options`, such as `threshold=0.4`, and roles, as in `read`.

    Raises:
        EvalError: The data or an option cannot be used.
    """
    inputs.refuse_columns(_columns, 'estimate("roc_auc", truth, score)')
    dataset, asked = _opened(data, options)
    return evaluated(dataset, asked)


def compare(data: Any, *_columns: Any, **options: Any) -> Comparison:
    """Return which model is better, and how sure that is.

    Args:
        data: A data set, or whatever `read` takes.
        options: `metric`, the key of what is compared; `rope`, the largest difference that makes
            none in practice; fields of `Options`; and roles, as in `read`.

    Raises:
        EvalError: The data or an option cannot be used, or fewer than two models can be compared.
    """
    from evalcore.compare import compare as compared

    inputs.refuse_columns(_columns, 'difference("roc_auc", truth, first, second)')
    own = {name: options.pop(name) for name in ("metric", "rope") if name in options}
    dataset, asked = _opened(data, options)
    return compared(dataset, asked, **own)


def slices(
    data: Any,
    *,
    by: Any = None,
    metric: str | None = None,
    model: str | None = None,
    max_columns: int = 2,
    min_rows: int = 30,
    bins: Mapping[str, Any] | None = None,
    seed: int = 0,
    **options: Any,
) -> Slices:
    """Return where a model does worse: slices of the rows by columns that play no role.

    Args:
        data: A data set, or whatever `read` takes.
        by: The column, or columns, whose slices are listed. Without it all columns that play no
            role are searched for weak slices, which are found on one half of the rows and judged
            on the other.
        metric: The metric's key; accuracy or, of predicted numbers, the mean absolute error.
        model: The model that slices are judged by; by default the one that leads.
        max_columns: 2 to look at crossings of two columns as well, 1 not to.
        min_rows: Slices of fewer rows are not judged.
        bins: Column -> how many bins its numbers are cut into, or the inner ends of them.
        seed: Of the halves.
        options: Fields of `Options`, such as `threshold=0.4`, and roles, as in `read`.

    Raises:
        EvalError: The data, a column or an option cannot be used.
    """
    from evalcore.slices.slicing import Asked, slices as sliced

    asked = Asked(_named(by), metric, model, max_columns, min_rows, bins or {})
    dataset, known = _opened(data, {**options, "seed": seed})
    return sliced(dataset, asked, known)


def shift(
    earlier: Any, later: Any, *, metric: Any = None, model: str | None = None, **options: Any
) -> Shift:
    """Return what changed from one file to a later one that has no row in common with it.

    Where the later one has no labels, it is what to expect were the probabilities right; `assumed`
    then says what that rests on.

    Args:
        earlier: A data set, or whatever `read` takes.
        later: The same. What is not read yet is read as the earlier one was: columns of the same
            names have the same roles.
        metric: The key of a metric, or several; by default the usual ones.
        model: Whose answers are compared; by default those of the model that leads.
        options: Fields of `Options`, such as `threshold=0.4`, and roles, as in `read`.

    Raises:
        EvalError: The data, a metric or an option cannot be used.
    """
    from evalcore.slices.shift import shift as shifted

    dataset, asked = _opened(earlier, options)
    if isinstance(later, Predictions):
        return shifted(dataset, later, _named(metric), asked, model)
    shift_any = import_module("evalread.later").shift_any
    found: Shift = shift_any(dataset, later, _named(metric), asked, model, _roles(options))
    return found


def over_time(
    data: Any,
    *,
    date: str | None = None,
    every: str = "week",
    metric: str | None = None,
    model: str | None = None,
    reference: float | None = None,
    first: int | None = None,
    looks: int = 1000,
    error: float = 0.05,
    change: float | None = None,
    **options: Any,
) -> OverTime:
    """Return how a model does by day, week or month, and whether that has changed.

    Args:
        data: A data set, or whatever `read` takes.
        date: The column of dates; by default the only one there is.
        every: "day", "week" or "month".
        metric: The metric's key; accuracy, recall of rare positives, or the mean absolute error.
        model: Its name; by default that of the model that leads.
        reference: The value that the metric is held against; by default that of the first periods.
        first: How many periods are the reference; by default as many as have 500 rows, and at most
            half of them.
        looks: How many periods will be looked at in all, those to come included.
        error: The chance that any of these looks flags a change although there is none.
        change: The size of the change that is looked for; 0.05, or a tenth of the reference where
            the metric is not bounded by 1.
        options: Fields of `Options`, such as `threshold=0.4`, and roles, as in `read`.

    Raises:
        EvalError: The data, the dates, the metric or an option cannot be used.
    """
    from evalcore.monitoring.over_time import Asked, over_time as followed
    from evalcore.monitoring.watching import Plan

    asked = Asked(every, metric, model, reference, first, Plan(looks, error, change))
    dataset, known = _opened(data, options)
    return followed(dataset, date, asked, known)


def counts(data: Any, path: Any = None, *, by: Any = None, **roles: Any) -> Predictions:
    """Return the data set of the counts of some data, which has the same numbers and no rows.

    Args:
        data: A data set, or whatever `read` takes.
        path: Where to write the counts, as CSV where it ends in ".csv", else as Parquet.
        by: The column, or columns, to keep for slices.
        roles: As in `read`.

    Raises:
        EvalError: The rows do not add up to counts, or the file cannot be written.
    """
    dataset, _ = _opened(data, roles)
    return _counted(
        import_module("evalread.counts.making").counts_of(dataset, _named(by) or ()), path
    )


def add(*parts: Any, path: Any = None) -> Predictions:
    """Return the data set of all rows of which several counts hold some.

    Args:
        parts: Data sets, or whatever `read` takes, of the same roles.
        path: Where to write the counts of all, if anywhere.

    Raises:
        EvalError: Columns play other roles in one of them.

    >>> import evalcore as ec, pandas as pd
    >>> may = pd.DataFrame({"truth": [0, 1, 1, 0], "score": [0.2, 0.9, 0.4, 0.4]})
    >>> june = pd.DataFrame({"truth": [1, 1, 0, 0], "score": [0.9, 0.3, 0.1, 0.2]})
    >>> round(ec.evaluate(ec.add(may, june)).models["score"].ranking["roc_auc"].value, 4)
    0.9062
    """
    making = import_module("evalread.counts.making")
    return _counted(making.add(*(making.counts_of(_opened(part, {})[0]) for part in parts)), path)


def _counted(found: Any, path: Any) -> Predictions:
    """Return the data set of counts, which are written where a path is given."""
    if path is not None:
        import_module("evalread.counts.files").write(found, path)
    dataset: Predictions = import_module("evalread.counts.making").to_dataset(found)
    return dataset


def _named(given: Any) -> tuple[str, ...] | None:
    """Return one name or several; None for none."""
    return (given,) if isinstance(given, str) else None if given is None else tuple(map(str, given))


def _opened(data: Any, given: Mapping[str, Any]) -> tuple[Predictions, Options]:
    """Return the data set and the options; what is no option settles a role."""
    roles = _roles(given)
    options = {name: value for name, value in given.items() if name not in roles}
    dataset = data if isinstance(data, Predictions) else read(data, **roles)
    if dataset is data and roles:
        raise EvalError(
            "unknown-option", f"The data set is read already: {', '.join(roles)} cannot be given."
        )
    settled: dict[str, Any] = {"threshold": dataset.threshold, **options}
    return dataset, Options(**settled)


def _roles(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is no option."""
    known = {each.name for each in fields(Options)}
    return {name: value for name, value in given.items() if name not in known}
