"""Files that hold too little of something: every number is right, or undefined with its reason."""

import math
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.evaluate import evaluate
from evalcore.evaluation.condense import condense
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate, Family, Metric
from evalcore.options import Options
from evalcore.results import Decisions
from evalread.loading import load
from evalview.explained.of_matrices import of_average, of_class
from evalview.explained.workings import of_clustering, of_decisions, of_tables

Opened = Callable[..., AppTest]

FILES = {
    "one class": "truth,m_label,m_score\nyes,yes,0.9\nyes,no,0.4\nyes,yes,0.7\n",
    "one row": "truth,m_label,m_score\nyes,yes,0.9\n",
    "two rows": "truth,m_score\nyes,0.9\nno,0.1\n",
    "constant score": "truth,m_score\nyes,0.5\nno,0.5\nno,0.5\n",
    "certain and wrong": "truth,m_score\nyes,0\nno,1\nno,0\nyes,1\n",
    "unseen labels": "truth,m_label\na,b\nb,c\nc,c\na,z\n",
    "a class without truth": "truth,m_label\na,a\nb,c\nb,b\na,c\n",
    "three classes, two rows": "truth,prob_a,prob_b,prob_c\na,0.5,0.3,0.2\nb,0.2,0.2,0.6\n",
    "one class of three": "truth,prob_a,prob_b,prob_c\na,0.5,0.3,0.2\na,0.2,0.2,0.6\n",
    "one number": "truth,m_pred\n1.5,2.5\n",
    "constant truth": "truth,m_pred\n2.5,2.5\n2.5,3.5\n2.5,1.25\n",
    "zero truths": "truth,m_pred\n0,1.5\n0,0\n3.25,2.5\n",
    "values of -1 and less": "truth,m_pred\n-1,1.5\n-7.5,2\n3.25,2.5\n",
    "near a billion": "truth,m_pred\n1e9,1000000001.5\n1000000003.5,1000000002\n999999999,1e9\n",
    "one cluster": "x,y,cluster,class\n1,2,k0,a\n2,1,k0,b\n4,4,k0,a\n",
    "every point alone": "x,y,cluster,class\n1,2,k0,a\n2,1,k1,b\n4,4,k2,a\n",
}
every = pytest.mark.parametrize("name", FILES)


Numbers = Iterator[tuple[Metric, Estimate, object]]


def numbers(name: str) -> Numbers:
    """Return every number of a file with its working."""
    dataset = load([("f.csv", FILES[name].encode())])
    made, tables = evaluate(dataset, Options(resamples=100)), condense(dataset)
    for model, found in made.models.items():
        for family in (Family.RANKING, Family.PROBABILITY, Family.VALUES):
            for key, estimate in getattr(found, family.value).items():
                metric = by_key(family)[key]
                yield metric, estimate, of_tables(metric, estimate, tables[model])
        for decided in found.decisions.values():
            yield from of_one_way(decided)
    for found in made.clusterings.values():
        for family in (Family.POINTS, Family.AGREEMENT):
            for key, estimate in getattr(found, family.value).items():
                metric = by_key(family)[key]
                yield metric, estimate, of_clustering(metric, estimate, found)


def of_one_way(decided: Decisions) -> Numbers:
    """Return what follows from one way of deciding: of the whole, each class, and averages."""
    confusion = decided.confusion
    for key, estimate in decided.metrics.items():
        yield by_key()[key], estimate, of_decisions(by_key()[key], confusion)
    for code, name in enumerate(confusion.classes):
        for key, estimate in decided.per_class[name].items():
            yield by_key()[key], estimate, of_class(by_key()[key], confusion, code)
    for average, estimates in decided.averages.items():
        for key, estimate in estimates.items():
            yield by_key()[key], estimate, of_average(by_key()[key], confusion, average)


@every
def test_every_number_is_defined_or_says_why(name: str):
    for metric, estimate, _ in numbers(name):
        assert estimate.defined or estimate.why, metric.key
        if estimate.low is not None:
            # The value itself may leave the range by a rounding.
            assert metric.low <= estimate.low <= estimate.high + 1e-12, metric.key
            assert estimate.high <= metric.high, metric.key


@every
def test_the_working_of_a_number_leads_to_it(name: str):
    for metric, estimate, working in numbers(name):
        if estimate.defined and working is not None:
            same = math.isclose(working.result, estimate.value, rel_tol=1e-7, abs_tol=1e-9)
            assert same, (metric.key, working.result, estimate.value)


@every
@pytest.mark.parametrize("page", ["overview", "confusion", "glossary"])
def test_no_page_breaks(uploaded: Opened, name: str, page: str):
    assert not uploaded(page, "f.csv", FILES[name].encode()).exception


LONG = "L" * 100 + " " + "o" * 98 + "g"
RIGHT_TO_LEFT = "\u05d0\u05d1 \u05d2"


def of_classes(models: tuple[str, ...], names: tuple[str, ...], rows: int = 40) -> bytes:
    """Return a file whose models err now and then, and a column to slice by."""
    lines = [",".join(["truth", *(f"{name}_label" for name in models), LONG])]
    for k in range(rows):
        called = [names[(k + (k % (at + 3) == 0)) % len(names)] for at in range(len(models))]
        lines.append(",".join([names[k % len(names)], *called, names[k % 2]]))
    return "\n".join(lines).encode()


@pytest.mark.parametrize("page", ["overview", "costs", "confusion", "slices", "comparison"])
def test_no_headline_is_filled_by_a_name_of_200_letters(uploaded: Opened, page: str):
    at = uploaded(page, "f.csv", of_classes((LONG, "m"), (LONG, "b", "c")))
    assert not at.exception
    heads = [one.value for one in at.get("html") if "eb-headline" in one.value]
    assert heads
    assert not any("L" * 60 in head for head in heads)
    assert not any("L" * 60 in error.value for error in at.error)


def test_numbers_of_one_class_only_open_their_explanations(uploaded: Opened):
    content = b"truth,m_label\n" + b"yes,yes\n" * 20
    for page in ("overview", "glossary"):
        at = uploaded(page, "f.csv", content, numbers="true", metric="recall")
        assert not at.exception
        assert not at.error


def test_too_many_classes_for_slices_are_said_to_be_too_many(uploaded: Opened):
    names = tuple(f"class {k}" for k in range(200))
    at = uploaded("slices", "f.csv", of_classes(("m",), names, 400))
    assert not at.exception
    (error,) = at.error
    assert "classes at most" in error.value
    assert "Metrics that can" not in error.value


def test_what_follows_a_right_to_left_name_stays_behind_it(uploaded: Opened):
    at = uploaded("confusion", "f.csv", of_classes(("m",), (RIGHT_TO_LEFT, "b")))
    assert not at.exception
    found = [one.value for one in at.get("html") if RIGHT_TO_LEFT in one.value]
    assert found
    assert all(RIGHT_TO_LEFT + "\N{LEFT-TO-RIGHT MARK}" in value for value in found)
