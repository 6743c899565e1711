"""What several tests of comparisons need."""

import numpy as np

from evalcore.tables.confusion import PairedTable

from ..golden import Golden, frame


def paired(both: int, only_first: int, only_second: int, neither: int) -> PairedTable:
    """Return a table of two classes with these rows right."""
    first = np.repeat([0, 0, 1, 1], [both, only_first, only_second, neither])
    second = np.repeat([0, 1, 0, 1], [both, only_first, only_second, neither])
    return PairedTable.from_codes(("yes", "no"), (np.zeros_like(first), first, second))


def decisions(entry: Golden) -> dict[str, np.ndarray]:
    """Return truth and the labels of all models of a golden entry's file, as codes."""
    data = frame(entry.params.get("file", "breast_cancer_cv.csv"))
    data = frame("iris_cv.csv") if ".iris_cv." in entry.id else data
    columns = ["truth", *(name for name in data if name.endswith("_label"))]
    classes = sorted(set(data["truth"]))
    return {
        name.removesuffix("_label"): np.array([classes.index(value) for value in data[name]])
        for name in columns
    } | {"fold": data["fold"].to_numpy()}


def of_entry(entry: Golden) -> PairedTable:
    """Return the paired table of a golden entry: first = A, second = B."""
    codes = decisions(entry)
    size = int(codes["truth"].max()) + 1
    columns = (codes["truth"], codes[entry.params["A"]], codes[entry.params["B"]])
    return PairedTable.from_codes(tuple(map(str, range(size))), columns)


def fold_accuracies(entry: Golden) -> np.ndarray:
    """Return accuracy of B minus accuracy of A on each fold."""
    codes = decisions(entry)
    right = {name: codes[entry.params[name]] == codes["truth"] for name in "AB"}
    folds = np.unique(codes["fold"])
    return np.array([
        right["B"][codes["fold"] == k].mean() - right["A"][codes["fold"] == k].mean()
        for k in folds
    ])  # fmt: skip
