"""The page in a real browser: filters, keyboard, colours, paper, and that nothing runs, loads or leaves.

Skipped where there is no Chromium, or the group `browser` is not installed.
"""

import shutil
import sys
import time
from pathlib import Path

import pytest
from reports import finding, full, known, many

from reviewer.render.html import render
from reviewer.report.model import Fix, Lines, Report, SectionReport
from reviewer.rules import SECTIONS

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "formats"))

from hostile import corpus

playwright = pytest.importorskip("playwright.sync_api", reason="the group `browser` is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

ATTACK = (
    "</script></style></title><script>window.broken=1</script><img src=//x.example onerror=window.broken=1>"
    "\" onfocus=window.broken=1 autofocus '><svg onload=window.broken=1>"
)

CONTRAST = """() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (each) => {
    for (; each; each = each.parentElement) {
      const color = parts(getComputedStyle(each).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const each of document.querySelectorAll("body *")) {
    const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !each.checkVisibility() || each.closest("option")) continue;
    const pair = [light(parts(getComputedStyle(each).color)), light(ground(each))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) low.push(`${each.tagName}.${each.className} ${ratio.toFixed(2)}: ${each.textContent.slice(0, 30)}`);
  }
  return low;
}"""


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def show(browser, tmp_path):
    """Open a report's page, and hold that it asked for nothing, broke no policy and logged nothing."""
    opened, told = [], []

    def opening(report, **wanted):
        file = tmp_path / "report.html"
        file.write_text(render(report), "utf-8")
        context = browser.new_context(**wanted)
        opened.append(context)
        page = context.new_page()
        page.on("request", lambda asked: told.append(asked.url))
        page.on("console", lambda said: told.append(said.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("dialog", lambda dialog: told.append(dialog.message))
        page.goto(file.as_uri())
        assert told.pop(0) == file.as_uri()
        return page

    yield opening
    for context in opened:
        context.close()
    assert told == []


def shown(page):
    return page.locator("#findings .finding:visible").count()


def control(page, label):
    return page.get_by_role("search").get_by_label(label, exact=label[0].isupper())


def status(page):
    return page.get_by_role("status").inner_text()


def test_at_first_all_that_is_reported_is_shown(show):
    page = show(full())
    assert shown(page) == 5
    assert status(page) == "5 of 7 findings shown"


def test_filters(show):
    page = show(full())
    control(page, "suppressed").check()
    control(page, "baseline").check()
    assert shown(page) == 7
    control(page, "warning").uncheck()
    assert shown(page) == 5
    control(page, "introduced").check()
    assert shown(page) == 1
    assert page.locator("#findings > section:visible").count() == 1
    page.get_by_role("button", name="Reset").click()
    playwright.expect(page.get_by_role("status")).to_have_text("5 of 7 findings shown")
    control(page, "Section").select_option(label="§10 Schema validation (SCH)")
    assert shown(page) == 3
    control(page, "Tool").select_option(label="second word")
    assert shown(page) == 1
    assert status(page) == "1 of 7 findings shown"


def test_text_is_searched_in_messages_places_and_rules(show):
    page = show(full())
    for words, count in (("PURPOSE-not", 2), ("word.py:3", 1), ("second", 1), ("nowhere", 0), ("tool-without 2", 1)):
        control(page, "Text").fill(words)
        playwright.expect(page.get_by_role("status")).to_have_text(f"{count} of 7 findings shown")
        assert shown(page) == count


def test_a_link_to_a_hidden_finding_shows_it(show):
    page = show(full())
    assert not page.locator("[id=f-0000000000000004]").is_visible()
    page.evaluate("location.hash = 'f-0000000000000004'")
    page.wait_for_selector("[id=f-0000000000000004]", state="visible")


def test_without_a_script_all_is_there(show):
    page = show(full(), java_script_enabled=False)
    assert shown(page) == 7
    assert not page.get_by_role("search").is_visible()


def test_by_keyboard_alone(show):
    page = show(full())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "findings"
    control(page, "error").focus()
    page.keyboard.press("Space")
    assert shown(page) == 3
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.locator(".about summary:visible").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".about .command:visible").count() == 1


def test_hostile_text_does_nothing(show):
    page = show(full(ATTACK))
    assert page.evaluate("window.broken") is None
    assert page.title().startswith("FAIL")
    assert page.locator("img, body svg:not([aria-hidden])").count() == 0
    control(page, "Tool").select_option(index=1)
    assert shown(page) == 3


def test_the_policy_is_in_force(browser, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(render(full()).replace("</main>", "<script>window.broken=1</script><p style='color:red'></main>"))
    page = browser.new_page()
    refused = []
    page.on("console", lambda said: refused.append(said.text))
    page.goto(file.as_uri())
    page.evaluate("document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/'}))")
    page.evaluate("fetch('http://127.0.0.1:9/').catch(() => 0)")
    page.wait_for_timeout(100)
    assert page.evaluate("window.broken") is None
    assert sum("Content Security Policy" in each for each in refused) >= 4
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(show, scheme):
    page = show(known(), color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
    control(page, "suppressed").check()
    assert page.evaluate(CONTRAST) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") is (scheme == "light")


def test_on_paper(show):
    page = show(known())
    page.emulate_media(media="print")
    assert not page.get_by_role("navigation").is_visible()
    assert not control(page, "Text").is_visible()
    assert all(box["height"] > 0 for box in (each.bounding_box() for each in page.locator(".about p").all()) if box)
    assert page.locator(".questions li").first.bounding_box()["height"] > 0
    assert page.pdf().startswith(b"%PDF")


@pytest.mark.parametrize("width", [320, 700, 1280])
def test_nothing_is_cut_off(show, width):
    page = show(full("a_name_that_is_longer_than_a_narrow_window_is_wide_and_never_breaks" * 2))
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_five_thousand_findings(show):
    page = show(many(5000))
    assert status(page) == "5,000 of 5,000 findings shown"
    started = time.perf_counter()
    control(page, "error").uncheck()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert time.perf_counter() - started < 5  # 0.3 s on a machine with nothing else to do
    assert status(page) == "3,334 of 5,000 findings shown"


def test_a_browsers_own_parser_finds_no_element_more(browser):
    page = browser.new_page()
    elements = """page => [...new DOMParser().parseFromString(page, "text/html").querySelectorAll("*")]
        .filter((each) => each.attributes.length || !["CODE", "MARK"].includes(each.tagName))
        .filter((each) => !["help", "cut"].includes(each.className))
        .map((each) => [each.tagName, ...each.getAttributeNames().sort()].join(" "))"""
    honest = page.evaluate(elements, render(full()))
    different = [case.text for case in corpus() if page.evaluate(elements, render(full(case.text))) != honest]
    page.close()
    assert different == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 1280])
def test_what_a_fix_changes_can_be_read(show, scheme, width):
    lines = Lines("word.py", 1, 2, ("word = 2", "x" * 3000), before=("word = 1", f"{'x' * 2999}y"))
    part = SectionReport(SECTIONS[9], "violations", (finding(1, fix=Fix("write 2", "safe", (), lines)),))
    page = show(
        Report("core", "the default", (part,), 1), color_scheme=scheme, viewport={"width": width, "height": 800}
    )
    page.get_by_text("Fix: write 2").click()
    assert [each.text_content() for each in page.locator("del, ins").all()] == ["1", "y", "2", "x"]
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
