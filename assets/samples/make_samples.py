"""Make the sample files from scikit-learn's bundled data: real models, out-of-fold predictions.

Run it from the root of the repository: ``python assets/samples/make_samples.py``.
Every prediction is for a row that the model had not seen: ten stratified folds, each predicted
by models fitted on the other nine.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

HERE = Path(__file__).parent
FOLDS = 10
FIVE_MEASUREMENTS = (
    "mean texture",
    "mean smoothness",
    "mean symmetry",
    "mean fractal dimension",
    "area error",
)
SEED = 20


def breast_cancer() -> pd.DataFrame:
    """Tumours, malignant or benign: score and label of three models.

    The models see five of the thirty measurements: with all of them hardly an error is left,
    and a threshold has nothing to trade.
    """
    data = load_breast_cancer(as_frame=True)
    truth = data.target.map(dict(enumerate(data.target_names)))
    features = data.data[list(FIVE_MEASUREMENTS)]
    models = {
        "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "random_forest": RandomForestClassifier(random_state=SEED),
        "naive_bayes": make_pipeline(StandardScaler(), GaussianNB()),
    }
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    frame = _frame(truth, _fold_numbers(folds, features, truth))
    for name, model in models.items():
        probabilities = _out_of_fold(model, features, truth, frame["fold"])
        frame[f"{name}_label"] = probabilities.idxmax(axis=1)
        frame[f"{name}_score"] = probabilities["malignant"]
    return frame


def digits() -> pd.DataFrame:
    """Handwritten digits: ten probabilities and the label of two models."""
    data = load_digits(as_frame=True)
    features, truth = data.data, data.target.astype(str)
    models = {
        "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression(C=0.05)),
        "naive_bayes": GaussianNB(var_smoothing=1e-2),
    }
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    frame = _frame(truth, _fold_numbers(folds, features, truth))
    for name, model in models.items():
        probabilities = _out_of_fold(model, features, truth, frame["fold"])
        frame[f"{name}_label"] = probabilities.idxmax(axis=1)
        columns = {digit: f"{name}_prob_{digit}" for digit in probabilities.columns}
        frame = frame.join(probabilities.rename(columns=columns))
    return frame


def diabetes() -> pd.DataFrame:
    """Disease progression after a year: numbers predicted by three models."""
    features, truth = load_diabetes(return_X_y=True, as_frame=True)
    models = {
        "linear_regression": LinearRegression(),
        "random_forest": RandomForestRegressor(random_state=SEED),
        "nearest_neighbours": KNeighborsRegressor(n_neighbors=15),
    }
    folds = KFold(FOLDS, shuffle=True, random_state=SEED)
    frame = _frame(truth, _fold_numbers(folds, features, truth))
    for name, model in models.items():
        predicted = pd.Series(0.0, index=truth.index)
        for fold in range(1, FOLDS + 1):
            held_out = frame["fold"] == fold
            fitted = clone(model).fit(features[~held_out], truth[~held_out])
            predicted[held_out] = fitted.predict(features[held_out])
        frame[f"{name}_prediction"] = predicted.round(4)
    return frame


def iris() -> pd.DataFrame:
    """Flowers measured in centimetres, their species, and five clusterings of them."""
    data = load_iris(as_frame=True)
    frame = data.data.rename(columns=lambda name: name.removesuffix(" (cm)").replace(" ", "_"))
    clusterings = {f"kmeans_k{k}": KMeans(k, n_init=10, random_state=SEED) for k in (2, 3, 4)}
    clusterings["ward_k3"] = AgglomerativeClustering(3)
    clusterings["single_k3"] = AgglomerativeClustering(3, linkage="single")
    clusters = {name: method.fit_predict(data.data) for name, method in clusterings.items()}
    frame.insert(0, "row_id", range(1, len(frame) + 1))
    frame["species"] = data.target.map(dict(enumerate(data.target_names)))
    return frame.assign(**clusters)


def cross_validation() -> pd.DataFrame:
    """Accuracy of three models on the same folds: ten folds, repeated three times."""
    data = load_breast_cancer()
    models = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "gradient boosting": HistGradientBoostingClassifier(max_iter=60, random_state=SEED),
        "naive Bayes": make_pipeline(StandardScaler(), GaussianNB()),
    }
    splits = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=3, random_state=SEED)
    rows = []
    for i, (train, test) in enumerate(splits.split(data.data, data.target)):
        place = {"repeat": i // FOLDS + 1, "fold": i % FOLDS + 1}
        for name, model in models.items():
            fitted = clone(model).fit(data.data[train], data.target[train])
            accuracy = accuracy_score(data.target[test], fitted.predict(data.data[test]))
            sizes = {"n_train": len(train), "n_test": len(test)}
            rows.append({"model": name, **place, "accuracy": round(accuracy, 6), **sizes})
    return pd.DataFrame(rows)


def subscribers() -> pd.DataFrame:
    """Subscribers who stay or leave, made up: two models, and columns that neither is judged by.

    Young subscribers in the north leave for reasons that no column tells, so that both models
    fail there and nowhere else.
    """
    rng = np.random.default_rng(SEED)
    n = 1200
    region = rng.choice(["north", "east", "south", "west"], n, p=[0.3, 0.2, 0.3, 0.2])
    age = rng.integers(18, 80, n)
    plan = rng.choice(["monthly", "yearly"], n, p=[0.6, 0.4])
    months = rng.geometric(0.04, n)
    calls = rng.poisson(1.5, n)
    odds = 1.3 * calls - 0.05 * months + 1.5 * (plan == "monthly") - 2.8
    unseen = (region == "north") & (age < 30)
    leaves = rng.random(n) < np.where(unseen, 0.5, 1 / (1 + np.exp(-1.6 * odds)))
    truth = pd.Series(np.where(leaves, "left", "stayed"))
    features = pd.DataFrame(
        {"age": age, "months": months, "calls": calls, "yearly": plan == "yearly"}
    )
    models = {
        "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "boosting": HistGradientBoostingClassifier(max_iter=40, random_state=SEED),
    }
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    frame = _frame(truth, _fold_numbers(folds, features, truth))
    frame["region"] = region
    bands = ["18-29", "30-44", "45-59", "60+"]
    frame["age_band"] = pd.cut(pd.Series(age), [17, 29, 44, 59, 80], labels=bands)
    frame["plan"], frame["months"] = plan, months
    for name, model in models.items():
        frame[f"{name}_score"] = _out_of_fold(model, features, truth, frame["fold"])["left"]
    return frame


def messages() -> pd.DataFrame:
    """Messages of half a year, made up: from 15 April on one of two models knows less of them.

    As if the customers of a new product wrote in words that the network has never seen.
    """
    rng = np.random.default_rng(SEED)
    n, weeks = 2600, 26
    day = np.sort(rng.integers(0, 7 * weeks, n))
    date = np.datetime64("2024-01-01") + day
    urgent = rng.random(n) < 0.3
    changed = date >= np.datetime64("2024-04-15")
    frame = pd.DataFrame({"row_id": range(1, n + 1), "date": date.astype(str)})
    frame["truth"] = np.where(urgent, "urgent", "routine")
    for name, before, after in (("network", 2.2, 1.1), ("keywords", 1.5, 1.5)):
        told = rng.normal(np.where(changed, after, before) * urgent, 1)
        logit = before * told - before**2 / 2 + np.log(0.3 / 0.7)
        frame[f"{name}_score"] = (1 / (1 + np.exp(-logit))).round(6)
    return frame


def ten_rows() -> pd.DataFrame:
    """Ten messages and one score, with a tie of one spam and two ham: ROC AUC 14/25."""
    score = [0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25]
    truth = ["spam" if positive else "ham" for positive in (1, 1, 0, 0, 0, 1, 0, 1, 0, 1)]
    return pd.DataFrame({"row_id": range(1, 11), "truth": truth, "filter_score": score})


SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "breast-cancer": {
        "make": breast_cancer,
        "title": "Is the tumour malignant?",
        "shows": "Yes or no: three models, ten folds",
        "task": "binary",
    },
    "digits": {
        "make": digits,
        "title": "Which digit was written?",
        "shows": "Ten classes: two models with probabilities",
        "task": "multiclass",
    },
    "diabetes": {
        "make": diabetes,
        "title": "How far will the disease go?",
        "shows": "A number: three regression models",
        "task": "regression",
    },
    "iris": {
        "make": iris,
        "title": "Which flowers belong together?",
        "shows": "Clusters: five clusterings and the true species",
        "task": "clustering",
    },
    "folds": {
        "make": cross_validation,
        "title": "Which model wins over the folds?",
        "shows": "Fold scores: three models, ten folds, three times",
        "task": "folds",
    },
    "subscribers": {
        "make": subscribers,
        "title": "Which subscribers will leave?",
        "shows": "Made up, to slice by region, age and plan: two models",
        "task": "binary",
    },
    "messages": {
        "make": messages,
        "title": "Which messages are urgent?",
        "shows": "Made up, with dates: one of two models gets worse in April",
        "task": "binary",
    },
    "ten-rows": {
        "make": ten_rows,
        "title": "Which messages are spam?",
        "shows": "Small enough for paper: one score, three of them equal",
        "task": "binary",
    },
}


def main() -> None:
    """Write every sample beside this script, and the index that the first screen reads."""
    index = []
    for key, sample in SAMPLES.items():
        frame = sample["make"]()
        file = f"{key.replace('-', '_')}.csv"
        frame.to_csv(HERE / file, index=False, lineterminator="\n")
        about = {name: sample[name] for name in ("title", "shows", "task")}
        index.append({"key": key, "file": file, **about, "rows": len(frame)})
    (HERE / "samples.json").write_text(json.dumps(index, indent=2) + "\n")


def _frame(truth: pd.Series, fold: pd.Series) -> pd.DataFrame:
    return pd.DataFrame({"row_id": range(1, len(truth) + 1), "truth": truth, "fold": fold})


def _fold_numbers(splitter: Any, features: pd.DataFrame, truth: pd.Series) -> pd.Series:
    numbers = pd.Series(0, index=truth.index)
    for number, (_, test) in enumerate(splitter.split(features, truth), start=1):
        numbers.iloc[test] = number
    return numbers


def _out_of_fold(
    model: Any, features: pd.DataFrame, truth: pd.Series, fold: pd.Series
) -> pd.DataFrame:
    """Return (n, K) probabilities, each row predicted by a model that had not seen it."""
    probabilities = pd.DataFrame(0.0, index=truth.index, columns=sorted(truth.unique()))
    for number in sorted(fold.unique()):
        held_out = fold == number
        fitted = clone(model).fit(features[~held_out], truth[~held_out])
        probabilities.loc[held_out, fitted.classes_] = fitted.predict_proba(features[held_out])
    return _rounded(_doubting(probabilities))


def _doubting(probabilities: pd.DataFrame) -> pd.DataFrame:
    """Return probabilities of which none is 0 or 1, as if one row more lay in every class alike.

    That moves no rank and no decision. Without it a forest calls rows impossible that happen,
    which makes its log loss infinite: a lesson, but not the first.
    """
    rows, classes = probabilities.shape
    return (rows * probabilities + 1 / classes) / (rows + 1)


def _rounded(probabilities: pd.DataFrame) -> pd.DataFrame:
    """Return six decimals of each; the likeliest takes what is left, so that rows add up to 1."""
    values = probabilities.to_numpy().round(6)
    values[np.arange(len(values)), values.argmax(axis=1)] += 1 - values.sum(axis=1)
    return pd.DataFrame(values.round(6), probabilities.index, probabilities.columns)


if __name__ == "__main__":
    main()
