"""What a figure for a notebook looks at: data, options, and a model.

The functions for a notebook take what `evalcore` gives and, by keyword, what is looked at.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.outcomes import ClassOutcomes, Floats, NumericOutcomes
from evalcore.results import ClusteringEvaluation, Evaluation, ModelTables
from evalcore.tables.classes import ClassScores
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Dataset
from evalview import words
from evalview.figures import theme

Data = Dataset | Evaluation

SKETCHED = 400
"""Rows of a score table from which a curve is drawn; no screen shows more."""

NO_FIGURE = "no-figure"
"""Code of the refusal to draw what the data do not hold."""


@dataclass(frozen=True, eq=False)
class View:
    """Data, and what is looked at.

    What the data do not hold is refused with an `EvalError` whose code is `NO_FIGURE`.
    """

    dataset: Dataset
    options: Options
    model: str

    @cached_property
    def tables(self) -> Mapping[str, ModelTables]:
        """The count tables of every model."""
        from evalcore.evaluation.condense import condense

        return condense(self.dataset)

    @property
    def own_tables(self) -> ModelTables:
        """The count tables of the model."""
        if self.model not in self.tables:
            raise EvalError(NO_FIGURE, f'"{self.model}" predicts neither classes nor numbers.')
        return self.tables[self.model]

    @property
    def threshold(self) -> float:
        """Where the model decides."""
        return self.options.threshold_of(self.model)

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes."""
        return len(self.dataset.classes) == 2

    @property
    def table(self) -> ScoreTable:
        """The scores of the model, of two classes."""
        table = self.own_tables.scores
        if table is None:
            raise EvalError(NO_FIGURE, f'"{self.model}" gives no scores of two classes.')
        return table

    @property
    def class_scores(self) -> ClassScores:
        """The probabilities of the model, of several classes."""
        scores = self.own_tables.class_scores
        if scores is None:
            raise EvalError(NO_FIGURE, f'"{self.model}" gives no probabilities of classes.')
        return scores

    @property
    def class_outcomes(self) -> ClassOutcomes:
        """The rows of the model, of several classes."""
        found = self.dataset.models.get(self.model)
        if not isinstance(found, ClassOutcomes):
            raise EvalError(NO_FIGURE, f'"{self.model}" does not predict several classes.')
        return found

    @property
    def numbers(self) -> NumericOutcomes:
        """The truth and the predicted numbers of the model."""
        found = self.dataset.models.get(self.model)
        if not isinstance(found, NumericOutcomes):
            raise EvalError(NO_FIGURE, f'"{self.model}" predicts no numbers.')
        return found

    @property
    def error(self) -> Floats:
        """(n,) errors of the predicted numbers."""
        return self.numbers.prediction - self.numbers.truth

    @property
    def clustering(self) -> ClusteringEvaluation:
        """Every number of the clustering."""
        from evalcore.evaluation.clusterings import evaluate_clustering

        if self.model not in self.dataset.clusterings:
            raise EvalError(NO_FIGURE, f'"{self.model}" is not a clustering.')
        return evaluate_clustering(self.dataset, self.model, self.options)

    @property
    def scene(self) -> theme.Scene:
        """The models in the order of the file, that which is looked at in front."""
        scene = theme.Scene(
            names=tuple(names_of(self.dataset)),
            chosen=self.model,
            called=words.spoken(self.dataset, self.model),
        )
        if not self.is_binary:
            return scene
        negative, positive = map(words.named, self.dataset.classes)
        return replace(scene, positive=positive, negative=negative, threshold=self.threshold)

    def scene_of(self, label: str | None) -> theme.Scene:
        """Return the scene without a threshold; of several classes that of `label`."""
        if self.is_binary:
            return replace(self.scene, threshold=None)
        return replace(self.scene, positive=words.named(self.label(label)), negative="other")

    def label(self, label: str | None) -> str:
        """Return the class that is set against all others: the first one if left out."""
        classes = self.class_outcomes.classes
        return classes[0] if label is None else label

    def scores(self) -> dict[str, ScoreTable]:
        """Return the scores of every model, of two classes."""
        assert self.table is not None  # refuses what has no scores
        found = {name: made.scores for name, made in self.tables.items()}
        return {name: table for name, table in found.items() if table is not None}

    def probabilities(self, label: str | None) -> dict[str, ScoreTable]:
        """Return the probabilities of every model; of several classes those of `label`."""
        if self.is_binary:
            every = self.scores()
            return {name: every[name] for name in every if self.tables[name].probability}
        code = self.class_scores.classes.index(self.label(label))
        found = {name: made.class_scores for name, made in self.tables.items()}
        tables = {n: scores.one_vs_rest[code] for n, scores in found.items() if scores is not None}
        return {name: table for name, table in tables.items() if table is not None}

    def own_probabilities(self, label: str | None) -> ScoreTable:
        """Return the probabilities of the model; of several classes those of `label`."""
        table = self.probabilities(label).get(self.model)
        if table is None:
            raise EvalError(NO_FIGURE, f'"{self.model}" gives no probabilities.')
        return table


def names_of(dataset: Dataset) -> tuple[str, ...]:
    """Return the models, those that folds were scored with, or the clusterings."""
    if dataset.fold_scores is not None:
        return tuple(dataset.fold_scores.models)
    return tuple(dataset.models or dataset.clusterings)


def view_of(data: Data, model: str | None = None, threshold: float | None = None) -> View:
    """Return what is looked at: the first model, and the threshold of the data, if left out.

    Raises:
        EvalError: "no-such-model": there is no model of that name.
    """
    if isinstance(data, Evaluation):
        dataset, options = data.dataset, data.options
        assert isinstance(dataset, Dataset)
    else:
        dataset, options = data, Options(threshold=data.threshold)
    if threshold is not None:
        options = replace(options, threshold=threshold, own_thresholds=())
    names = names_of(dataset)
    if model is not None and model not in names:
        raise EvalError("no-such-model", f'There is no "{model}": there are {", ".join(names)}.')
    return View(dataset, options, names[0] if model is None else model)
