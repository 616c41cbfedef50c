"""How fast an item is said to move: never faster than it does."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from domain.work.progress import Progress
from tests.browser.site import Site
from tests.browser.visit import Visit

# Each snapshot: seconds, done, note. The answer: done per second, and seconds left of 100.
PACE = """async ([snapshots, now]) => {
  const { Pace } = await import('/admin/pace.js');
  const pace = new Pace();
  for (const [at, done, note] of snapshots) {
    const updatedAt = new Date(at * 1000).toISOString();
    const progress = { done, total: done === null ? null : 100, note };
    pace.note({ status: 'Running', attempt: 1, updatedAt, progress });
  }
  return [pace.perSecond(now * 1000), pace.secondsLeft(100, now * 1000)];
}"""
STEADY = [[0, 0, "a"], [2, 20, "b"], [4, 40, "c"]]


@pytest.mark.parametrize(
    ("snapshots", "now", "pace", "left"),
    [
        (STEADY, 4, 10, 6),
        (STEADY, 10, 10, 6),  # three times the usual pause is none
        (STEADY, 20, 40 / 14, 21),
        ([*STEADY, [9, 40, "c"]], 10, 10, 6),  # somebody asked to stop it
        ([[0, 0, "a"], [600, 0, "9 compared"], [602, 20, "b"]], 602, 10, 8),
        ([[0, 0, "a"], [600, 0, "a"], [602, 20, "b"]], 602, 20 / 602, 80 * 602 / 20),
        ([[0, 0, "a"]], 0, None, None),
        ([*STEADY, [5, None, None]], 5, None, None),  # begun anew
    ],
)
def test_what_comes_late_slows_the_pace(
    visit: Visit, snapshots: list[list[object]], now: float, pace: float | None, left: float | None
) -> None:
    visit.enter()
    told = visit.page.evaluate(PACE, [snapshots, now])
    assert told == [pace and pytest.approx(pace), left and pytest.approx(left)]


def test_a_silent_worker_has_no_pace(visit: Visit, site: Site) -> None:
    item, tag = site.work.enqueue(), site.work.claimed()
    visit.enter()
    row = visit.row(item)
    for done in (100, 200):
        progress = Progress(done=done, total=900)
        site.work.execution.heartbeat(tag, progress, timedelta(minutes=1))
        expect(row).to_contain_text(f"{done} of 900")
    expect(row.locator(".pace")).to_have_text(re.compile(r"/s · .+ left"))
    site.run("UPDATE work_items SET lease_until = lease_until - interval '20 s'")
    expect(row.locator(".silence")).to_contain_text("silent for")
    expect(row.locator(".pace")).to_have_text("")
    row.locator(".row-title").click()
    expect(visit.page.get_by_role("dialog").locator(".pace")).to_have_text("")
