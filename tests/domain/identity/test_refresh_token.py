"""What a refresh token is made of."""

from domain.identity.refresh_token import digest_of, new_secret


def test_a_token_has_256_random_bits() -> None:
    secrets = {new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert {len(bytes.fromhex(secret)) for secret in secrets} == {32}


def test_the_sha_256_is_what_is_kept() -> None:
    assert digest_of("abc").hex() == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
