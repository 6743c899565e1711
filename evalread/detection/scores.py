"""Columns of scores and quantiles of one model, and which class they are about."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from evalcore.errors import EvalError, Notice, Offer
from evalcore.inputs import usual_positive
from evalcore.outcomes import Floats
from evalcore.text import shorten
from evalread.columns import (
    Numbers,
    as_labels,
    as_numbers,
    numbers_of,
    plain_if_numbers,
    same_by_value,
)
from evalread.dataset import CHOSEN, Confidence, ModelRoles, Reason, Roles, Scale, Table, Task
from evalread.detection.profile import (
    WORDS,
    Kind,
    PredictionColumn,
    Profile,
    lowered,
    model_name,
    names_method,
    pieces,
    profiles,
    remembered,
    sample,
    truth_word,
)
from evalread.notices import Mask, as_role, notice, refusal
from evalread.rewriting import rows_sum_to_one


@dataclass(frozen=True, eq=False)
class Score:
    """Scores of the positive class, higher = more positive, and what was done to them.

    The values are (n,) finite floats, NaN where the cell is missing; `numbers` are as written.
    """

    values: Floats
    numbers: Numbers
    probability: bool
    notices: tuple[Notice, ...] = ()


def read_score(
    table: Table, column: str, scale: Scale | None, *, beside_chances: bool = False
) -> Score:
    """Read a score column on a chosen scale, or on the one that its values show.

    A scale is that of all scores, so that none is offered beside probabilities.

    Raises:
        EvalError: "not-numeric", "infinite-score", or "not-probability" if the scale does not fit.
    """
    numbers = numbers_of(table, column)
    numbers.refuse_infinite(column)
    values, notices = numbers.values, []
    if numbers.percent or scale is Scale.PERCENT:
        values = values / 100
        notices.append(notice("percent/score", name=column))
    if scale is Scale.LOGIT:
        from scipy.special import expit  # only few files need scipy to be read

        values = expit(values)
        notices.append(notice("logit/score", name=column))
    low, high = (numbers if values is numbers.values else Numbers(values)).span
    within = scale is Scale.LOGIT or not (low < 0 or high > 1)
    if not within and scale is not Scale.SCORE:
        about: dict[str, Any] = {"rows": (values < 0) | (values > 1), "span": span(values)}
        if scale is not None:
            raise refusal("not-probability/score", column=column, **about)
        key, offers = "outside-unit/score", offered_scales(values)
        if beside_chances:
            key, offers = "outside-unit/beside", ()
        notices.append(notice(key, column=column, offers=offers, **about))
    return Score(values, numbers, within and scale is not Scale.SCORE, tuple(notices))


def opposite(score: Score, key: str, **words: Any) -> Score:
    """Turn a score of which low values mean the positive class; a probability stays one.

    `key` and `words` are those of the notice of it.
    """
    values = 1 - score.values if score.probability else -score.values
    said = notice(key, shares=int(score.probability), **words)
    return replace(score, values=values, notices=(*score.notices, said))


def from_confidence(score: Score, column: str, said_positive: Mask, positive: str) -> Score:
    """Turn the probability of the predicted label into that of the positive class."""
    said = notice("confidence/read", column=column, positive=positive)
    values = np.where(said_positive, score.values, 1 - score.values)
    return replace(score, values=values, notices=(*score.notices, said))


def span(values: Floats) -> str:
    """Write the range of values, missing ones left out."""
    return f"{np.nanmin(values):.6g} to {np.nanmax(values):.6g}"


_MOST_POINTS = 50
"""Sums of points are whole numbers up to here, as most clinical scores are; percentages go on."""


def offered_scales(values: Floats) -> tuple[Offer, ...]:
    """Propose how values outside [0, 1] may become probabilities; points are left as they are."""
    known = values[~np.isnan(values)]
    if (known == np.floor(known)).all() and known.max() <= _MOST_POINTS:
        return (Offer("Read as a score that only ranks rows", "scale", Scale.SCORE.value),)
    if np.nanmin(values) >= 0 and np.nanmax(values) <= 100:
        return (Offer("Read as percent", "scale", Scale.PERCENT.value),)
    return (Offer("Read as log-odds", "scale", Scale.LOGIT.value),)


LEADS = (Kind.SCORE, Kind.NUMBER)
"""What a nameless model is called after: its column of this kind."""


def by_model(
    predictions: Sequence[PredictionColumn], unnamed: str = "model"
) -> Mapping[str, list[PredictionColumn]]:
    """Group the columns that belong to one model; nameless ones are told apart as far as one can.

    A nameless label, score and set of class probabilities are one model; two nameless scores are
    two models, each called like its column. What has no name at all is called `unnamed`.
    """
    groups: dict[str, list[PredictionColumn]] = {}
    for one in predictions:
        groups.setdefault(one.model, []).append(one)
    groups |= _unnamed_models(groups.pop("", []), unnamed)
    place = {one.column: place for place, one in enumerate(predictions)}
    return dict(sorted(groups.items(), key=lambda item: min(place[p.column] for p in item[1])))


def _unnamed_models(
    predictions: Sequence[PredictionColumn], unnamed: str
) -> dict[str, list[PredictionColumn]]:
    leads = [one for one in predictions if one.kind in LEADS]
    probabilities = [one for one in predictions if one.kind is Kind.PROBABILITY]
    labels = [one for one in predictions if one.kind is Kind.LABEL]
    groups = {lead.column: [lead] for lead in leads}
    if probabilities:
        with_probabilities = leads if len(leads) == 1 and len(labels) < 2 else []
        groups = {} if with_probabilities else groups
        groups[_common_name(probabilities) or unnamed] = [*with_probabilities, *probabilities]
    if len(labels) == 1 and len(groups) == 1:
        return {name: [*group, *labels] for name, group in groups.items()}
    return groups | {label.column: [label] for label in labels}


def model_roles(
    predictions: Sequence[PredictionColumn],
    task: Task,
    positive: str | None,
    *,
    unnamed: str,
    scale: Scale | None = None,
) -> Mapping[str, ModelRoles]:
    """Return the columns of each model that has any for the task; `positive` is that of two.

    Of several classes a score is of use only as the probability of the label, by its `scale`.
    """
    models, nothing = {}, ModelRoles()
    for name, group in by_model(predictions, unnamed).items():
        first: dict[Kind, str] = {}
        for one in sorted(group, key=lambda one: not one.unit):
            first.setdefault(one.kind, one.column)
        shares = {one.of: one.column for one in group if one.kind is Kind.PROBABILITY and one.of}
        score = first.get(Kind.SCORE)
        if task is Task.BINARY:
            chosen = next((p.column for p in group if p.column == score and p.reason == CHOSEN), "")
            score = chosen or shares.get(positive or "", next(iter(shares.values()), score))
        elif scale is not Scale.CONFIDENCE or Kind.LABEL not in first or shares:
            score = None
        models[name] = ModelRoles(label=first.get(Kind.LABEL), score=score, probabilities=shares)
        if task is Task.REGRESSION:
            models[name] = ModelRoles(prediction=first.get(Kind.NUMBER))
    return {name: model for name, model in models.items() if model != nothing}


def _common_name(probabilities: Sequence[PredictionColumn]) -> str:
    """Name a model after the one column, or after what its probability columns have in common."""
    if len(probabilities) == 1:
        return probabilities[0].column
    stems = {pieces(one.column.removesuffix(one.of or "")) for one in probabilities}
    stem = "_".join(next(iter(stems))) if len(stems) == 1 else ""
    return stem if model_name(stem) else ""


def choose_positive(
    classes: Sequence[str], counts: Mapping[str, float], named: Iterable[str], scored: str | None
) -> tuple[str, Reason]:
    """Return the positive class of two in order, and the reason.

    `counts` are rows, or sums of weights, of each class, `named` those that scores are named after,
    and `scored` is the class that the models' own labels say where scores are high, if any.

    >>> positive, reason = choose_positive(["no", "yes"], {"no": 3, "yes": 5}, ["no"], None)
    >>> positive, reason.text, reason.confidence.value
    ('no', 'named in the score column', 'sure')
    """
    classes_named = set(named)
    if len(classes_named) == 1:
        return classes_named.pop(), Reason("named in the score column", Confidence.SURE)
    if scored is not None:
        return scored, Reason("the label with the higher scores", Confidence.SURE)
    if usual := usual_positive(classes):
        return usual[0], Reason(usual[1], Confidence.LIKELY)
    first, second = (counts.get(name, 0) for name in classes)
    if first != second:
        return classes[0 if first < second else 1], Reason("the rarer class", Confidence.GUESS)
    reason = "both are equally frequent; the second in sorted order"
    return classes[1], Reason(reason, Confidence.GUESS)


def scored_class(
    table: Table, predictions: Sequence[PredictionColumn], ignored: Collection[str] = ()
) -> str | None:
    """Return the class that every model's labels give to its high scores and to no low one.

    Only models that have a label and a score count, and no label that is `ignored`; looked at on
    a sample of rows.
    """
    found = set()
    for group in by_model(predictions).values():
        columns = {one.kind: one.column for one in reversed(group)}
        if {Kind.LABEL, Kind.SCORE} <= columns.keys():
            found.add(label_of_high(table, columns[Kind.LABEL], columns[Kind.SCORE], ignored))
    return found.pop() if len(found) == 1 else None


def label_of_high(
    table: Table, label: str, score: str, ignored: Collection[str] = ()
) -> str | None:
    """Return which of two predicted labels goes with every high score, and with no low one."""
    for low, high in permutations(_scores_by_label(table, label, score, ignored).items(), 2):
        if low[1].max() < high[1].min():
            return high[0]
    return None


OF_ITS_LABEL = Reason(
    "named like a score; at least 0.5 for both labels, like the probability of the predicted label",
    Confidence.LIKELY,
)


def is_confidence(table: Table, label: str | None, score: str | None) -> bool:
    """Return whether a score can only be that of the predicted label, whichever of two that is.

    It is then 0.5 or more under both labels, and no threshold parts them. Looked at on a sample
    of rows.
    """
    if label is None or score is None:
        return False
    columns = profiles(table)
    if columns[score].low < 0.5 and columns[label].present == len(sample(table, label)):
        return False
    scores = _scores_by_label(table, label, score).values()
    sure = bool(scores) and all(0.5 <= one.min() <= one.max() <= 1 for one in scores)
    return sure and label_of_high(table, label, score) is None


def confidence_scale(table: Table, models: Collection[ModelRoles]) -> Scale | None:
    """Return CONFIDENCE where every model's score can only be that of its predicted label."""
    # Columns named after classes say what they are about.
    plain = models and not any(model.probabilities for model in models)
    sure = plain and all(is_confidence(table, model.label, model.score) for model in models)
    return Scale.CONFIDENCE if sure else None


