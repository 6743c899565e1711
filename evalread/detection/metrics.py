"""Tables of metrics: finished ones, which are refused, and scores of folds, which are compared."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import count

import numpy as np
import pyarrow as pa

from evalcore.errors import Notice
from evalcore.text import counted, listed
from evalread.columns import as_labels, labels_of
from evalread.dataset import Choices, Table, Task
from evalread.detection.longform import joined_cells, with_one_model_column
from evalread.detection.profile import WORDS, Profile, pieces, plain, profile, profiles
from evalread.notices import row_numbers
from evalread.rewriting import PREDICTIONS, rewrite, text, with_columns, with_notice


def is_about_training(name: str) -> bool:
    """Tell whether a column is about training or about time, and not about the test rows.

    >>> [is_about_training(name) for name in ("CV_TrainAcc", "fit_time", "test_accuracy")]
    [True, True, False]
    """
    return not words_of(name).isdisjoint(WORDS.training)


@lru_cache(20_000)
def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in small letters, also those inside a word.

    >>> sorted(words_of("CV_TrainAcc_mean")), sorted(words_of("precision@5 (F1)"))
    (['acc', 'cv', 'mean', 'train'], ['5', 'f1', 'precision'])
    """
    parts = (part for piece in pieces(name) for part in re.split(r"\W+", piece) if part)
    return frozenset(word.lower() for part in parts for word in pieces(part))


def is_metric(name: str) -> bool:
    """Tell whether a name is that of a metric, whatever it was measured on.

    >>> [is_metric(name) for name in ("Mean_AUC", "F1 (macro)", "val_acc", "income")]
    [True, True, True, False]
    """
    return not words_of(name).isdisjoint(WORDS.metric)


_SPLIT = re.compile(r"split(?P<fold>\d+)_(?P<score>test_.+)")

_REPEATED = re.compile(r"(.+)\.(.+)")


def cv_results(table: Table) -> Table:
    """Turn a row per setting, with a column per split, into a row per setting and split."""
    cells: dict[str, dict[str, str]] = {}
    for name in table.names:
        if match := _SPLIT.fullmatch(name):
            cells.setdefault(match["score"], {})[match["fold"]] = name
    hints = Choices(task=Task.FOLDS, fold="fold", model="setting")
    return replace(_row_per_fold(table, {"setting": _settings(table)}, cells), hints=hints)


def _row_per_fold(
    table: Table,
    kept: Mapping[str, pa.ChunkedArray],
    cells: Mapping[str, Mapping[str, str]],
) -> Table:
    """Return the rows once for each fold; `cells` are the columns of scores: score -> fold."""
    folds = list(dict.fromkeys(fold for of_fold in cells.values() for fold in of_fold))
    rows = pa.array(np.tile(np.arange(table.n), len(folds)))
    columns = {name: column.take(rows) for name, column in kept.items()}
    columns["fold"] = text([fold for fold in folds for _ in range(table.n)])
    for score, of_fold in cells.items():
        blank = text([None] * table.n)
        named = [of_fold.get(fold) for fold in folds]
        parts = [table.columns[n].cast(pa.string()) if n else blank for n in named]
        columns[score] = pa.chunked_array([chunk for part in parts for chunk in part.chunks])
    return table.cut(columns)


_FOLD_COLUMN = re.compile(r"(fold|split|cv|run|seed|rep|repeat)[\s_.-]?\d+", re.IGNORECASE)


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


def cross_validated(table: Table) -> Table:
    """Number the folds of each model in a frame of `cross_validate`, which has a row per fold."""
    model = next((name for name in table.names if plain(name) in WORDS.model), "")
    fold = next((name for name in table.names if plain(name) in WORDS.fold), "fold")
    return _numbered(table, model, fold)


def _numbered(table: Table, model: str, fold: str) -> Table:
    """Number the rows of each model as its folds, unless a column does."""
    hints = Choices(task=Task.FOLDS, fold=fold, model=model)
    if fold in table.columns:
        return replace(table, hints=hints)
    names = table.columns[model].to_pylist() if model else [""] * table.n
    rows: Mapping[str, Iterator[int]] = defaultdict(lambda: count(1))
    folds = text([str(next(rows[name])) for name in names])
    return replace(with_columns(table, {fold: folds}), hints=hints)


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


