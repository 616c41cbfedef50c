"""What every implementation of LogInAttempts promises; 2 free tries a pair, 3 an account, 4 an
address, then 10 minutes, doubling to 60. Minutes, since the database's clock goes on meanwhile.
"""

from datetime import timedelta
from math import ceil
from uuid import UUID, uuid4

import pytest

from application.ports.log_in_attempts import Admission, LogInAttempt
from domain.identity.log_in_throttle import TooManyAttempts
from tests.contracts.accounts_ports import AccountsPorts

HOME, AWAY = "192.0.2.1", "2001:db8::/64"
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def admit(
    accounts: AccountsPorts, login: str = "ada", network: str = AWAY, user: UUID | None = None
) -> Admission:
    return accounts.attempts.admit(LogInAttempt(login=login, network=network, user_id=user))


def wait_of(
    accounts: AccountsPorts, login: str = "ada", network: str = AWAY, user: UUID | None = None
) -> int:
    """In minutes; 0: the attempt went on, and failed."""
    try:
        admit(accounts, login, network, user)
    except TooManyAttempts as refusal:
        return ceil(refusal.seconds / 60)
    return 0


def test_a_pair_has_its_free_tries_and_then_waits_twice_as_long_each_time(
    accounts: AccountsPorts,
) -> None:
    assert [wait_of(accounts) for _ in range(4)] == [0, 0, 10, 10]
    for minutes in (10, 20, 40, 60, 60):
        accounts.advance((minutes - 1) * MINUTE)
        assert wait_of(accounts) == 1
        accounts.advance(1 * MINUTE)
        assert wait_of(accounts) == 0
        accounts.attempts.succeeded(admit(accounts, "somebody else", HOME))


def test_names_are_told_apart_as_users_are_whatever_the_case(accounts: AccountsPorts) -> None:
    found = [wait_of(accounts, name) for name in ("Zoë", "ZOË", "zoë", "zoe")]
    assert found == [0, 0, 10, 0]


def test_an_address_waits_whatever_the_names(accounts: AccountsPorts) -> None:
    assert [wait_of(accounts, f"name {n}") for n in range(5)] == [0, 0, 0, 0, 10]
    assert wait_of(accounts, "name 9", HOME) == 0


def test_an_account_waits_wherever_the_tries_come_from(accounts: AccountsPorts) -> None:
    assert [wait_of(accounts, network=f"192.0.2.{n}") for n in range(4)] == [0, 0, 0, 10]


def test_a_name_that_nobody_has_waits_alike(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    known, unknown = (
        [wait_of(accounts, login, f"{login} {n // 2}", user) for n in range(6)]
        for login, user in (("ada", ada.id), ("nobody", None))
    )
    assert known == unknown == [0, 0, 0, 10, 10, 10]


def test_where_an_account_logged_in_attacks_from_elsewhere_do_not_hold_it_up(
    accounts: AccountsPorts,
) -> None:
    ada = accounts.user("ada")
    accounts.attempts.succeeded(admit(accounts, "ada", HOME, ada.id))
    for n in range(3):
        assert wait_of(accounts, "ada", f"192.0.2.1{n}", ada.id) == 0
        assert wait_of(accounts, f"name {n}", HOME) == 0
    assert wait_of(accounts, "name 4", HOME) == 0
    assert wait_of(accounts, "name 5", HOME) == 10, "the address is slowed for others"
    assert wait_of(accounts, "ada", AWAY, ada.id) == 10, "the account is slowed elsewhere"
    assert wait_of(accounts, "ada@example.org", HOME, ada.id) == 0
    assert [wait_of(accounts, "ada", HOME, ada.id) for _ in range(3)] == [0, 0, 10]


def test_an_address_is_known_for_90_days(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.attempts.succeeded(admit(accounts, "ada", HOME, ada.id))
    accounts.advance(timedelta(days=90) - 60 * MINUTE)
    for n in range(3):
        assert wait_of(accounts, "ada", f"192.0.2.1{n}", ada.id) == 0
    assert wait_of(accounts, "ada", HOME, ada.id) == 0
    accounts.advance(60 * MINUTE)
    assert wait_of(accounts, "ada", HOME, ada.id) == 0
    assert wait_of(accounts, "ada", HOME, ada.id) == 40, "the account's wait; the pair's is 10"


def test_each_success_makes_the_address_known_anew(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    for _ in range(3):
        accounts.attempts.succeeded(admit(accounts, "ada", HOME, ada.id))
        accounts.advance(timedelta(days=60))
    for n in range(3):
        assert wait_of(accounts, "ada", f"192.0.2.1{n}", ada.id) == 0
    assert wait_of(accounts, "ada", AWAY, ada.id) == 10
    assert wait_of(accounts, "ada", HOME, ada.id) == 0


def test_a_success_clears_its_pair_and_counts_for_nothing_else(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    assert wait_of(accounts, "ada", AWAY, ada.id) == 0
    accounts.attempts.succeeded(admit(accounts, "ada", AWAY, ada.id))
    assert [wait_of(accounts, "bob", AWAY) for _ in range(2)] == [0, 0]
    assert wait_of(accounts, "eve", AWAY) == 0, "the success is none of the address's failures"
    assert wait_of(accounts, "kim", AWAY) == 10, "but the failure before it still is"


def test_a_success_of_ones_own_account_buys_no_more_guesses(accounts: AccountsPorts) -> None:
    own = accounts.user("eve")
    found = []
    for n in range(6):
        found.append(wait_of(accounts, f"victim {n}"))
        accounts.attempts.succeeded(admit(accounts, "eve", AWAY, own.id))
    assert found == [0, 0, 0, 0, 10, 10]


def test_after_a_pause_nothing_is_held_against_anybody(accounts: AccountsPorts) -> None:
    assert [wait_of(accounts) for _ in range(3)] == [0, 0, 10]
    accounts.advance(timedelta(hours=60))
    assert [wait_of(accounts) for _ in range(3)] == [0, 0, 10]


def test_a_user_who_is_gone_knows_no_address(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    going = accounts.user("going")
    admission = admit(accounts, "going", HOME, going.id)
    accounts.user("root", admin=True)
    accounts.users.remove(going.id)
    accounts.attempts.succeeded(admission)
    accounts.attempts.succeeded(admit(accounts, "nobody", HOME, uuid4()))
    accounts.attempts.succeeded(admit(accounts, "ada", HOME, ada.id))
    accounts.users.remove(ada.id)
    again = accounts.user("ada")
    for n in range(3):
        assert wait_of(accounts, "ada", f"192.0.2.1{n}", again.id) == 0
    assert wait_of(accounts, "ada", HOME, again.id) == 10


def test_waits_are_told_in_whole_seconds(accounts: AccountsPorts) -> None:
    for _ in range(2):
        admit(accounts)
    accounts.advance(3.5 * SECOND)
    with pytest.raises(TooManyAttempts) as refused:
        admit(accounts)
    seconds = refused.value.seconds
    assert 540 < seconds <= 597, "3.5 s of ten minutes are over, or somewhat more"
    assert str(refused.value) == f"too many log-ins failed; try again in {seconds} s"


def test_a_withdrawn_attempt_was_none_and_clears_nothing_else(accounts: AccountsPorts) -> None:
    assert wait_of(accounts) == 0
    for _ in range(5):
        accounts.attempts.withdrawn(admit(accounts))
    assert [wait_of(accounts), wait_of(accounts)] == [0, 10]