_ROWS_THAT_TELL = 8
"""Rows from which scores of 0.5 or more in all are no chance: 1 in 256."""


def ask_whose_confidence(table: Table, truth: str, models: Iterable[ModelRoles]) -> None:
    """Ask whether a label is the truth, or the prediction that a confidence beside it is about.

    Raises:
        EvalError: "ambiguous": no other label is there, and both have a confidence of 0.5 or more.
    """
    for score in (model.score for model in models if model.score and not model.label):
        told = WORDS.confidence.intersection(lowered(score)) or table.n >= _ROWS_THAT_TELL
        if told and is_confidence(table, truth, score):
            names = {"truth": shorten(truth), "score": shorten(score)}
            offers = as_role([truth], "the truth", "truth")
            raise refusal("ambiguous/confidence", column=truth, offers=offers, **names)


def _scores_by_label(
    table: Table, label: str, score: str, ignored: Collection[str] = ()
) -> Mapping[str, Floats]:
    """Return the scores of the sampled rows under each of two labels; nothing of other labels."""
    labels = same_by_value([as_labels(sample(table, label), label)])[0]
    try:
        numbers = as_numbers(sample(table, score), score, table.source)
    except EvalError:  # binding reports it, with the row
        return {}
    values = numbers.values / 100 if numbers.percent else numbers.values
    names = [name for name in labels.names if name not in ignored][:3]
    known = {name: values[labels.codes == labels.names.index(name)] for name in names}
    found = {name: scores[~np.isnan(scores)] for name, scores in known.items()}
    return found if len(found) == 2 and all(map(len, found.values())) else {}


