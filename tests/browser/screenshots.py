"""Takes the pictures of docs/screenshots: `python3 dev.py screenshots`."""

from playwright.sync_api import Browser, sync_playwright

from dev import ROOT, find_chromium
from tests.browser.serving import CHROMIUM_ARGUMENTS, DESKTOP, PHONE, served, settle

FOLDER = ROOT / "docs" / "screenshots"
SAMPLE = "data=sample-breast-cancer"
PICTURES = {
    "start": "/",
    "data": f"/data?{SAMPLE}",
    "overview": f"/overview?{SAMPLE}",
    "confusion": f"/confusion?{SAMPLE}",
    "thresholds": f"/thresholds?{SAMPLE}",
    "curves": f"/thresholds?{SAMPLE}&curves=gain,lift,ks,det,metrics&lines=none",
    "costs": f"/costs?{SAMPLE}&costs=0,1,10,0&prevalence=5&volume=20000",
    "calibration": f"/calibration?{SAMPLE}",
    "steps": f"/roc_steps?{SAMPLE}&most=20&step=9",
    "splitting": "/splitting?at=scheme~bootstrap",
    "overfitting": "/overfitting",
    "distances": "/distances?data=sample-iris&at=order~3",
    "classes": "/thresholds?data=sample-digits&class=8",
    "digits": "/overview?data=sample-digits",
    "comparison": f"/comparison?{SAMPLE}",
    "leaderboard": "/leaderboard?data=sample-diabetes",
    "errors": "/errors?data=sample-diabetes",
    "silhouettes": "/silhouettes?data=sample-iris&shown=kmeans_k4",
    "agreement": "/agreement?data=sample-iris&shown=kmeans_k3",
    "clusterings": "/clusterings?data=sample-iris",
}
SHAPES = {"light": (DESKTOP, "light"), "dark": (DESKTOP, "dark"), "phone": (PHONE, "light")}


def main() -> None:
    """Take every picture in every shape."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with served() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS)
        )
        for name, path in PICTURES.items():
            for shape in SHAPES:
                take(browser, server + path, name, shape)
        browser.close()


def take(browser: Browser, url: str, name: str, shape: str) -> None:
    """Take one picture."""
    size, scheme = SHAPES[shape]
    context = browser.new_context(
        viewport=size, color_scheme=scheme, device_scale_factor=1, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(url)
    settle(page)
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / f"{name}-{shape}.png")
    context.close()


if __name__ == "__main__":
    main()
