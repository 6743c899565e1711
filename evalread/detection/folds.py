"""Tables with a score per fold: recognised, laid out with a row per fold, and bound to scores."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.outcomes import Floats, Rows
from evalcore.predictions import FoldScores
from evalread.columns import labels_of, numbers_of, same_by_value
from evalread.dataset import CHOSEN, Choices, Confidence, FoldRoles, Reason, Roles, Table, Task
from evalread.detection.longform import MOST_MODELS, joined_cells, with_one_model_column
from evalread.detection.predictions import no_such_column
from evalread.detection.profile import (
    WORDS,
    Profile,
    View,
    is_metric,
    pieces,
    plain,
    profile,
    profiles,
    words_of,
)
from evalread.notices import notice, refusal
from evalread.rewriting import PREDICTIONS, rewrite, text, with_columns, with_notice

_MOST_ROWS = 100_000
"""Rows of a table of fold scores: 1,000 folds of 100 models; longer ones hold predictions."""

_MOST_COLUMNS = 1000
"""Columns of such a table: metrics of each model, and what tells the folds apart."""

_FEWEST_DRAWS = 20
"""Rows of nothing but one model's metrics that are draws, rather than its few runs."""

_METADATA = ("fold", "repeat", "dataset", "train_size", "test_size")
"""The roles beside scores of folds, and what `words.txt` calls the names of their columns."""

_FOLD_COLUMN = re.compile(r"(?i)(fold|split|cv|run|seed|rep|repeat)[\s_.-]?\d+")
_SPLIT = re.compile(r"split(\d+)_(test_.+)")
_REPEATED = re.compile(r"(.+)\.(.+)")


def _is_key(column: Profile) -> bool:
    """Return whether a column tells folds, repeats, data sets or models apart, by its name."""
    return column.plain in WORDS.fold | WORDS.repeat | WORDS.dataset or _names_models(column)


def _names_models(column: Profile) -> bool:
    """Return whether a column names models; "model_A" above scores is a model itself."""
    return column.plain in WORDS.model or (column.words[0] in WORDS.model and not column.numeric)


def _is_metadata(column: Profile) -> bool:
    """Return whether a column beside scores is none: a size, an id, a time, or of training."""
    first, last = column.words[0], column.words[-1]
    # Rows, groups or features are counted by whole numbers called "n", "n_...".
    called = column.plain in WORDS.count or first == "n" or last in ("size", "support")
    named = column.plain in WORDS.train_size | WORDS.test_size | WORDS.id
    return named or (called and column.whole and column.high > 1) or _is_about_training(column.name)


def _numbers_rows(column: Profile) -> bool:
    from_one = column.counting and column.low in (0, 1)
    return (from_one or column.numbering) and not is_metric(column.name)


def _is_about_training(name: str) -> bool:
    return not words_of(name).isdisjoint(WORDS.training)


def _tell_apart(table: Table, names: Sequence[str]) -> bool:
    """Return whether no two rows have the same cells in these columns."""
    return bool(names) and len(joined_cells(table, names, between="\x1f").unique()) == table.n


def fold_table(table: Table, choices: Choices) -> Table | None:
    """Return a table of scores with a row per fold and model; None for any other table."""
    named = {plain(name) for name in table.names}
    large = table.n > _MOST_ROWS or len(table.names) > _MOST_COLUMNS
    settled = large or _is_settled(choices) or bool(named & WORDS.truth)
    table = table if settled else _by_metric(_long_folds(table))
    if holds_fold_scores(table, choices):
        return _without_summaries(table, choices.fold)
    others = [words_of(name) for name in table.names if not is_metric(name)]
    other_file = any(words & (WORDS.prediction | WORDS.other_file) for words in others)
    if settled or other_file or len(others) == len(table.names):
        return None
    return _told_apart(_without_summaries(table))