def find_class(classes: Sequence[str], chosen: str) -> str:
    """Return the class that a user's words mean.

    Raises:
        EvalError: "no-such-class", naming the classes there are.
    """
    wanted = {chosen, *plain_if_numbers([chosen])}
    if found := [name for name in classes if name in wanted]:
        return found[0]
    known = " and ".join(f'"{name}"' for name in classes)
    offers = [Offer(f'"{name}" is the positive class', "positive", name) for name in classes]
    raise refusal("no-such-class", said=chosen, classes=known, offers=offers)


def by_class_words(
    scores: Sequence[PredictionColumn], classes: Collection[str]
) -> list[PredictionColumn]:
    """Return "yes_score" beside "no_score" as probabilities, if every class has such a column.

    With the classes 0 and 1 also "prob_true" beside "prob_false", and the like. Of two classes one
    is enough, where it is the only score: of several, each may be that of a model.
    """
    # A bare number may as well name a model.
    called = {lowered(of): of for of in classes if not of.isdigit()}
    if set(classes) == {"0", "1"}:
        said = {"0": WORDS.class_0, "1": WORDS.class_1}
        called = {(word,): of for of, words in said.items() for word in words}
    owners: dict[str, dict[str, PredictionColumn]] = {}
    last = {words[-1] for words in called}
    for score in (one for one in scores if one.unit and one.kind is Kind.SCORE):
        words, low = pieces(score.model), lowered(score.model)
        ends = [at for at in range(len(low)) if low[at:] in called] if low[-1] in last else []
        if ends:
            owner = owners.setdefault(" ".join(words[: ends[0]]), {})
            owner[called[low[ends[0] :]]] = score
    alone = len(classes) == 2 and sum(one.kind is not Kind.LABEL for one in scores) == 1
    changed = {}
    for model, chances in owners.items():
        if alone or len(chances) == len(classes) > 1:
            for of, score in chances.items():
                reason = replace(score.reason, text=f'named after the class "{of}"')
                changed[score.column] = replace(
                    score, kind=Kind.PROBABILITY, of=of, model=model, reason=reason
                )
    return [changed.get(score.column, score) for score in scores]


