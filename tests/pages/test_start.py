"""Opening files: right ones lead to results, wrong ones to a sentence, and the old data stay."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalboard.arguments import parser, words_given
from evalboard.starting import FILES_VARIABLE
from evalread import loading
from evalread.worker import client
from pages import start
from pages.session import opening, reading, store
from tests.pages.conftest import go, words

Opened = Callable[..., AppTest]
FIRST = "Drop a file of predictions"
GOOD = b"truth,score\n" + b"".join(b"%d,0.%d\n" % (i % 2, i % 2 * 4 + i % 5 + 1) for i in range(40))


def drop(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    uploader = at.get("file_uploader")[0]
    for name, content in files:
        uploader.upload(name, content, "text/csv")
    return at.run()


def test_the_first_screen_offers_a_drop_zone_and_samples(empty: Opened) -> None:
    at = empty("start")
    assert at.get("file_uploader")
    assert "Or explore a sample" in words(at)
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
    assert "how is each column read?" in words(at)
    assert any(box.label == "Truth" for box in at.selectbox)


def test_files_of_the_command_line_are_opened_by_their_token(
    empty: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "payments.csv"
    file.write_bytes(GOOD)
    told = {"token": "a-token", "files": [str(file)]}
    monkeypatch.setenv(FILES_VARIABLE, json.dumps(told))
    store.given.cache_clear()
    at = empty("start", open="a-token")
    assert not at.exception
    assert "payments.csv" in words(at)
    assert at.query_params["data"] in ("a-token", ["a-token"])
    assert "open" not in at.query_params
    store.given.cache_clear()


def test_options_of_the_command_line_are_choices_of_the_view(
    empty: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "payments.csv"
    file.write_bytes(GOOD)
    given = parser().parse_args(["serve", str(file), "--positive", "0", "--ignore-label", "2"])
    told = {"token": "b-token", "files": [str(file)], "words": words_given(given)}
    monkeypatch.setenv(FILES_VARIABLE, json.dumps(told))
    store.given.cache_clear()
    at = empty("start", open="b-token")
    assert not at.exception
    assert at.query_params["positive"] in ("0", ["0"])
    assert at.query_params["ignore-label"] in ("2", ["2"])
    store.given.cache_clear()


def test_an_address_opens_no_file_of_the_server(empty: Opened, tmp_path: Path) -> None:
    file = tmp_path / "payments.csv"
    file.write_bytes(GOOD)
    at = empty("start", open=str(file))
    assert not at.exception
    assert "payments.csv" not in words(at)


def test_data_can_be_removed(empty: Opened) -> None:
    token = drop(empty("start"), ("payments.csv", GOOD)).query_params["data"]
    at = empty("start", data=token)
    next(button for button in at.button if button.label == "Delete now").click()
    at.run()
    assert "data" not in at.query_params
    assert store.files(token) is None
    assert "Delete now" not in [button.label for button in at.button]


def paste(at: AppTest, text: str) -> AppTest:
    at.text_area[0].set_value(text)
    return next(button for button in at.button if button.label == "Read this text").click().run()


@pytest.mark.parametrize(
    "text",
    [
        "truth\tscore\nyes\t0.9\nno\t0.2\nyes\t0.7\n",
        "truth,score\nyes,0.9\nno,0.2\nyes,0.7\n",
        '{"truth": "yes", "score": 0.9}\n{"truth": "no", "score": 0.2}\n',
    ],
)
def test_a_pasted_table_is_read_as_a_file_would_be(empty: Opened, text: str) -> None:
    at = paste(empty("start"), text)
    assert not at.exception
    assert "pasted text" in words(at)
    assert "score" in words(at)
    again = empty("data", data=at.query_params["data"])
    assert "against “truth”" in words(again)


def test_a_pasted_table_that_is_read_at_once_leads_to_its_results_too(
    empty: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = reading.begin

    def read_at_once(token: str) -> None:
        begin(token)
        while reading.busy(token, patience=20):
            pass

    monkeypatch.setattr(reading, "begin", read_at_once)
    at = paste(empty("start"), GOOD.decode())
    assert not at.exception
    assert FIRST not in words(at)
    assert opening.OPENING not in at.session_state


def test_a_run_cut_short_while_results_are_prepared_leads_on_when_it_is_run_again(
    empty: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as first:
        first.setattr(start, "_prepare", lambda *_: st.stop())
        at = drop(empty("start"), ("payments.csv", GOOD))
        assert FIRST in words(at)
    at.run()
    assert FIRST not in words(at)
    assert opening.OPENING not in at.session_state


def test_the_box_takes_further_files_while_those_before_are_read(
    empty: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as still:
        still.setattr(start, "wait", lambda: st.stop())
        at = drop(empty("start"), ("first.csv", GOOD))
    assert "second.csv" in words(drop(at, ("second.csv", GOOD)))


def test_a_page_loaded_again_while_a_file_is_read_leads_to_its_results(
    empty: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as still:
        still.setattr(start, "wait", lambda: st.stop())
        at = drop(empty("start"), ("payments.csv", GOOD))
    token = "".join(at.query_params["open"])
    at = empty("start", open=token)
    assert "payments.csv" in words(at)
    assert "open" not in at.query_params
    at.query_params.clear()
    at.query_params["open"] = token
    assert FIRST in words(go(at, "start")), "the way back leads there"


def test_pasted_text_that_is_no_table_is_refused_in_a_sentence_and_stays(loaded: Opened) -> None:
    at = paste(loaded("start"), "truth,score\n")
    assert len(at.error) == 1
    assert "pasted text could not be read" in at.error[0].value
    assert at.text_area[0].value == "truth,score\n"
    assert at.query_params["data"] == "sample-breast-cancer"


def test_whoever_leaves_while_a_file_is_read_finds_it_open_when_it_is(
    loaded: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = loaded("data")
    gate = threading.Event()
    read = loading.read_all
    # A process that reads may have been made before this test, and knows nothing of the gate.
    monkeypatch.setattr(client, "AVAILABLE", False)
    monkeypatch.setattr(loading, "read_all", lambda *given: gate.wait(20) and read(*given))
    token = store.keep([("slow.csv", GOOD)])
    reading.begin(token)
    at.session_state[opening.OPENING] = token
    at.run()
    assert "slow\\.csv is still being read" in words(at)
    assert "against “truth”" in words(at)
    gate.set()
    assert not reading.busy(token, patience=20)
    at.run()
    assert at.query_params["data"] == token
    assert "slow.csv" in words(at)
    assert not at.exception


def test_reading_can_be_stopped() -> None:
    def script() -> None:
        import streamlit as st

        from pages.session import opening, store

        st.session_state[opening.OPENING] = store.keep([("slow.csv", b"x")])
        opening.stop_opening()
        st.write(str(opening.being_read()))

    at = AppTest.from_function(script).run(timeout=60)
    assert at.markdown[0].value == "None"


def test_files_dropped_while_others_are_read_take_their_place() -> None:
    def script() -> None:
        import streamlit as st

        from pages.session import opening, store

        before = st.session_state[opening.OPENING] = store.keep([("slow.csv", b"x")])
        opening.keep_files((("next.csv", b"truth,score\n1,0.5\n0,0.4\n"),))
        now = opening.being_read()
        st.write(str((store.files(before), [name for name, _ in store.files(now) or ()])))

    at = AppTest.from_function(script).run(timeout=60)
    assert at.markdown[0].value == "(None, ['next.csv'])"
