"""What the page about calibration says in sentences."""

from collections.abc import Callable
from dataclasses import replace

from evalcore.metrics.spec import Estimate
from evalcore.options import Options
from evalcore.tables.scores import ScoreTable
from pages.figures.scene import Scene
from pages.figures.spoken import at_start
from pages.figures.words import counted, ends, ends_spoken, number, percent, with_interval
from pages.session import calibrated
from pages.session.calibrated import TOGETHER, Recalibrations
from pages.session.question import Question

CALLED = {"platt": "Platt scaling", "isotonic": "isotonic", "temperature": "temperature"}
FEW = 100
"""With fewer rows a diagram of ten bins shows chance more than anything else."""

TINY = 20
"""With fewer rows there is hardly a probability that would not come true, as far as they tell."""


def finding(question: Question, scene: Scene, options: Options) -> tuple[str, str]:
    """Return whether any bin strays for sure, all bins being looked at together."""
    model, who = scene.chosen or "", scene.who
    table = question.tables[model].scores
    found, n = calibrated.estimates(question, model, options), question.tables[model].n
    few = f" Only {counted(n, 'row')}: chance alone bends such a picture." if n < FEW else ""
    lead = f"{_slope(found['calibration_slope'], table)}{few}".strip()
    if table is None or not table.n:
        return f"Can {who} be taken at its word?", "There is no row with a probability."
    if n < TINY:
        return f"{counted(n, 'row')} cannot tell whether {who} can be taken at its word", lead
    together = replace(options, level=1 - (1 - options.level) / options.bins)
    if calibrated.binned(table, together).strays.any():
        return f"{at_start(who)} cannot be taken at its word everywhere", lead
    return f"{at_start(who)} can be taken at its word, as far as {counted(n, 'row')} can tell", lead


def helps(made: Recalibrations) -> str:
    """Return whether any method surely saves something of the Brier score."""
    gaps = {name: one.saved["brier"] for name, one in made.methods.items()}
    sure = {name: gap for name, gap in gaps.items() if gap.low is not None and gap.low > 0}
    level = f"{percent(TOGETHER)} interval, so that all three hold together"
    if sure:
        best = max(sure, key=lambda name: sure[name].value)
        return (
            f"{_called(best)} lowers the Brier score by {saved(sure[best], ends_spoken)}; {level}."
        )
    if not any(gap.defined for gap in gaps.values()):
        return "These rows allow none of the three to be fitted."
    harm = [name for name, gap in gaps.items() if gap.high is not None and gap.high < 0]
    worse = f" {_called(harm[0])} makes it worse." if harm else ""
    return f"None of the three lowers the Brier score for sure ({level}).{worse}"


def how(made: Recalibrations, slope: Estimate) -> str:
    """Return how the probabilities were mapped, and why some were not."""
    folds = counted(made.folds, "fold")
    whose = f"the file's {folds}" if made.own else f"{folds} at random, each class evenly"
    left = f" {counted(made.left_out, 'row')} without a fold left out." if made.left_out else ""
    turned = " Of the three only Platt scaling can turn an order round." if slope.value < 0 else ""
    missing = [one.estimates["brier"].why for one in made.methods.values() if one.table is None]
    why = f" Undefined: {missing[0]}." if missing else ""
    return (
        f"Each fold is mapped by what the other folds ask for ({whose}). Platt scaling and "
        "temperature are fitted to the log odds by maximum likelihood; a log loss of ∞ means that "
        "something happened which was called impossible."
        f"{turned}{left}{why}"
    )


def saved(gap: Estimate, join: Callable[[str, str], str] = ends) -> str:
    """Return what is saved with its interval; such differences are small."""
    if not gap.defined or gap.low is None or gap.high is None:
        return number(gap.value)
    value, low, high = (number(each, 5) for each in (gap.value, gap.low, gap.high))
    return f"{value} ({join(low, high)})"


def _slope(slope: Estimate, table: ScoreTable | None) -> str:
    if not slope.defined or slope.low is None or slope.high is None:
        return "" if table is None or not table.n else f"No calibration slope: {_no_slope(table)}."
    said = f"Calibration slope {with_interval(slope)}: "
    if slope.high < 0:
        return said + "the probabilities run backwards; the higher, the less often they come true."
    if slope.high < 1:
        return said + "the probabilities are too extreme."
    if slope.low > 1:
        return said + "the probabilities are too timid."
    return said + "neither too extreme nor too timid, as far as these rows can tell."


def _no_slope(table: ScoreTable) -> str:
    """Return why log odds and truth do not give a line."""
    if not (table.positives and table.negatives):
        return "every row is of one class"
    if table.threshold[0] == 1 or table.threshold[-1] == 0:
        return "a probability is exactly 0 or 1, so its log odds are infinite"
    if len(table.threshold) == 1:
        return "every row has the same probability"
    return "the probabilities tell the classes apart without error"


def _called(method: str) -> str:
    """Return the name of a method as it begins a sentence."""
    return CALLED[method][0].upper() + CALLED[method][1:]
