"""Files too large to hold: batches of rows are bound, condensed and let go; the tables add up."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.errors import ROWS_LISTED, EvalError, Notice
from evalcore.evaluation.condense import MOST_SCORES, add_tables, condense, limited
from evalcore.options import Options
from evalcore.outcomes import Outcomes
from evalcore.results import Evaluation, ModelTables
from evalcore.tables.scores import area_in_doubt
from evalcore.work import NO_PROGRESS, Progress
from evalread.binding import bind, digest_of
from evalread.dataset import NO_CHOICES, Choices, Dataset, Missing, Roles, Table, Task
from evalread.detection.profile import WORDS, plain
from evalread.detection.roles import detect
from evalread.loading import ignoring, load, refuse_unknown
from evalread.notices import notice, refusal
from evalread.readers.columnar import LargeParquet, coded
from evalread.tools import recognise

_OF_ALL_ROWS = frozenset({"hard-labels", "confidence", "repeated-rows", "repeated-id"})
"""Notices about every row, which are true only if each batch says them."""

_ADDED_UP = frozenset({"missing-truth", "missing-score", "missing-label", "missing-values"})
"""Notices that are made once for all rows."""


@dataclass(frozen=True, eq=False)
class Streamed:
    """A file that was condensed without being held.

    Attributes:
        dataset: What was read: its table holds a sample of the rows, and it holds no outcomes.
        tables: The count tables of every model, over all rows.
    """

    dataset: Dataset
    tables: Mapping[str, ModelTables]


def condense_file(path: Path, choices: Choices = NO_CHOICES) -> Streamed | None:
    """Condense a large Parquet file batch by batch; None where it is to be read as a whole.

    That is any other file, and a file whose tables do not add up or whose rows are needed at once:
    probabilities of more than two classes, predicted numbers, a row per model, clusterings.

    Raises:
        EvalError: The file cannot be used; the message says what is wrong and what to do.
    """
    file = LargeParquet.open(path)
    said = choices.model or choices.model_columns or choices.missing is Missing.WRONG
    if file is None or said or any(plain(name) in WORDS.model for name in file.names):
        return None
    sample = recognise(file.sample())
    if sample.names != file.names:
        return None
    sample = refuse_unknown(ignoring(sample, choices), choices)
    roles = detect(sample, choices)
    labels: Mapping[str, Any] = {}
    if _adds_up(roles):  # roles are found again with all labels of the file
        labels = file.distinct(_label_columns(roles))
        roles = detect(replace(sample, columns=coded(sample.columns, labels)), choices)
    if not _adds_up(roles):
        return None
    numbers = (*(model.score for model in roles.models.values()), roles.weight)
    columns = dict.fromkeys([*_label_columns(roles), *filter(None, numbers)])
    sums = _Sums(roles)
    for table in file.tables([*columns], labels):
        sums.take(table)
    return sums.streamed(replace(sample, source=replace(sample.source, rows=sums.rows)))


def _adds_up(roles: Roles) -> bool:
    if roles.task is Task.MULTICLASS:
        return not any(model.probabilities for model in roles.models.values())
    return roles.task is Task.BINARY


def _label_columns(roles: Roles) -> list[str]:
    labels = [model.label for model in roles.models.values()]
    return [*dict.fromkeys(filter(None, (roles.truth, *labels, roles.fold)))]


@dataclass
class _Sums:
    """What the batches so far add up to."""

    roles: Roles
    classes: tuple[str, ...] = ()
    rows: int = 0
    batches: int = 0
    tables: dict[str, ModelTables] = field(default_factory=dict)
    used: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, list[int]] = field(default_factory=dict)
    notices: dict[Notice, list[str]] = field(default_factory=dict)

    def take(self, table: Table) -> None:
        """Add a batch of rows."""
        where = f"rows {self.rows + 1:,} to {self.rows + table.n:,}"
        try:
            parts = list(_bound(table, self.roles))
        except EvalError as error:
            raise _located(error, self.rows, where) from None
        found = {name: model for part in parts for name, model in part.models.items()}
        for name in self.roles.models:
            self._count(name, found.get(name), table.n)
        for part in parts:
            self.classes = part.classes
            for name, tables in condense(part).items():
                self._add(name, limited(tables))
        for said in dict.fromkeys(said for part in parts for said in part.notices):
            self.notices.setdefault(said, []).append(where)
        self.rows += table.n
        self.batches += 1

    def _add(self, name: str, tables: ModelTables) -> None:
        known, model = self.tables.get(name), self.roles.models[name]
        if known is None:
            self.tables[name] = tables
            return
        of_other_class = model.score == model.probabilities.get(self.classes[0])
        turned = of_other_class or self.roles.reverse
        if turned and known.probability is not tables.probability:
            # A probability is turned to 1 minus it, another score to its negative.
            raise refusal("not-probability/parts", column=model.score)
        self.tables[name] = add_tables(known, tables)

    def _count(self, name: str, outcomes: Outcomes | None, rows: int) -> None:
        """Count the rows on which a model is judged, and list the others."""
        self.used[name] += outcomes.n if outcomes else 0
        listed = self.left_out.setdefault(name, [])
        if len(listed) < ROWS_LISTED and (outcomes is None or outcomes.rows is not None):
            lost = np.ones(rows, np.bool_)
            if outcomes is not None and outcomes.rows is not None:
                lost[outcomes.rows - 1] = False
            places = np.flatnonzero(lost)[: ROWS_LISTED - len(listed)]
            listed += (places + 1 + self.rows).tolist()

    def streamed(self, table: Table) -> Streamed:
        """Return the sums, over the table they are of."""
        for name in self.roles.models:
            if name not in self.tables:
                raise refusal("no-rows/streamed", model=name)
        dataset = Dataset(
            digest=digest_of(table, self.roles),
            table=table,
            roles=self.roles,
            classes=self.classes,
            models=MappingProxyType({}),
            notices=tuple(dict.fromkeys([*table.notices, *self._notices()])),
            rows_streamed=max(self.used.values()),
        )
        return Streamed(dataset, MappingProxyType(self.tables))

    def _notices(self) -> Iterator[Notice]:
        if unit := self.roles.unit:
            yield notice("groups-not-drawn", column=unit)
        yield notice("streamed", count=self.rows)
        for said, where in self.notices.items():
            if len(where) == self.batches:
                yield said
            elif said.code not in _OF_ALL_ROWS | _ADDED_UP:
                more = f", and in {len(where) - 1} further parts" if len(where) > 1 else ""
                yield replace(said, message=f"In {where[0]}{more}: {said.message}", rows=())
        lacking = "truth, score, label or weight" if self.roles.weight else "truth, score or label"
        for name, tables in self.tables.items():
            if gone := self.rows - self.used[name]:
                about: dict[str, Any] = {"rows": self.left_out[name], "model": name}
                about |= {"count": gone, "all": self.rows, "used": self.used[name]}
                yield notice("missing-values/streamed", lacking=lacking, **about)
            if tables.grouped and tables.scores is not None:
                doubt = area_in_doubt(tables.scores)
                yield notice("grouped-scores", model=name, most=MOST_SCORES, doubt=doubt)


def _bound(table: Table, roles: Roles) -> Iterator[Dataset]:
    """Bind a batch; a model that has no complete row in it is left out of it."""
    bare = replace(roles, id=None, group=None)
    try:
        yield bind(table, bare)
    except EvalError as error:
        if error.code != "no-rows":
            raise
        if len(roles.models) > 1:
            for name, model in roles.models.items():
                yield from _bound(table, replace(bare, models={name: model}))


def _located(error: EvalError, before: int, where: str) -> EvalError:
    """Say in which batch an error arose; its message counts rows from the first of them."""
    if not before:
        return error
    return EvalError(
        error.code,
        f"In {where}, counted from 1: {error.message}",
        rows=[row + before for row in error.rows],
        column=error.column,
        offers=error.offers,
    )


def evaluate_file(
    path: Path, options: Options, choices: Choices = NO_CHOICES, progress: Progress = NO_PROGRESS
) -> Evaluation:
    """Return every number of every model in a file.

    A Parquet file too large to hold is read batch by batch; of more than a million distinct
    scores, those that are nearly equal are counted as one then, which a notice says.

    Raises:
        EvalError: The file cannot be used; the message says what is wrong and what to do.
        OSError: The file cannot be opened.
    """
    from evalcore.evaluate import evaluate, evaluate_tables  # reading alone never needs it

    streamed = condense_file(path, choices)
    if streamed is None:
        return evaluate(load([(path.name, path.read_bytes())], choices), options, progress)
    return evaluate_tables(streamed.dataset, streamed.tables, options, progress)
