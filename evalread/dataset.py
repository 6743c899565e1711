"""A data set: what was read, which column plays which role, and what a user may settle."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from evalcore.errors import EvalError, Notice, Offer
from evalcore.options import Options
from evalcore.outcomes import NOISE, Predictions

if TYPE_CHECKING:
    import pyarrow as pa


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
    """What becomes of a row whose truth is known, where a model says no label.

    WRONG: It counts as a wrong answer, which is none of the classes.
    """

    WRONG = "wrong"
    LEFT_OUT = "left-out"


class FeatureKind(Enum):
    """What the columns of features hold.

    DISTANCES: A square matrix, the distance of each row to every row.
    """

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
        key: The parameter of an address; "" where it is called like the option.
        label: Over its box on the page of the data; "" where it has no box of its own.
        about: Which column it names, or column by which files are joined and models told apart
            ("cells", for these decide which cells there are), or how the "file" is written.
        never: A word that can be detected but not chosen on the command line.
        field: Its name in `Choices`.
        kind: What it holds.
        words: The enumeration that a WORD is of; None otherwise.
    """

    option: str
    shape: str = ""
    told: str = ""
    key: str = ""
    label: str = ""
    about: Literal["column", "cells", "file"] = "column"
    never: Enum | None = None
    field: str = ""
    kind: Kind = Kind.TEXT
    words: type[Enum] | None = None


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

    task: Annotated[Task | None, Choice("task", told="what the models answer")] = None
    truth: Annotated[str | None, Choice("truth", "COL", "the true label or value")] = None
    labels: Annotated[
        Mapping[str, str] | None, Choice("label", "[MODEL=]COL", "predicted label")
    ] = None
    scores: Annotated[
        Mapping[str, str] | None, Choice("score", "[MODEL=]COL", "score of the positive class")
    ] = None
    probabilities: Annotated[
        Mapping[str, Mapping[str, str]] | None,
        Choice("prob", "[MODEL:]CLASS=COL", "probability of one class"),
    ] = None
    predictions: Annotated[
        Mapping[str, str] | None, Choice("prediction", "[MODEL=]COL", "predicted number")
    ] = None
    correct: Annotated[
        Mapping[str, str] | None,
        Choice("correct", "[MODEL=]COL", "whether an answer was right, such as 1 or 0"),
    ] = None
    clusterings: Annotated[
        Mapping[str, str] | None, Choice("cluster", "[NAME=]COL", "cluster assignment")
    ] = None
    features: Annotated[
        tuple[str, ...] | None, Choice("feature", "COL", "a feature that clusters were made on")
    ] = None
    feature_kind: Annotated[
        FeatureKind | None,
        Choice("feature-kind", told="what the features hold", never=FeatureKind.DISTANCES),
    ] = None
    noise: Annotated[
        str | None,
        Choice("noise", "LABEL", f"the cluster label of points in no cluster (default: {NOISE})"),
    ] = None
    fold_scores: Annotated[
        Mapping[str, str] | None,
        Choice("fold-score", "[MODEL=]COL", "a score per fold, to compare models by"),
    ] = None
    repeat: Annotated[
        str | None, Choice("repeat", "COL", "the split that a fold belongs to, beside --fold-score")
    ] = None
    dataset: Annotated[
        str | None,
        Choice("dataset", "COL", "the data set that was scored on, beside --fold-score"),
    ] = None
    train_size: Annotated[
        str | None,
        Choice("train-size", "COL", "the training rows of each fold, beside --fold-score"),
    ] = None
    test_size: Annotated[
        str | None, Choice("test-size", "COL", "the test rows of each fold, beside --fold-score")
    ] = None
    fold: Annotated[
        str | None,
        Choice("fold", "COL", "the part of a cross-validation that tests each row", label="Fold"),
    ] = None
    weight: Annotated[
        str | None, Choice("weight", "COL", "how many rows each row stands for", label="Weight")
    ] = None
    weight_kind: Annotated[
        WeightKind | None,
        Choice("weight-kind", told="whether weights count rows, or say how much each row matters"),
    ] = None
    group: Annotated[
        str | None,
        Choice(
            "group",
            "COL",
            "what rows belong to, such as a patient: whole groups are drawn",
            label="Group",
        ),
    ] = None
    independent_rows: Annotated[
        bool,
        Choice("independent-rows", told="rows of one group are as independent as any others"),
    ] = False
    id: Annotated[
        str | None,
        Choice("id", "COL", "what names each row, and joins files", label="Id", about="cells"),
    ] = None
    model: Annotated[
        str | None,
        Choice(
            "model", "COL", "the model of each row, in a file with a row per model", about="cells"
        ),
    ] = None
    model_columns: Annotated[
        tuple[str, ...] | None,
        Choice("model-columns", "A,B", "columns that together name the model", about="cells"),
    ] = None
    ignore: Annotated[
        tuple[str, ...] | None,
        Choice("ignore", "COL", "a column that plays no role", label="Left aside", about="cells"),
    ] = None
    own_rows: Annotated[
        bool,
        Choice("own-rows", told="no model was tested on the rows of another", about="cells"),
    ] = False
    positive: Annotated[str | None, Choice("positive", "LABEL", "the positive class")] = None
    scale: Annotated[
        Scale | None, Choice("score-scale", told="how to read a score", key="scale")
    ] = None
    reverse: Annotated[
        bool, Choice("reverse-score", told="low scores mean positive", key="reverse")
    ] = False
    order: Annotated[
        tuple[str, ...] | None,
        Choice("order", "LABEL", "a class; given for all of them, from the lowest to the highest"),
    ] = None
    merge_spellings: Annotated[
        bool,
        Choice(
            "merge-spellings",
            told="labels that differ only in how they are written are one class",
        ),
    ] = False
    merge_labels: Annotated[
        Mapping[str, str] | None,
        Choice("merge-label", "FROM=TO", "a label that counts as another one"),
    ] = None
    ignore_labels: Annotated[
        tuple[str, ...] | None,
        Choice("ignore-label", "LABEL", "rows whose truth is this label are left out"),
    ] = None
    missing: Annotated[
        Missing | None,
        Choice("missing", told="whether a row without a predicted label is wrong, or left out"),
    ] = None
    sheet: Annotated[
        str | None, Choice("sheet", "S", "of a workbook", label="Sheet", about="file")
    ] = None
    encoding: Annotated[
        str | None, Choice("encoding", "E", "such as utf-8", label="Encoding", about="file")
    ] = None
    separator: Annotated[
        str | None,
        Choice("separator", "S", "between the cells", label="Cells divided by", about="file"),
    ] = None
    decimal: Annotated[
        str | None, Choice("decimal", "D", "before decimals", label="Decimals", about="file")
    ] = None
    thousands: Annotated[
        str | None,
        Choice("thousands", "T", "between groups of digits", label="Thousands", about="file"),
    ] = None


