"""The list of metrics down and models across: digits and reasons in its cells."""

from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate
from pages.widgets import tables


def shown(monkeypatch, found: Estimate) -> str:
    written = []
    monkeypatch.setattr(tables.st, "html", written.append)
    monkeypatch.setattr(tables.st, "caption", written.append)
    tables.metric_list({"a": {"precision": found}}, [by_key()["precision"]])
    return written[0]


def test_a_number_has_no_more_digits_than_its_interval(monkeypatch) -> None:
    found = Estimate(561.628, 100.0, 900.0, method="wald", level=0.95)
    said = shown(monkeypatch, found)
    assert ">561.6<" in said
    assert "100.0 – 900.0" in said


def test_an_undefined_number_says_why_where_it_can_be_read(monkeypatch) -> None:
    said = shown(monkeypatch, Estimate(float("nan"), why="nothing was flagged <b>"))
    assert "undefined" in said
    assert '<small class="eb-why">nothing was flagged &lt;b&gt;</small>' in said
    assert "href" not in said


def test_what_must_be_known_of_a_number_is_marked_and_stands_below(monkeypatch) -> None:
    said = shown(monkeypatch, Estimate(0.033, note="not reliable: <rows> depend"))
    assert "<sup>[1]</sup> <small>" in said
    assert '<p class="eb-note"><sup>[1]</sup> not reliable: &lt;rows&gt; depend</p>' in said
    assert "<sup>" not in shown(monkeypatch, Estimate(0.033))
