"""The tests of pages notice whatever is asked of another machine."""

import socket

from tests.pages import conftest


def test_what_is_asked_of_another_machine_is_noticed() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outside:
        outside.connect(("192.0.2.1", 9))  # sends nothing: an address kept for documentation
    assert conftest.ASKED == ["socket.connect: '192.0.2.1'"]
    conftest.ASKED.clear()
