from application.ports.proxy_reader import ProxyUnreadable


def test_an_error_says_why_and_names_no_path() -> None:
    assert str(ProxyUnreadable("Permission denied")) == (
        "the proxies cannot be read: Permission denied"
    )
