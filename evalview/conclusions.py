"""What pages conclude about probabilities, costs, folds and clusters, in sentences.

Functions that are called `of_` give a headline and what it rests on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.special import betainc

from evalcore.comparison import results
from evalcore.curves.costs import UnitCosts
from evalcore.curves.roc import CalibrationCurve
from evalcore.intervals import closed
from evalcore.metrics.metric import Better, Estimate
from evalcore.metrics.recalibration import CLIP, COARSE, at_ends, half_digit, held_at
from evalcore.outcomes import Floats
from evalcore.results import Estimates
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from evalcore.text import counted, joined, within_sentence
from evalview import escape, sentences, text, words
from evalview.figures.calibration import leans, where_off, widest
from evalview.figures.costs import around, cases, money
from evalview.figures.theme import Scene
from evalview.lab import optimum
from evalview.lab.recalibration import CELLS, RECALIBRATED_BY, TOGETHER, Recalibrations
from evalview.text import low_to_high, percent, score, size

if TYPE_CHECKING:
    from evalcore.curves.costs import ClassCosts, Decided
    from evalcore.evaluation.estimates import ClassCalibration
    from evalview.figures import errors
    from evalview.lab.optimum import Certainty
    from evalview.lab.quantiles import Coverage

FEW = 100
"""With fewer rows a diagram of ten bins shows chance more than anything else."""


TINY = 20
"""With fewer rows there is hardly a probability that would not come true, as far as they tell."""


def of_probabilities(
    table: ScoreTable | None,
    n: float,
    made: Estimates,
    curve: CalibrationCurve | None,
    scene: Scene,
    label: str = "",
) -> tuple[str, str]:
    """Return whether the probabilities of n rows fit, of `label` if it is one class of several.

    `made` holds the calibration slope and the calibration in the large; without rows there is no
    `curve`.
    """
    if table is None or not table.n or curve is None:
        return f"Do the probabilities of {scene.who} fit?", "There is no row with a probability."
    of = f" of {label}" if label else ""
    few = f" With only {counted(n, 'row')}, such a curve bends by chance alone." if n < FEW else ""
    slope, level = made["calibration_slope"], made["calibration_in_the_large"]
    lead = f"{_slope(slope, table)}{few}"
    if n < TINY:
        rows = f"{counted(n, 'row')} are too few"
        return f"{rows} to tell whether {scene.who}’s probabilities{of} fit", lead
    fits = f"fit, as far as {n:,} rows can tell", ""
    said, why = _impossible(table, scene) or _lean(slope, curve) or _level(level) or ("", "")
    where, gap = _off_at(curve, scene, said)
    said, why = (f"{said}{where}", f"{why} {gap}") if said or where else fits
    told = why, _expected(level, curve, scene), _against_base(made, table), lead
    who = words.at_start(scene.who)
    return f"{who}’s probabilities{of} {said}", " ".join(filter(None, map(str.strip, told)))


def _impossible(table: ScoreTable, scene: Scene) -> tuple[str, str] | None:
    """Return how often a probability of 0 or 1 was wrong, if more often than rounding explains."""
    said = []
    for end, rows, wrong in at_ends(table):
        # The chance of so many where each had the largest probability that is written like this.
        if wrong and betainc(wrong, rows - wrong + 1, half_digit(table.threshold)) < SURE / 2:
            be = f"{'is' if wrong == 1 else 'are'}{' not' if end else ''}"
            rows_of = f"{counted(wrong, 'row')} with a probability of {end}"
            said.append(f"{rows_of} {be} {scene.positive}")
    return ("are too extreme", f"{joined(said)}.") if said else None


def _lean(slope: Estimate, curve: CalibrationCurve) -> tuple[str, str] | None:
    """Return how the probabilities are off as a whole, if they surely are.

    Of a slope that the highest or lowest bins contradict, such as where all are too low, the bins
    tell more.
    """
    if slope.low is None or slope.high is None:
        return None
    if slope.high < 0:
        return "run backwards", "The higher they are, the less often the event happens."
    if slope.low <= 1 <= slope.high:
        return None
    over, said = slope.high < 1, curve.mean_probability
    turn = leans(curve) if over else -leans(curve)
    # Over-confident ones are too high where they are high: none too low lies above these.
    high = said[turn > 0].max(initial=float(curve.n @ said / curve.n.sum()))
    if (said[turn < 0] > high).any():
        return None
    why = "High ones are too high, low ones too low." if over else _TIMID
    return ("are over-confident" if over else "are under-confident"), "" if turn.any() else why


_TIMID = "High ones are too low, low ones too high."


def _level(large: Estimate) -> tuple[str, str] | None:
    """Return whether the probabilities are too low or too high on the whole, if they surely are."""
    if large.low is None or large.high is None or large.low <= 0 <= large.high:
        return None
    return f"are too {'low' if large.low > 0 else 'high'} on the whole", ""


def _expected(large: Estimate, curve: CalibrationCurve, scene: Scene) -> str:
    """Say how many events are expected and seen, unless both surely may be the same."""
    if large.low is not None and large.high is not None and large.low <= 0 <= large.high:
        return ""
    expected, seen = float(curve.n @ curve.mean_probability), float(curve.n @ curve.share_positive)
    rows = counted(float(curve.n.sum()), "row")
    told = f"They expect {expected:,.0f} of {rows} to be {scene.positive}; {text.count(seen)} are"
    if large.low is None:
        return f"{told}."
    return f"{told} (calibration in the large {text.with_interval(large)}; 0 is right)."


def _off_at(curve: CalibrationCurve, scene: Scene, said: str) -> tuple[str, str]:
    """Return where the probabilities are surely off, after what is `said`, and the largest gap."""
    where = where_off(curve)
    if not where or said == "run backwards":
        return "", ""
    worst = widest(curve)
    says, came = float(curve.mean_probability[worst]), float(curve.share_positive[worst])
    at, share = text.percent(says), text.percent(came)
    rows = counted(float(curve.n[worst]), "row")
    place = "" if "near" in where else f": where they say {at}, {share} are"
    way, other = ("too low", "too high") if " low" in said else ("too high", "too low")
    if said.endswith("on the whole") and other not in where:
        where = f"clearly so {where.replace(f'{way} ', '')}"
    which = f"that one, in {rows}"
    if not place:
        which = f"{rows} at {at} on average, of which {share} are {scene.positive}"
    return f"{',' if said else 'are'} {where}{place}", f"Largest gap beyond chance: {which}."


def _against_base(made: Estimates, table: ScoreTable) -> str:
    """Say that always giving the share of positives is as close by the Brier score, or closer."""
    skill = made["brier_skill_score"]
    if skill.low is None or skill.high is None or skill.low > 0:
        return ""
    how = "They are worse than" if skill.high < 0 else "They are not shown to be better than"
    share = text.percent(table.positives / table.n)
    told = f"{how} always saying {share}, by the Brier score"
    return f"{told} (skill {text.with_interval(skill)}; 0 is no better)."


def of_recalibration(made: Recalibrations) -> str:
    """Return whether any method surely saves something of the Brier score."""
    gaps = {name: one.saved["brier"] for name, one in made.methods.items()}
    sure = {name: gap for name, gap in gaps.items() if gap.low is not None and gap.low > 0}
    level = f"{text.percent(TOGETHER)} interval for each of the three, so 95% for all together"
    if sure:
        best = max(sure, key=lambda name: sure[name].value)
        by = saved(sure[best], text.low_to_high)
        return f"{_method(best)} lowers the Brier score by {by}; {level}."
    if not any(gap.defined for gap in gaps.values()):
        return "None of the three can be fitted to these rows."
    harm = [name for name, gap in gaps.items() if gap.high is not None and gap.high < 0]
    worse = f" {_method(harm[0])} makes it worse." if harm else ""
    return f"None of the three clearly lowers the Brier score ({level}).{worse}"


def about_recalibration(made: Recalibrations, slope: Estimate, table: ScoreTable) -> str:
    """Return how the probabilities of a table were mapped, and why some were not."""
    ends = _counted_ends(table)
    moved_in = f" For these, {ends} count as {CLIP:g} from that end." if ends else ""
    folds = counted(made.folds, "fold")
    whose = f"the file's {folds}" if made.own else f"{folds} at random, each class evenly"
    left = f" {counted(made.left_out, 'row')} without a fold left out." if made.left_out else ""
    turned = " Of the three only Platt scaling can reverse the order." if slope.value < 0 else ""
    missing = [one.estimates["brier"].why for one in made.methods.values() if one.table is None]
    why = f" Undefined: {missing[0]}." if missing else ""
    moved = max(one.moved for one in made.methods.values())
    pooled = (
        f" With so many probabilities, neighbours are grouped at their mean, in about {CELLS:,} "
        f"groups; none moves by more than {_at_most(moved)}."
        if moved
        else ""
    )
    return (
        f"Each fold is recalibrated by a fit to the other folds ({whose}). Platt scaling and "
        f"temperature are fitted to the log odds by maximum likelihood.{moved_in} A log loss of ∞ "
        "means that something happened that had probability 0."
        f"{pooled}{turned}{left}{why}"
    )


def _at_most(value: float) -> str:
    """Return a small number rounded up to one digit.

    >>> _at_most(0.000087), _at_most(0.0112)
    ('0.00009', '0.02')
    """
    places = max(-math.floor(math.log10(value)), 0)
    return f"{math.ceil(value * 10**places) / 10**places:.{places}f}"


def saved(gap: Estimate, join: Callable[[str, str], str] = text.low_dash_high) -> str:
    """Return what is saved with its interval; such differences are small."""
    if not gap.defined or gap.low is None or gap.high is None:
        return text.number(gap.value)
    value, low, high = (text.number(each, 5) for each in (gap.value, gap.low, gap.high))
    return f"{value} ({join(low, high)})"


def _slope(slope: Estimate, table: ScoreTable) -> str:
    if not slope.defined or slope.low is None or slope.high is None:
        return f"No calibration slope: {_no_slope(table)}."
    held = _held(table)
    told = f"Calibration slope {text.with_interval(slope)}; 1 is right."
    return f"{told} For it {held}." if held else told


def _counted_ends(table: ScoreTable) -> str:
    """Say how many probabilities are exactly 0 or 1; "" for none."""
    return " and ".join(
        f"{text.count(rows)} {'probability' if rows == 1 else 'probabilities'} of exactly {end}"
        for end, rows, _ in at_ends(table)
    )


def _held(table: ScoreTable) -> str:
    """Say how many rounded probabilities of 0 or 1 count as half of a digit; "" for none."""
    half = held_at(table)
    to = " and ".join(f"{abs(end - half):.7f}".rstrip("0") for end, *_ in at_ends(table))
    return f"{_counted_ends(table)} count as {to}, half of their last digit" if half else ""


def _no_slope(table: ScoreTable) -> str:
    """Return the one reason why log odds and truth do not give a line, with its rows."""
    if not (table.positives and table.negatives):
        return "every row is of one class"
    if at_ends(table) and not held_at(table):
        fine = 0 < half_digit(table.threshold) < COARSE
        why = (
            "were wrong more often than rounding explains"
            if fine
            else "are not known to be rounded"
        )
        return f"{_counted_ends(table)} have infinite log odds, and {why}"
    if len(table.threshold) == 1:
        return "every row has the same probability"
    return "the probabilities tell the classes apart without error"


def with_reasons(made: Estimates, table: ScoreTable | None) -> Estimates:
    """Return estimates of which those from log odds say what holds here, of several reasons.

    That is why there is none, or which probabilities count as half of a digit.
    """
    if table is None or not table.n:
        return made
    found, held = {key: made[key] for key in made}, _held(table)
    for key in ("calibration_slope", "calibration_intercept", "calibration_in_the_large"):
        own = found[key]
        if not own.defined:
            found[key] = replace(own, why=_no_slope(table))
        elif held:
            found[key] = replace(own, note="; ".join(filter(None, [own.note, held])))
    return found


def _method(method: str) -> str:
    """Return the name of a method as it begins a sentence."""
    called = RECALIBRATED_BY[method]
    return called[0].upper() + called[1:]


LIKELIEST = "likeliest class"


CLASSES_AT_MOST = 100
"""So many classes are shown, the worst ones."""


SURE = 0.05
"""The p value below which miscalibration is called sure: the usual level."""


def of_class_probabilities(made: ClassCalibration) -> str:
    """Return which classes have probabilities that are surely not the true ones."""
    sure = [name for name, p_value in made.p_values.items() if p_value < SURE]
    worst = next(iter(made.classes))
    error = text.with_interval(made.classes[worst]["ece"])
    far = f"The worst calibration error is that of {words.called(worst)}: {error}."
    judged = f"off by Spiegelhalter’s test of all its rows (adjusted p below {SURE})"
    if not sure:
        return f"No class is shown to be {judged}. {far}"
    which = f"({words.called(sure[0])}) is" if len(sure) == 1 else "are"
    return f"{len(sure)} of {counted(len(made.classes), 'class')} {which} {judged}. {far}"


def about_classes(made: ClassCalibration, decided: str) -> str:
    """Return what the rows of the table are, and what they hide."""
    left_out = len(made.classes) - CLASSES_AT_MOST
    cut = f" The {CLASSES_AT_MOST} worst are shown; {left_out:,} are not." if left_out > 0 else ""
    return (
        f"{decided[0].upper()}{decided[1:]}: the largest probability of each row, right where "
        "that class is the true one (confidence calibration). Other rows: the class against all "
        "others (class-wise calibration), whose errors have a mean of "
        f"{text.number(made.mean.value)}; it has no interval, since all classes share rows. A "
        "rare class easily has a small error: nearly all of its probabilities are near 0, and "
        f"right. Brackets: 95% intervals, unadjusted.{cut}"
    )


LACKING = "A class with a share of all cases has no rows here."


def of_certainty(found: Certainty, unit: str | None) -> str:
    """Return what judging a threshold on the rows it was chosen on hides.

    `unit` is the column whose rows depend on each other, if there is one.
    """
    if found.drawn is None:
        return "That needs at least one row of each class."
    shared = None if unit is None else escape.visible(text.abbreviate(unit, 40))
    if found.halves is None:
        if shared is None:
            return "Testing it on half of the rows needs two rows of each class."
        return f"Not tested on half of the rows, since those of one “{shared}” stay together."
    together = f", rows of one “{shared}” together" if shared else ""
    own, other = found.halves.own, found.halves.other
    said = (
        f"Chosen on one half of the rows, a case costs {size(own)} on that half and {size(other)} "
        f"on the other (mean of {found.halves.splits} random halves{together})"
    )
    cheaper = ": a threshold looks cheaper on the rows it was chosen on." if other > own else "."
    return said + cheaper


def of_class_costs(made: ClassCosts, who: str) -> tuple[str, str]:
    """Return what weighing the costs saves, and whether that is sure."""
    if math.isnan(made.saved):
        return "The cost of these decisions is unknown", LACKING
    if not made.changed:
        return (
            f"With these costs, the likeliest class of {who} is always the cheapest",
            "Change a cost to see what allowing for it would save.",
        )
    low = float(made.saved_interval.low)
    saved = f"saves {around(made.saved, made.saved_interval, low_to_high)} a case"
    lead = f"It decides {percent(made.changed)} of the cases differently, and {saved}."
    if made.saved < 0:
        lead += (
            " Less than 0 is a loss: these probabilities are not accurate enough to decide by "
            "costs."
        )
    sure = "saves" if low > 0 else "may save" if made.saved > 0 else "does not save"
    return f"Deciding by costs {sure} money with {who}", lead


def about_shares(shares: Floats | None) -> str:
    """Return how the classes are weighed."""
    if shares is None:
        return "Class shares are those of these rows, unless you enter others."
    total = float(shares.sum())
    added = "" if abs(total - 100) < 0.05 else f", in proportion: they add up to {total:.4g}%"
    return (
        f"Each class counts by the share you entered{added}; the probabilities are adjusted to "
        "these shares first. Within a class, new cases are assumed to be like these rows."
    )


def of_metrics(found: Mapping[str, results.Comparison]) -> tuple[str, str]:
    """Return by how many metrics each model has the best value, and which are shown to be ahead."""
    leaders = (text.abbreviate(_leader(made), 40) for made in found.values())
    led = Counter(filter(None, leaders)).most_common()
    metrics = f"{len(found):,} metrics"
    if not led:
        return "No model alone has the best value by any metric", ""
    (first, times), *others = led
    if len(found) == 1:
        (made,) = found.values()
        said = f"{first} has the best {within_sentence(made.metric_name)}"
    elif times == len(found):
        all_of_them = "both" if times == 2 else f"all {times:,}"
        said = f"{first} has the best value by {all_of_them} metrics"
    else:
        said = f"{first} has the best value by {times:,} of {metrics}"
        if others:
            said += f", {joined([f'{name} by {count:,}' for name, count in others])}"
    winners = {made.verdict.winner or "" for made in found.values()} - {""}
    others_are = "the other" if len(next(iter(found.values())).models) == 2 else "every other"
    told = [
        f"{text.abbreviate(name, 40)} is shown to be better than {others_are} by "
        + joined(
            [within_sentence(m.metric_name) for m in found.values() if m.verdict.winner == name]
        )
        for name in winners
    ]
    lead = (
        f"{'; '.join(sorted(told))}."
        if told
        else f"No metric shows one model to be better than {others_are}."
    )
    return escape.visible(said), escape.visible(lead)


def _leader(made: results.Comparison) -> str:
    """Return the model with the best value; "" where several share it."""
    first = [name for name, place in places_of(made).items() if place == 1]
    return first[0] if len(first) == 1 else ""


def places_of(made: results.Comparison) -> Mapping[str, float]:
    """Return the place of each model; equal values share their mean place."""
    values = pd.Series({name: e.value for name, e in made.models.items()}, dtype=float)
    rank = values.rank(ascending=made.better is Better.LOWER)
    return {str(name): float(place) for name, place in rank.items()}


def estimates_of_cost(found: Certainty) -> list[dict[str, str]]:
    """Return the cost of a case at the cheapest threshold, as each way of judging it has it."""
    drawn, halves, folds = found.drawn, found.halves, found.folds
    assert drawn is not None
    # Where nothing is flagged no rate is estimated, and the cost is known.
    is_known = np.isinf(drawn.chosen.threshold)
    own, mended = drawn.chosen.cost, drawn.chosen.cost + drawn.optimism
    plain = size(own) if is_known else around(own, drawn.uncorrected)
    corrected = size(mended) if is_known else around(mended, drawn.cost)
    rows = [
        ("on the rows it was chosen on", plain, "tends to be too low"),
        ("corrected by the bootstrap", corrected, f"adds {size(drawn.optimism)}"),
    ]
    if halves is not None:
        rows.append(("on the other half", size(halves.other), "chosen on half; no interval"))
    if folds is not None:
        chosen = [score(end) for end in (min(folds.thresholds), max(folds.thresholds))]
        note = f"thresholds {' to '.join(dict.fromkeys(chosen))}"
        rows.append(("out of fold", around(folds.cost, folds.interval), note))
    return [{"judged": a, "cost of a case": b, "note": c} for a, b, c in rows]


def of_a_day(
    counts: BinaryCounts, share: float, many: int, given: UnitCosts | None
) -> dict[str, str]:
    """Return what decisions bring in a day with so many cases, of which a share are positive."""
    tpr, fpr = rates(counts)
    fixed = tpr == fpr and tpr in (0, 1)

    def between(
        by_tpr: float, by_fpr: float, start: float = 0.0, show: Callable[[float], str] = cases
    ) -> str:
        value = start + by_tpr * tpr + by_fpr * fpr
        if np.isnan(value):
            return "undefined"
        if fixed:
            return show(many * value)
        ends = closed.of_two_rates(counts, by_tpr, by_fpr)
        low, high = (many * (start + float(end)) for end in (ends.low, ends.high))
        return text.with_ends(many * value, low, high, show, text.low_dash_high)

    told = {
        "alerts": between(share, 1 - share),
        "of them right": between(share, 0.0),
        "missed": between(-share, 0.0, share),
    }
    if given is None:
        return told
    cost = between(-given.of_finding, given.of_flagging, given.of_nothing, money)
    found = optimum.weighted_accuracy(given, counts)
    weighted = percent(found.value) if fixed and found.defined else share_or_undefined(found)
    return {**told, "cost": cost, "weighted accuracy": weighted}


def share_or_undefined(found: Estimate) -> str:
    """Return a share with its interval; "undefined" without one."""
    if found.low is None or found.high is None:
        return "undefined"
    ends = text.low_dash_high(percent(found.low), percent(found.high))
    return f"{percent(found.value)} ({ends})"


def rates(counts: BinaryCounts) -> tuple[float, float]:
    """Return true and false positive rate; NaN without rows of the class."""
    positives, negatives = float(counts.positives), float(counts.negatives)
    return float(counts.tp) / (positives or np.nan), float(counts.fp) / (negatives or np.nan)


def promise(told: Coverage) -> str:
    """Return the share that an interval should hold."""
    return f"{100 * told.promised:.3g}%"


def of_interval(widest: errors.Stated) -> str:
    """Return whether an interval holds as often as it says."""
    told = widest.coverage
    share = low_to_high(percent(told.low), percent(told.high))
    sure = f"95% interval of that share {share}"
    taken = "" if widest.said else f"Its share is not in the file: {promise(told)} is assumed. "
    if told.high < told.promised:
        return f"{taken}It covers less than stated ({sure})."
    if told.low > told.promised:
        return f"{taken}It covers more than stated, and could be narrower ({sure})."
    return f"{taken}These rows do not contradict its stated share ({sure})."


def interval_row(name: str, one: errors.Stated) -> dict[str, str]:
    """Return an interval of a model as a row of texts."""
    told = one.coverage
    above = max(0.0, 1 - told.share - told.below)
    return {
        "model": escape.visible(text.abbreviate(name, 40)),
        "interval": f"{escape.visible(one.lower)} to {escape.visible(one.upper)}",
        "should hold": f"{promise(told)}{'' if one.said else ' (assumed)'}",
        "holds": _between(percent, told.share, told.low, told.high),
        "truth below": percent(told.below),
        "truth above": percent(above),
        "mean width": _between(size, told.width, told.width_low, told.width_high),
        "interval score": "undefined" if math.isnan(told.score) else size(told.score),
    }


def _between(write: Callable[[float], str], value: float, low: float, high: float) -> str:
    """Write a number with its interval, where it has one."""
    if math.isnan(value):
        return "undefined"
    return (
        write(value)
        if math.isnan(low)
        else text.with_ends(value, low, high, write, text.low_dash_high)
    )


ADD_UP = 1e-6
"""Relative rounding within which two sums of squares add up to a third."""


def of_sums(tss: float, ess: float, rss: float, r2: float, r: float) -> str:
    """Return whether the sums of squares add up, and R² beside the squared correlation."""
    square = f"The squared correlation is {text.number(r * r)}, R² is {text.number(r2)}"
    if math.isclose(tss, ess + rss, rel_tol=ADD_UP):
        return f"Here TSS = ESS + RSS, as for least squares on the rows it was fitted to. {square}."
    gap = text.number(tss - ess - rss)
    return (
        f"TSS − ESS − RSS = {gap}: the sums add up only for a least-squares model on the rows "
        f"it was fitted to. {square}: the correlation ignores a wrong scale or level, R² does not."
    )


def normal_shares(rows: tuple[float, ...]) -> str:
    """Write what share of the squared error the largest errors have if all are normal."""
    from scipy.special import ndtri
    from scipy.stats import norm

    cuts = [float(-ndtri(share / 2)) for share in rows]
    shares = [share + 2 * cut * float(norm.pdf(cut)) for share, cut in zip(rows, cuts, strict=True)]
    return ", ".join(percent(share) for share in shares)


def cost_cells(made: Decided, volume: int) -> dict[str, str]:
    """Return what decisions cost, a case and a day of so many, as texts."""
    known = not math.isnan(made.cost)
    return {
        "cost of a case": around(made.cost, made.interval) if known else "undefined",
        "cost per day": size(volume * made.cost) if known else "undefined",
    }


def cost_row(name: str, made: optimum.Judged, volume: int) -> dict[str, str]:
    """Return what the decisions of a model cost, as a row of a table."""
    row = {"model": escape.visible(text.abbreviate(name, 40)), **cost_cells(made, volume)}
    row["cost of all rows"] = money(made.metrics["total_cost"].value)
    if (weighted := made.metrics.get("weighted_accuracy")) is not None:
        row["weighted accuracy"] = share_or_undefined(weighted)
    return row


def of_cheapest(made: results.Comparison) -> str:
    """Return which model costs least at its own threshold, and by how much."""
    return f"{sentences.reason(made) or 'Nothing tells their costs apart'}."
