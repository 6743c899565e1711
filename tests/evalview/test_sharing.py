"""The address of a view for others: what it holds, who reaches it, and its code."""

import base64
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest

from evalview import sharing

CHOSEN = {"data": ["sample-iris"], "parts": ["summary", "a & b"], "title": ["Größe = 1?"]}


@pytest.fixture
def number(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sharing, "_own_number", lambda: "192.168.0.7")
    return "192.168.0.7"


def test_an_address_has_everything_that_is_chosen_in_it() -> None:
    made = sharing.reach("https://evalboard.example/report", CHOSEN, "")
    assert made.address.startswith("https://evalboard.example/report?")
    assert parse_qs(urlsplit(made.address).query) == CHOSEN
    assert not made.alone
    assert "evalboard" in made.told


@pytest.mark.parametrize(
    "page", ["http://localhost:8501/", "http://127.0.0.1:8501/", "http://[::1]:8501/"]
)
def test_a_server_that_listens_to_one_computer_is_said_to(page: str, number: str) -> None:
    made = sharing.reach(page, {}, "127.0.0.1")
    assert made.alone
    assert made.address == page
    assert "only on this computer" in made.told
    assert "--host 0.0.0.0 --port 8501" in made.told


@pytest.mark.parametrize("listens", ["0.0.0.0", "", "::"])
def test_where_others_reach_it_they_are_given_the_number_of_the_computer(
    listens: str, number: str
) -> None:
    made = sharing.reach("http://localhost:8501/costs", {"threshold": ["0.3"]}, listens)
    assert made.address == f"http://{number}:8501/costs?threshold=0.3"
    assert not made.alone
    assert number in made.told.replace("\\", "")
    assert "port 8501" in made.told


def test_a_computer_without_a_network_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_own_number", lambda: "")
    assert sharing.reach("http://localhost:8501/", {}, "0.0.0.0").alone


def test_an_address_of_six_bytes_a_part_stays_whole() -> None:
    made = sharing.reach("http://[fe80::1]:8501/", {}, "")
    assert made.address == "http://[fe80::1]:8501/"
    assert made.host == "fe80::1"


def test_a_hostile_host_stays_text() -> None:
    made = sharing.reach("http://*x*_y_/", {}, "")
    assert "\\*x\\*\\_y\\_" in made.told


def test_a_code_is_dark_on_light_with_a_margin_of_four() -> None:
    made = sharing.code("http://192.168.0.7:8501/")
    assert made is not None
    kind, held = made.split(",", 1)
    text = base64.b64decode(held).decode() if "base64" in kind else parse_qs(f"x={held}")["x"][0]
    svg = ElementTree.fromstring(text)
    light, dark = svg.iter("{http://www.w3.org/2000/svg}path")
    assert (light.get("fill"), dark.get("stroke")) == ("#fff", "#000")
    assert dark.get("d", "").startswith("M4 4.5")


def test_an_address_too_long_for_a_code_has_none() -> None:
    assert sharing.code("x" * 3000) is None
