"""Known tools: how a file of each is recognised, and what its columns and cells mean."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.text import listed
from evalread.columns import as_labels, as_numbers
from evalread.dataset import Choices, Scale, Table
from evalread.detection.correct import proven
from evalread.detection.folds import caret_resamples, cross_validated, cv_results
from evalread.detection.longform import joined_cells, settings_as_models
from evalread.detection.profile import WORDS, Profile, lowered, plain, profile, speaks_of_prediction
from evalread.detection.scores import label_of_high
from evalread.notices import notice, paragraphs, refusal
from evalread.rewriting import (
    PAIRED_LISTS,
    overlay,
    parsed,
    rewrite,
    rows_sum_to_one,
    spread,
    text,
    with_columns,
    with_notice,
)


def recognise(table: Table) -> Table:
    """Return the table with what the first fitting tool tells; as it is where none fits.

    A tool whose truth is another column than the one that values prove is met by chance.
    """
    if table.source.tool is not None:
        return table  # its layout has told already
    for signature in TOOLS:
        found = signature.read(table)
        if found is not None and not _disproved(found):
            return found
    return table


def _disproved(table: Table) -> bool:
    told, proof = table.hints.truth, proven(table)
    return bool(told and proof and proof.truth != told)


_HOLES = {hole: f"(?P<{hole}>.+?)" for hole in ("target", "of", "model")}
"""What stands in a pattern for the name of the truth, of a class and of a model."""

_NAME = re.compile(r"[\w #]+")
"""A pattern that is a name itself, as most are: it needs no search among all names."""


@dataclass(frozen=True)
class Signature:
    """The prediction file of one tool; `tools.txt` says what its fields mean."""

    tool: str
    columns: str
    says: str
    fields: Mapping[str, tuple[str, ...]]

    def __getitem__(self, field: str) -> tuple[str, ...]:
        """Return what a field says; nothing where it is not there."""
        return self.fields.get(field, ())

    def read(self, table: Table) -> Table | None:
        """Return the table with plain columns and their roles if this tool wrote it, else None."""
        found: Table | None = table if self._names(table) else None
        for function in self["reads"]:
            found = found and _READS[function](found)
        if found is None:
            return None
        for said in self["spread"]:
            pattern, _, beside = said.partition(" beside ")
            for one in list(_matches((pattern,), found)):
                found = spread(found, one["column"], beside)
        found = with_columns(found, {}, drop=[m["column"] for m in _matches(self["drop"], found)])
        roles: Choices | None = overlay(found.hints, self._roles(found))
        if roles and self["sums"]:
            roles = _of_whole_rows(roles, found)
        if roles is None:
            return None
        says = self.says.replace("`", '"')
        said_of = notice("tool", tool=self.tool, says=says)
        source = replace(found.source, tool=self.tool)
        return with_notice(
            replace(found, source=source, hints=_with_numbers(roles, found)), said_of
        )

    def _names(self, table: Table) -> bool:
        """Return whether the columns are called as this tool calls them."""
        only = (one["column"] for one in _matches(self["only"], table))
        return (
            all(any(_matches((need,), table)) for need in self["needs"])
            and not any(_matches(self["lacks"], table))
            and self["first"] in ((), table.names[:1])
            and (not self["only"] or len(set(only)) == len(table.names))
        )

    def _roles(self, table: Table) -> Choices:
        """Return the roles of the columns, about the target that most columns speak of."""
        about = (*self["label"], *self["prediction"])
        named = {m["target"] for m in _matches(about, table) if "target" in m}
        targets: list[str | None] = [*sorted(named, key=len)]
        return max(
            [self._roles_about(table, target) for target in targets or [None]],
            key=lambda roles: (roles.probabilities is not None, roles.truth is not None),
        )

    def _roles_about(self, table: Table, target: str | None) -> Choices:
        def column(field: str) -> str | None:
            return next((m["column"] for m in _matches(self[field], table, target)), None)

        def by_model(field: str) -> dict[str, str]:
            found: dict[str, str] = {}
            for one in _matches(self[field], table, target):
                found.setdefault(one.get("model", ""), one["column"])
            return found

        labels, scores = by_model("label"), by_model("score")
        if labels:  # "$LP-drug" is no label of a model "LP", but the score of "$L-drug"
            scores = {model: name for model, name in scores.items() if model in labels}
            labels = {m: name for m, name in labels.items() if name not in scores.values()}
        chances: dict[str, dict[str, str]] = {}
        for one in _matches(self["probability"], table, target):
            chances.setdefault(one.get("model", ""), {})[one["of"]] = one["column"]
        return Choices(
            truth=column("truth") if self["truth"] else target if target in table.columns else None,
            labels=labels or None,
            scores=scores or None,
            predictions=by_model("prediction") or None,
            probabilities=chances or None,
            scale=next(map(Scale, self["scale"]), None),
            fold=column("fold"),
            weight=column("weight"),
            id="" if self["rows"] == ("none",) else column("rows"),
        )


def _matches(
    patterns: Sequence[str], table: Table, target: str | None = None
) -> Iterator[dict[str, str]]:
    """Yield the groups of every column that matches, with the column itself."""
    holes = _HOLES if target is None else {**_HOLES, "target": re.escape(target)}
    for pattern in patterns:
        for hole, stands_for in holes.items():
            pattern = pattern.replace("{" + hole + "}", stands_for)
        rule = re.compile(pattern)
        itself = _NAME.fullmatch(pattern)
        for name in table.columns.keys() & {pattern} if itself else table.names:
            if match := rule.fullmatch(name):
                groups = {key: value for key, value in match.groupdict().items() if value}
                yield {"column": name, **groups}


def _of_whole_rows(hints: Choices, table: Table) -> Choices | None:
    """Return the roles of models whose probabilities add up to one; None where there is none.

    They are of all classes, or of those that a model predicts, if it predicts no others.
    """
    chances: dict[str, Mapping[str, str]] = {}
    labels = hints.labels or {}
    for model, of in (hints.probabilities or {}).items():
        said = profile(table, labels[model]) if model in labels else None
        if said is None or said.holds_only(of):
            predicted = {c: column for c, column in of.items() if said and c in said.labels}
            for way in (of, predicted):
                if model not in chances and rows_sum_to_one(table, [*way.values()]):
                    chances[model] = way
    own = {model: column for model, column in labels.items() if model in chances}
    return replace(hints, labels=own or None, probabilities=chances) if chances else None


def _with_numbers(hints: Choices, table: Table) -> Choices:
    """Take what a tool calls a prediction for a number where it, or the truth, is no label.

    Whole numbers may be many labels; a probability for each says that they are.
    """
    labels, scores = hints.labels or {}, hints.scores
    of_number = hints.truth is not None and profile(table, hints.truth).continuous
    numeric = of_number or any(profile(table, column).continuous for column in labels.values())
    if hints.probabilities or not numeric:
        return hints
    # The same holds for scores of a tool that has one name for both, if the truth is a number.
    said = {**(scores or {}), **labels} if of_number else labels
    numbers = {m: column for m, column in said.items() if profile(table, column).numeric}
    return replace(
        hints,
        labels={m: column for m, column in labels.items() if m not in numbers} or None,
        scores=None if of_number else scores,
        predictions={**(hints.predictions or {}), **numbers} or None,
    )


def weka(table: Table) -> Table:
    """Split "1:yes" at the first colon, read "?" as missing, tell the folds apart.

    Each column of a distribution is named after the class that has its number in the labels.
    """
    numbered: dict[str, str] = {}
    changed = {}
    for name in ("actual", "predicted"):
        changed[name] = rewrite(table.columns[name], name, _weka_label)
        cells = as_labels(table.columns[name], name).names
        numbered |= {cell.partition(":")[0]: _weka_label(cell) for cell in cells if ":" in cell}
    # The column "distribution" and the nameless ones to its right.
    start = table.names.index("distribution") if "distribution" in table.names else len(table.names)
    shares = [n for n in table.names[start:] if re.fullmatch(r"distribution|column \d+", n)]
    for place, name in enumerate(shares, start=1):
        called = f"distribution of {numbered.get(str(place)) or f'class {place}'}"
        changed[called] = pc.replace_substring(table.columns[name].cast(pa.string()), "*", "")
    return _with_folds(with_columns(table, changed, drop=shares))


def _weka_label(cell: str) -> str:
    name = cell.partition(":")[2] if ":" in cell else cell
    return "" if name == "?" else name.strip("'")


def weka_numbers(table: Table) -> Table | None:
    """Tell the folds apart of predicted numbers."""
    return _with_folds(table) if profile(table, "actual").mostly_numeric else None


def _with_folds(table: Table) -> Table:
    """Take each new start of `inst#` at 1 for the next fold, if it counts up in between."""
    if "fold" in table.columns or not profile(table, "inst#").whole:
        return table
    counts = as_numbers(table.columns["inst#"], "inst#", table.source).values
    starts = counts == 1
    folds = int(starts.sum())
    if folds < 2 or not starts[0] or not (np.diff(counts)[~starts[1:]] == 1).all():
        return table
    fold = text([str(number) for number in np.cumsum(starts)])
    return with_notice(with_columns(table, {"fold": fold}), notice("folds", count=folds))


def caret(table: Table) -> Table:
    """Make each tuning setting a model."""
    known = {"pred", "obs", "rowIndex", "Resample", "weights", "column 1"}
    classes = {label for n in ("obs", "pred") for label in as_labels(table.columns[n], n).names}
    others = [name for name in table.names if name not in known | classes]
    settings = [name for name in others if name not in _rare_classes(table, classes, others)]
    rows = [name for name in ("rowIndex", "Resample") if name in table.columns]
    return settings_as_models(table, settings, rows, lambda name: f"{name} ")


def _rare_classes(table: Table, classes: Collection[str], others: Sequence[str]) -> Sequence[str]:
    """Return the columns of classes that no row has: without them probabilities sum to less."""
    shares = [name for name in table.names if name in classes]
    if not shares or rows_sum_to_one(table, shares):
        return []
    unit = [name for name in others if profile(table, name).unit]
    ways = [unit, *([name] for name in unit)]
    return next((way for way in ways if rows_sum_to_one(table, [*shares, *way])), [])


def tidymodels(table: Table) -> Table:
    """Make each `.config` a model; a fold of repeated cross-validation has two columns."""
    settings = [name for name in (".config",) if name in table.columns]
    rows = [name for name in (".row", "id", "id2") if name in table.columns]
    with_models = settings_as_models(table, settings, rows, lambda _: "")
    if not {"id", "id2"} <= set(table.names):
        return with_models
    # "Repeat1" and "Fold01".
    fold = joined_cells(table, ["id", "id2"], between=" ")
    hints = overlay(Choices(fold="id and id2"), with_models.hints)
    return replace(with_columns(with_models, {"id and id2": fold}), hints=hints)


_PYCARET = (("prediction_label", "prediction_score"), ("Label", "Score"))
_OF_CLASS = re.compile("prediction_score_.")


def pycaret(table: Table) -> Table | None:
    """Take the target from the place where PyCaret leaves it, if no name tells and only it fits.

    A probability of the predicted label is told from that of one class, cut at a threshold.
    """
    label, score = next(pair for pair in _PYCARET if pair[0] in table.columns)
    before, said = table.names[: table.names.index(label)], profile(table, label)
    fit = [name for name in before if _predicts(said, profile(table, name))]
    if score in table.columns:
        at_home = table.names[-2:] == (label, score) and _sure_of(table, score, label)
        own = label != "Label" or (at_home and fit)
        if not own or label_of_high(table, label, score) is not None:
            return None
    elif table.names[-1] != label and not any(map(_OF_CLASS.match, table.names)):
        return None
    named = any(plain(name) in WORDS.truth for name in table.names if name != label)
    if named or not fit or fit != [before[-1]]:
        return table
    by_place = notice("target-by-place", column=fit[0], label=label)
    return with_notice(replace(table, hints=Choices(truth=fit[0])), by_place)


def _sure_of(table: Table, score: str, label: str) -> bool:
    """Return whether a score may be the probability of the label: of two, one half at least."""
    scores = profile(table, score)
    return scores.unit and scores.low >= 1 / max(2, profile(table, label).distinct)


def _predicts(label: Profile, target: Profile) -> bool:
    """Return whether most labels are the same, or numbers lie in the same range."""
    if label.numeric and target.numeric and (label.continuous or target.continuous):
        return not target.counting and label.low <= target.high and target.low <= label.high
    return 2 * len(label.labels & target.labels) > max(len(label.labels), len(target.labels))


def hugging_face(table: Table) -> Table | None:
    """Read "LABEL_1" as the class 1, beside the probability of the label."""
    if not _sure_of(table, "score", "label"):
        return None
    if not all(re.fullmatch(r"LABEL_\d+", name) for name in profile(table, "label").labels):
        return table
    column = rewrite(table.columns["label"], "label", lambda name: name.removeprefix("LABEL_"))
    return with_notice(with_columns(table, {"label": column}), notice("label-numbers"))


def right_or_wrong(table: Table) -> Table:
    """Take a metric of 0 and 1 for right and wrong; each filter is a model."""
    first, *more = _binary_metrics(table)
    plain = with_columns(table, {}, drop=["target"])
    settings = ["filter"] if "filter" in table.columns else []
    with_models = settings_as_models(plain, settings, ["doc_id"], lambda _: "")
    hints = replace(with_models.hints, correct={"": first}, id="doc_id")
    others = f"; {listed(more, 3)} could be used too" if more else ""
    said_of = notice("right-or-wrong/metric", metric=first, others=others)
    return with_notice(replace(with_models, hints=hints), said_of)


def _binary_metrics(table: Table) -> list[str]:
    """Return the metrics, listed or by name, that are 0 or 1 in each row; at least one."""
    told = parsed(table.columns["metrics"][0].as_py()) if "metrics" in table.columns else []
    called = [n for n in table.names if {n, *lowered(n)} & (WORDS.metric | WORDS.marked)]
    names = [n for n in told if n in table.columns] if told and isinstance(told, list) else called
    binary = [name for name in names if profile(table, name).holds_only({"0", "1"})]
    if not binary:
        raise refusal("no-right-or-wrong/metric", known=listed(names, 4) or "none")
    return binary


def datarobot(table: Table) -> Table:
    """Take the positive class, and the threshold if it is one for all rows, from their columns."""
    positive, cuts = (
        as_labels(table.columns[name], name).names if name in table.columns else ()
        for name in ("POSITIVE_CLASS", "THRESHOLD")
    )
    known = positive[0] if len(positive) == 1 else None
    table = replace(table, hints=Choices(positive=known))
    if not cuts:
        return table
    if known is None or len(cuts) > 1 or not profile(table, "THRESHOLD").unit:
        return with_notice(table, notice("own-threshold", cuts=cuts))
    used = notice("own-threshold/used", cuts=cuts)
    return with_notice(replace(table, threshold=float(cuts[0])), used)


def vertex(table: Table) -> Table | None:
    """Match scores to classes, and spread the fields of the instance, the truth perhaps one."""
    first = parsed(table.columns["prediction"][0].as_py())
    if not isinstance(first, dict) or not any(
        all(isinstance(first.get(key), list) for key in keys) for keys in PAIRED_LISTS
    ):
        return None
    found = spread(table, "prediction")
    if "instance" in found.columns and isinstance(
        parsed(table.columns["instance"][0].as_py()), dict
    ):
        found = spread(found, "instance")
    short = {name: name.removeprefix("instance of ") for name in found.names}
    columns = {n if short[n] in found.columns else short[n]: c for n, c in found.columns.items()}
    return replace(found, columns=columns)


def spss(table: Table) -> Table | None:
    """Tell probabilities from predicted numbers; "PRE_2" and "PGR_2" are a second model."""
    others = [name for name in table.names if not re.fullmatch(r"[A-Z]{3}_\d+", name)]
    beside = any(re.fullmatch(r"(PGR|RES)_\d+", name) for name in table.names)
    if not beside and any(map(speaks_of_prediction, others)):
        return None  # a column that is only called so, beside predictions
    saved = {m[1]: m[0] for name in table.names if (m := re.fullmatch(r"PRE_(\d+)", name))}
    called = {number: name if len(saved) > 1 else "" for number, name in saved.items()}
    groups = {called[k]: f"PGR_{k}" for k in saved if f"PGR_{k}" in table.columns}
    numbers = {called[k]: name for k, name in saved.items()}
    chances = bool(groups) or all(profile(table, name).unit for name in saved.values())
    hints = Choices(
        labels=groups or None,
        scores=numbers if chances else None,
        predictions=None if chances else numbers,
    )
    return replace(table, hints=hints)


def sas(table: Table) -> Table | None:
    """Tell decisions on a target from columns of such names beside others that say what is what."""
    names = {name.lower() for name in table.names}
    decided = {name.removeprefix("i_") for name in names if name.startswith("i_")}
    for target in sorted(decided, key=len):
        if any(name.startswith(f"p_{target}") and name != f"p_{target}" for name in names):
            own = re.compile(rf"([a-z]_)?{re.escape(target)}.*", re.IGNORECASE)
            others = [name for name in table.names if not own.fullmatch(name)]
            named = any(plain(name) in WORDS.sure_truth for name in others)
            there = {target, f"f_{target}"} & names and not named
            return table if there or not any(map(speaks_of_prediction, others)) else None
    return None


def numbered_classes(table: Table) -> Table:
    """Call nameless columns after the classes 0, 1, ... that a booster numbers them by."""
    places = {name: f"probability_{place}" for place, name in enumerate(table.names)}
    return replace(table, columns={places[n]: c for n, c in table.columns.items()})


def counted_rows(table: Table) -> Table | None:
    """Tell a table that begins with names or numbers of its rows."""
    first = profile(table, table.names[0])
    return table if first.unique or first.counting else None


_READS: Mapping[str, Callable[[Table], Table | None]] = {
    function.__name__: function
    for function in (
        *(weka, weka_numbers, caret_resamples, caret, tidymodels, cv_results, cross_validated),
        *(pycaret, hugging_face, right_or_wrong, datarobot, vertex, spss, sas),
        *(numbered_classes, counted_rows),
    )
}
"""What `tools.txt` says that reads a table."""

TOOLS: tuple[Signature, ...] = tuple(
    Signature(tool, columns, says, {name: tuple(said.split(", ")) for name, said in lines.items()})
    for (tool, columns, says), lines in paragraphs("tools.txt", 3)
)
"""Every known tool, the most particular first."""
