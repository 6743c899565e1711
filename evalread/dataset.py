"""A data set: what was read, which column plays which role, and what a user may settle."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from evalcore.errors import EvalError, Notice, Offer
from evalcore.options import Options
from evalcore.outcomes import NOISE
from evalcore.predictions import Dates, Predictions

if TYPE_CHECKING:
    import pyarrow as pa

    from evalread.counts.blocks import Counts


class Task(Enum):
    """The kind of question the models answer."""

    BINARY = "binary"
    MULTICLASS = "multiclass"
    REGRESSION = "regression"
    CLUSTERING = "clustering"
    CORRECT = "right-or-wrong"
    FOLDS = "folds"


class Scale(Enum):
    """How a score is to be read.

    CONFIDENCE is the probability of the label the model gave, whichever that is.
    """

    PROBABILITY = "probability"
    PERCENT = "percent"
    LOGIT = "logit"
    SCORE = "score"
    CONFIDENCE = "confidence"


class WeightKind(Enum):
    """What weights mean: numbers of rows that each stands for, or how much each row matters."""

    COUNTS = "counts"
    IMPORTANCE = "importance"


class Missing(Enum):
    """What becomes of a row with a truth but no label; WRONG: it counts as a wrong answer."""

    WRONG = "wrong"
    LEFT_OUT = "left-out"


class FeatureKind(Enum):
    """What the columns of features hold; DISTANCES: a square matrix, of each row to every row."""

    NUMBERS = "numbers"
    DISTANCES = "distances"
    CATEGORIES = "categories"


class Kind(Enum):
    """What a choice holds.

    TEXT: a column, label or mark. WORD: one of an enumeration. FLAG: yes or no. TEXTS: several
    texts. BY_MODEL: a text for each of several names, such as a column for each model. BY_CLASS:
    a column for each class of each model.
    """

    TEXT = "text"
    WORD = "word"
    FLAG = "flag"
    TEXTS = "texts"
    BY_MODEL = "by model"
    BY_CLASS = "by class"


@dataclass(frozen=True)
class Choice:
    """How one field of `Choices` is settled on the command line, in an address and on a page.

    Attributes:
        option: The option of the command line, without its dashes.
        shape: How the option's value is written, such as "COL".
        told: What the option says, for its help.
        key: The parameter of an address.
        label: Over its box on the page of the data; "" where it has no box of its own.
        about: Which column it names, or column by which files are joined and models told apart
            ("cells", for these decide which cells there are), or how the "file" is written.
        never: A word that can be detected but not chosen on the command line.
        field: Its name in `Choices`.
        kind: What it holds.
        words: The enumeration that a WORD is of; None otherwise.
    """

    option: str
    shape: str
    told: str
    key: str
    label: str = ""
    about: Literal["column", "cells", "file"] = "column"
    never: Enum | None = None
    field: str = ""
    kind: Kind = Kind.TEXT
    words: type[Enum] | None = None


def choice(option: str, told: str, *, key: str = "", default: Any = None, **more: Any) -> Any:
    """Return a field of `Choices` with its `Choice`; `option` is as help has it: "truth COL"."""
    name, _, shape = option.partition(" ")
    about = Choice(name, shape, told, key or name, **more)
    return field(default=default, metadata={"choice": about})


Text = str | None
Texts = tuple[str, ...] | None
ByModel = Mapping[str, str] | None


@dataclass(frozen=True)
class Choices:
    """What the user has settled; everything left at None is detected.

    An empty text for fold, weight, group or id says that no column has that role. Keys of the
    mappings are model names; `probabilities` maps a model to {class: column}; `fold_scores` holds
    columns of a file with one score per fold, and `noise` is a cluster label. `feature_kind` makes
    categories of features that are whole numbers, and numbers of what looks like distances. A model
    that has no name is keyed by "" (or by the column itself); an unnamed label, score and set of
    probabilities belong to one model, which is then called like its score column. `order` holds all
    classes, the lowest first, and may name some that no row has; `merge_spellings` makes one class
    of labels that differ only in how they are written, `merge_labels` maps labels to those that
    they count as. Rows whose truth is one of `ignore_labels` are left out. `model_columns` together
    name the model of each row, and columns to `ignore` are none at all.
    """

    task: Task | None = choice("task", "the kind of question that models answer")
    truth: Text = choice("truth COL", "the true label or value")
    labels: ByModel = choice("label [MODEL=]COL", "predicted label")
    scores: ByModel = choice("score [MODEL=]COL", "score of the positive class")
    probabilities: Mapping[str, Mapping[str, str]] | None = choice(
        "prob [MODEL:]CLASS=COL", "probability of one class"
    )
    predictions: ByModel = choice("prediction [MODEL=]COL", "predicted number")
    correct: ByModel = choice("correct [MODEL=]COL", "whether an answer was right, such as 1 or 0")
    clusterings: ByModel = choice("cluster [NAME=]COL", "cluster assignment")
    features: Texts = choice("feature COL", "a feature that was clustered")
    feature_kind: FeatureKind | None = choice(
        "feature-kind", "what kind of values the features hold", never=FeatureKind.DISTANCES
    )
    noise: Text = choice(
        "noise LABEL", f"the cluster label of points in no cluster (default: {NOISE})"
    )
    fold_scores: ByModel = choice(
        "fold-score [MODEL=]COL", "a score per fold, to compare models by"
    )
    repeat: Text = choice("repeat COL", "the repeat that a fold belongs to, with --fold-score")
    dataset: Text = choice("dataset COL", "the data set of a score, with --fold-score")
    train_size: Text = choice("train-size COL", "training rows of each fold, with --fold-score")
    test_size: Text = choice("test-size COL", "test rows of each fold, with --fold-score")
    fold: Text = choice(
        "fold COL", "the part of a cross-validation that tests each row", label="Fold"
    )
    weight: Text = choice("weight COL", "how many rows each row stands for", label="Weight")
    weight_kind: WeightKind | None = choice(
        "weight-kind", "whether weights count rows, or are relative weights"
    )
    group: Text = choice(
        "group COL", "what rows belong to, such as a patient; resampled whole", label="Group"
    )
    independent_rows: bool = choice(
        "independent-rows", "treat rows of one group as independent", default=False
    )
    date: Text = choice("date COL", "when each row was, to follow it over time", label="Date")
    id: Text = choice("id COL", "the id of each row; it joins files", label="Id", about="cells")
    model: Text = choice(
        "model COL", "the model of each row, in a file with a row per model", about="cells"
    )
    model_columns: Texts = choice(
        "model-columns A,B", "columns that together name the model of each row", about="cells"
    )
    ignore: Texts = choice(
        "ignore COL", "a column to ignore", label="Ignored columns", about="cells"
    )
    own_rows: bool = choice(
        "own-rows", "each model was tested on its own rows", about="cells", default=False
    )
    positive: Text = choice("positive LABEL", "the positive class")
    scale: Scale | None = choice("score-scale", "how to read a score", key="scale")
    reverse: bool = choice(
        "reverse-score", "low scores mean positive", key="reverse", default=False
    )
    order: Texts = choice(
        "order LABEL", "a class; give all of them, from the lowest to the highest"
    )
    merge_spellings: bool = choice(
        "merge-spellings", "treat labels that differ only in spelling as one class", default=False
    )
    merge_labels: ByModel = choice("merge-label FROM=TO", "a label that counts as another one")
    ignore_labels: Texts = choice("ignore-label LABEL", "leave out rows whose truth is this label")
    missing: Missing | None = choice(
        "missing", "whether a row without a predicted label counts as wrong or is left out"
    )
    sheet: Text = choice("sheet S", "the sheet of a workbook", label="Sheet", about="file")
    encoding: Text = choice(
        "encoding E", "the text encoding, such as utf-8", label="Encoding", about="file"
    )
    separator: Text = choice(
        "separator S", "what separates the cells", label="Separator", about="file"
    )
    decimal: Text = choice("decimal D", "the decimal mark", label="Decimals", about="file")
    thousands: Text = choice("thousands T", "the thousands mark", label="Thousands", about="file")


def _kind(held: Any) -> Kind:
    """Return what a field of this type holds."""
    if get_origin(held) is tuple:
        return Kind.TEXTS
    if get_args(held):
        return Kind.BY_MODEL if get_args(held) == (str, str) else Kind.BY_CLASS
    return {bool: Kind.FLAG, str: Kind.TEXT}.get(held, Kind.WORD)


def _declared(name: str, of: Any, about: Choice) -> Choice:
    """Return what is declared of a field of `Choices`, completed by its type."""
    held = (get_args(of) or (of,))[0]  # a text that may be None is a text
    kind = _kind(held)
    return replace(about, field=name, kind=kind, words=held if kind is Kind.WORD else None)


SCHEMA = tuple(_declared(one.name, one.type, one.metadata["choice"]) for one in fields(Choices))
"""Every choice, in the order in which it is listed."""

NO_CHOICES = Choices()
"""Everything is detected."""

NOTHING: Mapping[str, str] = MappingProxyType({})


class Confidence(Enum):
    """How sure it is that a column has its role.

    SURE: the user or the tool that wrote the file says so, or a plain name and the values agree.
    LIKELY: a name says so, and the values allow it.
    GUESS: only a name says so, or only the values.
    """

    SURE = "sure"
    LIKELY = "likely"
    GUESS = "a guess"


@dataclass(frozen=True)
class Reason:
    """Why something was read as what it is, and how sure that is."""

    text: str
    confidence: Confidence


CHOSEN = Reason("chosen", Confidence.SURE)
DEPENDENT = Reason("named like what rows belong to, and its values repeat", Confidence.LIKELY)
"""Rows of one such group depend on each other."""

NO_REASONS: Mapping[str, Reason] = MappingProxyType({})


@dataclass(frozen=True)
class Evidence:
    """What one rule says of a column as the truth: points for it, or negative ones against it."""

    column: str
    points: int
    reason: Reason


@dataclass(frozen=True)
class ModelRoles:
    """The columns that hold one model's answers.

    `probabilities` maps a class to its column. In a binary task `score` is the column about the
    positive class; where its only column is about the other class, that column stands in both
    places and its complement is used. `correct` says only whether answers were right. `of` is
    the model as the column of models names it, where each has rows of its own; None where the
    model has all rows.
    """

    label: str | None = None
    score: str | None = None
    probabilities: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    prediction: str | None = None
    correct: str | None = None
    of: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that have a role."""
        single = (self.label, self.score, self.prediction, self.correct)
        return (*(c for c in single if c is not None), *self.probabilities.values())