def caret_resamples(table: Table) -> Table:
    """Split names such as "Fold01.Rep1" into fold and repeat."""
    hints = Choices(task=Task.FOLDS, fold="Resample", model="")
    names = as_labels(table.columns["Resample"], "Resample").names
    if not names or not all(_REPEATED.fullmatch(name) for name in names):
        return replace(table, hints=hints)
    changed = {
        column: rewrite(table.columns["Resample"], "Resample", partial(_REPEATED.sub, part))
        for column, part in {"Resample": r"\1", "repeat": r"\2"}.items()
    }
    return replace(with_columns(table, changed), hints=replace(hints, repeat="repeat"))


_SCOPE = WORDS.summary | WORDS.trained | WORDS.tuned | WORDS.test | WORDS.per_fold


def without_summaries(table: Table, fold: str | None = None) -> Table:
    """Leave out rows of a table of scores that sum up others, or tell of rows trained on.

    So is a column left out that only tells such rows from the others.
    """
    gone = np.zeros(table.n, bool)
    found: dict[str, None] = {}
    scopes = []
    for name in table.names:
        of_folds = name == fold or plain(name) in WORDS.fold | WORDS.dataset
        if not (of_folds or _may_be_scope(table, name)):
            continue
        labels = labels_of(table, name)
        aside, is_scope = _aside(labels.names)
        rows = np.isin(labels.codes, [labels.names.index(label) for label in aside])
        if aside and (is_scope or of_folds) and not rows.all():
            gone |= rows
            found |= dict.fromkeys(aside)
            scopes += [name] if is_scope else []
    if not found or gone.all() or len(scopes) == len(table.names):
        return table
    one = gone.sum() == 1
    about = "tell of no fold's test" if scopes else f"{'sums' if one else 'sum'} up the others"
    message = (
        f"{counted(int(gone.sum()), 'row')} {about} and {'was' if one else 'were'} left out: "
        f"{listed(list(found), 4)}."
    )
    notice = Notice("summary-rows", message, rows=row_numbers(gone))
    kept = {n: c.filter(pa.array(~gone)) for n, c in table.columns.items() if n not in scopes}
    return with_notice(table.cut(kept), notice)


def _may_be_scope(table: Table, name: str) -> bool:
    """Tell whether a column of a few words may say what part of the rows was scored."""
    column = profile(table, name)
    called = names_models(column) or plain(name) in WORDS.dataset | WORDS.metric_column
    return 1 < len(column.labels) < 7 and not (column.numeric or column.moment or called)


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


_MOST_ROWS = 100_000
"""Rows of a table of fold scores: 1,000 folds of 100 models; longer ones hold predictions."""

_MOST_COLUMNS = 1000
"""Columns of such a table: metrics of each model, and what tells the folds apart."""

METADATA = ("fold", "repeat", "dataset", "train_size", "test_size")
"""The roles beside scores of folds, and what `words.txt` calls the names of their columns."""

FEWEST_DRAWS = 20
"""Rows of nothing but one model's metrics that are draws, rather than its few runs."""


def fold_table(table: Table, choices: Choices) -> Table | None:
    """Return a table of scores with a row per fold and model; None for any other table."""
    named = {plain(name) for name in table.names}
    large = table.n > _MOST_ROWS or len(table.names) > _MOST_COLUMNS
    settled = large or _is_settled(choices) or bool(named & WORDS.truth)
    table = table if settled else _by_metric(_long_folds(table))
    if holds_fold_scores(table, choices):
        return without_summaries(table, choices.fold)
    others = [words_of(name) for name in table.names if not is_metric(name)]
    other_file = any(words & (WORDS.prediction | WORDS.other_file) for words in others)
    if settled or other_file or len(others) == len(table.names):
        return None
    return _told_apart(without_summaries(table))


