"""What every implementation of RefreshTokens promises."""

from datetime import timedelta
from uuid import uuid4

from application.ports.users import UserChange
from tests.contracts.accounts_ports import AccountsPorts

DAY = timedelta(days=1)
FIRST, SECOND, THIRD, FOURTH = (bytes([n]) * 32 for n in range(1, 5))


def test_a_token_is_exchanged_for_its_successor(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    assert accounts.refresh_tokens.start_family(ada.id, FIRST, DAY)
    assert accounts.refresh_tokens.exchange(FIRST, SECOND, DAY) == ada.id
    assert accounts.refresh_tokens.exchange(SECOND, THIRD, DAY) == ada.id


def test_an_unknown_token_buys_nothing(accounts: AccountsPorts) -> None:
    assert accounts.refresh_tokens.exchange(FIRST, SECOND, DAY) is None


def test_a_used_token_presented_again_revokes_its_family(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.refresh_tokens.start_family(ada.id, FIRST, DAY)
    accounts.refresh_tokens.exchange(FIRST, SECOND, DAY)
    assert accounts.refresh_tokens.exchange(FIRST, THIRD, DAY) is None
    assert accounts.refresh_tokens.exchange(SECOND, FOURTH, DAY) is None


def test_another_log_in_of_the_same_user_outlives_the_revocation(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.refresh_tokens.start_family(ada.id, FIRST, DAY)
    accounts.refresh_tokens.start_family(ada.id, SECOND, DAY)
    accounts.refresh_tokens.revoke_family(FIRST)
    assert accounts.refresh_tokens.exchange(FIRST, THIRD, DAY) is None
    assert accounts.refresh_tokens.exchange(SECOND, THIRD, DAY) == ada.id


def test_revoking_by_an_old_token_of_the_family_revokes_the_newest(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.refresh_tokens.start_family(ada.id, FIRST, DAY)
    accounts.refresh_tokens.exchange(FIRST, SECOND, DAY)
    accounts.refresh_tokens.revoke_family(FIRST)
    assert accounts.refresh_tokens.exchange(SECOND, THIRD, DAY) is None


def test_revoking_an_unknown_token_changes_nothing(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.refresh_tokens.start_family(ada.id, FIRST, DAY)
    accounts.refresh_tokens.revoke_family(SECOND)
    assert accounts.refresh_tokens.exchange(FIRST, THIRD, DAY) == ada.id


def test_an_expired_token_buys_nothing(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.refresh_tokens.start_family(ada.id, FIRST, timedelta(0))
    assert accounts.refresh_tokens.exchange(FIRST, SECOND, DAY) is None


def test_a_successor_lives_as_long_as_it_was_given(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.refresh_tokens.start_family(ada.id, FIRST, DAY)
    assert accounts.refresh_tokens.exchange(FIRST, SECOND, timedelta(0)) == ada.id
    assert accounts.refresh_tokens.exchange(SECOND, THIRD, DAY) is None


def test_a_disabled_user_starts_and_exchanges_nothing(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.refresh_tokens.start_family(ada.id, FIRST, DAY)
    accounts.users.change(ada.id, UserChange(is_disabled=True))
    assert accounts.refresh_tokens.exchange(FIRST, SECOND, DAY) is None
    assert not accounts.refresh_tokens.start_family(ada.id, THIRD, DAY)


def test_nobody_starts_nothing(accounts: AccountsPorts) -> None:
    assert not accounts.refresh_tokens.start_family(uuid4(), FIRST, DAY)


def test_tokens_go_with_their_user(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.refresh_tokens.start_family(ada.id, FIRST, DAY)
    accounts.users.remove(ada.id)
    assert accounts.refresh_tokens.exchange(FIRST, SECOND, DAY) is None
