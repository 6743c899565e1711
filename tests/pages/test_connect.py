"""Connect: sources of the settings are looked at, their columns confirmed, their rows counted."""

from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.session import current
from tests.evalread.engines.lying import as_database, models
from tests.pages.conftest import words

Opened = Callable[..., AppTest]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a settings file with one source of 400 rows."""
    monkeypatch.setenv("EVALBOARD_CACHE", str(tmp_path / "kept"))
    path = tmp_path / "sources.toml"
    monkeypatch.setenv("EVALBOARD_SOURCES", str(path))
    path.write_text(f'[scores]\naddress = "{as_database(models(400), tmp_path)}"\n', "utf-8")
    return path


def press(at: AppTest, label: str) -> AppTest:
    """Press a button, and wait until what it began has ended."""
    next(button for button in at.button if label in button.label).click()
    at.run()
    while any(button.label == "Stop" for button in at.button):
        at.run()
    return at


def test_start_leads_to_connect_only_where_sources_are_named(empty: Opened, settings: Path) -> None:
    assert "Connect" in [link.label for link in empty("start").get("page_link")]
    settings.unlink()
    assert "Connect" not in [link.label for link in empty("start").get("page_link")]


def test_a_server_without_sources_says_so(empty: Opened, settings: Path) -> None:
    settings.unlink()
    at = empty("connect")
    assert not at.exception
    assert "No source is named" in words(at)


def test_a_source_is_looked_at_confirmed_counted_and_opened(empty: Opened, settings: Path) -> None:
    at = press(empty("connect"), "Look at a sample")
    assert not at.exception
    assert "scores: 400 rows" in words(at)
    assert "named like the truth" in words(at)
    at = press(at, "Count all 400 rows")
    assert not at.exception
    assert "counts" in words(at)


def test_what_was_fetched_in_a_run_that_is_cut_short_is_opened_by_the_next_one(
    empty: Opened, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as first:
        first.setattr(current, "change", lambda view: st.stop())
        at = press(empty("connect"), "Look at a sample")
        assert "scores: 400 rows" not in words(at)
    assert "scores: 400 rows" in words(at.run())


def test_a_name_with_a_bar_in_it_is_looked_at_once(empty: Opened, settings: Path) -> None:
    settings.write_text(settings.read_text("utf-8").replace("[scores]", '["a|b"]'), "utf-8")
    at = press(empty("connect"), "Look at a sample")
    assert "a|b: 400 rows" in words(at)
    assert any("Look at a sample" in button.label for button in at.button)


def test_what_goes_wrong_is_a_sentence_and_can_be_tried_again(
    empty: Opened, settings: Path, tmp_path: Path
) -> None:
    (tmp_path / "data.db").rename(tmp_path / "away.db")
    at = press(empty("connect"), "Look at a sample")
    assert "Check its address in the settings file" in " ".join(one.value for one in at.error)
    (tmp_path / "away.db").rename(tmp_path / "data.db")
    assert "scores: 400 rows" in words(press(at, "Look at a sample"))


def test_settings_that_cannot_be_read_are_a_sentence(empty: Opened, settings: Path) -> None:
    settings.write_text("[scores\n", "utf-8")
    at = empty("connect")
    assert not at.exception
    assert "cannot be read" in " ".join(one.value for one in at.error)


def test_no_page_takes_an_address_from_the_browser(empty: Opened, settings: Path) -> None:
    at = press(empty("connect"), "Look at a sample")
    assert not at.text_input
    assert not at.text_area
