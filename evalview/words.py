"""Names as people read them: in sentences, and on axes that have little room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, SupportsFloat

from evalcore.text import counted
from evalread.dataset import Dataset, FoldRoles, ModelRoles, Roles
from evalread.detection.profile import model_name, plain
from evalread.detection.scores import Bounds, surrounds
from evalview import escape, text

if TYPE_CHECKING:
    from evalcore.comparison.results import Comparison
    from evalcore.curves.costs import UnitCosts
    from evalcore.tables.scores import ScoreTable


def named(label: str) -> str:
    """Return a class name as it stands in a sentence: in quotes unless it is a plain word.

    >>> named("fraud"), named("1"), named("a > b")
    ('fraud', '“1”', '“a > b”')
    """
    shown = escape.visible(label)
    return shown if shown.replace(" ", "").replace("_", "").isalpha() else f"“{shown}”"


BARE = frozenset({"yes", "no", "y", "n", "true", "false", "t", "f", "positive", "negative"})
"""Labels that say nothing without the column that they answer."""


UNTOLD = frozenset({"truth", "true", "y", "ytrue", "label", "labels", "target", "class", "actual"})
"""Columns, in small letters, whose names add nothing to such a label."""


def class_of(truth: str, label: str) -> str:
    """Return a class as a sentence names it: a label that says nothing alone with its column.

    >>> class_of("churned", "yes"), class_of("tumour", "malignant"), class_of("truth", "8")
    ('churned = yes', 'malignant', 'class “8”')
    """
    told = text.abbreviate(escape.visible(label), LONGEST_CLASS)
    if named(told) == told and label.strip().casefold() not in BARE:
        return told
    column = text.abbreviate(escape.visible(truth), LONGEST_CLASS)
    untold = column.casefold().replace("_", "").replace(" ", "") in UNTOLD
    return f"class “{told}”" if untold or not column else f"{column} = {told}"


def rows_of(truth: str, label: str) -> str:
    """Return the rows of a class as a sentence names them.

    >>> rows_of("churned", "yes"), rows_of("tumour", "malignant"), rows_of("truth", "1")
    ('rows with churned = yes', 'malignant rows', 'rows of class “1”')
    """
    told = class_of(truth, label)
    if told.endswith("”"):
        return f"rows of {told}"
    return f"rows with {told}" if " = " in told else f"{told} rows"


LONGEST_CLASS = 40
"""Characters of a class or a column in a sentence."""


def with_short_names(dataset: Dataset, said: str) -> str:
    """Return a sentence in which no long name of a model, class or column fills lines."""
    folds = () if dataset.fold_scores is None else dataset.fold_scores.models
    groups = (dataset.models, dataset.clusterings, dataset.classes, dataset.table.names, folds)
    names = {escape.visible(name) for group in groups for name in group}
    for name in sorted(names, key=len, reverse=True):
        if len(name) > LONGEST_CLASS:
            said = said.replace(name, text.abbreviate(name, LONGEST_CLASS))
    return said


def called(label: str) -> str:
    """Return a class after "called" in a sentence: in quotes where it says nothing alone.

    >>> called("benign"), called("no"), called("8")
    ('benign', '“no”', '“8”')
    """
    return class_of("", label).removeprefix("class ")


def counted_rows(truth: str, label: str, rows: SupportsFloat) -> str:
    """Return how many rows of a class there are; `truth` is the column of the true class.

    >>> counted_rows("tumour", "malignant", 47), counted_rows("churned", "yes", 1)
    ('47 malignant rows', '1 row with churned = yes')
    """
    told = rows_of(truth, label)
    if rows == 1:
        told = told.removesuffix("s") if told.endswith(" rows") else told.replace("rows", "row", 1)
    return f"{text.count(rows)} {told}"


def on_two_lines(name: str, width: int = 13) -> str:
    """Return a name, escaped, on two lines at most, each about `width` letters wide.

    >>> on_two_lines("logistic regression"), on_two_lines("rf")
    ('logistic<br>regression', 'rf')
    """
    lines = wrap(text.abbreviate(name.replace("_", " "), 2 * width), width) or [""]
    return "<br>".join(map(escape.plotly, lines[:2]))


FEW = 8
"""With more names under each other, each has one line only."""


def under_each_other(names: Sequence[str]) -> list[str]:
    """Return names, escaped, for rows under each other."""
    few = len(names) <= FEW
    return [
        on_two_lines(name) if few else escape.plotly(text.abbreviate(name, 18)) for name in names
    ]


THE_MODEL, THE_CLUSTERING = "the model", "the clustering"
CLUSTER_COLUMNS = frozenset({"cluster", "clusters", "clustering", "cluster_id", "label", "labels"})


def spoken(dataset: Dataset, name: str) -> str:
    """Return a model or clustering as a sentence names it, "the model" where its name is none.

    That is so where there is one only, called after a column that just says what it holds. Tables
    and downloads keep that name.
    """
    shown = text.abbreviate(escape.visible(name), LONGEST_CLASS)
    alone = len(dataset.models) + len(dataset.clusterings) == 1
    if alone and name in dataset.clusterings:
        return THE_CLUSTERING if plain(name) in CLUSTER_COLUMNS else shown
    # What is left may only be what is predicted.
    nothing = {"", *map(plain, (dataset.roles.truth, *dataset.classes))}
    is_named = plain(model_name(name)) not in nothing and not surrounds(name)
    return shown if is_named or not alone else THE_MODEL


def at_start(who: str) -> str:
    """Return who is spoken of as a sentence begins: a name stays as it is written.

    >>> at_start("the model"), at_start("rf")
    ('The model', 'rf')
    """
    return f"T{who[1:]}" if who in (THE_MODEL, THE_CLUSTERING) else who


def predictions_of(who: str) -> str:
    """Return whose predictions, where there is anything to tell.

    >>> predictions_of("random forest"), predictions_of("the model")
    ('predictions of random forest', 'predictions')
    """
    return "predictions" if who == THE_MODEL else f"predictions of {who}"


def told_apart(made: Comparison) -> str:
    """Return how many pairs can be told apart, in words."""
    pairs = made.verdict.pairs.values()
    sure = sum(pair.better is not None for pair in pairs)
    if len(pairs) == 1:
        doubt = next(iter(pairs)).doubt
        return f"The two {'can' if sure else 'cannot'} be told apart" if not doubt else NOTHING
    return f"{sure:,} of {counted(len(pairs), 'pair')} can be told apart"


NOTHING = "Nothing can be concluded"


def roles_in_words(
    roles: Roles, around: Mapping[str, Bounds]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each role in words with its columns."""
    if roles.truth:
        yield "Truth", (roles.truth,)
    for model, columns in roles.models.items():
        for part, of in _parts(columns):
            yield f"{part} of {model}", of
        yield from _around(model, around.get(model))
    for name, column in roles.clusterings.items():
        yield f"Clusters of {name}", (column,)
    if roles.features:
        yield "Features", roles.features
    if roles.folds is not None:
        yield from _folds(roles.folds)
    for role in ("fold", "weight", "group", "date", "id", "model"):
        if (column := getattr(roles, role)) is not None:
            yield role.capitalize(), (column,)


