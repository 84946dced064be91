"""The page in headless Chromium: opened, stepped, searched, at 320 px, in dark and light.

These tests are not run, and say so, where Chromium, its driver or selenium is missing.  The look of a page is compared
with a stored one as a coarse picture, a cell for some thousand pixels: fonts differ between machines, and so do single
pixels.  `python -m model_tests.tests.picture.test_page` stores it again.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from impl.bridges.asyncio.run import simulate
from impl.explore import explore
from impl.explore.report.scenes import scenes_of
from impl.picture import Row, Scene, scene_of, write_page

from ...examples import shop
from ..explore.programs import failure_of
from .test_scenes import wake_window

# Any in this file: the browser of selenium, and the results of scripts.

STORED: Final = Path(__file__).with_name("look.json")
#: The columns and rows of a coarse picture, and the greatest mean difference of its grey values, of 255: another font
#: makes 3, a run that is not drawn 10.
GRID: Final = (24, 16)
TOLERANCE: Final = 4.0
#: A screenshot as the grey values of its cells.
_GREY: Final = """
const [shot, columns, rows, done] = arguments, image = new Image();
image.onload = () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: columns, height: rows });
  const drawn = canvas.getContext("2d");
  drawn.imageSmoothingQuality = "high";
  drawn.drawImage(image, 0, 0, columns, rows);
  const pixels = drawn.getImageData(0, 0, columns, rows).data;
  done(Array.from({ length: columns * rows }, (_, n) => Math.round((pixels[4*n] + pixels[4*n+1] + pixels[4*n+2]) / 3)));
};
image.src = "data:image/png;base64," + shot;
"""


class Page:
    """A page in a browser."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser, self.folder = browser, folder

    def open(self, *scenes: Scene, step: int = 1, width: int = 1300, height: int = 800, dark: bool = False) -> None:
        """Open the page of these scenes at a step, in a window of that size."""
        write_page(self.folder / "page.html", *scenes)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        self.browser.get("about:blank")
        self.browser.get(f"{(self.folder / 'page.html').as_uri()}#{step}")

    def all(self, selector: str) -> list[Any]:
        return list(self.browser.find_elements("css selector", selector))

    def texts(self, selector: str) -> list[str]:
        return [each.text for each in self.all(selector)]

    def type(self, keys: str, into: str = "body") -> None:
        """Type keys, into the first element of a selector."""
        self.all(into)[0].send_keys(keys)

    def step(self) -> str:
        """The current step, as its row says."""
        return str(
            self.all("section[data-active] tr[aria-current] th, main > section:only-of-type tr[aria-current] th")[
                0
            ].text
        )

    def details(self) -> dict[str, str]:
        return dict(zip(self.texts("#details dt"), self.texts("#details dd"), strict=True))

    def run(self, script: str) -> Any:
        return self.browser.execute_script(script)

    def grey(self) -> list[int]:
        """The coarse picture of the window's contents."""
        shot = self.browser.get_screenshot_as_base64()
        return list(self.browser.execute_async_script(_GREY, shot, *GRID))


