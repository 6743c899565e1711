"""True or false? A claim is guessed first, then settled; each has an address."""

import pytest

from evalview.course.claims import claims
from tests.pages.conftest import Opened, open_page, words


def test_the_verdict_is_hidden_until_a_guess(empty: Opened) -> None:
    at = empty("claims", claim="f1-is-jaccard")
    assert not at.exception
    assert not at.warning
    assert "Jaccard" not in words(at)
    assert [button.label for button in at.main.button] == ["True", "False"]
    at.main.button[0].click().run()
    assert "<b>False</b>, you guessed otherwise." in words(at)
    assert "0.2045" in words(at)
    assert "0 of 1 guesses right." in words(at)
    assert "✗ F1 \\= TP" in at.radio(key="claim").options[3].replace("\u2060", "")


def test_next_goes_to_a_claim_that_was_not_guessed(empty: Opened) -> None:
    at = empty("claims", claim="minkowski-similarity")
    at.main.button[1].click().run()
    assert "<b>False</b>, as you guessed." in words(at)
    next(button for button in at.main.button if button.label == "Next claim").click().run()
    assert at.radio(key="claim").value == next(iter(claims()))
    next(button for button in at.main.button if button.label == "Start again").click().run()
    assert "guesses right" not in words(at)


def test_the_claim_picked_is_in_the_address(empty: Opened) -> None:
    at = empty("claims")
    at.radio(key="claim").set_value("bootstrap-368").run()
    assert at.query_params["claim"] == "bootstrap-368"


def test_a_link_to_no_claim_opens_the_first(empty: Opened) -> None:
    at = empty("claims", claim="no-such")
    assert not at.exception
    assert 'claim "no-such"' in at.warning[0].value.replace("\\", "").replace("\u2060", "")
    assert at.radio(key="claim").value == next(iter(claims()))


@pytest.mark.parametrize("see", sorted({one.see for one in claims().values()}))
def test_the_page_that_shows_an_example_understands_its_address(see: str) -> None:
    one = next(one for one in claims().values() if one.see == see)
    at = open_page(one.page, **{name: list(texts) for name, texts in one.address.items()})
    assert not at.exception
    assert not at.error
    assert not at.warning
