"""Files with one score per fold: recognised, and bound to scores by model and fold."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice
from evalcore.outcomes import Floats, FoldScores
from evalcore.text import counted, listed
from evalread.columns import as_labels, labels_of, numbers_of, same_by_value
from evalread.dataset import CHOSEN, Choices, Confidence, FoldRoles, Reason, Roles, Table, Task
from evalread.detection.longform import MOST_MODELS, joined_cells, with_one_model_column
from evalread.detection.profile import (
    COUNT,
    DATASET,
    FOLD,
    ID,
    MODEL,
    PREDICTION,
    REPEAT,
    TEST_SIZE,
    TRAIN_SIZE,
    TRUTH,
    Profile,
    pieces,
    plain,
    profile,
    profiles,
)
from evalread.rows import refuse_huge, refuse_infinite, refuse_rows, row_list, row_numbers
from evalread.signatures import PREDICTIONS, rewrite, text, with_columns, with_notice

_TRAINING_WORDS = frozenset({"train", "std", "sd", "time", "times", "seconds", "duration", "rank"})
_TESTED = frozenset({"test", "valid", "validation", "cv"})


_METRICS = frozenset({
    "accuracy", "acc", "auc", "auroc", "rocauc", "auprc", "aucpr", "prauc", "ap", "map",
    "precision", "recall", "f1", "f2", "fbeta", "f1score", "fscore", "fmeasure", "sensitivity",
    "specificity", "mcc", "matthews", "kappa", "brier", "logloss", "nll", "mae", "mse", "rmse",
    "rmsle", "mape", "smape", "mase", "wape", "medae", "r2", "r²", "nse", "ndcg", "mrr", "bleu",
    "rouge", "rougel", "meteor", "chrf", "wer", "cer", "iou", "miou", "dice", "jaccard", "ppv",
    "npv", "tpr", "fpr", "fnr", "tnr", "gmean", "youden", "gini", "ece", "mce", "perplexity",
    "silhouette", "ari", "nmi", "hamming", "pearson", "spearman", "kendall", "eer", "uar",
    "cindex",
})  # fmt: skip
"""Words in the names of metrics that seldom name anything else."""


@dataclass(frozen=True)
class ScoreColumn:
    """A column of scores: the model, "" if the name tells none, and what was scored."""

    column: str
    model: str
    metric: str


def is_about_training(name: str) -> bool:
    """Tell whether a column is about training or about time, and not about the test rows.

    >>> [is_about_training(name) for name in ("CV_TrainAcc", "fit_time", "test_accuracy")]
    [True, True, False]
    """
    return not words_of(name).isdisjoint(_TRAINING_WORDS)


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
    return not words_of(name).isdisjoint(_METRICS)


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
    bare = words[1:] if words[0].lower() in _TESTED and len(words) > 1 else words
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
    tail = next((at for at in range(len(words)) if is_known_metric("_".join(words[at:]))), None)
    if tail is not None:
        kept = [word for word in words[:tail] if word.lower() not in _TESTED]
        return ScoreColumn(name, " ".join(kept), "_".join(words[tail:]))
    head = next(
        (at for at in range(len(words), 0, -1) if is_known_metric("_".join(words[:at]))), None
    )
    if head is not None:
        return ScoreColumn(name, " ".join(words[head:]), "_".join(words[:head]))
    own = [word for word in words if word not in shared]
    common = [word for word in words if word in shared and word.lower() not in MODEL]
    return ScoreColumn(name, " ".join(own), "_".join(common) or "score")


_SPLIT = re.compile(r"split(?P<fold>\d+)_(?P<score>test_.+)")
_REPEATED = re.compile(r"(?P<fold>.+)\.(?P<repeat>.+)")


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
    model = next((name for name in table.names if plain(name) in MODEL), "")
    fold = next((name for name in table.names if plain(name) in FOLD), "fold")
    return _numbered(table, model, fold)


def _numbered(table: Table, model: str, fold: str) -> Table:
    """Number the rows of each model as its folds, unless a column does."""
    hints = Choices(task=Task.FOLDS, fold=fold, model=model)
    if fold in table.columns:
        return replace(table, hints=hints)
    names = table.columns[model].to_pylist() if model else [""] * table.n
    rows: Counter[str] = Counter()
    folds = []
    for name in names:
        rows[name] += 1
        folds.append(str(rows[name]))
    return replace(with_columns(table, {fold: text(folds)}), hints=hints)


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
    columns = {part: _part(table, part) for part in ("fold", "repeat")}
    hints = replace(hints, fold="Resample", repeat="repeat")
    changed = {"Resample": columns["fold"], "repeat": columns["repeat"]}
    return replace(with_columns(table, changed), hints=hints)


def _part(table: Table, part: str) -> pa.ChunkedArray:
    def of(name: str) -> str:
        match = _REPEATED.fullmatch(name)
        assert match is not None
        return match[part]

    return rewrite(table.columns["Resample"], "Resample", of)


_SUMMARY = frozenset({
    "mean", "average", "avg", "median", "min", "max", "std", "sd", "stdev", "stddev", "dev",
    "deviation", "standard", "var", "variance", "se", "sem", "error", "overall", "pooled", "all",
    "total", "aggregate", "mittelwert", "moyenne", "media",
})  # fmt: skip
_TRAINED = frozenset({"train", "training", "fit"})
_TUNED = frozenset({"val", "valid", "validation", "dev"})
_TEST = frozenset({"test", "testing", "holdout"})
_SCOPE = _SUMMARY | _TRAINED | _TUNED | _TEST | {"per", "fold", "folds", "cv"}
_METRIC_NAMES = frozenset({"metric", "metrics", "measure", "metric_name", "score_name"})


def without_summaries(table: Table, fold: str | None = None) -> Table:
    """Leave out rows of a table of scores that sum up others, or tell of rows trained on.

    So is a column left out that only tells such rows from the others.
    """
    gone = np.zeros(table.n, bool)
    found: dict[str, None] = {}
    scopes = []
    for name in table.names:
        of_folds = name == fold or plain(name) in FOLD | DATASET
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
    called = _names_models(column) or plain(name) in DATASET | _METRIC_NAMES
    return 1 < len(column.labels) < 7 and not (column.numeric or column.moment or called)


def _aside(labels: Sequence[str]) -> tuple[list[str], bool]:
    """Return which labels tell of no test of a fold, and if all tell what was scored.

    >>> _aside(["1", "2", "mean"]), _aside(["train", "test"])
    ((['mean'], False), (['train'], True))
    """
    words = {label: words_of(label) for label in labels}
    is_scope = len(labels) > 1 and set().union(*words.values()) <= _SCOPE
    tuned = _TUNED if any(found & _TEST for found in words.values()) else frozenset()
    aside = _TRAINED | tuned if is_scope else frozenset()
    summary = _SUMMARY - _TUNED if is_scope else _SUMMARY
    return [n for n, found in words.items() if found <= summary or found & aside], is_scope


_MOST_ROWS = 100_000
"""Rows of a table of fold scores: 1,000 folds of 100 models; longer ones hold predictions."""

_MOST_COLUMNS = 1000
"""Columns of such a table: metrics of each model, and what tells the folds apart."""

_METADATA = {
    "fold": FOLD,
    "repeat": REPEAT,
    "dataset": DATASET,
    "train_size": TRAIN_SIZE,
    "test_size": TEST_SIZE,
}
FEWEST_DRAWS = 20
"""Rows of nothing but one model's metrics that are draws, rather than its few runs."""