def _declared() -> Iterator[Choice]:
    """Yield what is declared beside the fields of `Choices`, completed by their types."""
    for name, declared in get_type_hints(Choices, include_extras=True).items():
        optional, choice = get_args(declared)
        held = (get_args(optional) or (optional,))[0]
        words = held if (kind := _kind(held)) is Kind.WORD else None
        yield replace(choice, key=choice.key or choice.option, field=name, kind=kind, words=words)


def _kind(held: Any) -> Kind:
    """Return what a field of this type holds."""
    if get_origin(held) is tuple:
        return Kind.TEXTS
    if get_args(held):
        return Kind.BY_MODEL if get_args(held) == (str, str) else Kind.BY_CLASS
    return {bool: Kind.FLAG, str: Kind.TEXT}.get(held, Kind.WORD)


SCHEMA: tuple[Choice, ...] = tuple(_declared())
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
    """Why something was taken for what it is, and how sure that is."""

    text: str
    confidence: Confidence


CHOSEN = Reason("chosen", Confidence.SURE)
"""The user has said so."""


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
        merge_spellings: Whether labels that differ only in how they are written are one class.
        merge_labels: Label -> the one that it counts as.
        ignore_labels: Rows whose truth is one of these are left out.
        missing: What becomes of rows without a predicted label.
        weight_kind: What weights mean; None where whole ones count rows, and others do not.
        independent_rows: Whether rows of one group are as independent as any others.
        evidence: What spoke for and against columns as the truth; empty where it was chosen.
    """

    task: Task
    truth: str
    models: Mapping[str, ModelRoles]
    fold: str | None = None
    weight: str | None = None
    group: str | None = None
    id: str | None = None
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

_BY_MODEL = ("labels", "scores", "predictions", "correct")


def apply_offer(offer: Offer, choices: Choices, roles: Roles | None = None) -> Choices:
    """Return the choices with that of an offer; `roles` are the columns as they are used now.

    >>> apply_offer(Offer("Read as log-odds", "scale", "logit"), Choices()).scale
    <Scale.LOGIT: 'logit'>
    """
    if offer.choice in _BY_MODEL and roles is not None:
        return with_models(choices, _with_role(roles.chosen_models, str(offer.value), offer.choice))
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
    role_of: dict[str, Any] = {role.removesuffix("s"): column}
    alone = ModelRoles(**role_of)
    if not any(column in model.columns for model in models.values()):
        return {**models, column: alone}
    return {name: alone if column in m.columns else m for name, m in models.items()}


def with_models(choices: Choices, models: Mapping[str, ModelRoles]) -> Choices:
    """Return the choices with every column of every model: naming one settles them all."""
    probabilities = {name: given.probabilities for name, given in models.items()}
    scores = {
        name: given.score
        for name, given in models.items()
        if given.score is not None and given.score not in given.probabilities.values()
    }
    return replace(
        choices,
        labels=_columns_by_model(models, "label"),
        scores=scores or None,
        predictions=_columns_by_model(models, "prediction"),
        correct=_columns_by_model(models, "correct"),
        probabilities={name: columns for name, columns in probabilities.items() if columns} or None,
    )


def _columns_by_model(models: Mapping[str, ModelRoles], part: str) -> Mapping[str, str] | None:
    found = {name: getattr(given, part) for name, given in models.items()}
    return {name: column for name, column in found.items() if column is not None} or None


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
    `threshold` is the one at which that tool cut its labels, where it says so. `question` is what
    must be settled before columns have roles: whose rows they are.
    """

    columns: Mapping[str, "pa.ChunkedArray"]
    source: Source
    notices: tuple[Notice, ...] = ()
    hints: Choices = NO_CHOICES
    threshold: float | None = None
    question: EvalError | None = None

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
    def noise(self) -> str:
        """The label of points in no cluster."""
        return self.roles.noise

    @property
    def threshold(self) -> float:
        """Where scores are cut until somebody chooses: where the tool did, else at one half."""
        return Options.threshold if self.roles.threshold is None else self.roles.threshold
