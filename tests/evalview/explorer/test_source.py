"""The modules become one text that any page can take in."""

import re
import shutil
import subprocess
from itertools import chain

import pytest

from evalview.course.lessons import lessons
from evalview.explorer import source

FILES = sorted(file for room in source.ROOMS for file in room.glob("*.js"))
NODE = shutil.which("node")


STAGES = sorted({one.stage for one in lessons().values() if one.stage})
COMPONENTS = ("explorer", "lesson", "below", "plotly", *STAGES)


@pytest.mark.parametrize("module", COMPONENTS)
def test_a_component_imports_nothing_and_exports_its_renderer(module: str) -> None:
    text = source.component(module, "choice")
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) == [
        f'export default $streamlit.component(${module}.mount, "choice");'
    ]


def test_every_module_is_once_in_a_component_that_needs_it() -> None:
    parts = [
        re.findall(r"^const \$(\w+) = \(\(\) => \{$", source.component(module), re.MULTILINE)
        for module in COMPONENTS
    ]
    for named in parts:
        assert len(set(named)) == len(named)
    assert sorted(set(chain(*parts))) == sorted(file.stem for file in FILES)


def test_one_module_alone_knows_streamlit() -> None:
    knowing = [file.stem for file in FILES if "setStateValue" in file.read_text(encoding="utf-8")]
    assert knowing == ["streamlit"]
    assert not any("$streamlit" in source.script(module) for module in COMPONENTS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_module_makes_markup_out_of_text_or_asks_the_network(file: object) -> None:
    text = file.read_text(encoding="utf-8")
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function"
    # Pictures carry the fonts that the page has loaded; the policy of the server keeps it to them.
    asking = r"XMLHttpRequest" if file.name == "fonts.js" else r"\bfetch\b|XMLHttpRequest"
    assert not re.search(rf"{forbidden}|{asking}|https?://(?!www\.w3\.org/)", text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_modules_and_their_functions_stay_small(file: object) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 600
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
    for module in ("curves", "distributions", "random", "scores", "states", "view", "words"):
        text = source.script(module)
        assert not re.search(r"\b(document|window|Element)\b|\$(dom|chart)\b", text), module


def test_the_style_names_no_font_or_picture_from_elsewhere() -> None:
    assert not re.search(r"url\(|@import", source.style())
