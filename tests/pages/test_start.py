"""Opening files: right ones lead to results, wrong ones to a sentence, and the old data stay."""

from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.session import store
from tests.pages.conftest import words

Opened = Callable[..., AppTest]
GOOD = b"truth,score\n" + b"".join(b"%d,0.%d\n" % (i % 2, i % 2 * 4 + i % 5 + 1) for i in range(40))


def drop(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    uploader = at.get("file_uploader")[0]
    for name, content in files:
        uploader.upload(name, content, "text/csv")
    return at.run()


def test_the_first_screen_offers_a_drop_zone_and_samples(empty: Opened) -> None:
    at = empty("start")
    assert at.get("file_uploader")
    assert "Or look around in a sample" in words(at)
    assert "569 rows" in words(at)


def test_a_dropped_file_leads_to_the_overview(empty: Opened) -> None:
    at = drop(empty("start"), ("payments.csv", GOOD))
    assert not at.exception
    assert "payments.csv" in words(at)
    assert at.query_params["data"] not in ("", "payments.csv")


def test_each_upload_has_a_token_that_cannot_be_guessed(empty: Opened) -> None:
    tokens = {drop(empty("start"), ("a.csv", GOOD)).query_params["data"] for _ in range(3)}
    assert len(tokens) == 3
    assert min(map(len, tokens)) >= 20


@pytest.mark.parametrize(
    "content", [b"", b"truth,score\n", b"\x00\x01\x02" * 99, b"a,b\n1,2\n1,2,3\n"]
)
def test_a_wrong_file_is_one_sentence_and_the_data_before_it_stay(
    loaded: Opened, content: bytes
) -> None:
    at = drop(loaded("start"), ("wrong.csv", content))
    assert not at.exception
    assert len(at.error) == 1
    assert at.query_params["data"] == "sample-breast-cancer"
    assert "breast_cancer.csv" in words(at)
    assert not at.run().error


def test_more_than_the_limit_is_refused(empty: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    option = st.get_option
    monkeypatch.setattr(
        st, "get_option", lambda name: 0 if name == "server.maxUploadSize" else option(name)
    )
    at = drop(empty("start"), ("big.csv", GOOD))
    assert "can be uploaded at once" in at.error[0].value
    assert "data" not in at.query_params


def test_a_file_that_tells_no_roles_leads_to_the_question(empty: Opened) -> None:
    at = drop(empty("start"), ("mystery.csv", b"alpha,beta\nx,y\ny,x\n"))
    assert not at.exception
    assert "Which column is what?" in words(at)
    assert any(box.label == "What was true" for box in at.selectbox)


def test_data_can_be_removed(empty: Opened) -> None:
    token = drop(empty("start"), ("payments.csv", GOOD)).query_params["data"]
    at = empty("start", data=token)
    next(button for button in at.button if button.label == "Remove this data").click()
    at.run()
    assert "data" not in at.query_params
    assert store.files(token) is None
    assert "Remove this data" not in [button.label for button in at.button]