@dataclass(frozen=True, kw_only=True)
class FoldRoles:
    """The columns of a file with one score per fold.

    Attributes:
        metric: What was scored, in the file's words.
        scores: Model -> the column of its scores; "" where another column names the models.
        named_by: Score column -> the column that names the model of each row; empty where a column
            holds the scores of one model.
        repeat: The split that a fold belongs to.
        dataset: The data set.
        train_size: Training rows of the fold.
        test_size: Test rows of the fold.
        others: What else was scored, and is left aside.
    """

    metric: str
    scores: Mapping[str, str]
    named_by: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    repeat: str | None = None
    dataset: str | None = None
    train_size: str | None = None
    test_size: str | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Roles:
    """Which column plays which role, and why.

    Attributes:
        truth: The column of true labels or numbers; "" where there is none.
        date: The column of dates, where it is chosen.
        model: The column that names the model of each row, where models have rows of their own.
        clusterings: Name -> the column of its cluster labels.
        features: The columns that clusters were made on.
        feature_kind: What these columns hold.
        noise: The cluster label of points in no cluster.
        folds: The other columns of a file with one score per fold; None for any other file.
        reasons: For each column that plays a role, why.
        positive_reason: Why this class is the positive one; None where there is none.
        threshold: Where the tool that wrote the file cut the scores of the positive class.
        order: The classes in their order, lowest first; empty where they have none of their own.
        merge_spellings: Whether labels that differ only in spelling are one class.
        merge_labels: Label -> the one that it counts as.
        ignore_labels: Rows whose truth is one of these are left out.
        missing: What becomes of rows without a predicted label.
        weight_kind: What weights mean; None where whole ones count rows, and others do not.
        independent_rows: Whether rows of one group are independent.
        evidence: What spoke for and against columns as the truth; empty where it was chosen.
    """

    task: Task
    truth: str
    models: Mapping[str, ModelRoles]
    fold: str | None = None
    weight: str | None = None
    group: str | None = None
    id: str | None = None
    date: str | None = None
    model: str | None = None
    clusterings: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    features: tuple[str, ...] = ()
    feature_kind: FeatureKind = FeatureKind.NUMBERS
    noise: str = NOISE
    folds: FoldRoles | None = None
    positive: str | None = None
    positive_reason: Reason | None = None
    threshold: float | None = None
    scale: Scale | None = None
    reverse: bool = False
    order: tuple[str, ...] = ()
    merge_spellings: bool = False
    merge_labels: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    ignore_labels: tuple[str, ...] = ()
    missing: Missing | None = None
    weight_kind: WeightKind | None = None
    independent_rows: bool = False
    reasons: Mapping[str, Reason] = field(default_factory=lambda: NO_REASONS)
    evidence: tuple[Evidence, ...] = ()

    @property
    def unit(self) -> str | None:
        """The column whose groups of rows are drawn whole; None where rows are independent.

        A group is one that is chosen, or that is named so and has many values. One with few
        values, such as a region, is a slice of the rows unless it is chosen.
        """
        known = self.group is not None and self.reasons.get(self.group) in (CHOSEN, DEPENDENT)
        return self.group if known and not self.independent_rows else None

    @property
    def chosen_models(self) -> Mapping[str, ModelRoles]:
        """Name -> columns as a user chooses them: models that a column tells apart share them."""
        return {
            name if given.of is None else name.removeprefix(given.of)[1:]: replace(given, of=None)
            for name, given in self.models.items()
        }


