"""Every address that the guide for teachers names opens, with nothing left out."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from dev import ROOT
from tests.pages.conftest import Opened, words

GUIDE = (ROOT / "docs" / "teaching.md").read_text("utf-8")
ADDRESSES = sorted(set(re.findall(r"`/(\w+(?:\?[^`]*)?)`", GUIDE)))


def test_the_guide_has_addresses_for_twelve_lectures() -> None:
    lectures = re.findall(r"^\| \d+ .*`/.*$", GUIDE, re.MULTILINE)
    assert len(lectures) == 12


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_of_the_guide_opens(address: str, empty: Opened) -> None:
    page, _, query = address.partition("?")
    params = dict(part.split("=", 1) for part in query.split("&") if part)
    at: AppTest = empty(page, **params)
    assert not at.exception
    assert not at.error
    assert not at.warning
    assert "Nothing to show here" not in words(at)
    if "at" in params:
        assert at.query_params["at"] == params["at"]
