"""Data sets to report on, reports of them, and whether what they show is what the JSON says."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd

from dev import ROOT
from evalboard.reporting import as_json
from evalcore.options import Options
from evalread.loading import load
from evalview.report import contents, formats
from evalview.report.material import Material, Wishes, gather
from tests.pages.hostile import HOSTILE

SAMPLES = ("breast_cancer", "digits", "diabetes", "iris", "folds", "ten_rows")

Frame = Mapping[str, Any]


def material(name: str, content: bytes, wishes: Wishes | None = None) -> Material:
    dataset = load([(name, content)])
    asked = Options(threshold=dataset.threshold, resamples=200)
    return gather(dataset, asked, wishes or Wishes(date="2026-01-01", version="1"))


@cache
def sample(name: str) -> Material:
    path = ROOT / "assets" / "samples" / f"{name}.csv"
    return material(path.name, path.read_bytes())


def csv(columns: Frame) -> bytes:
    return pd.DataFrame(columns).to_csv(index=False).encode()


def of(columns: Frame, **wishes: Any) -> Material:
    return material("made.csv", csv(columns), Wishes(date="2026-01-01", version="1", **wishes))


def scored(n: int, models: int = 1, share: float = 0.3, seed: int = 0) -> dict[str, Any]:
    """Return a yes-or-no question whose scores overlap."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < share).astype(int)
    scores = {
        f"model {k}": 1 / (1 + np.exp(-(1.5 * truth + rng.normal(-1, 1 + k % 3 / 2, n))))
        for k in range(models)
    }
    return {"truth": np.where(truth, "fraud", "honest"), **scores}


def sliced(n: int, seed: int = 0) -> dict[str, Any]:
    """Return a yes-or-no question that is harder in the west, with columns to slice by."""
    rng = np.random.default_rng(seed)
    region = rng.choice(["north", "east", "west"], n, p=[0.5, 0.3, 0.2])
    truth, noise = rng.random(n) < 0.5, np.where(region == "west", 2.0, 0.4)
    score = 1 / (1 + np.exp(-(3 * truth - 1.5 + rng.normal(0, noise))))
    return {
        "truth": np.where(truth, "yes", "no"),
        "score": score,
        "region": region,
        "age": rng.integers(18, 90, n),
        "height": rng.normal(170, 10, n).round(1),
    }


