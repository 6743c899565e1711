"""The parts of a report about models, clusterings and folds: each from the material to blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import isnan

import numpy as np

from evalcore.comparison.catalog import TESTS
from evalcore.comparison.results import Comparison, Difference
from evalcore.curves.roc import CalibrationCurve
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate
from evalcore.results import Decisions
from evalcore.tables.scores import ScoreTable
from evalcore.text import counted as so_many, joined
from evalread.dataset import Dataset, Task
from evalview import sentences, text, words
from evalview.escape import visible
from evalview.report import blocks, counts, others
from evalview.report.material import COLUMNS, Material, agrees, place
from evalview.report.private import explorer_payload, notices
from evalview.sharing import CLASSES_AT_MOST

MOST_MODELS = 10
"""So many models have a confusion matrix, or a line, of their own."""

CONDITIONS = ("decisions", "left-out", "common-rows", "independent-rows", "best-of-many")
"""Notices of a comparison that its answer rests on."""


def spoken(told: Material, name: str) -> str:
    """Return a model at the start of a sentence."""
    return words.at_start(words.spoken(told.dataset, name))


# Summary


def summary(told: Material) -> Iterator[blocks.Block]:
    """Show all models beside each other, what the leading one gets wrong, and what to mind."""
    yield _of_folds(told) if told.evaluation is None else _of_models(told)
    if told.task is Task.BINARY:
        yield from _misses(told)
    yield from _mind(told)


def _of_models(told: Material) -> blocks.Table:
    columns = [
        (group, key, by_key()[key])
        for group, key in COLUMNS[told.task]
        if any(place(told, name, group, key)[0] is not None for name in told.order)
    ]
    rows = []
    for name in told.order:
        cells = [blocks.cell(blocks.shown(name))]
        for group, key, metric in columns:
            made, way = place(told, name, group, key)
            cells.append(blocks.estimated(made, *way, ends=blocks.ends_of(metric)))
        rows.append(cells)
    what = "Clustering" if told.dataset.clusterings else "Model"
    caption = f"{_decided(told)}{_intervals(told)}"
    return blocks.Table(caption, [what, *(metric.name for *_, metric in columns)], rows)


def _decided(told: Material) -> str:
    if told.task not in (Task.BINARY, Task.MULTICLASS):
        return ""
    assert told.evaluation is not None
    if not (way := told.way(told.leader)):
        return ""
    at = told.options.threshold_of(told.leader)
    return f"Decided {sentences.of_way(way, at)}. "


def _intervals(told: Material) -> str:
    return "" if told.dataset.clusterings else f"{told.options.level:.0%} intervals in brackets."


def _of_folds(told: Material) -> blocks.Table:
    found = told.found
    if not isinstance(found, Comparison):
        return blocks.Table(
            "", ["Model"], [[blocks.cell(blocks.shown(name))] for name in told.order]
        )
    rows = [
        [
            blocks.cell(blocks.shown(name)),
            blocks.estimated(found.models[name], "comparison", "models", name, found.metric),
        ]
        for name in found.order
    ]
    caption = f"{visible(found.metric_name)}: means over {found.n:,.10g} {found.unit}."
    return blocks.Table(caption, ["Model", visible(found.metric_name)], rows)


def _misses(told: Material) -> Iterator[blocks.Block]:
    name, decided = told.leader, told.decided(told.leader)
    if decided is None:
        return
    held, (negative, positive) = decided.confusion.binary(), told.dataset.classes
    way = ["models", name, "confusion", told.way(name), "counts"]
    truth = told.dataset.roles.truth
    line: list[str | blocks.Number] = [f"{spoken(told, name)} misses "]
    line += [_count(held.fn, *way, 1, 0), " of ", text.count(float(held.positives)), " "]
    line += [words.rows_of(truth, positive), " and raises "]
    line += [_count(held.fp, *way, 0, 1), " false alarms among "]
    line += [text.count(float(held.negatives)), f" {words.rows_of(truth, negative)}."]
    yield blocks.Paragraph(line)


def _count(value: float | np.ndarray, *way: str | int) -> blocks.Number:
    return blocks.Number(text.count(float(value)), blocks.pointer(*way))


def _mind(told: Material) -> Iterator[blocks.Block]:
    """Show what must be known before trusting the numbers, and the verdict."""
    noted = [] if told.evaluation is None else list(told.evaluation.notices)
    if isinstance(told.found, Comparison):
        noted += [one for one in told.found.notices if one.code in CONDITIONS]
    for one in notices(told, noted):
        if one.severity == "warning" or one.code in CONDITIONS:
            kind = "warning" if one.severity == "warning" else "note"
            yield blocks.Paragraph([visible(one.message)], kind)


# Threshold


def threshold(told: Material) -> Iterator[blocks.Block]:
    """Show the threshold explorer, and the counts at the threshold in use."""
    if not told.merged:
        return
    yield blocks.Explorer(explorer_payload(told), _still(told))
    positive = words.class_of(told.dataset.roles.truth, told.dataset.classes[1])
    rows = []
    for name in (name for name in told.order if name in told.merged):
        assert told.evaluation is not None
        made = told.evaluation.models[name].decisions["threshold"]
        way = ["models", name, "confusion", "threshold", "counts"]
        held = made.confusion.binary()
        at = told.options.threshold_of(name)
        rows.append(
            [
                blocks.cell(blocks.shown(name)),
                blocks.Cell(
                    [blocks.Number(text.threshold(at), blocks.pointer("models", name, "threshold"))]
                ),
                blocks.counted(float(held.tp), *way, 1, 1),
                blocks.counted(float(held.fn), *way, 1, 0),
                blocks.counted(float(held.fp), *way, 0, 1),
                blocks.counted(float(held.tn), *way, 0, 0),
            ]
        )
    if said := _why(told):
        yield blocks.Paragraph([said])
    caption = f"Looking for {positive}: what each model does at the threshold in use."
    head = ["Model", "Threshold", "found", "missed", "false alarms", "passed"]
    yield blocks.Table(caption, head, rows)
    yield blocks.Paragraph([_merging(told)], "note")


def _why(told: Material) -> str:
    """Say why the threshold is what it is, as far as costs tell, of the model they chose it for."""
    if not (where := told.cheapest_where):
        return ""
    found = []
    for name in (name for name in told.order if name in told.merged):
        table, at = told.merged[name].table, told.options.threshold_of(name)
        best = told.cheapest(name, table)
        alike = (table.at(at).tp, table.at(at).fp) == (table.at(best).tp, table.at(best).fp)
        who = words.spoken(told.dataset, name)
        found.append((not alike, words.why_threshold(who, table, at, best, where)))
    return min(found, key=lambda one: one[0])[1]


MOST_POINTS = 200
"""Points of a line in a picture: more than it has pixels to show a bend."""


def _still(told: Material) -> blocks.Drawing:
    """Return ROC curves, for whom the explorer cannot work: on paper, in a mail, in Markdown."""
    lines, in_use = {}, {}
    for name in [name for name in told.order if name in told.merged][:MOST_MODELS]:
        table = told.merged[name].table
        lines[name] = _shares(table.thinned(MOST_POINTS))
        held = table.at(told.options.threshold_of(name))
        in_use[name] = (_share(held.fp, table.negatives), _share(held.tp, table.positives))
    alt = (
        f"ROC curves of {so_many(len(lines), 'model')}: the true positive rate against the false "
        "positive rate; the dot is the threshold in use."
    )
    styles = blocks.styles(tuple(told.dataset.models))
    picture = blocks.roc(lines, in_use, next(iter(lines)), styles, alt)
    return blocks.Drawing("What the threshold finds, and with how many false alarms", picture, alt)


def _shares(table: ScoreTable) -> blocks.Course:
    across = [0.0, *(_share(rows, table.negatives) for rows in table.fp.tolist())]
    return across, [0.0, *(_share(rows, table.positives) for rows in table.tp.tolist())]


def _share(rows: float | np.ndarray, whole: float) -> float:
    return float(rows) / whole if whole else 0.0


def _merging(told: Material) -> str:
    if told.wishes.rows:
        return "There is a threshold at each score."
    fewest = told.wishes.fewest
    said = (
        f"Between two steps of the slider lie at least {fewest} rows of a class, or none: "
        "scores closer together are merged."
    )
    small = [name for name, made in told.merged.items() if made.small < fewest]
    if small:
        said += (
            f" The counts at the threshold in use are still exact; for "
            f"{joined(list(map(blocks.shown, small)))} some are below {fewest}."
        )
    return said


# Errors


def errors(told: Material) -> Iterator[blocks.Block]:
    """Show what is taken for what."""
    if told.task is Task.REGRESSION:
        yield from others.distances(told)
        return
    names = told.order[:MOST_MODELS]
    for name in names:
        if (decided := told.decided(name)) is not None:
            yield _matrix(told, name, decided)
    if len(told.order) > len(names):
        yield blocks.Paragraph(
            [f"The best {len(names)} of {len(told.order):,} models are shown."], "note"
        )
    leading = told.decided(told.leader)
    if leading is not None and told.task is Task.MULTICLASS:
        yield _by_class(told, leading)
        yield from _recalls(told)
    yield from _costs(told)
    if told.task is Task.BINARY and (differing := _labels_differ(told)):
        yield blocks.Paragraph([differing], "note")


def _costs(told: Material) -> Iterator[blocks.Block]:
    """Show what a decision of each model costs on average, and which costs these are."""
    if told.costs is None:
        return
    shown = {name: made for name, made in told.mean_costs.items() if made is not None}
    if shown:
        rows = [
            [
                blocks.cell(blocks.shown(name)),
                *(
                    blocks.estimated(one, "models", name, "metrics", told.way(name), key)
                    for key, one in (("mean_cost", made), ("total_cost", told.total_costs[name]))
                ),
            ]
            for name, made in shown.items()
        ]
        sure = f"{told.options.level:.0%} intervals in brackets"
        caption = f"Mean cost of a decision, {sure}{_common(told)}."
        cases = told.wishes.use.volume
        total = f"Total of {so_many(cases, 'case')}" if cases else "Total of all rows"
        yield blocks.Table(caption, ["Model", "Mean cost", total], rows)
    if hidden := [blocks.shown(name) for name in told.mean_costs if name not in shown]:
        said = f"The mean and total cost of {joined(hidden)} are not shown: they would tell"
        yield blocks.Paragraph([f"{said} what a · hides."], "note")
    if len(told.costs) <= CLASSES_AT_MOST:
        classes = list(map(blocks.shown, told.dataset.classes))
        prices = [
            [blocks.cell(label), *(blocks.cell(f"{one:g}") for one in row)]
            for label, row in zip(classes, told.costs.tolist(), strict=True)
        ]
        head = ["", *(f"called {label}" for label in classes)]
        yield blocks.Table("Costs of a decision: rows by true class.", head, prices)


def _common(told: Material) -> str:
    """Say how common classes are where that is not as in the rows."""
    if (shares := told.wishes.use.shares) is None:
        return ""
    told_of = zip(map(blocks.shown, told.dataset.classes), shares, strict=True)
    parts = [f"{name}: {text.percent(share / sum(shares))}" for name, share in told_of]
    return f", for these shares of the classes: {joined(parts, most=CLASSES_AT_MOST)}"


def _labels_differ(told: Material) -> str:
    assert told.evaluation is not None
    both = [
        n for n in told.order if {"labels", "threshold"} <= set(told.evaluation.models[n].decisions)
    ]
    names = [name for name in both if not agrees(told, name)]
    if not names:
        return ""
    who = joined(list(map(blocks.shown, names)))
    return f"Labels of the file and the threshold decide some rows differently: {who}."


def _matrix(told: Material, name: str, decided: Decisions) -> blocks.Table:
    matrix, way = decided.confusion, told.way(name)
    at = told.options.threshold_of(name)
    caption = f"{spoken(told, name)}, decided {sentences.of_way(way, at)}: rows by true class."
    place = ["models", name, "confusion", way, "counts"]
    called = [f"called {blocks.shown(label)}" for label in matrix.classes]
    # Of two classes all counts are exact: those at the threshold in use.
    fewest = told.wishes.fewest if len(matrix.classes) > 2 else 1
    hidden = counts.hidden_cells(matrix.counts, fewest, diagonal=True)
    rows = blocks.matrix(matrix.classes, matrix.counts, hidden, place, marks_right=True)
    if hidden.any():
        called.append(counts.OTHERS)
        caption += counts.why_hidden(fewest, "rows")
    return blocks.Table(caption, ["", *called], rows)


def _by_class(told: Material, decided: Decisions) -> blocks.Table:
    way, keys = told.way(told.leader), ("recall", "precision", "f1")
    metrics = [by_key()[key] for key in keys]
    rows = []
    for label, found in decided.per_class.items():
        path = ["models", told.leader, "per_class", way, label]
        rows.append(
            [
                blocks.cell(blocks.shown(label)),
                *(
                    blocks.estimated(found.get(m.key), *path, m.key, ends=blocks.ends_of(m))
                    for m in metrics
                ),
            ]
        )
    caption = f"{spoken(told, told.leader)}, each class against all others."
    return blocks.Table(caption, ["Class", *(metric.name for metric in metrics)], rows)


MOST_CLASSES, MOST_BESIDE = 30, 3
"""So many classes, those found least often, and models beside each other fit into a picture."""


def _recalls(told: Material) -> Iterator[blocks.Block]:
    """Show how often the best models find each class."""
    names = [name for name in told.order if told.decided(name) is not None][:MOST_BESIDE]
    found: dict[str, dict[str, Estimate]] = {}
    for name, made in ((name, told.decided(name)) for name in names):
        for label, metrics in made.per_class.items() if made else ():
            if metrics["recall"].defined:
                found.setdefault(label, {})[name] = metrics["recall"]
    known = {label: row[told.leader] for label, row in found.items() if told.leader in row}
    if not known:
        return
    worst = sorted(known, key=lambda label: known[label].value)[:MOST_CLASSES]
    rows = {blocks.shown(label): found[label] for label in known if label in worst}
    title = "Recall of each class"
    if len(worst) < len(known):
        title = f"Recall of the {len(worst)} classes, of {len(known):,}, with the lowest"
    least = f"{blocks.shown(worst[0])} with {text.number(known[worst[0]].value)}"
    alt = (
        f"{title}, {so_many(len(names), 'model')}; {spoken(told, told.leader)}: lowest for {least}."
    )
    styles = blocks.styles(tuple(told.dataset.models))
    yield blocks.Drawing(title, blocks.dots(rows, (0, 0.6, 0.8), styles, alt), alt)


# Probabilities


def probabilities(told: Material) -> Iterator[blocks.Block]:
    """Show whether probabilities come true."""
    assert told.evaluation is not None
    curves = {}
    for name in told.order:
        made, tables = told.merged.get(name), told.tables[name]
        if made is not None and tables.probability:
            options = told.options
            curves[name] = counts.calibration(tables, made, options.bins, options.level)
    if not curves:
        return
    name, curve = next(iter(curves.items()))
    alt = (
        f"Observed shares against predicted probabilities, in {so_many(len(curve.n), 'bin')}, "
        f"with {curve.level:.0%} intervals."
    )
    styles = blocks.styles(tuple(told.dataset.models))
    picture = blocks.calibration(dict([*curves.items()][:MOST_MODELS]), name, styles, alt)
    yield blocks.Drawing("Are the probabilities calibrated?", picture, alt)
    yield _bins(told, name, curve)
    scores = told.tables[name].scores
    whole = counts.edges_of(told.options.bins)
    if scores is not None and len(curve.n) < np.count_nonzero(counts.reliability(scores, whole).n):
        fewest = told.wishes.fewest
        said = f"Neighbouring bins with fewer than {fewest} rows of a class are merged."
        yield blocks.Paragraph([said], "note")


def _bins(told: Material, name: str, curve: CalibrationCurve) -> blocks.Table:
    rows = []
    for at, (low, high) in enumerate(zip(curve.low.tolist(), curve.high.tolist(), strict=True)):

        def number(
            key: str, show: Callable[[float], str] = text.number, at: int = at
        ) -> blocks.Number:
            path = blocks.pointer("models", name, "curves", "calibration", key, at)
            return blocks.Number(show(float(getattr(curve, key)[at])), path)

        ends: blocks.Line = [" (", number("share_low"), " to ", number("share_high"), ")"]
        rows.append(
            [
                blocks.cell(f"{low:g} to {high:g}"),
                blocks.Cell([number("n", text.count)]),
                blocks.Cell([number("mean_probability")]),
                blocks.Cell([number("share_positive"), *ends]),
            ]
        )
    caption = f"{spoken(told, name)}: rows by predicted probability."
    return blocks.Table(caption, ["Said", "Rows", "Mean said", "Observed share"], rows)


# Comparison

MOST_PAIRS = 15
"""Of more pairs only those with the leading model are listed."""


def comparison(told: Material) -> Iterator[blocks.Block]:
    """Show how far models are apart, and what tests say."""
    found = told.found
    if not isinstance(found, Comparison):
        if found is not None:
            yield blocks.Paragraph([visible(found.message)])
        return
    yield blocks.Paragraph([text.minus(visible(found.summary))])
    pairs = _pairs(found)
    yield _differences(found, pairs)
    if len(pairs) < len(found.differences):
        best = blocks.shown(found.order[0])
        said = f"Of {len(found.differences):,} pairs those with {best} are listed; p values"
        yield blocks.Paragraph([f"{said} are adjusted for all."], "note")


def tests(told: Material) -> Iterator[blocks.Block]:
    """Show what every test says that fits the data, and why others do not."""
    found = told.found
    if not isinstance(found, Comparison):
        return
    if found.tests:
        yield _tests(found, _pairs(found))
    if found.not_applicable:
        known = {test.key: test.name for test in TESTS}
        rows = [
            [blocks.cell(known.get(r.test, r.test)), blocks.cell(visible(r.why))]
            for r in found.not_applicable
        ]
        yield blocks.Table(
            "Tests that do not apply to these data", ["Test", "Why not"], rows, is_text=True
        )


def _pairs(found: Comparison) -> set[frozenset[str]]:
    every = {frozenset(pair) for pair in combinations(found.order, 2)}
    if len(every) <= MOST_PAIRS:
        return every
    return {frozenset({found.order[0], other}) for other in found.order[1:]}


def _differences(found: Comparison, pairs: set[frozenset[str]]) -> blocks.Table:
    order = {name: at for at, name in enumerate(found.order)}
    listed = [
        (at, gap)
        for at, gap in enumerate(found.differences)
        if frozenset({gap.first, gap.second}) in pairs
    ]
    listed.sort(key=lambda item: sorted((order[item[1].first], order[item[1].second])))
    rows = []
    for at, gap in listed:
        better, other = sorted((gap.first, gap.second), key=order.__getitem__)
        verdict = found.verdict.between(better, other)
        concluded = "too close to call"
        if verdict.better:
            how = "" if verdict.sure else "probably "
            concluded = f"{blocks.shown(verdict.better)} is {how}better"
        rows.append(
            [
                blocks.cell(f"{blocks.shown(better)} minus {blocks.shown(other)}"),
                blocks.Cell(_gap(gap, at, turned=better != gap.second)),
                _main_p(found, better, other),
                blocks.cell("nothing can be concluded" if verdict.doubt else concluded),
            ]
        )
    caption = (
        f"Differences in {visible(found.metric_name)}, {found.level:.0%} intervals in brackets; "
        "a conclusion needs both the interval and the test."
    )
    return blocks.Table(caption, ["Models", "Difference", "p", "Conclusion"], rows)


def _main_p(found: Comparison, better: str, other: str) -> blocks.Cell:
    """Return the p value that the verdict rests on, adjusted for all pairs."""
    tested = found.tested(found.primary, better, other)
    if tested is None:
        return blocks.cell("–")
    path = blocks.pointer("comparison", "tests", found.tests.index(tested), "p_adjusted")
    return _p(tested.p_adjusted, path)


def _gap(gap: Difference, at: int, *, turned: bool) -> blocks.Line:
    """Return a difference with its interval; of a pair turned round, minus what the JSON has."""
    if isnan(gap.difference):
        return ["–"]
    sign, mark = (-1, "-") if turned else (1, "")
    path = f"{mark}{blocks.pointer('comparison', 'differences', at)}"
    value = blocks.Number(text.difference(sign * gap.difference, sign=True), f"{path}/difference")
    if gap.low is None or gap.high is None:
        return [value]
    ends = (
        (("high", gap.high), ("low", gap.low)) if turned else (("low", gap.low), ("high", gap.high))
    )
    low, high = (blocks.Number(text.difference(sign * end), f"{path}/{key}") for key, end in ends)
    return [value, " (", low, " to ", high, ")"]


def _tests(found: Comparison, pairs: set[frozenset[str]]) -> blocks.Table:
    known = {test.key: test.name for test in TESTS}
    rows = []
    for at, tested in enumerate(found.tests):
        both = [name for name in (tested.first, tested.second) if name]
        if both and frozenset(both) not in pairs:
            continue
        if both and len(pairs) > MOST_PAIRS and tested.test != found.primary:
            continue
        path = blocks.pointer("comparison", "tests", at)
        raw, adjusted = tested.finding.p_value, tested.p_adjusted
        main = " (the verdict rests on it)" if tested.test == found.primary else ""
        rows.append(
            [
                blocks.cell(f"{known.get(tested.test, tested.test)}{main}"),
                blocks.cell(joined(list(map(blocks.shown, both))) if both else "all models"),
                _p(raw, f"{path}/p_value"),
                _p(adjusted, f"{path}/p_adjusted"),
                blocks.cell(visible(tested.finding.note)),
            ]
        )
    return blocks.Table("Test results", ["Test", "Models", "p", "p, all pairs", "Note"], rows)


def _p(value: float, key: str) -> blocks.Cell:
    return (
        blocks.cell("–") if isnan(value) else blocks.Cell([blocks.Number(text.p_value(value), key)])
    )


def needs_several(dataset: Dataset) -> bool:
    """Whether there are models to compare."""
    scored = dataset.fold_scores
    return len(dataset.models if scored is None else scored.models) > 1
