"""Tables of metrics: finished ones, which are refused, and scores of folds, which are compared."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import Notice
from evalcore.text import counted, listed
from evalread.columns import as_labels, labels_of
from evalread.dataset import Choices, Table, Task
from evalread.detection.longform import joined_cells, with_one_model_column
from evalread.detection.profile import (
    COUNT,
    DATASET,
    FAINT_TRUTH,
    FOLD,
    ID,
    MODEL,
    PREDICTION,
    REPEAT,
    SCORE,
    TEST_SIZE,
    TRAIN_SIZE,
    TRUTH,
    Profile,
    pieces,
    plain,
    profile,
    profiles,
    sample,
)
from evalread.rows import row_numbers
from evalread.signatures import PREDICTIONS, rewrite, text, with_columns, with_notice

_TRAINING_WORDS = frozenset({"train", "std", "sd", "time", "times", "seconds", "duration", "rank"})

TESTED = frozenset({"test", "valid", "validation", "cv"})

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
    called = names_models(column) or plain(name) in DATASET | _METRIC_NAMES
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

METADATA = {
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
    free = [c for c in free if not (c.name in scores or is_metadata(c))]
    keys = {c.name: c for c in free if is_key(c)}
    texts = [c.name for c in free if not c.numeric and c.name not in keys]
    models = [name for name, column in keys.items() if names_models(column)] or texts
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
    if not folds and scores and all(words_of(name) & TESTED for name in scores):
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
    keys = [c.name for c in columns.values() if is_key(c) or c.name == model]
    others = [column for name, column in columns.items() if name not in keys]
    if not all(column.numeric or not column.present for column in others):
        return False
    scores = sum(not is_metadata(column) for column in others)
    told_apart = [n for n in keys if plain(n) in FOLD or n == model or names_models(columns[n])]
    return scores >= (1 if told_apart else 2) and _tell_apart(table, keys)


def _tell_apart(table: Table, names: Sequence[str]) -> bool:
    """Tell whether no two rows have the same cells in these columns."""
    return bool(names) and len(joined_cells(table, names, between="\x1f").unique()) == table.n


def is_key(column: Profile) -> bool:
    """Tell whether a column tells folds, repeats, data sets or models apart, by its name."""
    return plain(column.name) in FOLD | REPEAT | DATASET or names_models(column)


def names_models(column: Profile) -> bool:
    """Tell whether a column names models; "model_A" above scores is a model itself."""
    name = column.name
    return plain(name) in MODEL or (pieces(name)[0].lower() in MODEL and not column.numeric)


def is_metadata(column: Profile) -> bool:
    """Tell whether a column beside scores is none: a size, an id, a time, or of training."""
    named = plain(column.name) in TRAIN_SIZE | TEST_SIZE | ID
    return named or is_about_training(column.name) or _is_size(column)


def _is_size(column: Profile) -> bool:
    """Tell whether a column counts rows, groups or features: whole numbers called "n", "n_..."."""
    words = [word.lower() for word in pieces(column.name)]
    called = plain(column.name) in COUNT or words[0] == "n" or words[-1] in ("size", "support")
    return called and column.whole and column.high > 1


Names = Sequence[str]

SETS = frozenset({"set", "sets"})


@dataclass(frozen=True)
class File:
    """A table and its columns, as the tests for kinds look at them."""

    table: Table
    columns: Mapping[str, Profile]
    choices: Choices

    @cached_property
    def words(self) -> Mapping[str, frozenset[str]]:
        """The words in each column's name."""
        return {name: words_of(name) for name in self.columns}

    def called(self, words: Collection[str]) -> list[str]:
        """Return the columns that have one of these words in their name."""
        return [name for name, found in self.words.items() if not found.isdisjoint(words)]

    def numbers(self, names: Names) -> list[str]:
        """Return those columns that hold numbers in half of their rows, or "0.91 ± 0.02"."""
        columns = (self.columns[name] for name in names)
        return [c.name for c in columns if c.mostly_numeric or _holds_estimates(c)]

    @cached_property
    def truths(self) -> list[str]:
        """The columns that are called the truth by a name that is nothing else."""
        return [name for name in self.columns if plain(name) in set(TRUTH) - FAINT_TRUTH]

    @cached_property
    def predicted(self) -> list[str]:
        """The columns that are called predictions, and are no metric and no set of labels."""
        named = self.called(PREDICTION)
        return [n for n in named if not (is_metric(n) or self.words[n] & SETS)]

    @cached_property
    def metrics(self) -> list[str]:
        """The columns that are called like a metric, and do not say right or wrong of a row."""
        named = self.numbers([name for name in self.columns if is_metric(name)])
        # "f1" beside "f2" and "f3" is one of many columns.
        counted = {name for name in self.columns if re.fullmatch(r"[a-zA-Z]\d+", name)}
        few = {name for name in counted if name.lower() not in ("f1", "r2")}
        numbered = counted if few else set()
        return [n for n in named if n not in numbered and not self.columns[n].holds_only("01")]

    @cached_property
    def is_prediction_file(self) -> bool:
        """Whether what is called the truth has labels or numbers as a prediction, and no text."""
        named = [column for name, column in self.columns.items() if plain(name) in TRUTH]
        others = [c for name, c in self.columns.items() if plain(name) not in TRUTH]
        return any(self._predicts(truth, other) for truth in named for other in others)

    def _predicts(self, truth: Profile, other: Profile) -> bool:
        """Tell whether a column is predicted by another, by its name or by two common labels."""
        if joins_labels(truth):
            return False
        if other.name not in self.predicted:
            return len(truth.labels & other.labels) > 1 and not other.numeric
        alike = truth.labels & other.labels or (truth.continuous and other.continuous)
        return bool(alike) and not (self.is_prose(truth.name) and self.is_prose(other.name))

    @cached_property
    def speaks(self) -> bool:
        """Whether a name tells of a truth or a prediction, be it faintly and beside scores."""
        repeated = (c for c in self.columns.values() if c.distinct < c.present)
        faint = any(plain(column.name) in FAINT_TRUTH for column in repeated)
        scores = [name for name in self.called(SCORE) if not is_metric(name)]
        return bool(self.truths or self.predicted or (faint and scores))

    def is_prose(self, name: str) -> bool:
        """Tell whether a column holds sentences: cells that differ, of four words and more."""
        column = self.columns[name]
        shown = column.numeric or column.lists or column.moment
        if shown or column.distinct * 2 < column.present:
            return False
        spaces = pc.mean(pc.count_substring(sample(self.table, name, 1000).cast("string"), " "))
        return (spaces.as_py() or 0) >= 3