def _told_apart(table: Table) -> Table | None:
    """Return a table of metrics with hints of its folds and models; None where nothing fits."""
    columns = profiles(table).values()
    measured = (c.name for c in columns if is_metric(c.name) and c.continuous)
    scores = [name for name in measured if not is_about_training(name)]
    free = [c for c in columns if c.distinct > 1 and not (c.moment or c.lists or is_metadata(c))]
    free = [column for column in free if column.name not in scores]
    keys = {c.name: c for c in free if is_key(c)}
    texts = [c.name for c in free if not c.numeric and c.name not in keys]
    models = [name for name, column in keys.items() if names_models(column)] or texts
    folds = [name for name in keys if name not in models]
    spare = [*texts, *(c.name for c in free if c.whole and c.name not in keys)]
    for name in (name for name in spare if name not in models):
        if not _tell_apart(table, [*folds, *models]):
            models.append(name)
    datasets = [n for n in models if words_of(n) & WORDS.like_dataset and len(models) > 1]
    if not any(plain(name) in WORDS.dataset for name in folds):
        folds += datasets[:1]
        models = [name for name in models if name not in datasets[:1]]
    named = with_one_model_column(table, models)
    model = named.hints.model or ""
    if not folds and scores and all(words_of(name) & WORDS.tested for name in scores):
        return _numbered(named, model, "fold")
    drawn = not model and table.n >= FEWEST_DRAWS and all(plain(n) in WORDS.repeat for n in folds)
    each_has_two = not model or 2 * len(named.columns[model].unique()) <= table.n
    if drawn or not (folds and scores and each_has_two and _tell_apart(table, [*folds, *models])):
        return None
    if len(models) > 1:
        message = (
            f"Models are named by {listed(models)} together, which tell the rows of a fold apart."
        )
        named = with_notice(named, Notice("joined-models", message, column=model))
    dataset = next((n for n in folds if plain(n) in WORDS.dataset or n in datasets), None)
    return replace(named, hints=Choices(task=Task.FOLDS, dataset=dataset, model=model))


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
    rows: dict[tuple[str | None, ...], dict[str, str | None]] = {}
    named = zip(*(cells[name] for name in keys), strict=True) if keys else [()] * table.n
    for key, of, value in zip(named, cells[metric], cells[values[0]], strict=True):
        rows.setdefault(tuple(key), {})[str(of)] = value
    made = {name: text([key[at] for key in rows]) for at, name in enumerate(keys)}
    if sum(map(len, rows.values())) < table.n:
        return table  # a metric stands there twice
    found = dict.fromkeys(str(of) for of in cells[metric])
    scores = {of: text([row.get(of) for row in rows.values()]) for of in found}
    return table.cut({**made, **scores})


def holds_fold_scores(
    table: Table, choices: Choices, columns: Mapping[str, Profile] | None = None
) -> bool:
    """Tell whether a table has a row per fold, or per fold and model."""
    if choices.task is Task.FOLDS or choices.fold_scores:
        return True
    if _is_settled(choices):
        return False
    named = {plain(name) for name in table.names}
    if table.n > _MOST_ROWS or named & WORDS.truth or not named & (WORDS.fold | WORDS.dataset):
        return False
    return _one_row_each(table, columns or profiles(table), choices.model)


def _is_settled(choices: Choices) -> bool:
    return bool(choices.task or choices.truth or any(getattr(choices, n) for n in PREDICTIONS))


def _one_row_each(table: Table, columns: Mapping[str, Profile], model: str | None) -> bool:
    """Tell whether fold, model and data set together identify each row, beside numbers only."""
    keys = [c.name for c in columns.values() if is_key(c) or c.name == model]
    others = [column for name, column in columns.items() if name not in keys]
    if not all(column.numeric or not column.present for column in others):
        return False
    scores = sum(not is_metadata(column) for column in others)
    folds = WORDS.fold | {model}
    told_apart = [n for n in keys if {n, plain(n)} & folds or names_models(columns[n])]
    return scores >= (1 if told_apart else 2) and _tell_apart(table, keys)


def _tell_apart(table: Table, names: Sequence[str]) -> bool:
    """Tell whether no two rows have the same cells in these columns."""
    return bool(names) and len(joined_cells(table, names, between="\x1f").unique()) == table.n


def is_key(column: Profile) -> bool:
    """Tell whether a column tells folds, repeats, data sets or models apart, by its name."""
    return column.plain in WORDS.fold | WORDS.repeat | WORDS.dataset or names_models(column)


def names_models(column: Profile) -> bool:
    """Tell whether a column names models; "model_A" above scores is a model itself."""
    return column.plain in WORDS.model or (column.words[0] in WORDS.model and not column.numeric)


def is_metadata(column: Profile) -> bool:
    """Tell whether a column beside scores is none: a size, an id, a time, or of training."""
    first, last = column.words[0], column.words[-1]
    # Rows, groups or features are counted by whole numbers called "n", "n_...".
    called = column.plain in WORDS.count or first == "n" or last in ("size", "support")
    named = column.plain in WORDS.train_size | WORDS.test_size | WORDS.id
    size = called and column.whole and column.high > 1
    return named or size or is_about_training(column.name)