def holds_fold_scores(table: Table, choices: Choices) -> bool:
    """Return whether fold, model and data set together identify each row, beside numbers only."""
    if choices.task is Task.FOLDS or choices.fold_scores:
        return True
    named = {plain(name) for name in table.names}
    other_file = table.n > _MOST_ROWS or bool(named & WORDS.truth) or _is_settled(choices)
    if other_file or not named & (WORDS.fold | WORDS.dataset):
        return False
    columns = profiles(table)
    keys = [n for n, column in columns.items() if _is_key(column) or n == choices.model]
    others = [column for name, column in columns.items() if name not in keys]
    if not all(column.numeric or not column.present for column in others):
        return False
    of_dataset = all(plain(n) in WORDS.dataset | WORDS.repeat and n != choices.model for n in keys)
    scores = sum(not (_is_metadata(column) or _numbers_rows(column)) for column in others)
    return scores > of_dataset and _tell_apart(table, keys)


def _is_settled(choices: Choices) -> bool:
    return bool(choices.task or choices.truth or any(getattr(choices, n) for n in PREDICTIONS))


def _told_apart(table: Table) -> Table | None:
    """Return a table of metrics with hints of its folds and models; None where nothing fits."""
    columns = profiles(table).values()
    measured = (c.name for c in columns if is_metric(c.name) and c.continuous)
    scores = [name for name in measured if not _is_about_training(name)]
    other = (c for c in columns if c.distinct > 1 and c.name not in scores)
    free = [c for c in other if not (c.moment or c.lists or _is_metadata(c))]
    keys = {c.name: c for c in free if _is_key(c)}
    texts = [c.name for c in free if not c.numeric and c.name not in keys]
    models = [name for name, column in keys.items() if _names_models(column)] or texts
    folds = [name for name in keys if name not in models]
    spare = [*texts, *(c.name for c in free if c.whole and c.name not in keys)]
    for name in (name for name in spare if name not in models):
        if not _tell_apart(table, [*folds, *models]):
            models.append(name)
    dataset = next((name for name in folds if plain(name) in WORDS.dataset), None)
    if dataset is None and len(models) > 1:
        dataset = next((name for name in models if words_of(name) & WORDS.like_dataset), None)
        folds += [dataset] if dataset else []
        models = [name for name in models if name != dataset]
    joined = with_one_model_column(table, models)
    model = joined.hints.model or ""
    if not folds and scores and all(words_of(name) & WORDS.tested for name in scores):
        return _numbered(joined, model, "fold")
    drawn = not model and table.n >= _FEWEST_DRAWS and all(plain(n) in WORDS.repeat for n in folds)
    each_has_two = not model or 2 * len(joined.columns[model].unique()) <= table.n
    if drawn or not (folds and scores and each_has_two and _tell_apart(table, [*folds, *models])):
        return None
    if len(models) > 1:
        joined = with_notice(joined, notice("joined-models", column=model, names=models))
    return replace(joined, hints=Choices(task=Task.FOLDS, dataset=dataset, model=model))


def _numbered(table: Table, model: str, fold: str) -> Table:
    """Number the rows of each model as its folds, unless a column does."""
    hints = Choices(task=Task.FOLDS, fold=fold, model=model)
    if fold in table.columns:
        return replace(table, hints=hints)
    names = table.columns[model].to_pylist() if model else [""] * table.n
    rows: Mapping[str, Iterator[int]] = defaultdict(lambda: count(1))
    folds = text([str(next(rows[name])) for name in names])
    return replace(with_columns(table, {fold: folds}), hints=hints)


def cross_validated(table: Table) -> Table:
    """Number the folds of each model in a frame of `cross_validate`, which has a row per fold."""
    model = next((name for name in table.names if plain(name) in WORDS.model), "")
    fold = next((name for name in table.names if plain(name) in WORDS.fold), "fold")
    return _numbered(table, model, fold)


def caret_resamples(table: Table) -> Table:
    """Split names such as "Fold01.Rep1" into fold and repeat."""
    hints = Choices(task=Task.FOLDS, fold="Resample", model="")
    if not all(_REPEATED.fullmatch(name) for name in labels_of(table, "Resample").names):
        return replace(table, hints=hints)
    changed = {
        column: rewrite(table.columns["Resample"], "Resample", partial(_REPEATED.sub, part))
        for column, part in {"Resample": r"\1", "repeat": r"\2"}.items()
    }
    return replace(with_columns(table, changed), hints=replace(hints, repeat="repeat"))


