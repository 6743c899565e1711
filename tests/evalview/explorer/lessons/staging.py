"""Lessons on an empty page, and the numbers of their stages."""

from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Locator, Page

from evalview.course import rows
from evalview.course.lessons import Lesson, lessons
from evalview.explorer import source
from pages.lessons.lesson import payload
from tests.evalview.explorer.conftest import IMPORT

Load = Callable[..., Page]

NUMBERS = """([states, show, data]) => states.map((state) =>
    Object.fromEntries(Object.entries(numbers(state, new Set(show), data)).map(([name, value]) =>
        [name, Object.is(value, NaN) ? "NaN" : value])))"""


def start(lesson: Lesson, **changed: Any) -> dict[str, Any]:
    """Return the state in which a lesson begins, changed or not."""
    found = {one.key: list(one.start) if one.is_list else one.start[0] for one in lesson.settings}
    return found | changed


def numbers(page: Page, key: str, **changed: Any) -> dict[str, Any]:
    """Return the numbers of a lesson in a state; `page` has the module of its stage."""
    one = lessons()[key]
    return page.evaluate(NUMBERS, [[start(one, **changed)], one.show, rows.data(one)])[0]


class Staged:
    """A lesson on an empty page."""

    def __init__(self, page: Page, key: str) -> None:
        self.page, self.lesson = page, lessons()[key]
        page.evaluate(IMPORT, source.script(self.lesson.stage))
        page.add_style_tag(content=source.style("menu", "explorer", "lesson", "lessons"))
        self.show()

    def show(self, at: str = "") -> None:
        data: Mapping[str, Any] = payload(self.lesson, at)
        self.page.evaluate(
            """(data) => {
                window.told ??= [];
                window.shown ??= mount(document.body, (at) => window.told.push(at));
                window.shown.update(data);
            }""",
            dict(data),
        )

    @property
    def says(self) -> str:
        return self.page.locator(".says").inner_text()

    @property
    def told(self) -> list[str]:
        """The states that the lesson told, once the reader has rested."""
        self.page.clock.run_for(600)
        return self.page.evaluate("window.told")

    def slider(self, name: str) -> Locator:
        return self.page.get_by_role("slider", name=name)

    def formulas(self) -> list[str]:
        return self.page.locator(".formula").all_inner_texts()
