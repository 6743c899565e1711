"""Pictures of concepts: each is there, told in a sentence, drawn inside its frame in both modes."""

import re
from xml.etree import ElementTree

import pytest

from evalview.explained.concepts import concepts
from evalview.explained.pictures import DRAWN, HEIGHT, INTERVALS, PICTURES, WIDTH, picture
from evalview.figures.theme import DARK, LIGHT

SVG = "{http://www.w3.org/2000/svg}"
every = pytest.mark.parametrize("key", list(PICTURES))


def shapes(key: str) -> list[ElementTree.Element]:
    drawn = picture(key)
    assert drawn is not None
    return list(ElementTree.fromstring(drawn.svg(LIGHT)).iter())


def test_every_concept_has_a_picture_and_no_other_thing_has() -> None:
    assert set(PICTURES) == set(concepts())
    assert picture("no-such") is None


@every
def test_a_picture_is_told_in_a_sentence(key: str) -> None:
    alt, _ = PICTURES[key]
    assert 40 <= len(alt) <= 140
    assert alt[0].isupper()
    assert alt.endswith(".")


def spots(element: ElementTree.Element) -> list[tuple[float, float]]:
    """Return where a shape ends; of a text, where a character of 7 pixels each would."""
    told = {name: float(value) for name, value in element.attrib.items() if name in "xywhrcxcy"}
    match element.tag.removeprefix(SVG):
        case "polyline":
            pairs = element.attrib["points"].split()
            return [tuple(map(float, pair.split(","))) for pair in pairs]  # type: ignore[misc]
        case "rect":
            x, y = told["x"], told["y"]
            wide, high = float(element.attrib["width"]), float(element.attrib["height"])
            assert min(wide, high) > 0
            return [(x, y), (x + wide, y + high)]
        case "circle":
            x, y, r = (float(element.attrib[name]) for name in ("cx", "cy", "r"))
            return [(x - r, y - r), (x + r, y + r)]
        case "text":
            wide = 6.2 * len(element.text or "")
            x, shift = told["x"], {"start": 0.0, "middle": 0.5, "end": 1.0}
            begin = x - shift[element.attrib["text-anchor"]] * wide
            return [(begin, told["y"] - 9), (begin + wide, told["y"] + 3)]
    return []


@every
def test_nothing_of_a_picture_is_cut_off(key: str) -> None:
    for shape in shapes(key):
        for x, y in spots(shape):
            assert 0 <= x <= WIDTH, (shape.tag, shape.attrib, shape.text)
            assert 0 <= y <= HEIGHT, (shape.tag, shape.attrib, shape.text)


@every
def test_a_picture_has_the_colours_of_its_mode_only(key: str) -> None:
    drawn = picture(key)
    assert drawn is not None
    for look, other in ((LIGHT, DARK), (DARK, LIGHT)):
        inks = set(re.findall(r"#[0-9A-Fa-f]{6}", drawn.svg(look)))
        assert inks <= {ink for ink in vars(look).values() if ink.startswith("#")}
        assert not inks & {ink for ink in vars(other).values() if ink.startswith("#")}
    styled = set(re.findall(r"\.([a-z-]+)\{", drawn.svg(LIGHT)))
    used = {name for s in shapes(key) for name in s.attrib.get("class", "").split()}
    assert used <= styled


def test_pictures_tell_the_truth_about_their_numbers() -> None:
    assert len(set(range(8)) - set(DRAWN)) == 3, "three rows are never drawn"
    assert [abs(middle) <= half for middle, half in INTERVALS].count(False) == 1
    red = [s for s in shapes("base-rate") if s.attrib.get("class") == "positive"]
    assert len(red) == 30
    tests = [s for s in shapes("cross-validation") if s.tag == f"{SVG}rect"]
    assert sum(s.attrib["class"] == "positive" for s in tests) == 5
    columns = {s.attrib["x"] for s in tests if s.attrib["class"] == "positive"}
    assert len(columns) == 5, "every part tests once"
    parts = [s for s in shapes("stratified") if s.tag == f"{SVG}rect"]
    wide = [float(s.attrib["width"]) + 2 for s in parts]
    assert [round(wide[k + 1] / (wide[k] + wide[k + 1]), 6) for k in (0, 2, 4)] == [0.2] * 3