def cv_results(table: Table) -> Table:
    """Turn a row per setting, with a column per split, into a row per setting and split."""
    cells: dict[str, dict[str, str]] = defaultdict(dict)
    for name in table.names:
        if match := _SPLIT.fullmatch(name):
            cells[match[2]][match[1]] = name
    hints = Choices(task=Task.FOLDS, fold="fold", model="setting")
    return replace(_row_per_fold(table, {"setting": _settings(table)}, cells), hints=hints)


def _settings(table: Table) -> pa.ChunkedArray:
    """Name each row by the parameters that differ between rows."""
    params = [name for name in table.names if name.startswith("param_")]
    several = [name for name in params if len(table.columns[name].unique()) > 1]
    settings = table.columns["params"].cast(pa.string())
    if several:
        settings = joined_cells(
            table, several, lambda name: f"{name.removeprefix('param_')}=", between=", "
        )
    if len(settings.unique()) == table.n and not settings.null_count:
        return settings
    return text([f"setting {row + 1}" for row in range(table.n)])


def _long_folds(table: Table) -> Table:
    """Return a row per fold of each row's model, where each fold has a column of numbers."""
    folds = {name: name for name in table.names if _FOLD_COLUMN.fullmatch(name)}
    numeric = len(folds) > 1 and all(profile(table, name).numeric for name in folds)
    rest = [profile(table, name) for name in table.names if name not in folds] if numeric else []
    names = [c.name for c in rest if not c.numeric and len(c.labels) == c.present == table.n]
    if len(names) != 1:
        return table
    named = "metric" if is_metric(str(table.columns[names[0]][0].as_py())) else "model"
    return _row_per_fold(table, {named: table.columns[names[0]]}, {"score": folds})


def _row_per_fold(
    table: Table,
    kept: Mapping[str, pa.ChunkedArray],
    cells: Mapping[str, Mapping[str, str]],
) -> Table:
    """Return the rows once for each fold; `cells` are the columns of scores: score -> fold."""
    folds = dict.fromkeys(fold for of_fold in cells.values() for fold in of_fold)
    columns = {n: pa.chunked_array([*c.chunks] * len(folds), c.type) for n, c in kept.items()}
    columns["fold"] = text([fold for fold in folds for _ in range(table.n)])
    blank = text([None] * table.n)
    for score, of_fold in cells.items():
        parts = (table.columns[of_fold[fold]] if fold in of_fold else blank for fold in folds)
        chunks = [chunk for part in parts for chunk in part.cast(pa.string()).chunks]
        columns[score] = pa.chunked_array(chunks)
    return table.cut(columns)


def _by_metric(table: Table) -> Table:
    """Return a table with a column per metric for one with a row per metric and fold."""
    metric = next((name for name in table.names if plain(name) in WORDS.metric_column), None)
    columns = profiles(table) if metric else {}
    values = [column.name for column in columns.values() if column.continuous]
    unlike = any(column.lists for column in columns.values())
    if metric is None or len(values) != 1 or columns[metric].numeric or unlike:
        return table
    keys = [name for name in table.names if name not in (metric, *values)]
    cells = {name: table.columns[name].cast(pa.string()).to_pylist() for name in table.names}
    rows: dict[tuple[str | None, ...], dict[str, str | None]] = defaultdict(dict)
    named = zip(*(cells[name] for name in keys), strict=True) if keys else [()] * table.n
    for key, of, value in zip(named, cells[metric], cells[values[0]], strict=True):
        rows[key][str(of)] = value
    if sum(map(len, rows.values())) < table.n:
        return table  # a metric stands there twice
    made = {name: text([key[at] for key in rows]) for at, name in enumerate(keys)}
    found = dict.fromkeys(str(of) for of in cells[metric])
    scores = {of: text([row.get(of) for row in rows.values()]) for of in found}
    return table.cut({**made, **scores})


