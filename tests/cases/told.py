"""Where the JSON of an evaluation tells what a case expects."""

from collections.abc import Callable, Mapping
from typing import Any

Tree = Mapping[str, Any]

WAYS = ("labels", "argmax", "threshold")
SCORED_FIRST = ("threshold", "labels", "argmax")

RENAMED = {
    "kappa": "cohen_kappa",
    "ece_10_uniform": "ece",
    "mape_nonzero_rows": "mape_nonzero",
    "top2": "top_k_accuracy",
    "roc_auc_p_yes": "roc_auc",
    "roc_auc_as_given": "roc_auc",
    "log_loss_if_renormalised": "log_loss",
}
"""What a case calls a metric, where that is not its key."""


class Told:
    """The answer about one model, by the names that the cases use."""

    def __init__(self, tree: Tree, *, scored: bool = False, model: str = "") -> None:
        models = tree["models"] or tree["clusterings"]
        self.tree, self.model = tree, models[model] if model else next(iter(models.values()))
        self.ways = SCORED_FIRST if scored else WAYS

    def value(self, key: str) -> Any:
        """Return a metric, "inf" where it is infinite, None where it is undefined."""
        groups = {way: {} for way in self.ways} | self.model["metrics"]
        name = RENAMED.get(key, key)
        made = next(group[name] for group in groups.values() if name in group)
        return "inf" if made.get("infinite") == "+" else made["value"]

    def per_class(self, key: str, labels: list[str]) -> list[Any]:
        return [self._of_way("per_class")[label][key]["value"] for label in labels]

    def confusion(self, labels: list[str]) -> list[list[float]]:
        """Return the matrix with its classes in the order that the case has them."""
        told = self._of_way("confusion")
        assert sorted(told["classes"]) == sorted(labels)
        place = [told["classes"].index(label) for label in labels]
        return [[told["counts"][row][column] for column in place] for row in place]

    def count(self, name: str) -> float:
        """Return tp, fp, fn or tn, the positive class being the second."""
        told = self._of_way("confusion")
        assert told["classes"][1] == self.tree["positive"]
        (tn, fp), (fn, tp) = told["counts"]
        return {"tp": tp, "fp": fp, "fn": fn, "tn": tn}[name]

    def average(self, kind: str, key: str) -> Any:
        return self._of_way("averages")[kind][key]["value"]

    def roc_points(self) -> list[list[Any]]:
        """Return (fpr, tpr, threshold), the threshold above every score being "inf"."""
        roc = self.model["curves"]["roc"]
        rows = zip(roc["fpr"], roc["tpr"], roc["threshold"], strict=True)
        return [
            [fpr, tpr, "inf" if threshold is None else threshold] for fpr, tpr, threshold in rows
        ]

    def notice(self, code: str) -> Mapping[str, Any]:
        return next(notice for notice in self.tree["notices"] if notice["code"] == code)

    def warns(self, word: str) -> bool:
        told = (f"{notice['code']} {notice['message']}" for notice in self.tree["notices"])
        return any(word.lower() in one.lower() for one in told)

    def dropped(self) -> int:
        return int(self.tree["source"]["rows"] - self.tree["source"]["rows_used"])

    def _of_way(self, part: str) -> Any:
        told = self.model[part]
        return told[next(way for way in self.ways if way in told)]


SIMPLE: Mapping[str, Callable[[Told, Mapping[str, Any]], Any]] = {
    "n": lambda told, _: told.model["n"],
    "threshold": lambda told, _: told.model["threshold"],
    "positive": lambda told, _: told.tree["positive"],
    "folds": lambda told, _: [fold["fold"] for fold in told.model["folds"]],
    "confusion": lambda told, expected: told.confusion(expected["labels"]),
    "labels": lambda told, _: sorted(told.tree["classes"]),
    "n_classes": lambda told, _: len(told.tree["classes"]),
    "macro_f1_zero": lambda told, _: told.average("macro", "f1"),
    "weighted_f1": lambda told, _: told.average("weighted", "f1"),
    "roc_points": lambda told, _: told.roc_points(),
    "calibration": lambda told, _: told.model["curves"].get("calibration"),
    "n_noise": lambda told, _: told.model["n_noise"],
    "silhouette_without_noise": lambda told, _: told.value("silhouette"),
    "silhouette_noise_as_cluster": lambda told, _: told.model["noise_as_cluster"]["silhouette"][
        "value"
    ],
    "n_rows_in_file": lambda told, _: told.tree["source"]["rows"],
    "n_dropped_missing": lambda told, _: told.dropped(),
    "n_dropped_missing_score": lambda told, _: told.dropped(),
    "n_unlabelled": lambda told, _: told.dropped(),
    "rows_not_summing_to_1": lambda told, _: told.notice("not-sum-1")["rows"],
    "n_rows_without_column": lambda told, _: len(told.notice("no-probability-column")["rows"]),
    "n_zero_truth": lambda told, _: len(told.notice("zero-truth")["rows"]),
    "n_nonempty_bins": lambda told, _: len(told.model["curves"]["calibration"]["n"]),
    "ties_in_argmax": lambda told, _: sum(
        "two classes share" in n["message"] for n in told.tree["notices"]
    ),
    "top1": lambda told, _: told.model["metrics"]["argmax"]["accuracy"]["value"],
}
"""How to find what a case expects under a name that is no metric."""

