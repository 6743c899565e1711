"""The modules become one text that any page can take in."""

import re
import shutil
import subprocess
from itertools import chain

import pytest

from pages.explorer import source

FILES = sorted(source.ASSETS.glob("*.js"))
NODE = shutil.which("node")


def test_one_module_is_left_that_imports_nothing_and_exports_the_renderer() -> None:
    text = source.script()
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) == [
        "export default function render({ data, parentElement, setStateValue }) {"
    ]


def test_every_module_is_part_of_it_once() -> None:
    parts = {
        entry: re.findall(r"^const \$(\w+) = \(\(\) => \{$", source.script(entry), re.MULTILINE)
        for entry in ("streamlit", "figure_menu", "roc_steps")
    }
    for named in parts.values():
        assert len(set(named)) == len(named)
    assert sorted({*parts, *chain(*parts.values())}) == [file.stem for file in FILES]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_module_makes_markup_out_of_text_or_asks_the_network(file: object) -> None:
    text = file.read_text(encoding="utf-8")
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function"
    assert not re.search(rf"{forbidden}|\bfetch\b|XMLHttpRequest|https?://(?!www\.w3\.org/)", text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_modules_and_their_functions_stay_small(file: object) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 250
    assert max(map(len, lines)) <= 100
    starts = [
        at for at, line in enumerate(lines) if re.match(r"(export )?(default )?function", line)
    ]
    for start in starts:
        assert lines.index("}", start) - start < 50


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_node_finds_no_fault(file: object) -> None:
    command = [NODE, "--check", "--input-type=module"]
    done = subprocess.run(command, input=file.read_bytes(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_computing_modules_touch_no_element() -> None:
    computing = {"axis", "board", "curves", "figure_words", "goals", "judge", "metrics", "normal"}
    computing |= {"growing", "outbox", "tables", "words"}
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        if file.stem in computing:
            assert not re.search(r"document|window|Element|dom\.js|chart\.js", text), file.name


def test_the_style_names_no_font_or_picture_from_elsewhere() -> None:
    assert not re.search(r"url\(|@import", source.style())