def _without_summaries(table: Table, fold: str | None = None) -> Table:
    """Leave out rows of a table of scores that sum up others, or tell of rows trained on.

    So is a column left out that only tells such rows from the others.
    """
    gone = np.zeros(table.n, bool)
    found: list[str] = []
    scopes = []
    for name, column in profiles(table).items():
        of_folds = name == fold or column.plain in WORDS.fold | WORDS.dataset
        other = column.plain in WORDS.dataset | WORDS.metric_column or _names_models(column)
        # A column of a few words may say what part of the rows was scored.
        few = 1 < len(column.labels) < 7 and not (column.numeric or column.moment)
        if not (of_folds or (few and not other)):
            continue
        labels = labels_of(table, name)
        aside, is_scope = _aside(labels.names)
        rows = np.isin(labels.codes, [labels.names.index(label) for label in aside])
        if aside and (is_scope or of_folds) and not rows.all():
            gone |= rows
            found += aside
            scopes += [name] if is_scope else []
    if not found or gone.all() or len(scopes) == len(table.names):
        return table
    kept = {n: c.filter(pa.array(~gone)) for n, c in table.columns.items() if n not in scopes}
    key = "summary-rows/scope" if scopes else "summary-rows"
    return with_notice(table.cut(kept), notice(key, rows=gone, names=[*dict.fromkeys(found)]))


_SCOPE = WORDS.summary | WORDS.trained | WORDS.tuned | WORDS.test | WORDS.per_fold


def _aside(labels: Sequence[str]) -> tuple[list[str], bool]:
    """Return which labels tell of no test of a fold, and if all tell what was scored.

    >>> _aside(["1", "2", "mean"]), _aside(["train", "test"])
    ((['mean'], False), (['train'], True))
    """
    words = {label: words_of(label) for label in labels}
    is_scope = len(labels) > 1 and set().union(*words.values()) <= _SCOPE
    tuned = WORDS.tuned if any(found & WORDS.test for found in words.values()) else frozenset()
    aside = WORDS.trained | tuned if is_scope else frozenset()
    summary = WORDS.summary - WORDS.tuned if is_scope else WORDS.summary
    return [n for n, found in words.items() if found <= summary or found & aside], is_scope


class ScoreColumn(NamedTuple):
    """A column of scores: the model, "" if the name tells none, and what was scored."""

    column: str
    model: str
    metric: str


def _is_known_metric(metric: str) -> bool:
    """Return whether it is known of a metric if high values are good."""
    # No other file asks for names of metrics, and the catalogue takes long to import.
    from evalcore.comparison.from_folds import compared

    return bool(metric) and not compared(metric).notices


def metric_of(name: str) -> str:
    """Return what a column of scores is about.

    >>> metric_of("accuracy"), metric_of("test_roc_auc"), metric_of("skill")
    ('accuracy', 'roc_auc', 'skill')
    """
    first, *others = pieces(name)
    return "_".join(others) if others and first.lower() in WORDS.tested else name


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
    size = len(words)
    spans = [*((at, size) for at in range(size)), *((0, at) for at in range(size, 0, -1))]
    for start, end in spans:
        if _is_known_metric(metric := "_".join(words[start:end])):
            kept = [word for word in words[:start] if word.lower() not in WORDS.tested]
            return ScoreColumn(name, " ".join([*kept, *words[end:]]), metric)
    own = [word for word in words if word not in shared]
    common = [word for word in words if word in shared and word.lower() not in WORDS.model]
    return ScoreColumn(name, " ".join(own), "_".join(common) or "score")


def fold_roles(table: Table, choices: Choices) -> Roles:
    """Return the roles in a file with one score per fold.

    Raises:
        EvalError: "no-fold-score": no column holds scores.
    """
    view = View(table, choices)
    columns = view.columns.values()
    metadata: dict[str, Any] = {
        role: view.role(role, (c.name for c in columns if c.plain in getattr(WORDS, role)))
        for role in _METADATA
    }
    if metadata["repeat"] is None and choices.fold is choices.repeat is None:
        nested = [c.name for c in columns if c.plain in WORDS.fold and not c.constant]
        if len(nested) > 1:  # the outer fold holds the others
            metadata |= {"repeat": nested[0], "fold": nested[1]}
    found = _scores(view, {column for column in metadata.values() if column})
    told: list[tuple[Iterable[str | None], object, str]] = [
        (found.scores.values(), choices.fold_scores, "numbers next to the names of folds"),
        (found.named_by.values(), choices.model, "named like a model"),
        *(
            ([column], getattr(choices, role), f"named like a {role.replace('_', ' ')}")
            for role, column in metadata.items()
        ),
    ]
    reasons = {
        column: CHOSEN if chosen else Reason(why, Confidence.LIKELY)
        for of, chosen, why in told
        for column in of
        if column
    }
    fold = metadata.pop("fold")
    folds = replace(found, **metadata)
    return Roles(task=Task.FOLDS, truth="", models={}, fold=fold, folds=folds, reasons=reasons)