_ESTIMATE = re.compile(r"\s*[-+]?[\d.,]+\s*%?\s*(±|\+/?-|\(|\[).*")


def _holds_estimates(column: Profile) -> bool:
    return bool(column.labels) and all(map(_ESTIMATE.fullmatch, column.labels))


BETWEEN_LABELS = re.compile(r"\s*[|;]\s*")


def joins_labels(column: Profile) -> bool:
    """Tell whether cells hold "a|b" where "a" stands by itself, too."""
    several = [label for label in column.labels if BETWEEN_LABELS.search(label)]
    parts = {part for label in several for part in BETWEEN_LABELS.split(label)}
    return len(several) > 1 and bool(parts & column.labels)


_THRESHOLD = frozenset({"threshold", "thresholds", "cutoff", "cutpoint", "thresh", "thr"})

_COUNTED = frozenset({"tp", "fp", "fn", "tn", "tpr", "fpr", "tnr", "fnr"})

_EPOCH = frozenset({"epoch", "epochs"})

_STEP = frozenset({"step", "steps", "iteration", "iter", "round", "batch"})

_LOSS = frozenset({"loss", "val", "logloss"})


def _is_summary(file: File) -> bool:
    """Tell whether columns are called metrics, and none the truth or a prediction."""
    return bool(file.metrics) and not file.speaks


def sweep(file: File) -> Names:
    """Find thresholds and what was measured at them, or the points of a curve."""
    thresholds = file.numbers(file.called(_THRESHOLD))
    measures = list(dict.fromkeys([*file.metrics, *file.called(_COUNTED)]))
    several = len([name for name in measures if name not in thresholds]) > 1
    numeric = all(column.numeric for column in file.columns.values())
    points = numeric and len(file.called({"fpr"})) == len(file.called({"tpr"})) == 1
    if file.speaks or not several or not (thresholds or points):
        return []
    return [*thresholds[:1], *(name for name in measures if name not in thresholds)]


def history(file: File) -> Names:
    """Find epochs, or steps, and losses or metrics at them."""
    epochs, steps = (file.numbers(file.called(words)) for words in (_EPOCH, _STEP))
    losses = [name for name in file.called(_LOSS) if file.columns[name].numeric]
    measured = [*dict.fromkeys([*losses, *file.metrics])]
    paired = {name.removeprefix("val_") for name in measured if name.startswith("val_")}
    told = (epochs and measured) or (steps and losses) or paired & set(measured)
    return [*epochs[:1], *measured] if told and not file.speaks else []


_SPREAD = frozenset({
    "mean", "std", "sd", "var", "avg", "median", "min", "max", "ci", "lower", "upper", "low",
    "high", "error", "err", "improvement", "gap", "delta", "rank", "se", "sem", "dev",
})  # fmt: skip


def draws(file: File) -> Names:
    """Find metrics of one model in many rows that only a number tells apart."""
    rest = [file.columns[name] for name in file.columns.keys() - {*file.metrics}]
    numbered = all(c.counting or plain(c.name) in REPEAT or not c.present for c in rest)
    several = len(file.columns) > 1 and file.table.n >= FEWEST_DRAWS
    return file.metrics if numbered and several else []


def finished(file: File) -> Names:
    """Find metrics and their spreads; one alone is enough beside the names of models."""
    if not _is_summary(file) or holds_fold_scores(file.table, file.choices, file.columns):
        return []
    measures = list(dict.fromkeys([*file.metrics, *file.numbers(file.called(_SPREAD))]))
    settings = [n for n in file.columns.keys() - {*measures} if file.columns[n].numeric]
    models = [name for name in file.called(MODEL) if not file.columns[name].numeric]
    enough = len(measures) > 1 or models
    return measures if enough and len(settings) <= len(measures) else []


_MOST_METRICS = 200
"""Metrics that somebody lists; a longer list of words is something else."""


def listed_metrics(file: File) -> Names:
    """Find a column of names of metrics beside their values."""
    if file.truths or file.predicted or file.called(FOLD):
        return []
    texts = (column for column in file.columns.values() if not column.numeric)
    words = [column for column in texts if 1 < len(column.labels) <= _MOST_METRICS]
    share = {c.name: sum(map(is_metric, c.labels)) / len(c.labels) for c in words}
    named = [c.name for c in words if share[c.name] >= 0.5 and share[c.name] * c.distinct > 1]
    return named if any(c.mostly_numeric for c in file.columns.values()) else []
