"""Files with one score per fold: recognised, and bound to scores by model and fold."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice
from evalcore.outcomes import Floats, FoldScores
from evalcore.text import listed
from evalread.columns import labels_of, numbers_of, refuse_huge, refuse_infinite, same_by_value
from evalread.dataset import CHOSEN, Choices, Confidence, FoldRoles, Reason, Roles, Table, Task
from evalread.detection.longform import MOST_MODELS
from evalread.detection.metrics import (
    METADATA,
    is_key,
    is_metadata,
    is_metric,
    names_models,
    words_of,
)
from evalread.detection.predictions import no_such_column
from evalread.detection.profile import WORDS, Profile, pieces, plain, profile, profiles
from evalread.notices import refusal, row_list, row_numbers


@dataclass(frozen=True)
class ScoreColumn:
    """A column of scores: the model, "" if the name tells none, and what was scored."""

    column: str
    model: str
    metric: str


def is_known_metric(metric: str) -> bool:
    """Tell whether it is known of a metric if high values are good."""
    # No other file asks for names of metrics, and the catalogue takes long to import.
    from evalcore.comparison.from_folds import compared

    return bool(metric) and not compared(metric).notices


def metric_of(name: str) -> str:
    """Return what a column of scores is about.

    >>> metric_of("accuracy"), metric_of("test_roc_auc"), metric_of("skill")
    ('accuracy', 'roc_auc', 'skill')
    """
    words = pieces(name)
    bare = words[1:] if words[0].lower() in WORDS.tested and len(words) > 1 else words
    return name if bare == words else "_".join(bare)


def score_columns(names: Sequence[str]) -> list[ScoreColumn]:
    """Split names of columns that each hold one model's scores into model and metric.

    A metric that is known is found in each name; else it is what all names share.

    >>> [(s.model, s.metric) for s in score_columns(["rf_accuracy", "rf_f1", "Ridge~RMSE"])]
    [('rf', 'accuracy'), ('rf', 'f1'), ('Ridge', 'RMSE')]
    >>> [(s.model, s.metric) for s in score_columns(["score_A", "score_B"])]
    [('A', 'score'), ('B', 'score')]
    """
    shared = set.intersection(*(set(pieces(name)) for name in names)) if len(names) > 1 else set()
    return [_score_column(name, shared) for name in names]


def _score_column(name: str, shared: set[str]) -> ScoreColumn:
    model, mark, metric = name.rpartition("~")
    if mark:
        return ScoreColumn(name, model, metric)
    words = pieces(name)
    known = [
        (start, end)
        for start, end in (
            *((at, len(words)) for at in range(len(words))),
            *((0, at) for at in range(len(words), 0, -1)),
        )
        if is_known_metric("_".join(words[start:end]))
    ]
    if known:
        start, end = known[0]
        kept = [word for word in words[:start] if word.lower() not in WORDS.tested]
        return ScoreColumn(name, " ".join([*kept, *words[end:]]), "_".join(words[start:end]))
    own = [word for word in words if word not in shared]
    common = [word for word in words if word in shared and word.lower() not in WORDS.model]
    return ScoreColumn(name, " ".join(own), "_".join(common) or "score")


def fold_roles(table: Table, choices: Choices) -> Roles:
    """Return the roles in a file with one score per fold.

    Raises:
        EvalError: "no-fold-score": no column holds scores.
    """
    metadata = {role: _metadata_column(table, choices, role) for role in METADATA}
    if metadata["repeat"] is None and choices.fold is choices.repeat is None:
        columns = (profile(table, name) for name in table.names if plain(name) in WORDS.fold)
        nested = [column.name for column in columns if not column.constant]
        if len(nested) > 1:  # the outer fold holds the others
            metadata |= {"repeat": nested[0], "fold": nested[1]}
    found = _scores(table, choices, {column for column in metadata.values() if column})
    of_scores = Reason("numbers beside the names of folds", Confidence.LIKELY)
    of_models = Reason("named like a model", Confidence.LIKELY)
    reasons = dict.fromkeys(found.scores.values(), CHOSEN if choices.fold_scores else of_scores)
    reasons |= dict.fromkeys(found.named_by.values(), CHOSEN if choices.model else of_models)
    for role, column in metadata.items():
        of_metadata = Reason(f"named like a {role.replace('_', ' ')}", Confidence.LIKELY)
        reasons |= {column: CHOSEN if getattr(choices, role) else of_metadata} if column else {}
    fold = metadata.pop("fold")
    folds = replace(found, **metadata)
    return Roles(task=Task.FOLDS, truth="", models={}, fold=fold, folds=folds, reasons=reasons)


def _metadata_column(table: Table, choices: Choices, role: str) -> Any:
    """Return the column of a fold, repeat, data set or size; an empty choice says there is none."""
    chosen = getattr(choices, role)
    named = (name for name in table.names if plain(name) in getattr(WORDS, role))
    return next(named, None) if chosen is None else chosen or None


def _scores(table: Table, choices: Choices, metadata: Collection[str]) -> FoldRoles:
    """Return which columns hold scores, of which model."""
    columns = profiles(table)
    model_columns = _model_columns(columns, choices, metadata)
    if choices.fold_scores:
        one = len(choices.fold_scores) == 1 and not any(choices.fold_scores)
        return _chosen(choices.fold_scores, model_columns if one else [])
    taken = {*metadata, *model_columns}
    numbers = [c for name, c in columns.items() if c.numeric and name not in taken]
    free = [column.name for column in numbers if not (is_key(column) or is_metadata(column))]
    if any(map(is_metric, free)):  # what is the same in all rows is a setting
        free = [name for name in free if is_metric(name) or not columns[name].constant]
    if not free:
        raise EvalError(
            "no-fold-score",
            "No column holds the scores of the folds. Name it, in the command line by "
            "--fold-score COLUMN.",
        )
    if len(model_columns) > 1:
        return _paired(model_columns, free)
    return _long(model_columns[0], free) if model_columns else _wide(free)


def _model_columns(
    columns: Mapping[str, Profile], choices: Choices, metadata: Collection[str]
) -> list[str]:
    """Return the columns that name models: one, or one per score where rows hold several."""
    if choices.model and choices.model not in columns:
        raise no_such_column(choices.model, tuple(columns))
    if choices.model is not None:
        return [choices.model] if choices.model else []
    free = [n for n, column in columns.items() if n not in metadata and names_models(column)]
    exact = [name for name in free if plain(name) in WORDS.model]
    return exact[:1] or free


def _chosen(chosen: Mapping[str, str], model_columns: list[str]) -> FoldRoles:
    scores = score_columns(list(chosen.values()))
    if model_columns:
        (column,) = chosen.values()
        return _long(model_columns[0], [column])
    names = {key or one.model or "model": one for key, one in zip(chosen, scores, strict=True)}
    return FoldRoles(
        metric=scores[0].metric, scores={name: one.column for name, one in names.items()}
    )


def _long(model: str, free: list[str]) -> FoldRoles:
    """Return the roles where one column names the model of each row."""
    first = min(free, key=lambda name: _order(metric_of(name)))
    others = tuple(name for name in free if name != first)
    return FoldRoles(
        metric=metric_of(first), scores={"": first}, named_by={first: model}, others=others
    )


_USUAL = ("accuracy", "acc", "f1", "auc", "rmse", "mae", "r2")
"""Words of metrics that are compared first, wherever their columns stand."""


def _order(metric: str) -> tuple[bool, int, str]:
    """Return what orders metrics: known ones first, then usual ones, then by name."""
    words = words_of(metric)
    usual = next((at for at, word in enumerate(_USUAL) if word in words), len(_USUAL))
    return not is_known_metric(metric), usual, metric


def _paired(model_columns: list[str], free: list[str]) -> FoldRoles:
    """Return the roles where a row holds several models: model_A beside score_A."""
    named_by = {
        one.column: name
        for one in score_columns(free)
        for name in model_columns
        if pieces(name)[1:] == tuple(one.model.split(" "))
    }
    if len(named_by) < 2:
        return _long(model_columns[0], free)
    metric = next(one.metric for one in score_columns(list(named_by)))
    return FoldRoles(metric=metric, scores={c: c for c in named_by}, named_by=named_by)


def _wide(free: list[str]) -> FoldRoles:
    """Return the roles where each model has a column; of several metrics the commonest is taken."""
    scores = score_columns(free)
    counts = Counter(one.metric for one in scores)
    metric = min(counts, key=lambda name: (-counts[name], *_order(name)))
    compared = [one for one in scores if one.metric == metric]
    others = tuple(one.column for one in scores if one.metric != metric)
    by_model = _columns_by_model(compared)
    return FoldRoles(metric=metric, scores=by_model, others=others)


def other_scores(folds: FoldRoles) -> Iterator[FoldRoles]:
    """Yield the roles of the columns left aside, one metric after the other."""
    beside = {name: getattr(folds, name) for name in METADATA if name != "fold"}
    model_column = next(iter(folds.named_by.values()), None)
    by_metric: dict[str, list[ScoreColumn]] = {}
    for one in score_columns(folds.others) if folds.others and not model_column else ():
        by_metric.setdefault(one.metric, []).append(one)
    for column in folds.others if model_column else ():
        yield replace(_long(str(model_column), [column]), **beside)
    for metric, scores in by_metric.items():
        yield FoldRoles(metric=metric, scores=_columns_by_model(scores), **beside)


def _columns_by_model(scores: list[ScoreColumn]) -> dict[str, str]:
    """Return model -> column; where names of models would clash, columns keep their own."""
    names = {one.model or "model": one.column for one in scores}
    return names if len(names) == len(scores) else {one.column: one.column for one in scores}


_KEYS = ("dataset", "repeat", "fold")

Key = tuple[str, str, str]

Notices = tuple[Notice, ...]

Cells = tuple[list[str], Floats]
"""The cells of one score column: (n,) models and scores, one per row of the file."""


def bind_folds(table: Table, roles: Roles) -> tuple[FoldScores, Notices]:
    """Return the scores of all models on all folds.

    Raises:
        EvalError: "repeated-fold" where a model has two scores for one fold; "unnamed" where a
            cell that names a model or a fold is blank; "infinite-score", "bad-size".
    """
    assert roles.folds is not None
    scores, notices = _bound(table, roles, roles.folds)
    others = tuple(_others(table, roles, roles.folds))
    return replace(scores, others=others), (*notices, *_other_metrics(roles.folds))


def _others(table: Table, roles: Roles, folds: FoldRoles) -> Iterator[FoldScores]:
    """Yield the scores of other metrics, as far as they can be used."""
    for other in other_scores(folds):
        try:
            yield _bound(table, roles, other)[0]
        except EvalError:
            continue


def _bound(table: Table, roles: Roles, folds_of: FoldRoles) -> tuple[FoldScores, Notices]:
    keys, notices = _keys(table, roles, folds_of)
    cells = [_score_cells(table, folds_of, name) for name in folds_of.scores]
    models = tuple(dict.fromkeys(model for named, _ in cells for model in named))
    folds = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    if len(models) > MOST_MODELS:
        raise EvalError(
            "too-many-models",
            f"The file has {len(models):,} models; at most {MOST_MODELS} are compared. Leave out "
            "those that matter least.",
        )
    score = _score_matrix(cells, keys, models, folds)
    names = dict(zip(_KEYS, zip(*folds, strict=True), strict=True))
    places = [folds[key] for key in keys]
    scores = FoldScores(
        metric=folds_of.metric,
        models=models,
        score=score,
        fold=names["fold"],
        repeat=names["repeat"] if folds_of.repeat else (),
        dataset=names["dataset"] if folds_of.dataset else (),
        n_train=_sizes(table, folds_of.train_size, places),
        n_test=_sizes(table, folds_of.test_size, places),
    )
    return scores, notices


def _keys(table: Table, roles: Roles, folds: FoldRoles) -> tuple[list[Key], Notices]:
    """Return the data set, repeat and fold of each row; "" for what no column names."""
    columns = {"dataset": folds.dataset, "repeat": folds.repeat, "fold": roles.fold}
    blank = [""] * table.n
    names = {key: _names(table, column) if column else blank for key, column in columns.items()}
    notices: Notices = ()
    if not any(columns.values()):
        if folds.named_by:
            raise EvalError(
                "no-fold",
                "No column names the folds, so that scores of different models cannot be matched. "
                "Choose the column of the fold.",
            )
        names["fold"] = [str(row + 1) for row in range(table.n)]
        notices = (
            Notice("rows-are-folds", "No column names the folds: each row is taken as one."),
        )
    return list(zip(*names.values(), strict=True)), notices


def _names(table: Table, column: str) -> list[str]:
    """Return the name in each row; numbers by value, "01" and "1.0" being as they are written."""
    (labels,) = same_by_value([labels_of(table, column)])
    blank = labels.codes < 0
    if blank.any():
        raise EvalError(
            "unnamed",
            f'Column "{column}" is blank in {row_list(blank)}, so that it is not known which '
            "model or fold is meant. Fill it in, or remove the rows.",
            rows=row_numbers(blank),
            column=column,
        )
    return [labels.names[code] for code in labels.codes.tolist()]


def _score_cells(table: Table, folds: FoldRoles, name: str) -> Cells:
    column = folds.scores[name]
    numbers = numbers_of(table, column)
    refuse_infinite(numbers, column)
    refuse_huge(numbers, column)
    naming = folds.named_by.get(column)
    return _names(table, naming) if naming else [name] * table.n, numbers.values


def _score_matrix(
    cells: list[Cells], keys: list[Key], models: tuple[str, ...], folds: Mapping[Key, int]
) -> Floats:
    """Return the (models, folds) scores; one score may stand there twice, two scores may not."""
    score = np.full((len(models), len(folds)), np.nan)
    first: dict[tuple[int, int], int] = {}
    place = {model: at for at, model in enumerate(models)}
    for named, values in cells:
        rows = zip(named, keys, values.tolist(), strict=True)
        for row, (model, key, value) in enumerate(rows):
            at = (place[model], folds[key])
            if at in first and score[at] != value:
                raise _repeated_fold(model, key, first[at], row)
            first.setdefault(at, row)
            score[at] = value
    return score


def _repeated_fold(model: str, key: Key, first: int, row: int) -> EvalError:
    words = ("data set", "repeat", "fold")
    where = ", ".join(f"{word} {name}" for word, name in zip(words, key, strict=True) if name)
    return EvalError(
        "repeated-fold",
        f'"{model}" has two scores for {where} (rows {first + 1:,} and {row + 1:,}). Choose the '
        "column that tells them apart, such as that of the repeat, or remove one.",
        rows=(first + 1, row + 1),
    )


def _sizes(table: Table, column: str | None, places: list[int]) -> Floats | None:
    """Return the size of each fold, as its first row tells it."""
    if column is None:
        return None
    values = numbers_of(table, column).values
    bad: NDArray[np.bool_] = ~(np.isfinite(values) & (values > 0))
    if bad.any():
        raise refusal("bad-size", rows=bad, column=column)
    _, rows = np.unique(places, return_index=True)
    sizes: Floats = values[rows]
    return sizes


def _other_metrics(folds: FoldRoles) -> Iterator[Notice]:
    if folds.others:
        yield Notice(
            "other-scores",
            f'"{folds.metric}" is compared, unless another metric is chosen. The file also holds '
            f"{listed(folds.others, 6)}.",
        )