def _scores(view: View, metadata: Collection[str]) -> FoldRoles:
    """Return which columns hold the scores that are compared, and of which model."""
    columns, chosen = view.columns, view.known.fold_scores
    named = [n for n, column in columns.items() if n not in metadata and _names_models(column)]
    if view.known.model is not None:
        named = [view.known.model] if view.known.model else []
    if missing := next((name for name in named if name not in columns), None):
        raise no_such_column(missing, view.table.names)
    # One column names the models, or one for each score where rows hold several.
    models = [name for name in named if plain(name) in WORDS.model][:1] or named
    if chosen and not (models and [*chosen] == [""]):
        scores = score_columns([*chosen.values()])
        names = [key or one.model or "model" for key, one in zip(chosen, scores, strict=True)]
        by_model = dict(zip(names, chosen.values(), strict=True))
        return FoldRoles(metric=scores[0].metric, scores=by_model)
    taken = {*metadata, *models}
    numbers = [c for name, c in columns.items() if c.numeric and name not in taken]
    other = (c for c in numbers if not (_is_key(c) or _is_metadata(c) or _numbers_rows(c)))
    free = [column.name for column in other]
    if any(map(is_metric, free)):  # what is the same in all rows is a setting
        free = [name for name in free if is_metric(name) or not columns[name].constant]
    free = [*chosen.values()] if chosen else free
    if not free:
        raise refusal("no-fold-score")
    first = min(_of_each_metric(free, models), key=_order)
    taken = {*first.scores.values()}
    others = [] if len(first.named_by) > 1 else [n for n in free if n not in taken]
    return replace(first, others=tuple(others))


def _of_each_metric(columns: Sequence[str], models: Sequence[str]) -> list[FoldRoles]:
    """Return the roles for each metric, where `models` name the models of a row, if any do."""
    scores = score_columns(columns) if len(models) != 1 else []
    named_by = {
        one.column: name
        for one in scores
        for name in models
        if pieces(name)[1:] == tuple(one.model.split(" "))
    }
    if len(named_by) > 1:  # a row holds several models: model_A beside score_A
        metric = next(one.metric for one in scores if one.column in named_by)
        return [FoldRoles(metric=metric, scores={c: c for c in named_by}, named_by=named_by)]
    if models:
        return [
            FoldRoles(metric=metric_of(name), scores={"": name}, named_by={name: models[0]})
            for name in columns
        ]
    by_metric: dict[str, list[ScoreColumn]] = defaultdict(list)
    for one in scores:
        by_metric[one.metric].append(one)
    return [
        FoldRoles(metric=metric, scores=_columns_by_model(of)) for metric, of in by_metric.items()
    ]


def _columns_by_model(scores: list[ScoreColumn]) -> dict[str, str]:
    """Return model -> column; where names of models would clash, columns keep their own."""
    names = {one.model or "model": one.column for one in scores}
    return names if len(names) == len(scores) else {one.column: one.column for one in scores}


_USUAL = ("accuracy", "acc", "f1", "auc", "rmse", "mae", "r2")
"""Words of metrics that are compared first, wherever their columns stand."""


def _order(folds: FoldRoles) -> tuple[int, bool, int, str]:
    """Return what orders metrics: those of most columns, known ones, usual ones, then by name."""
    words = words_of(folds.metric)
    usual = next((at for at, word in enumerate(_USUAL) if word in words), len(_USUAL))
    return -len(folds.scores), not _is_known_metric(folds.metric), usual, folds.metric