THRESHOLD = "threshold"
"""An offer that is about the threshold: no choice of how a file is read."""

_BY_MODEL = {
    "labels": "label",
    "scores": "score",
    "predictions": "prediction",
    "correct": "correct",
}
"""Choices of a column for each model -> the role of these columns."""


def apply_offer(offer: Offer, choices: Choices, roles: Roles | None = None) -> Choices:
    """Return the choices with that of an offer; `roles` are the columns as they are used now.

    >>> apply_offer(Offer("Read as log-odds", "scale", "logit"), Choices()).scale
    <Scale.LOGIT: 'logit'>
    """
    if offer.choice in _BY_MODEL and roles is not None:
        models = roles.chosen_models
        for column in (offer.value,) if isinstance(offer.value, str) else offer.value:
            models = _with_role(models, column, _BY_MODEL[offer.choice])
        return with_models(choices, models)
    settled: dict[str, Any] = {offer.choice: _value_of(offer, getattr(choices, offer.choice))}
    return without_ignored(replace(choices, **settled))


def without_ignored(choices: Choices) -> Choices:
    """Return the choices without the roles of columns that are to be ignored.

    >>> without_ignored(Choices(truth="a", scores={"": "b"}, ignore=("b",))).scores
    """
    gone = set(choices.ignore or ())
    kept: dict[str, Any] = {}
    for one in SCHEMA if gone else ():
        value = getattr(choices, one.field)
        if one.kind is Kind.TEXT and value in gone:
            kept[one.field] = None
        elif one.kind is Kind.BY_MODEL and value:
            kept[one.field] = {name: c for name, c in value.items() if c not in gone} or None
    return replace(choices, **kept)