def _around(model: str, found: Bounds | None) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the columns that surround a prediction."""
    if found is None:
        return
    for one in found.ends:
        yield f"Interval of {model}", (one.lower, one.upper)
    if found.quantiles:
        yield f"Quantiles of {model}", tuple(found.quantiles.values())


def _folds(folds: FoldRoles) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the roles in a file that holds one score per fold."""
    scored = tuple(dict.fromkeys((*folds.named_by, *filter(None, folds.scores.values()))))
    yield "Scores of folds", scored
    for named_by in dict.fromkeys(folds.named_by.values()):
        yield "Model", (named_by,)
    for role in ("repeat", "dataset", "train_size", "test_size"):
        if (column := getattr(folds, role)) is not None:
            yield role.replace("_", " ").capitalize(), (column,)


def _parts(columns: ModelRoles) -> Iterator[tuple[str, Sequence[str]]]:
    for part, column in (
        ("Label", columns.label),
        ("Score", columns.score),
        ("Number", columns.prediction),
        ("Right or wrong", columns.correct),
    ):
        if column is not None:
            yield part, (column,)
    others = [column for column in columns.probabilities.values() if column != columns.score]
    if others:
        yield ("Probability" if len(others) == 1 else f"{len(others)} probabilities"), others


WEIGHTED = (
    "Weighted accuracy counts each case by how much more a mistake on it costs than the right "
    "decision."
)


def allowing_for(group: str | None, *, stated: bool) -> str:
    """Return what the intervals of what decisions cost allow for, as Markdown.

    `stated` tells that the shares of the classes are, so that they are known.
    """
    by = "" if group is None else f", by groups of {escape.markdown(group)}"
    known = "at the stated shares of the classes" if stated else f"with the classes drawn, too{by}"
    return f"{known}, unadjusted"


def cheapest_where(dataset: Dataset, costs: UnitCosts | None, share: float | None) -> str:
    """Return for which costs a threshold is the cheapest, and for which share if that is said.

    "" where costs are not said, or not of two classes.
    """
    if costs is None or len(dataset.classes) != 2:
        return ""
    told = f"cheapest where a miss costs {_costs_told(costs)}"
    if share is None:
        return told
    sought = class_of(dataset.roles.truth, dataset.classes[1])
    return f"{told}, and {text.percent(share / 100)} are {sought}"


def _costs_told(costs: UnitCosts) -> str:
    """Say what follows "a miss costs".

    >>> from evalcore.curves.costs import UnitCosts
    >>> _costs_told(UnitCosts(tn=0, fp=1, fn=10, tp=0, prevalence=0.5))
    '10 times a false alarm'
    >>> _costs_told(UnitCosts(tn=0, fp=1, fn=10, tp=-2, prevalence=0.5))
    '10, a false alarm 1, a hit −2, the rest 0'
    """
    missed, alarmed, hit, rest = map(text.size, (costs.fn, costs.fp, costs.tp, costs.tn))
    if costs.tn or costs.tp or min(costs.fn, costs.fp) <= 0:
        return f"{missed}, a false alarm {alarmed}, a hit {hit}, the rest {rest}"
    ratio = costs.fn / costs.fp
    return f"{'as much as' if ratio == 1 else f'{text.size(ratio)} times'} a false alarm"


def why_threshold(who: str, table: ScoreTable, at: float, best: float, where: str) -> str:
    """Return what the threshold in use, `at`, is to the `best` of a model, and `where` that is."""
    now = text.threshold(at)
    here, other_rows = table.at(at), table.at(best)
    if (here.tp, here.fp) == (other_rows.tp, other_rows.fp):
        return f"For {who}, the threshold in use, {now}, is {where}."
    other = text.threshold(best) if isfinite(best) else "flagging nothing"
    return f"Threshold {now} is in use; for {who}, {other} is {where}."
