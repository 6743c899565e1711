"""What is said first of results, by task: one model, or the clusterings of a file.

Of several models `evalview.sentences.verdict` says it, or `finding` here where its words fail. Each
function returns the headline and what is known besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isinf, isnan, nan
from types import MappingProxyType
from typing import TYPE_CHECKING

from evalcore.comparison.results import Comparison
from evalcore.metrics import catalog
from evalcore.metrics.metric import Better, Estimate, Family
from evalcore.results import ClusteringEvaluation, Decisions, Estimates, ModelTables
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.text import counted, joined, p_equals, significant, within_sentence
from evalread.checks import are_counts
from evalread.dataset import Dataset, Table, Task
from evalview import escape, text, words
from evalview.text import share_explained, size

if TYPE_CHECKING:
    from evalcore.curves.costs import Choice
    from evalcore.monitoring.results import OverTime
    from evalcore.slices.results import Slice, Slices
    from evalcore.slices.rows import LabelErrors, Listed
    from evalcore.slices.shift import Moved, Shift

NAME_LENGTH = 40

Said = tuple[str, str]

BESIDE: Mapping[Task, Sequence[str]] = MappingProxyType(
    {
        Task.BINARY: ("roc_auc", "accuracy", "balanced_accuracy", "brier"),
        Task.MULTICLASS: ("accuracy", "balanced_accuracy"),
        Task.REGRESSION: ("rmse", "mae"),
        Task.CORRECT: (),
        Task.CLUSTERING: (),
        Task.FOLDS: (),
    }
)
"""What a verdict weighs besides what models are judged by."""


def finding(made: Comparison) -> Said:
    """Return the answer of a comparison as a headline, and the evidence for it."""
    said = text.minus(escape.visible(made.summary))
    found = re.search(r"(?<=[\w)])[:;.] ", said)
    if found is None:
        return said.removesuffix("."), ""
    return said[: found.start()], _begun(made, said[found.end() :])


def _begun(made: Comparison, said: str) -> str:
    """Begin with a capital, unless a name stands there that has none."""
    unknown = () if made.metric in catalog.by_key() else (made.metric_name,)
    if said.startswith((*made.models, *unknown)):
        return said
    return said[:1].upper() + said[1:]


def why_nothing(made: Comparison) -> Said:
    """Return why no difference of models tells anything, without saying so again."""
    found, why = finding(made)
    first, _, rest = why.partition(". ")
    return (first.removesuffix("."), rest) if found == words.NOTHING else (found, why)


def of_decisions(
    name: str, sought: str, made: Decisions, area: Estimate | None, tables: ModelTables
) -> Said:
    """Return what a model finds of the rows that are sought, and whether chance explains it.

    `made` are its decisions, whose recall must be defined.
    """
    counts = made.confusion.binary()
    found = text.of_hundred(made.metrics["recall"].value, float(counts.positives))
    told = f"{words.at_start(name)} finds {found} {sought}"
    right, alarms = float(counts.tp), float(counts.predicted_positive)
    if alarms >= 100:
        told += f"; {text.of_hundred(right / alarms)} of its alarms are right"
    elif alarms:
        told += f"; {text.count(right)} of its {counted(alarms, 'alarm')} are right"
    if tables.scores is not None and len(tables.scores.threshold) == 1 < tables.n:
        return told, "all its scores are equal"
    chance = "" if area is None else text.against_chance(area).removeprefix(", ")
    doubt = f"is {chance}" if chance.startswith("worse") else "may be chance"
    return told, "; ".join(
        filter(None, [f"its ranking {doubt}" if chance else "", *_beside_a_guess(made)])
    )


def _beside_a_guess(made: Decisions) -> Iterator[str]:
    """Say that always naming the commonest class may be right as often; nothing if it is not."""
    from evalcore.comparison.headline import BEYOND_A_GUESS

    right, most = made.metrics["accuracy"], made.metrics["no_information_rate"]
    if right.low is not None and right.low <= most.value:
        yield f"it is not shown to be {BEYOND_A_GUESS['accuracy']}"


def of_classes(name: str, matrix: ConfusionMatrix) -> Said:
    """Return on how many rows a model is right, of a question with several classes."""
    if not matrix.total:
        return "Nothing can be judged", ""
    right = text.of_hundred(float(matrix.counts.trace()) / matrix.total, matrix.total)
    return f"{words.at_start(name)} is right on {right} rows", ""


def of_items(name: str, accuracy: Estimate, items: float) -> Said:
    """Return on how many of its items a model is right."""
    return f"{words.at_start(name)} is right on {text.of_hundred(accuracy.value, items)} items", ""


def of_values(name: str, found: Estimates) -> Said:
    """Return how far off predicted numbers are, and what share of the variation they explain."""
    off = size(found["mae"].value) if found["mae"].defined else "an unknown amount"
    explained = share_explained(found["r2"].value) if found["r2"].defined else ""
    return f"{words.at_start(name)} is off by {off} on average", explained


def of_clusterings(
    dataset: Dataset,
    every: Mapping[str, ClusteringEvaluation],
    agreeing: str | None,
    apart: str | None,
) -> Said:
    """Return which clustering agrees best with the true classes, and which is best apart."""
    best = " best" if len(every) > 1 else ""
    said = []
    if agreeing and (found := _defined(every[agreeing].agreement, "adjusted_rand_index")):
        truth = escape.visible(dataset.roles.truth)
        how = "beyond chance" if found.value > 0 else "no better than chance"
        named = words.at_start(words.spoken(dataset, agreeing))
        said.append(f"{named} agrees{best} with {truth}{'' if best else f' {how}'}")
    if apart and (found := _defined(every[apart].points, "silhouette")):
        sets = f"separates its clusters{best or _how_apart(found.value)}"
        if said and agreeing == apart:
            return f"{said[0]} and {sets}", ""
        said.append(f"{words.at_start(words.spoken(dataset, apart))} {sets}")
    return "; ".join(said) or _nothing_known(dataset, every), ""


Clusterings = Mapping[str, ClusteringEvaluation]

BY_CLUSTERS = ("silhouette", "within_ss", "calinski_harabasz", "davies_bouldin")
"""Numbers of how points lie, which are drawn by how many clusters there are."""


def of_cluster_counts(made: Clusterings) -> Said:
    """Return how many clusters are best by each of three metrics."""
    best = {key: _best(made, key) for key in BY_CLUSTERS if key != "within_ss"}
    known = {key: name for key, name in best.items() if name is not None}
    if not known:
        return "Nothing separates these clusterings", ""
    told = "; ".join(
        f"{catalog.by_key()[key].name} is best for {_called(name)} "
        f"({significant(made[name].points[key].value)})"
        for key, name in known.items()
    )
    who = f"All {len(known)} metrics favour"
    if len(known) < 3:
        favour = "favours" if len(known) == 1 else "favour"
        who = f"{joined([catalog.by_key()[key].name for key in known])} {favour}"
    names = list(dict.fromkeys(known.values()))
    clusters = sorted({len(made[name].clusters) for name in names})
    if sum(not isnan(number_of(one, "silhouette")) for one in made.values()) == 1:
        return f"Only {_called(names[0])} can be judged", f"{told}."
    if len(names) == 1:
        return f"{who} {_called(names[0])}, {counted(clusters[0], 'cluster')}", f"{told}."
    if len(clusters) == 1:
        return f"{who} {counted(clusters[0], 'cluster')}", f"{told}."
    listed = " or ".join(f"{k:,}" for k in clusters)
    return f"{listed} clusters: the metrics disagree", f"{told}."


def _called(name: str) -> str:
    return escape.visible(text.abbreviate(name, NAME_LENGTH))


def number_of(one: ClusteringEvaluation, key: str) -> float:
    """Return a number of how points lie; NaN where there is none."""
    found = one.points.get(key)
    return nan if found is None else found.value


def _best(made: Clusterings, key: str) -> str | None:
    """Return the clustering with the best value of a metric; None if none has a value."""
    known = {name: value for name, one in made.items() if not isnan(value := number_of(one, key))}
    pick = max if catalog.by_key()[key].better is Better.HIGHER else min
    return pick(known, key=lambda name: known[name]) if known else None


def _defined(found: Estimates, key: str) -> Estimate | None:
    return found[key] if key in found and found[key].defined else None


def _how_apart(silhouette: float) -> str:
    """Return how well a clustering separates its clusters, by the bands of Kaufman and Rousseeuw.

    Source: Kaufman and Rousseeuw (1990), Finding Groups in Data, table 4 of chapter 2.
    """
    bands = ((0.7, " clearly"), (0.5, " reasonably well"), (0.25, " weakly"))
    return next((told for low, told in bands if silhouette > low), " hardly")


def _nothing_known(dataset: Dataset, every: Mapping[str, ClusteringEvaluation]) -> str:
    if len(every) > 1:
        return "Nothing tells these clusterings apart"
    ((name, made),) = every.items()
    clusters = counted(len(made.clusters), "cluster")
    named = words.at_start(words.spoken(dataset, name))
    return f"{named} has {clusters}, and nothing to judge them by yet"


def of_slices(dataset: Dataset, made: Slices) -> Said:
    """Return where a model is weakest, and what that rests on."""
    if not made.confirmed:
        return "No slice is shown to be worse than the rest", made.nearest
    worst, name = made.confirmed[0], within_sentence(catalog.find(made.metric).name)
    here, rest = (text.number(one.value) for one in (worst.found.value, worst.found.rest))
    errors = (
        f" and {text.percent(worst.share_of_errors)} of the errors"
        if _counts_errors(made) and worst.share_of_errors == worst.share_of_errors
        else ""
    )
    where = text.abbreviate(worst.text, 60)
    return (
        f"{words.at_start(words.spoken(dataset, made.model))} is weakest where {where}: "
        f"{name} {here}, {rest} elsewhere",
        f"It holds {text.percent(worst.share)} of the rows{errors}. Adjusted for the "
        f"{counted(made.searched, 'slice')} searched, {p_equals(worst.p_adjusted)}.",
    )


def _counts_errors(made: Slices) -> bool:
    """Whether slices are searched by decisions or numbers: scores err at no threshold of theirs."""
    return catalog.find(made.metric).family not in (Family.RANKING, Family.PROBABILITY)


def is_worse(made: Slices, one: Slice) -> str:
    """Return whether a slice is worse than the rest, in a word or two."""
    if one.few:
        return "too few rows"
    if one.p_adjusted != one.p_adjusted:
        return "not judged"
    gap = one.found.difference.value
    if gap >= 0 if catalog.find(made.metric).better is Better.HIGHER else gap <= 0:
        return "no"
    return "yes" if one.confirmed else f"not shown, {p_equals(one.p_adjusted)}"


def slice_rows(made: Slices) -> list[dict[str, str]]:
    """Return slices as rows of texts, those of other models beside."""
    others = [name for name in (made.slices[0].models if made.slices else ()) if name != made.model]
    name = catalog.find(made.metric).name
    return [
        {
            "slice": text.from_left(escape.in_order(one.text)),
            "rows": f"{one.n:,.6g}",
            **(
                {"of all errors": text.percent(one.share_of_errors)} if _counts_errors(made) else {}
            ),
            name: text.with_interval(one.found.value, text.low_dash_high),
            "difference": text.with_interval(one.found.difference, text.low_dash_high),
            "worse?": is_worse(made, one),
            **{escape.visible(other): _value(one, other) for other in others[:MOST_BESIDE]},
        }
        for one in made.slices
    ]


MOST_BESIDE = 4
"""Other models whose values stand beside; more do not fit."""


def _value(one: Slice, model: str) -> str:
    return text.number(one.models[model].value.value) if model in one.models else ""


def of_rows(model: str, found: Listed) -> Said:
    """Return what a list of rows of a model holds, and in which order."""
    from evalcore.slices.rows import CONFIDENCE, DISAGREEMENT, FILE, LOSS, WRONG

    if found.doubts is not None:
        return _doubts(found.doubts)
    said = {
        LOSS: f"The rows that {model} gets most wrong",
        CONFIDENCE: f"The rows on which {model} is least sure",
        DISAGREEMENT: "The rows on which models differ most",
        FILE: f"The rows of {model} as they stand in the file",
    }[found.by]
    rows, shown = counted(found.total, "row"), len(found.row)
    if found.total > shown:
        rows = f"{rows}, of which the first {shown:,} are listed"
    ends = "smallest" if found.by == CONFIDENCE else "largest"
    order = f": the {ends} {found.of} first" if found.of else ", in its order"
    order = ": the wrong ones first" if found.of == WRONG else order
    return said, f"{rows}{order}."


def _doubts(found: LabelErrors) -> Said:
    """Return how many of the doubtful labels are wrong, as far as that can be told."""
    wrong, every = found.wrong, len(found.row)
    lead = (
        f"{counted(every, 'label')} in doubt: another class is confidently more likely. If all "
        f"labels were right, chance alone would list about {found.by_chance:,.0f}. The most "
        "doubtful come first."
    )
    if not every:
        return "No label is in doubt", "In no row is another class confidently more likely."
    if not wrong.low:
        return f"None of {counted(every, 'doubtful label')} is shown to be wrong", lead
    ends = f"{wrong.low:,.0f} to {wrong.high:,.0f}"
    return f"About {wrong.value:,.0f} of {every:,} doubtful labels are wrong ({ends})", lead


def of_shift(dataset: Dataset, made: Shift) -> Said:
    """Return the surest change of what a model is worth, and how many rows that rests on."""
    model = words.spoken(dataset, made.model)
    first, second = (counted(rows, "row") for rows in made.n)
    rows = f"{first} earlier, {second} later"
    if made.assumed:
        key, one = next(iter(made.metrics.items()))
        name = within_sentence(catalog.find(key).name)
        return (
            f"Without labels, the estimated {name} of {model} is {text.with_interval(one.value)}",
            f"It was {text.with_interval(one.rest)}. {rows}. {made.assumed}",
        )
    shown = {key: p for key, p in made.p_adjusted.items() if p <= 1 - made.level}
    lead = f"{rows}; p values are adjusted for the {len(made.p_adjusted)} numbers compared."
    worth = {key: p for key, p in shown.items() if key in made.metrics}
    if not worth:
        other = [of_truth(dataset, key) if key in made.truth else key for key in shown]
        moved = f", though {joined(other)} changed" if other else ""
        return f"No change in the metrics of {model} is shown{moved}", lead
    key = min(worth, key=worth.__getitem__)
    one, name = made.metrics[key], catalog.find(key).name
    way = "rose" if one.difference.value > 0 else "fell"
    ends = f"from {text.number(one.rest.value)} to {text.number(one.value.value)}"
    return f"{name} of {model} {way} {ends} ({p_equals(worth[key])})", lead


def of_truth(dataset: Dataset, key: str) -> str:
    """Return what is true in two files, such as the share of a class, as a sentence names it."""
    from evalcore.slices.shift import MEAN

    return key if key == MEAN else f"share of {words.class_of(dataset.roles.truth or '', key)}"


def of_scores(moved: Moved, made: Shift) -> str:
    """Return how far two distributions are apart, and which one lies higher."""
    from evalcore.slices.shift import SCORES

    p = made.p_adjusted.get(SCORES, float("nan"))
    test = "no test, since rows depend on each other" if p != p else p_equals(p)
    far, above = (text.with_interval(one) for one in (moved.distance, moved.above))
    return (
        f"The distributions of {moved.of} differ by up to {far} ({test}, Kolmogorov-Smirnov). "
        f"A later value is above an earlier one with probability {above}; 0.5 means no shift."
    )


def of_periods(made: OverTime) -> str:
    """Return whether a change is flagged, in a few words."""
    from evalview.figures.parts import track_name

    name = track_name(made.metric)
    if made.change is None:
        return f"{name}: no change is flagged"
    side = "higher" if made.change.higher else "lower"
    return f"{name} is {side} since {made.named(made.change.since)}"


def period_rows(made: OverTime) -> Iterator[Mapping[str, str]]:
    """Yield each period as a row of texts, the last first."""
    from evalview.figures.parts import track_name

    tracks = (made.metric, *made.others)
    for place in range(len(made.start) - 1, -1, -1):
        yield {
            "period": made.written(place),
            "rows": f"{made.rows[place]:,.0f}",
            **{
                track_name(one): text.with_interval(one.each[place], text.low_dash_high)
                for one in tracks
            },
            "all up to here": text.with_interval(made.metric.running[place], text.low_dash_high),
            "CUSUM up": _held(made.up.value[place], made.up.limit[place]),
            "CUSUM down": _held(made.down.value[place], made.down.limit[place]),
        }


def _held(value: float, limit: float) -> str:
    if value != value:
        return "–"
    return text.number(value) if limit != limit else f"{text.number(value)} of {text.number(limit)}"


def sizes_of(dataset: Dataset) -> list[str]:
    """Return how many rows there are, and how many models or clusterings."""
    facts = [_rows_of(dataset)]
    scored = () if dataset.fold_scores is None else dataset.fold_scores.models
    if models := len(dataset.models) or len(scored):
        facts.append(counted(models, "model"))
    if dataset.clusterings:
        facts.append(counted(len(dataset.clusterings), "clustering"))
    return facts


def _rows_of(dataset: Dataset) -> str:
    """Return how many rows the file has, and how many it counts where its lines have counts."""
    lines = dataset.table.source.rows
    if (counts := dataset.table.counted) is not None:
        return f"{counted(round(counts.rows), 'row')} in {counted(lines, 'cell')}"
    weights = [own.weight for own in dataset.models.values() if own.weight is not None]
    if not weights or not are_counts(weights[0], dataset.roles):
        return counted(lines, "row")
    return f"{counted(int(max(own.sum() for own in weights)), 'row')} in {counted(lines, 'line')}"


SEPARATORS = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "vertical bars",
    " ": "spaces",
}


def of_table(table: Table, dataset: Dataset | None) -> str:
    """Say what the rows were taken for."""
    if dataset is None:
        return f"{text.abbreviate(table.source.name, NAME_LENGTH)}: how is each column read?"
    rows = "row" if table.counted is None else "cell"
    if not (dataset.models and dataset.roles.truth):
        return f"{counted(table.n, rows)} and {counted(len(table.names), 'column')}"
    truth = text.abbreviate(dataset.roles.truth, NAME_LENGTH)
    models = counted(len(dataset.models), "model")
    examples = max(one.total for one in dataset.models.values())
    stood_for = "examples" if table.counted is None else "rows"
    meant = f" standing for {examples:,.10g} {stood_for}" if dataset.roles.weight else ""
    return f"{counted(table.n, rows)}{meant}: {models}, judged against “{truth}”"


def _format(name: str) -> str:
    return name.capitalize() if " " in name else name.upper()


def how_read(table: Table) -> str:
    """Say how the file was read: the tool, the encoding, the marks, the size."""
    source = table.source
    facts = [_format(source.format) if source.tool is None else f"written by {source.tool}"]
    if source.encoding is not None:
        facts.append(source.encoding.upper())
    if source.separator is not None:
        mark = SEPARATORS.get(source.separator, source.separator)
        facts.append(f"{mark.removesuffix('s')}-separated")
    if source.decimal == ",":
        facts.append("decimal commas")
    if source.sheet is not None:
        facts.append(f"sheet {source.sheet}")
    rows = "row" if table.counted is None else "cell"
    facts.append(f"{counted(source.rows, rows)}, {counted(len(table.names), 'column')}")
    return " · ".join(facts)


def of_cheapest(best: Choice, who: str, at: float, cost: float, *, alike: bool) -> Said:
    """Return the cheapest threshold of a model, `who` it is in words, and what it saves.

    `at` is the threshold in use, `cost` that of a case there; `alike` is whether both decide alike.
    """
    if isinf(best.threshold):
        said = f"Flagging nothing is cheapest with {who}"
    else:
        said = f"The cheapest threshold of {who} is {text.threshold(best.threshold)}"
    if cost <= best.cost:
        told = "gives the same decisions" if alike else "costs as little"
        now = f"Average cost per case {size(cost)}."
        return said, f"The threshold in use, {text.threshold(at)}, {told}. {now}"
    saved = f"Average cost per case {size(best.cost)}, against {size(cost)} now"
    return said, f"{saved}, at {text.threshold(at)}."


def labels_agree(tables: ModelTables, threshold: float) -> bool:
    """Whether the file's own labels are what the scores decide, in every row.

    The scores decide by the threshold, or among several classes by the largest probability.
    """
    if tables.labels_by_score is not None:
        counts = tables.labels_by_score.at(threshold)
        return not counts.fp and not counts.fn
    by_argmax = tables.labels_by_argmax
    return by_argmax is not None and float(by_argmax.counts.trace()) == by_argmax.total