def _value_of(offer: Offer, now: Any) -> Any:
    """Return what a choice holds with an offer; what it has now stays beside one text more."""
    one, value = next(one for one in SCHEMA if one.field == offer.choice), offer.value
    if one.words is not None:
        return one.words(value)
    match one.kind, value:
        case Kind.FLAG, _:
            return value == "yes"
        case Kind.BY_MODEL, tuple() if one.field in _BY_MODEL:
            return {column: column for column in value}
        case Kind.BY_MODEL, (name, text):
            return {**(now or {}), name: text}
        case Kind.BY_MODEL, _:
            return {"": value}
        case Kind.TEXTS, str():
            return (*(now or ()), value)
    return value


def _with_role(
    models: Mapping[str, ModelRoles], column: str, role: str
) -> Mapping[str, ModelRoles]:
    """Give a column another role in the model that it belongs to; a spare one is a new model."""
    role_of: dict[str, Any] = {role: column}
    alone = ModelRoles(**role_of)
    if not any(column in model.columns for model in models.values()):
        return {**models, column: alone}
    return {name: alone if column in m.columns else m for name, m in models.items()}


def with_models(choices: Choices, models: Mapping[str, ModelRoles]) -> Choices:
    """Return the choices with every column of every model: naming one settles them all."""
    settled: dict[str, Any] = {}
    for one, role in (*_BY_MODEL.items(), ("probabilities", "probabilities")):
        held = {name: getattr(given, role) for name, given in models.items()}
        if role == "score":  # a class's probability is chosen as that
            of_classes = {name: given.probabilities.values() for name, given in models.items()}
            held = {name: c for name, c in held.items() if c not in of_classes[name]}
        settled[one] = {name: columns for name, columns in held.items() if columns} or None
    return replace(choices, **settled)