_Key = tuple[str, str, str]
"""The names of data set, repeat and fold."""


def bind_folds(table: Table, roles: Roles) -> tuple[FoldScores, tuple[Notice, ...]]:
    """Return the scores of all models on all folds.

    Raises:
        EvalError: "repeated-fold" where a model has two scores for one fold; "unnamed" where a
            cell that names a model or a fold is blank; "infinite-score", "bad-size".
    """
    assert roles.folds is not None
    folds, notices = roles.folds, []
    columns = (folds.dataset, folds.repeat, roles.fold)
    names = [_names(table, column) if column else [""] * table.n for column in columns]
    if not any(columns):
        if folds.named_by:
            raise refusal("no-fold")
        names[-1] = [str(row + 1) for row in range(table.n)]
        notices.append(notice("rows-are-folds"))
    keys = list(zip(*names, strict=True))
    scores, others = _bound(table, folds, keys), []
    for other in _of_each_metric(folds.others, [*folds.named_by.values()][:1]):
        beside = {role: getattr(folds, role) for role in _METADATA[1:]}
        try:
            others.append(_bound(table, replace(other, **beside), keys))
        except EvalError:
            continue
    if folds.others:
        notices.append(notice("other-scores", metric=folds.metric, names=folds.others))
    return replace(scores, others=tuple(others)), tuple(notices)


def _bound(table: Table, folds: FoldRoles, keys: list[_Key]) -> FoldScores:
    """Return the scores of one metric; one score may stand there twice, two scores may not."""
    found: dict[tuple[str, _Key], tuple[int, float]] = {}
    for name, column in folds.scores.items():
        numbers = numbers_of(table, column)
        numbers.refuse_infinite(column, huge=True)
        naming = folds.named_by.get(column)
        models = _names(table, naming) if naming else [name] * table.n
        scores = enumerate(numbers.values.tolist())
        for model, key, own in zip(models, keys, scores, strict=True):
            first = found.setdefault((model, key), own)
            if first is not own and first[1] != own[1]:
                about = zip(("data set", "repeat", "fold"), key, strict=True)
                where = ", ".join(f"{word} {name}" for word, name in about if name)
                rows = (first[0] + 1, own[0] + 1)
                raise refusal(
                    "repeated-fold",
                    rows=rows,
                    model=model,
                    where=where,
                    first=rows[0],
                    last=rows[1],
                )
    places = {model: at for at, model in enumerate(dict.fromkeys(model for model, _ in found))}
    if len(places) > MOST_MODELS:
        raise refusal("too-many-models", n=len(places), most=MOST_MODELS)
    of_key = {key: at for at, key in enumerate(dict.fromkeys(keys))}
    score = np.full((len(places), len(of_key)), np.nan)
    for (model, key), (_, value) in found.items():
        score[places[model], of_key[key]] = value
    dataset, repeat, fold = zip(*of_key, strict=True)
    _, first_rows = np.unique([of_key[key] for key in keys], return_index=True)
    return FoldScores(
        metric=folds.metric,
        models=tuple(places),
        score=score,
        fold=fold,
        repeat=repeat if folds.repeat else (),
        dataset=dataset if folds.dataset else (),
        n_train=_sizes(table, folds.train_size, first_rows),
        n_test=_sizes(table, folds.test_size, first_rows),
    )


def _names(table: Table, column: str) -> list[str]:
    """Return the name in each row; numbers by value, "01" and "1.0" being as they are written."""
    (labels,) = same_by_value([labels_of(table, column)])
    blank = labels.codes < 0
    if blank.any():
        raise refusal("unnamed", rows=blank, column=column)
    return [labels.names[code] for code in labels.codes.tolist()]


def _sizes(table: Table, column: str | None, first: Rows) -> Floats | None:
    """Return the size of each fold, as its first row tells it."""
    if column is None:
        return None
    values = numbers_of(table, column).values
    bad = ~(np.isfinite(values) & (values > 0))
    if bad.any():
        raise refusal("bad-size", rows=bad, column=column)
    sizes: Floats = values[first]
    return sizes
