"""A later file dropped beside the data: compared at once, and there again after a reload."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser.serving import settle


def month(path: Path, seed: int, wrong: float) -> Path:
    rng = np.random.default_rng(seed)
    chance = rng.beta(0.6, 0.8, 500)
    truth = (rng.random(500) < chance) ^ (rng.random(500) < wrong)
    lines = [f"{'yes' if t else 'no'},{p:.4f}" for t, p in zip(truth, chance, strict=True)]
    path.write_text("\n".join(["truth,m_score", *lines]), "utf-8")
    return path


def test_a_later_file_is_dropped_and_survives_a_reload(
    server: str, new_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = new_page()
    page.goto(server)
    settle(page)
    page.locator('input[type="file"]').set_input_files(month(tmp_path / "old.csv", 0, 0.0))
    page.wait_for_url("**/overview?**")
    settle(page)
    page.get_by_role("link", name="Compare").click()
    page.wait_for_url("**/later?**")
    settle(page)
    page.locator('input[type="file"]').set_input_files(month(tmp_path / "new.csv", 1, 0.3))
    expect(page.locator("h1")).to_contain_text(" of m ")
    page.wait_for_url("**later=**")
    settle(page)
    page.reload()
    settle(page)
    expect(page.get_by_text("new.csv")).to_be_visible()
    page.get_by_role("button", name="Remove the later file").click()
    expect(page.locator('input[type="file"]')).to_be_attached()
