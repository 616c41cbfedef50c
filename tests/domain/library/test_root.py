import pytest

from domain.library.root import RootEmpty, RootUnavailable, refuse_emptiness, refuse_taken


def test_an_emptied_root_is_refused_and_one_that_was_always_empty_is_not() -> None:
    refuse_emptiness(found=0, unreadable=0, known=0, is_allowed=False)
    refuse_emptiness(found=1, unreadable=0, known=7, is_allowed=False)
    with pytest.raises(RootEmpty, match=r"^root empty: it held 7 assets and now holds no file$"):
        refuse_emptiness(found=0, unreadable=0, known=7, is_allowed=False)
    with pytest.raises(RootEmpty):
        refuse_emptiness(found=0, unreadable=0, known=1, is_allowed=False)


def test_a_root_of_which_a_folder_cannot_be_read_is_not_empty() -> None:
    refuse_emptiness(found=0, unreadable=1, known=7, is_allowed=False)


def test_an_emptied_root_is_believed_where_an_admin_allows_it() -> None:
    refuse_emptiness(found=0, unreadable=0, known=7, is_allowed=True)


def test_an_unavailable_root_says_why() -> None:
    assert str(RootUnavailable("it went")) == "root unavailable: it went"


@pytest.mark.parametrize("other", ["/nas/b", "/nas/b/holidays", "/nas"])
def test_a_root_that_leads_into_another_config_s_folder_is_unavailable(other: str) -> None:
    with pytest.raises(
        RootUnavailable,
        match=r"^root unavailable: it leads into the folder of another storage config$",
    ):
        refuse_taken("/nas/b", ["/nas/elsewhere", other])


def test_a_root_beside_all_others_is_taken() -> None:
    refuse_taken("/nas/b", ["/nas/bc", "/nas/a"])
    refuse_taken("/nas/b", [])