def labelled(n: int, names: tuple[str, ...], models: int = 2, seed: int = 0) -> dict[str, Any]:
    """Return classes with labels of some models, mostly right."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(names, n)
    made = {
        f"model_{k}": np.where(rng.random(n) < 0.8 - k / 10, truth, rng.choice(names, n))
        for k in range(models)
    }
    return {"truth": truth, **{f"pred_{name}": said for name, said in made.items()}}


def numbers(n: int, models: int = 2, scale: float = 1.0, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.normal(10, 3, n) * scale
    made = {f"pred_{k}": truth + rng.normal(0, 1 + k, n) * scale for k in range(models)}
    return {"y_true": truth, **made}


def clustered(n: int, ks: tuple[int, ...] = (2, 3), seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, n)
    x, y = rng.normal(kind * 3, 1), rng.normal(kind, 1)
    found = {f"cluster_{k}": np.minimum(kind, k - 1) for k in ks}
    return {"species": np.array(["a", "b", "c"])[kind], "x": x, "y": y, **found}


def folded(models: int, folds: int, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    rows = [
        (f"m{m}", f, 0.8 + m / 50 + rng.normal(0, 0.02))
        for m in range(models)
        for f in range(folds)
    ]
    return dict(zip(("model", "fold", "accuracy"), zip(*rows, strict=True), strict=True))


def generated() -> Iterator[tuple[str, Frame]]:
    """Yield data sets of every kind, large and small, even and odd, with a name each."""
    for n in (12, 60, 500, 3000):
        yield f"scores of {n} rows", scored(n)
    for models in (2, 6, 12):
        yield f"{models} scored models", scored(400, models)
    yield "sixty models", scored(300, 60)
    yield "rare positives", scored(2000, 2, share=0.02)
    yield "a perfect model", {"truth": ["a", "b"] * 50, "score": [0.1, 0.9] * 50}
    yield "constant scores", {"truth": ["a", "b"] * 50, "score": [0.5] * 100}
    yield "one class", {"truth": ["a"] * 40, "score": np.linspace(0.1, 0.9, 40)}
    yield "weights", {**scored(300, 2), "weight": np.random.default_rng(1).uniform(0.5, 2, 300)}
    logits = scored(300)
    yield (
        "logits",
        {"truth": logits["truth"], "logit": np.log(logits["model 0"] / (1 - logits["model 0"]))},
    )
    yield "huge scores", {"truth": logits["truth"], "score": logits["model 0"] * 1e9}
    for k in (3, 7, 15):
        yield f"{k} classes", labelled(400, tuple(f"class {chr(97 + i)}" for i in range(k)))
    yield "hostile classes", labelled(900, HOSTILE)
    yield (
        "hostile pair",
        {**scored(200), "truth": np.where(scored(200)["truth"] == "fraud", HOSTILE[0], HOSTILE[2])},
    )
    hostile = scored(200, 4)
    yield (
        "hostile models",
        {
            "truth": hostile["truth"],
            **{f"{HOSTILE[k]} score": hostile[f"model {k}"] for k in range(4)},
        },
    )
    yield (
        "right to left",
        {
            "truth": np.where(hostile["truth"] == "fraud", "احتيال", "صادق"),
            "نموذج score": hostile["model 0"],
        },
    )
    for n in (8, 300):
        yield f"numbers of {n} rows", numbers(n)
    yield "tiny numbers", numbers(200, scale=1e-6)
    yield "huge numbers", numbers(200, 3, scale=1e9)
    yield "ten regressions", numbers(200, 10)
    yield "clusterings", clustered(150)
    yield "one clustering", clustered(60, (3,))
    yield "clusters without truth", {k: v for k, v in clustered(90).items() if k != "species"}
    yield "folds of two", folded(2, 10)
    yield "folds of five", folded(5, 8)


class _Marked(HTMLParser):
    """Collects what is marked as a number of the JSON: its key and what is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.open: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        key = dict(attrs).get("data-key")
        if key is not None:
            self.open = [key, ""]

    def handle_data(self, data: str) -> None:
        if self.open is not None:
            self.open[1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "span" and self.open is not None:
            self.found.append((self.open[0], self.open[1]))
            self.open = None


def marked(page: str) -> list[tuple[str, str]]:
    """Return every marked number of a page: the way to it in the JSON, and what is shown."""
    parser = _Marked()
    parser.feed(page)
    return parser.found


def at(found: Any, key: str) -> float:
    """Return the number that a key leads to, minus it where the key begins with a minus."""
    sign = -1 if key.startswith("-") else 1
    for part in key.removeprefix("-").split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        found = found[int(name)] if isinstance(found, list) else found[name]
    return sign * found


def agrees(shown: str, value: float) -> bool:
    """Whether a shown number is a value rounded to its digits, or a bound that holds.

    >>> agrees("0.894", 0.89449), agrees("0.894", 0.8955), agrees("<0.001", 0.0002)
    (True, False, True)
    """
    text = shown.replace("−", "-").replace(",", "").replace("+", "")
    if text[:1] in "<>":
        bound = float(text[1:])
        return value < bound if text[0] == "<" else value > bound
    said = float(text)
    digits = re.sub(r"e.*", "", text).partition(".")[2]
    exponent = int(text.partition("e")[2] or 0)
    # What was rounded twice, by the JSON and then here, may be off by a whole unit at worst.
    step = 10.0 ** (exponent - len(digits))
    return math.isclose(said, value, abs_tol=0.51 * step + abs(value) * 5.1e-4, rel_tol=0)


def page_of(told: Material) -> str:
    return formats.html(contents.document(told))


def json_of(told: Material) -> Any:
    return json.loads(json.dumps(as_json(told), allow_nan=False))