@dataclass(frozen=True)
class Source:
    """What was read and how.

    `digest` is the SHA-256 of the bytes, in hexadecimal; `format` is "csv", "tsv", "parquet" ...;
    `tool` is the software that wrote the file, where its signature is known; `sheets` are all
    sheets of a workbook that have cells.
    """

    name: str
    format: str
    digest: str
    rows: int
    tool: str | None = None
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    sheet: str | None = None
    sheets: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """The cells of a file, before any column has a meaning.

    Text formats keep every cell as text, exactly as written; typed formats keep their types. Of
    large text, columns of numbers too various to be labels are floats, which mean the same.
    Column names are unique: a repeated header is shown with its position, "prob (column 4)".
    `hints` are the roles that the file itself settles, by the tool that wrote it or by its format;
    `threshold` is where that tool cut its labels, if it says so. `question` is what must be settled
    before columns have roles: whose rows they are. Of `counted` counts the cells are the rows.
    """

    columns: Mapping[str, "pa.ChunkedArray"]
    source: Source
    notices: tuple[Notice, ...] = ()
    hints: Choices = NO_CHOICES
    threshold: float | None = None
    question: EvalError | None = None
    counted: "Counts | None" = None

    @property
    def n(self) -> int:
        """Number of data rows."""
        return self.source.rows

    @property
    def names(self) -> tuple[str, ...]:
        """Column names, in the file's order."""
        return tuple(self.columns)

    def cut(self, columns: Mapping[str, "pa.ChunkedArray"]) -> "Table":
        """Return the table with fewer rows: those of these columns."""
        rows = len(next(iter(columns.values())))
        return replace(self, columns=columns, source=replace(self.source, rows=rows))


@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset(Predictions):
    """Predictions that were read from a file, with its cells and the roles of its columns.

    Attributes:
        table: The cells of the file.
        roles: Which column plays which role.
    """

    table: Table
    roles: Roles

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.table.source.name

    @property
    def rows(self) -> int:
        """Rows of the file."""
        return self.table.n

    @property
    def features(self) -> tuple[str, ...]:
        """The columns that clusters were made on."""
        return self.roles.features

    @property
    def columns(self) -> Mapping[str, Any]:
        """What rows may be sliced by: all columns but the truth and those of the models."""
        return import_module("evalread.attributes").columns_of(self)  # type: ignore[no-any-return]

    @property
    def free(self) -> tuple[str, ...]:
        """Those of these columns that play no role; a group that is a slice of the rows is one."""
        return import_module("evalread.attributes").free_in(self)  # type: ignore[no-any-return]

    def dates(self, column: str | None = None) -> Dates:
        """Return a column of dates; see `Predictions`."""
        return import_module("evalread.attributes").dates_in(self, column)  # type: ignore[no-any-return]

    @property
    def noise(self) -> str:
        """The label of points in no cluster."""
        return self.roles.noise

    @property
    def threshold(self) -> float:
        """Where scores are cut until somebody chooses: where the tool did, else at one half."""
        return Options.threshold if self.roles.threshold is None else self.roles.threshold