def started() -> Any:
    """A browser.

    Raises:
        ModuleNotFoundError: selenium is not installed.
        FileNotFoundError: Chromium is not.
    """
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        raise FileNotFoundError("Chromium or its driver is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for option in ("headless=new", "no-sandbox", "disable-gpu", "hide-scrollbars", "disable-dev-shm-usage"):
        options.add_argument(f"--{option}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    try:
        found = started()
    except (ModuleNotFoundError, FileNotFoundError) as missing:
        pytest.skip(f"not run: {missing}")
    yield found
    found.quit()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Page]:
    """A page; at the end of each test the console of the browser is empty."""
    yield Page(browser, tmp_path)
    assert browser.get_log("browser") == []


@pytest.fixture(scope="module")
def wake() -> Scene:
    return scene_of(simulate(wake_window, trace=True), title="a wake window")


@pytest.fixture(scope="module")
def race() -> list[Scene]:
    return scenes_of(failure_of(shop.main).simple)


def test_it_opens_at_the_step_that_is_asked_for(opened: Page, wake: Scene) -> None:
    opened.open(wake, step=9)
    assert opened.step() == "9"
    details = opened.details()
    assert (details["step"], details["what"]) == (
        f"9 of {len(wake.rows)} in a wake window",
        "wake_window requests to cancel waiter",
    )
    assert details["rule"].startswith("CANCEL-1")


def test_keys_and_buttons_step(opened: Page, wake: Scene) -> None:
    opened.open(wake)
    steps = []
    down, up, end, page_down, home = "\ue015", "\ue013", "\ue010", "\ue00f", "\ue011"
    for key in ("j", "j", "k", down, up, end, page_down, home):
        opened.type(key)
        steps.append(opened.step())
    last = str(len(wake.rows))
    assert steps == ["2", "3", "2", "3", "2", last, last, "1"]
    opened.all("#on")[0].click()
    opened.all("#on")[0].click()
    opened.all("#back")[0].click()
    assert opened.step() == "2"


def test_it_is_searched(opened: Page, wake: Scene) -> None:
    opened.open(wake)
    opened.type("/")
    opened.type("CancelledError\ue007", into="#find")
    assert (opened.step(), opened.texts("#found")) == ("12", ["step 12"])
    assert len(opened.all("tr.hit")) == 1
    opened.type("\ue003" * 20 + "nowhere\ue007", into="#find")
    assert opened.texts("#found") == ["not found"]
    opened.type("\ue00c", into="#find")  # Escape
    opened.type("c")
    assert opened.step() == "9", "the next cancel, round the end"


def test_the_lines_of_the_program_are_found_and_shown(opened: Page, wake: Scene) -> None:
    opened.open(wake)
    opened.type("await ready\ue007", into="#find")
    assert opened.details()["line"].endswith("await ready")


def test_the_wake_window_is_hatched_and_has_a_sign(opened: Page, wake: Scene) -> None:
    opened.open(wake)
    cells = opened.all("tr:nth-child(10) td.woken")
    assert [cell.text for cell in cells] == ["◎✗"]
    assert "repeating-linear-gradient" in cells[0].value_of_css_property("background-image")


def test_a_row_under_the_pointer_shows_its_details(opened: Page, wake: Scene) -> None:
    opened.open(wake)
    opened.run(
        "document.querySelector('tr[data-n=\"8\"] td').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))"
    )
    assert opened.details()["step"].startswith("9 of")
    assert opened.step() == "1"


def test_two_runs_stand_side_by_side_and_turned_pairs_are_linked(opened: Page, race: list[Scene]) -> None:
    opened.open(*race)
    left, right = (each.rect for each in opened.all("section"))
    assert left["x"] + left["width"] < right["x"]
    lines = [[float(line.get_attribute(name)) for name in ("y1", "y2")] for line in opened.all("#links line")]
    (one, other), (another, last) = lines
    assert one < another
    assert other > last, "the links cross: what came first in one run came last in the other"
    opened.type("p")
    assert [row.text.partition(" ")[0] for row in opened.all("tr[aria-current]")] == ["4", "5"]
    opened.type("s")
    assert "★" in opened.details()["choice"]


@pytest.mark.parametrize("dark", [False, True])
def test_it_is_readable_at_320_pixels(opened: Page, race: list[Scene], dark: bool) -> None:
    opened.open(*race, step=4, width=320, height=640, dark=dark)
    assert opened.run("return document.documentElement.scrollWidth") <= 320
    left, right = (each.rect for each in opened.all("section"))
    assert left["y"] + left["height"] <= right["y"]
    row = opened.all("tr[aria-current]")[0].rect
    assert row["height"] > 0
    assert not opened.all("#links line")
    for selector in ("tr[aria-current] .what", "tr.fault .what", "#details dd", "h1", "td.lane"):
        assert contrast(opened, selector) >= 4.5, selector


def contrast(page: Page, selector: str) -> float:
    """The contrast of the first element's text with the ground behind it (WCAG 2.1, 1.4.3)."""
    front, back = page.run(
        f"""const of = document.querySelector({json.dumps(selector)});
        let ground = of;
        while (ground && /, 0\\)$/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
        const canvas = getComputedStyle(document.querySelector("aside")).backgroundColor;
        return [getComputedStyle(of).color, ground ? getComputedStyle(ground).backgroundColor : canvas];"""
    )
    light, dark = sorted((luminance(front), luminance(back)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    """The relative luminance of `rgb(r, g, b)`."""
    parts = [float(part) / 255 for part in color[color.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_of_a_long_run_it_draws_a_window(opened: Page) -> None:
    rows = tuple(Row(n % 40, f"step of {n}", ((n % 40, "runs"),), time=n) for n in range(100_000))
    opened.open(Scene("long", tuple(f"task {n}" for n in range(40)), rows), step=50_000)
    assert len(opened.all("tbody tr")) == 60
    assert opened.details()["what"] == "task 39 step of 49999"
    assert "16 more lanes are not shown here" in opened.texts(".scroll p")[0]
    opened.type("j")
    assert opened.details()["step"].startswith("50001 of 100,000")
    opened.type("of 99999\ue007", into="#find")
    assert opened.details()["step"].startswith("100000 of")


def looks(page: Page, race: list[Scene]) -> dict[str, list[int]]:
    """The coarse pictures of the race, in light and in dark."""
    found = {}
    for name, dark in (("light", False), ("dark", True)):
        page.open(*race, step=4, dark=dark)
        found[name] = page.grey()
    return found


@pytest.mark.long("seconds of a browser")
def test_it_looks_as_it_did(opened: Page, race: list[Scene]) -> None:
    stored, now = json.loads(STORED.read_text(encoding="utf-8")), looks(opened, race)
    assert [name for name in now if difference(stored[name], now[name]) > TOLERANCE] == []
    opened.open(race[1])
    assert difference(stored["light"], opened.grey()) > TOLERANCE, "a page that lacks a run looks different"


def difference(one: list[int], other: list[int]) -> float:
    """The mean difference of grey values."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one)


def main() -> None:
    """Store how the page looks."""
    browser, failure = started(), explore(shop.main).failure
    assert failure is not None
    with TemporaryDirectory() as folder:
        found = looks(Page(browser, Path(folder)), scenes_of(failure.simple))
    browser.quit()
    lines = ",\n".join(f' "{name}": {json.dumps(grey)}' for name, grey in found.items())
    STORED.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