def with_sets(
    table: Table,
    found: list[PredictionColumn],
    columns: Iterable[Profile],
    classes: Sequence[str],
) -> list[PredictionColumn]:
    """Return the predictions with "gbm_cat" and "gbm_dog" as the probabilities of the model gbm.

    They are, as "cat_gbm" and "dog_gbm" are, one for each class, and sum to 1 in each row. Where
    others are named like predictions, one of the models is called like one of these or like a
    method: else they are shares of something else.
    """
    columns = list(columns)
    sets = list(_sets(table, columns, classes, {o.column for o in found if o.of is not None}))
    if not sets:
        return found
    made = {one.column: one for chances in sets for one in chances}
    models = {one.model for one in made.values()} - {""}
    known = made.keys() | {one.column for one in found}
    why = Reason("called like the model of its probabilities", Confidence.LIKELY)
    others = [one for one in found if one.column not in made] + [
        PredictionColumn(column.name, Kind.LABEL, model_name(column.name), why)
        for column in columns
        if column.name not in known and model_name(column.name) in models
        if column.holds_only(classes)
    ]
    methods = any(names_method(pieces(model)) for model in models)
    if others and not (methods or models & {one.model for one in others}):
        return found
    return [*others, *(made[column.name] for column in columns if column.name in made)]


