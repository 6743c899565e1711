"""An evaluation as plain values for JSON, and what was read as such."""

from collections.abc import Mapping

from evalcore.command.serialise.clustering import clustering
from evalcore.command.serialise.common import Json, array, group, notices
from evalcore.intake.model import Dataset, FoldRoles, ModelRoles, Roles
from evalcore.intake.unused import unused
from evalcore.results import Decisions, Estimates, Evaluation, ModelEvaluation


def evaluation(result: Evaluation) -> Json:
    """Return every number of an evaluation, as docs/command-line.md describes it."""
    return {
        "schema": "evalboard.evaluation/1",
        **_data(result.dataset),
        "notices": notices(result.notices),
        "models": {name: _model(made, result) for name, made in result.models.items()},
        "clusterings": {
            name: clustering(made, samples=result.options.samples)
            for name, made in result.clusterings.items()
        },
    }


def inspection(dataset: Dataset) -> Json:
    """Return what was read and which role each column plays, and why; no metric."""
    reasons, positive = dataset.roles.reasons, dataset.roles.positive_reason
    return {
        "schema": "evalboard.inspection/1",
        **_data(dataset),
        "columns": list(dataset.table.names),
        "unused": list(unused(dataset.table, dataset.roles)),
        "reasons": {column: why.text for column, why in reasons.items()},
        "confidence": {column: why.confidence.value for column, why in reasons.items()},
        "positive_reason": positive.text if positive else "",
        "positive_confidence": positive.confidence.value if positive else None,
        "notices": notices(dataset.notices),
    }


def _data(dataset: Dataset) -> Json:
    source = dataset.table.source
    return {
        "source": {
            "name": source.name,
            "format": source.format,
            "tool": source.tool,
            "encoding": source.encoding,
            "separator": source.separator,
            "decimal": source.decimal,
            "thousands": source.thousands,
            "sheet": source.sheet,
            "sha256": source.digest,
            "rows": source.rows,
            "rows_used": dataset.rows_used,
        },
        "task": dataset.roles.task.value,
        "classes": list(dataset.classes),
        "positive": dataset.roles.positive,
        "roles": _roles(dataset.roles),
    }


def _roles(roles: Roles) -> Json:
    return {
        "truth": roles.truth or None,
        "fold": roles.fold,
        "weight": roles.weight,
        "group": roles.group,
        "id": roles.id,
        "models": {name: _columns(model) for name, model in roles.models.items()},
        "clusterings": dict(roles.clusterings),
        "features": list(roles.features),
        "feature_kind": roles.feature_kind.value if roles.features else None,
        "fold_scores": _fold_columns(roles.folds) if roles.folds else None,
    }


def _fold_columns(folds: FoldRoles) -> Json:
    return {
        "metric": folds.metric,
        "scores": dict(folds.scores),
        "named_by": dict(folds.named_by),
        "repeat": folds.repeat,
        "dataset": folds.dataset,
        "train_size": folds.train_size,
        "test_size": folds.test_size,
    }


def _columns(model: ModelRoles) -> Json:
    return {
        "label": model.label,
        "score": model.score,
        "probabilities": dict(model.probabilities),
        "prediction": model.prediction,
    }


def _model(made: ModelEvaluation, result: Evaluation) -> Json:
    said: Json = {
        "n": made.n,
        "confusion": {way: _confusion(part) for way, part in made.decisions.items()},
        "metrics": {name: group(part) for name, part in made.metrics.items()},
    }
    if "threshold" in made.decisions:
        said["threshold"] = result.options.threshold
    return said | {
        "per_class": {name: _groups(part) for name, part in _per_class(made).items()},
        "averages": {way: _groups(part.averages) for way, part in made.decisions.items()},
        "curves": _curves(made),
        "folds": [
            {"fold": fold.fold, "n": fold.n, "metrics": _groups(fold.metrics)}
            for fold in made.folds
        ],
    }


def _per_class(made: ModelEvaluation) -> dict[str, Mapping[str, Estimates]]:
    parts = {way: part.per_class for way, part in made.decisions.items()}
    return parts | ({"ranking": made.class_ranking} if made.class_ranking else {})


def _confusion(part: Decisions) -> Json:
    confusion = part.confusion
    return {"classes": list(confusion.classes), "counts": confusion.counts.tolist()}


def _groups(groups: Mapping[str, Estimates]) -> Json:
    return {name: group(part) for name, part in groups.items()}


def _curves(made: ModelEvaluation) -> Json:
    curves = {
        "roc": (made.roc, ("fpr", "tpr", "threshold")),
        "pr": (made.precision_recall, ("recall", "precision", "threshold")),
        "calibration": (made.calibration, _CALIBRATION),
    }
    return {
        name: {column: array(getattr(curve, column)) for column in columns}
        for name, (curve, columns) in curves.items()
        if curve is not None
    }


_CALIBRATION = (
    "low",
    "high",
    "n",
    "mean_probability",
    "share_positive",
    "share_low",
    "share_high",
)