_OTHER_FILES = frozenset({"epoch", "epochs", "step", "threshold", "thresholds", "cutoff"})
_LIKE_DATASET = frozenset({
    "dataset", "data", "ticker", "symbol", "task", "subject", "site", "country", "city", "target",
    "series", "station", "patient", "domain", "language", "lang", "corpus", "benchmark",
})  # fmt: skip


def fold_table(table: Table, choices: Choices) -> Table | None:
    """Return a table of scores with a row per fold and model; None for any other table."""
    named = {plain(name) for name in table.names}
    large = table.n > _MOST_ROWS or len(table.names) > _MOST_COLUMNS
    settled = large or _is_settled(choices) or bool(named & set(TRUTH))
    table = table if settled else _by_metric(_long_folds(table))
    if holds_fold_scores(table, choices):
        return without_summaries(table, choices.fold)
    others = [words_of(name) for name in table.names if not is_metric(name)]
    other_file = any(words & (PREDICTION | _OTHER_FILES) for words in others)
    if settled or other_file or len(others) == len(table.names):
        return None
    return _told_apart(without_summaries(table))


def _told_apart(table: Table) -> Table | None:
    """Return a table of metrics with hints of its folds and models; None where nothing fits."""
    columns = profiles(table)
    scores = [c.name for c in columns.values() if is_metric(c.name) and c.continuous]
    scores = [name for name in scores if not is_about_training(name)]
    free = [c for c in columns.values() if c.distinct > 1 and not (c.moment or c.lists)]
    free = [c for c in free if not (c.name in scores or _is_metadata(c))]
    keys = {c.name: c for c in free if _is_key(c)}
    texts = [c.name for c in free if not c.numeric and c.name not in keys]
    models = [name for name, column in keys.items() if _names_models(column)] or texts
    folds = [name for name in keys if name not in models]
    spare = [*texts, *(c.name for c in free if c.whole and c.name not in keys)]
    for name in (name for name in spare if name not in models):
        if not _tell_apart(table, [*folds, *models]):
            models.append(name)
    datasets = [n for n in models if words_of(n) & _LIKE_DATASET and len(models) > 1]
    if not any(plain(name) in DATASET for name in folds):
        folds += datasets[:1]
        models = [name for name in models if name not in datasets[:1]]
    named = with_one_model_column(table, models)
    model = named.hints.model or ""
    if not folds and scores and all(words_of(name) & _TESTED for name in scores):
        return _numbered(named, model, "fold")
    drawn = not model and table.n >= FEWEST_DRAWS and all(plain(n) in REPEAT for n in folds)
    each_has_two = not model or 2 * len(named.columns[model].unique()) <= table.n
    if drawn or not (folds and scores and each_has_two and _tell_apart(table, [*folds, *models])):
        return None
    if len(models) > 1:
        message = (
            f"Models are named by {listed(models)} together, which tell the rows of a fold apart."
        )
        named = with_notice(named, Notice("joined-models", message, column=model))
    dataset = next((n for n in folds if plain(n) in DATASET or n in datasets), None)
    return replace(named, hints=Choices(task=Task.FOLDS, dataset=dataset, model=model))