def _sets(
    table: Table, columns: Iterable[Profile], classes: Sequence[str], taken: set[str]
) -> Iterator[list[PredictionColumn]]:
    """Yield the columns called like a model and a class that hold the chances of all classes."""
    called = {"".join(lowered(of)): of for of in classes if of}
    # In a wide table most names are told by one word that they are of no class.
    first = {word for of in classes for word in (lowered(of)[0], "".join(lowered(of)))}
    last = {word for of in classes for word in (lowered(of)[-1], "".join(lowered(of)))}
    may_be = (c for c in columns if c.words[0] in first or c.words[-1] in last)
    sets: dict[str, dict[str, Profile]] = {}
    for column in (column for column in may_be if column.unit and len(classes) > 1):
        words = pieces(column.name)
        for at in range(1, len(words)):
            for of, rest in permutations((words[:at], words[at:])):
                if said := called.get("".join(of).lower()):
                    sets.setdefault(" ".join(rest), {})[said] = column
    for model, chances in sets.items():
        names = [column.name for column in chances.values()]
        other = truth_word(model) or not WORDS.unpredicted.isdisjoint(lowered(model))
        # Whole numbers are labels that stand in a column for each class.
        whole = all(column.whole for column in chances.values())
        if other or whole or len(chances) < len(classes) or not taken.isdisjoint(names):
            continue
        if rows_sum_to_one(table, names):
            yield [
                PredictionColumn(
                    column.name,
                    Kind.PROBABILITY,
                    model_name(model),
                    Reason(f'named after the class "{of}", and all sum to 1', Confidence.SURE),
                    of,
                    unit=True,
                )
                for of, column in chances.items()
            ]


LOWER = ("lower", "low", "lo", "lwr")
UPPER = ("upper", "high", "hi", "upr")
MEDIAN = 0.5

AROUND = Reason("named like an interval end or a quantile of the prediction", Confidence.LIKELY)
"""Why a column belongs to the prediction that it surrounds."""