COMPARED: Mapping[str, Callable[[Tree, Tree], Any]] = {
    "n": lambda tree, _: tree["n"],
    "accuracies": lambda tree, _: {
        name: model["accuracy"]["value"] for name, model in tree["models"].items()
    },
    "n_common": lambda tree, _: tree["n"],
    "n_folds": lambda tree, _: tree["n"],
    "n_shared_folds": lambda tree, _: tree["n"],
    "b": lambda _, tests: tests["mcnemar_exact"]["details"]["b"],
    "c": lambda _, tests: tests["mcnemar_exact"]["details"]["c"],
    "p_exact": lambda _, tests: tests["mcnemar_exact"]["p_value"],
    "accuracy_A": lambda tree, _: tree["models"]["model_A"]["accuracy"]["value"],
    "accuracy_B": lambda tree, _: tree["models"]["model_B"]["accuracy"]["value"],
    "roc_auc_A_common": lambda tree, _: tree["models"]["model_A"]["roc_auc"]["value"],
    "roc_auc_B_common": lambda tree, _: tree["models"]["model_B"]["roc_auc"]["value"],
    "mean_diff": lambda tree, _: abs(tree["differences"][0]["difference"]),
    "mean_diff_B_minus_A": lambda tree, _: tree["differences"][0]["difference"],
    "t_naive": lambda _, tests: abs(tests["paired_t"]["statistic"]),
    "p_naive": lambda _, tests: tests["paired_t"]["p_value"],
    "t_corrected_nadeau_bengio": lambda _, tests: abs(tests["corrected_resampled_t"]["statistic"]),
    "p_corrected": lambda _, tests: tests["corrected_resampled_t"]["p_value"],
}
"""Where the JSON of a comparison tells what a case expects."""

ASIDE = {
    "models": "each is looked at on its own",
    "roc_auc_A_all8": "a value on other rows, which is not compared",
    "df": "follows from the number of folds",
    "missing": "told in words",
    "mean_A_all5": "a value on other folds, which is not compared",
    "mean_B_4": "follows from the difference",
    "pr_trapezoid_with_0_1_anchor": "a value that must not be shown",
    "if_wrong_positive_legit": "what a tool shows that takes the wrong class",
    "wrong_accuracy_if_by_position": "what a tool shows that goes by position",
    "row_sums": "a description of the file",
    "accuracy_note": "a remark",
    "log_loss_note": "a remark",
    "log_loss_raw": "the case leaves open which of the two is shown; the file is told of it",
    "n_distinct_ids": "ids are compared, not counted",
    "ovr_S_at_0_5": "the rule of another view than this",
    "columns": "checked where files are read",
    "bins": "has a test of its own",
    "from_label_column": "has a test of its own",
    "from_score_at_0_5": "has a test of its own",
    "n_rows_disagree": "has a test of its own",
    "threshold_consistent_with_labels": "has a test of its own",
    "roc_auc_after_user_reverses": "has a test of its own",
    "average_precision_after_reverse": "has a test of its own",
    "after_explicit_sigmoid": "has a test of its own",
    "roc_auc_column_2": "has a test of its own",
    "roc_auc_column_4": "has a test of its own",
    "argmax": "has a test of its own",
    "argmax_S": "has a test of its own",
    "bootstrap_percentile_ci": "has a test of its own",
}
"""What is not looked up here, and why."""