def _by_metric(table: Table) -> Table:
    """Return a table with a column per metric for one with a row per metric and fold."""
    metric = next((name for name in table.names if plain(name) in _METRIC_NAMES), None)
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
    if table.n > _MOST_ROWS or named & set(TRUTH) or not named & (FOLD | DATASET):
        return False
    return _one_row_each(table, columns or profiles(table), choices.model)


def _is_settled(choices: Choices) -> bool:
    return bool(choices.task or choices.truth or any(getattr(choices, n) for n in PREDICTIONS))


def _one_row_each(table: Table, columns: Mapping[str, Profile], model: str | None) -> bool:
    """Tell whether fold, model and data set together identify each row, beside numbers only."""
    keys = [c.name for c in columns.values() if _is_key(c) or c.name == model]
    others = [column for name, column in columns.items() if name not in keys]
    if not all(column.numeric or not column.present for column in others):
        return False
    scores = sum(not _is_metadata(column) for column in others)
    told_apart = [n for n in keys if plain(n) in FOLD or n == model or _names_models(columns[n])]
    return scores >= (1 if told_apart else 2) and _tell_apart(table, keys)


def _tell_apart(table: Table, names: Sequence[str]) -> bool:
    """Tell whether no two rows have the same cells in these columns."""
    return bool(names) and len(joined_cells(table, names, between="\x1f").unique()) == table.n


def _is_key(column: Profile) -> bool:
    return plain(column.name) in FOLD | REPEAT | DATASET or _names_models(column)


def _names_models(column: Profile) -> bool:
    """Tell whether a column names models; "model_A" above scores is a model itself."""
    name = column.name
    return plain(name) in MODEL or (pieces(name)[0].lower() in MODEL and not column.numeric)


def _is_metadata(column: Profile) -> bool:
    named = plain(column.name) in TRAIN_SIZE | TEST_SIZE | ID
    return named or is_about_training(column.name) or _is_size(column)


def _is_size(column: Profile) -> bool:
    """Tell whether a column counts rows, groups or features: whole numbers called "n", "n_..."."""
    words = [word.lower() for word in pieces(column.name)]
    called = plain(column.name) in COUNT or words[0] == "n" or words[-1] in ("size", "support")
    return called and column.whole and column.high > 1


def fold_roles(table: Table, choices: Choices) -> Roles | None:
    """Return the roles in a file with one score per fold; None for any other file.

    Raises:
        EvalError: "no-fold-score": no column holds scores.
    """
    if not holds_fold_scores(table, choices):
        return None
    metadata: dict[str, Any] = {role: _metadata_column(table, choices, role) for role in _METADATA}
    if metadata["repeat"] is None and choices.fold is choices.repeat is None:
        nested = [n for n in table.names if plain(n) in FOLD and not profile(table, n).constant]
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