_LAST = rf"(?P<end>{'|'.join((*LOWER, *UPPER))})([ _.-]?((?P<share>\d+(\.\d+)?)%?|bound|ci|pi))?"
_END = re.compile(rf"(?P<stem>.*?)([ _.-](?:ci|pis?|interval))?[ _.-]?{_LAST}", re.IGNORECASE)
_PERHAPS_END = re.compile(rf"{_LAST}$")
"""Tells of most names in small letters, in a tenth of the time, that they are no end."""
_QUANTILE = re.compile(
    r"((?P<stem>.*?)[ _.-])??(?:(?:q|p|quantile|percentile|pct)[ _.-]?(?P<named>\d+(\.\d+)?)"
    r"|(?P<bare>0?\.\d+))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Ends:
    """The columns with the two ends of an interval, and the share of truths it should hold.

    The share is None where the names do not say it.
    """

    lower: str
    upper: str
    promised: float | None = None


@dataclass(frozen=True)
class Bounds:
    """The columns round the prediction of one model: rising levels in (0, 1) -> column, and ends.

    Intervals that are stated by their two ends are in the file's order.
    """

    quantiles: Mapping[float, str]
    ends: tuple[Ends, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that is used, once: quantiles first, then ends."""
        ends = (column for one in self.ends for column in (one.lower, one.upper))
        return tuple(dict.fromkeys((*self.quantiles.values(), *ends)))


class End(NamedTuple):
    """What the name of a column says of the end of an interval.

    `stem` stands before it, mostly the name of a model, `upper` tells which end it is, and
    `promised` is the share that the interval should hold; None where the name does not say.
    """

    stem: str
    upper: bool
    promised: float | None = None


@remembered
def quantile_of(name: str) -> tuple[str, float] | None:
    """Return stem and level of a column called like a quantile.

    >>> quantile_of("q05"), quantile_of("gbm_p97.5"), quantile_of("0.9"), quantile_of("q975")
    (('', 0.05), ('gbm', 0.975), ('', 0.9), ('', 0.975))
    >>> quantile_of("quantity") is quantile_of("step_2") is quantile_of("q0") is None
    True
    """
    match = _QUANTILE.fullmatch(name) if name[-1:].isdecimal() else None
    if match is None:
        return None
    whole, dot, _ = (match["named"] or match["bare"]).partition(".")
    number = float(match["named"] or match["bare"])
    thousandths = not dot and len(whole) == 3 and number > 100
    level = number if dot and number < 1 else number / (1000 if thousandths else 100)
    return (match["stem"] or "", level) if 0 < level < 1 else None


@remembered
def end_of(name: str) -> End | None:
    """Return what a column called like an end of an interval says; None for any other.

    >>> end_of(".pred_lower"), end_of("gbm-hi-95")
    (End(stem='.pred', upper=False, promised=None), End(stem='gbm', upper=True, promised=0.95))
    >>> end_of("mean_ci_upper"), end_of("flow")
    (End(stem='mean', upper=True, promised=None), None)
    """
    match = _END.fullmatch(name) if _PERHAPS_END.search(name.lower()) else None
    # In "flow" it is the tail of another word.
    inside = match and match["stem"][-1:].isalpha() and name[match.start("end") - 1].isalpha()
    if match is None or inside:
        return None
    share = float(match["share"] or "nan") / 100
    return End(match["stem"], match["end"].lower() in UPPER, share if 0 < share < 1 else None)


def surrounds(name: str) -> bool:
    """Return whether a column is called like an end of an interval, or like a quantile."""
    return end_of(name) is not None or quantile_of(name) is not None


def bounds(names: Sequence[str], predictions: Mapping[str, str]) -> Mapping[str, Bounds]:
    """Return the columns round the prediction of each model that has any.

    `predictions` maps a model to its column. Columns that name no model belong to the only one.
    """
    quantiles: dict[str, list[tuple[float, str, str]]] = defaultdict(list)
    ends: dict[str, list[tuple[int, str, End]]] = defaultdict(list)
    predicted = set(predictions.values())
    for place, name in enumerate(names):
        if found := quantile_of(name):
            quantiles[found[0]].append((found[1], found[0], name))
        if name not in predicted and (end := end_of(name)):
            ends[end.stem].append((place, name, end))
    # Ends that name no model, or all the ends there are, are those of the only one.
    spare = {"", *(ends if len(ends) == 1 else ())} if len(predictions) == 1 else set()
    around: dict[str, Bounds] = {}
    for model, column in predictions.items():
        own, _ = quantile_of(column) or ("", 0)
        called = ({model, column, own} - {""}) | spare
        named = sorted(one for stem in called for one in quantiles.get(stem, ()))
        levels = {level: name for level, _, name in named}
        by_share: dict[float | None, tuple[list[str], list[str]]] = {}
        for _, name, end in sorted(one for stem in called for one in ends.get(stem, ())):
            by_share.setdefault(end.promised, ([], []))[end.upper].append(name)
        # Several lower or upper ends are not clear.
        clear = {share: pair for share, pair in by_share.items() if [*map(len, pair)] == [1, 1]}
        pairs = tuple(Ends(low, high, share) for share, ([low], [high]) in clear.items())
        if len(levels) > 1 or pairs:
            around[model] = Bounds(MappingProxyType(levels if len(levels) > 1 else {}), pairs)
    return MappingProxyType(around)


def prediction_bounds(names: Sequence[str], roles: Roles) -> Mapping[str, Bounds]:
    """Return the columns of a file round the prediction of each model that has any."""
    predictions = {name: model.prediction for name, model in roles.models.items()}
    return bounds(names, {name: column for name, column in predictions.items() if column})


def centres(names: Collection[str]) -> list[str]:
    """Return which of several columns of numbers are predictions, if the others surround them.

    The median of quantiles, or whatever has a lower and an upper end beside it; none if names
    tell nothing.

    >>> centres(["q05", "q50", "q95"]), centres(["a", "a_lo", "a_hi", "b", "b_lo", "b_hi"])
    (['q50'], ['a', 'b'])
    >>> centres(["fit", "lwr", "upr"]), centres(["a", "b"])
    (['fit'], [])
    """
    levels = {name: quantile for name in names if (quantile := quantile_of(name))}
    medians = [name for name, (_, level) in levels.items() if level == MEDIAN]
    if medians and len(levels) > len(medians):
        return medians
    stems = {name: found.stem for name in names if (found := end_of(name))}
    others = [name for name in names if name not in stems]
    if set(stems.values()) == {""}:
        return others if len(others) == 1 else []
    return [name for name in others if name in stems.values()]
