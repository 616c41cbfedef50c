"""Coming in, staying in, going out."""

import json
from collections.abc import Callable

from playwright.sync_api import Route, expect

from adapters.postgres.users import PostgresUsers
from adapters.security.password_hasher import Argon2PasswordHasher
from application.ports.users import NewUser
from tests.browser.site import NAME, PASSWORD, Site
from tests.browser.visit import Visit


def log_in(visit: Visit, name: str, password: str) -> None:
    visit.page.goto(f"{visit.origin}/admin/")
    visit.page.get_by_label("Name or e-mail").fill(name)
    visit.page.get_by_label("Password").fill(password)
    visit.button("Log in").click()


def spoil_access_token(visit: Visit) -> None:
    """As the clock would."""
    visit.page.evaluate(
        "const held = JSON.parse(sessionStorage['anichron.session']);"
        "held.accessToken = 'no longer good';"
        "sessionStorage['anichron.session'] = JSON.stringify(held)"
    )


def test_an_admin_logs_in_stays_after_a_reload_and_logs_out(visit: Visit, site: Site) -> None:
    item = site.work.enqueue()
    log_in(visit, NAME, "something else")
    expect(visit.page.get_by_role("alert")).to_contain_text("don't belong together")
    visit.page.get_by_label("Password").fill(PASSWORD)
    visit.page.keyboard.press("Enter")
    visit.is_live()
    visit.has_status(item, "Queued")
    visit.page.reload()
    visit.is_live()
    visit.has_status(item, "Queued")
    visit.button("Log out").click()
    expect(visit.button("Log in")).to_be_visible()
    visit.page.reload()
    expect(visit.button("Log in")).to_be_visible()


def test_who_is_no_admin_is_told_so(visit: Visit, site: Site) -> None:
    PostgresUsers(engine=site.engine).add(
        NewUser(
            name="anna",
            email="anna@example.org",
            password_hash=Argon2PasswordHasher().hash("anna's password"),
            is_admin=False,
        )
    )
    log_in(visit, "anna", "anna's password")
    expect(visit.page.get_by_role("alert")).to_contain_text("This page is for admins")
    visit.button("Log in as somebody else").click()
    expect(visit.button("Log in")).to_be_visible()


def test_an_access_token_that_ran_out_is_renewed_unseen(visit: Visit) -> None:
    visit.enter()
    spoil_access_token(visit)
    visit.page.reload()
    visit.is_live()


def test_a_log_in_that_ends_under_a_view_leads_to_the_log_in(visit: Visit, site: Site) -> None:
    visit.enter("?view=folders")
    site.run("DELETE FROM refresh_tokens")
    visit.page.route("**/api/v1/admin/users*", lambda route: route.fulfill(status=401, json={}))
    visit.page.get_by_role("link", name="People").click()
    expect(visit.page.get_by_text("Your log-in has ended")).to_be_visible()
    assert "view=people" in visit.page.url


def test_a_renewal_that_is_never_answered_is_not_waited_for(visit: Visit) -> None:
    asked: list[Route] = []

    def leave_it(route: Route) -> None:
        asked.append(route)

    visit.enter()
    visit.page.route("**/api/v1/auth/refresh", leave_it)
    spoil_access_token(visit)
    visit.page.reload()
    expect(visit.page.get_by_text("The API can't be reached.")).to_be_visible(timeout=25_000)
    visit.page.unroute("**/api/v1/auth/refresh")
    assert len(asked) == 1
    visit.button("Try again").click()
    visit.is_live()


def test_a_log_in_that_has_ended_is_told_and_the_view_is_kept(visit: Visit, site: Site) -> None:
    visit.enter("?status=Failed")
    site.run("DELETE FROM refresh_tokens")
    spoil_access_token(visit)
    visit.page.reload()
    expect(visit.page.get_by_text("Your log-in has ended")).to_be_visible()
    visit.page.get_by_label("Name or e-mail").fill(NAME)
    visit.page.get_by_label("Password").fill(PASSWORD)
    visit.button("Log in").click()
    expect(visit.page.get_by_text("Nothing failed here")).to_be_visible()


def test_of_a_tab_and_its_copy_the_older_one_goes_on(visit: Visit, site: Site) -> None:
    log_in(visit, NAME, PASSWORD)
    visit.is_live()
    session: str = visit.page.evaluate("sessionStorage['anichron.session']")
    copy = Visit(visit.page.context.new_page(), site, site.origin)
    copy.page.add_init_script(
        "if (!sessionStorage['was.here'])"
        f" sessionStorage['anichron.session'] = {json.dumps(session)};"
        " sessionStorage['was.here'] = 'yes'"
    )
    copy.go("")
    copy.is_live()
    # Both find at once that the access token has run out.
    for each in (visit, copy):
        each.page.route("**/api/v1/admin/workers", answer_401_once())
    expect(copy.page.get_by_text("Your log-in has ended")).to_be_visible()
    spoil_access_token(visit)
    visit.page.reload()
    visit.is_live()
    assert copy.errors == []


def answer_401_once() -> Callable[[Route], None]:
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.fulfill(status=401, json={})
        else:
            route.continue_()

    return answer