def _metadata_column(table: Table, choices: Choices, role: str) -> str | None:
    """Return the column of a fold, repeat, data set or size; an empty choice says there is none."""
    chosen: str | None = getattr(choices, role)
    if chosen is not None:
        return chosen or None
    return next((name for name in table.names if plain(name) in _METADATA[role]), None)


def _scores(table: Table, choices: Choices, metadata: Collection[str]) -> FoldRoles:
    """Return which columns hold scores, of which model."""
    columns = profiles(table)
    model_columns = _model_columns(columns, choices, metadata)
    if choices.fold_scores:
        chosen = choices.fold_scores
        names = [name for name in model_columns if len(chosen) == 1 and not any(chosen)]
        return _chosen(chosen, names)
    free = [
        name
        for name, column in columns.items()
        if column.numeric and not (_is_key(column) or _is_metadata(column))
        if name not in {*metadata, *model_columns}
    ]
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
    if choices.model is not None:
        return [choices.model] if choices.model else []
    free = [n for n, column in columns.items() if n not in metadata and _names_models(column)]
    exact = [name for name in free if plain(name) in MODEL]
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
    first = next((name for name in free if is_known_metric(metric_of(name))), free[0])
    others = tuple(name for name in free if name != first)
    return FoldRoles(
        metric=metric_of(first), scores={"": first}, named_by={first: model}, others=others
    )


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
    metric = max(counts, key=lambda name: (counts[name], is_known_metric(name)))
    compared = [one for one in scores if one.metric == metric]
    others = tuple(one.column for one in scores if one.metric != metric)
    by_model = _columns_by_model(compared)
    return FoldRoles(metric=metric, scores=by_model, others=others)


def other_scores(folds: FoldRoles) -> Iterator[FoldRoles]:
    """Yield the roles of the columns left aside, one metric after the other."""
    model_column = next(iter(folds.named_by.values()), None)
    if model_column is not None:
        for column in folds.others:
            yield replace(_long(model_column, [column]), **_metadata_of(folds))
        return
    by_metric: dict[str, list[ScoreColumn]] = {}
    for one in score_columns(folds.others) if folds.others else ():
        by_metric.setdefault(one.metric, []).append(one)
    for metric, scores in by_metric.items():
        yield FoldRoles(metric=metric, scores=_columns_by_model(scores), **_metadata_of(folds))


def _metadata_of(folds: FoldRoles) -> dict[str, Any]:
    return {name: getattr(folds, name) for name in _METADATA if name != "fold"}


def _columns_by_model(scores: list[ScoreColumn]) -> dict[str, str]:
    """Return model -> column; where names of models would clash, columns keep their own."""
    names = {one.model or "model": one.column for one in scores}
    return names if len(names) == len(scores) else {one.column: one.column for one in scores}


_KEYS = ("dataset", "repeat", "fold")

Key = tuple[str, str, str]
Notices = tuple[Notice, ...]


@dataclass(frozen=True, eq=False)
class _ScoreCells:
    """The cells of one score column: (n,) models and scores, one per row of the file."""

    models: list[str]
    score: Floats


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
    models = tuple(dict.fromkeys(model for one in cells for model in one.models))
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


def _score_cells(table: Table, folds: FoldRoles, name: str) -> _ScoreCells:
    column = folds.scores[name]
    numbers = numbers_of(table, column)
    refuse_infinite(numbers, column)
    refuse_huge(numbers, column)
    naming = folds.named_by.get(column)
    return _ScoreCells(_names(table, naming) if naming else [name] * table.n, numbers.values)


def _score_matrix(
    cells: list[_ScoreCells], keys: list[Key], models: tuple[str, ...], folds: Mapping[Key, int]
) -> Floats:
    """Return the (models, folds) scores; one score may stand there twice, two scores may not."""
    score = np.full((len(models), len(folds)), np.nan)
    first: dict[tuple[int, int], int] = {}
    place = {model: at for at, model in enumerate(models)}
    for one in cells:
        for row, (model, key, value) in enumerate(
            zip(one.models, keys, one.score.tolist(), strict=True)
        ):
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
    refuse_rows(bad, "bad-size", column, "bad size", "A fold has at least one row.")
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
