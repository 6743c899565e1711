"""An explorer on an empty page."""

from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Locator, Page

from evalview.explorer import source
from tests.evalview.explorer.conftest import IMPORT


class Drawing:
    """An explorer on an empty page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.evaluate(IMPORT, source.script("explorer"))
        page.add_style_tag(content=source.style())

    def show(self, data: Mapping[str, Any], *, alone: bool = False) -> None:
        """Feed the explorer and unfold it; `alone`: nobody listens to what it says."""
        self.page.evaluate(
            """([data, alone]) => {
                window.said ??= [];
                const listen = alone ? undefined : (choice) => window.said.push(choice);
                window.explorer ??= mount(document.body, listen);
                window.explorer.update(data);
            }""",
            [data, alone],
        )
        folded = self.page.locator('.fold[aria-expanded="false"]')
        folded.evaluate_all("all => all.forEach((fold) => fold.click())")

    @property
    def answers(self) -> list[dict[str, Any]]:
        """What the explorer told its owner."""
        self.page.clock.run_for(400)
        return self.page.evaluate("window.said")

    @property
    def said(self) -> list[dict[str, Any]]:
        """The models and thresholds that it told."""
        return [{key: each[key] for key in ("model", "threshold")} for each in self.answers]

    @property
    def slider(self) -> Locator:
        return self.page.get_by_role("slider", name="Threshold")

    @property
    def box(self) -> Locator:
        return self.page.get_by_role("textbox", name="Type a threshold")

    @property
    def headline(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    def cells(self) -> list[str]:
        return self.page.locator(".cell-number").all_inner_texts()

    def numbers(self) -> list[str]:
        return self.page.locator(".card .number").all_inner_texts()
