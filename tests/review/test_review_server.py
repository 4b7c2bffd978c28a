"""The server: the loopback interface, a token, a strict policy, and no answer to anybody else."""

from __future__ import annotations

import http.client
import json
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.review.reviews import answer, review_folder
from vbench_env.errors import ConfigError
from vbench_env.review.desk import ReviewDesk
from vbench_env.review.labels import read_lines
from vbench_env.review.server import LARGEST_REQUEST, ReviewServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReviewServer]:
    review = review_folder(tmp_path_factory.mktemp("review"))
    with review.labels("anna") as labels:
        served = ReviewServer(ReviewDesk(review, labels, "anna"))
        yield served
        served.close()


def ask(
    server: ReviewServer, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of a request below the token, or of a path that starts with a slash."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        sent.setdefault("Content-Type", "application/json")
    whole = path if path.startswith("/") else f"/{server.token}/{path}"
    connection.request("GET" if body is None else "POST", whole, body, sent)
    found = connection.getresponse()
    return found.status, dict(found.getheaders()), found.read()


def test_it_listens_on_the_loopback_interface_alone(server: ReviewServer) -> None:
    assert server._server.server_address[0] == "127.0.0.1"
    assert server.url == f"http://127.0.0.1:{server.port}/{server.token}/"
    assert len(server.token) >= 20


def test_the_page_and_its_parts_come_under_the_token(server: ReviewServer) -> None:
    for path, kind in {"": "text/html", "review.css": "text/css", "review.js": "text/javascript"}.items():
        status, headers, body = ask(server, path)
        assert (status, headers["Content-Type"].partition(";")[0]) == (200, kind)
        assert body
    assert json.loads(ask(server, "session")[2])["reviewer"] == "anna"


@pytest.mark.parametrize("path", ["/", "/session", "/x/session", "/favicon.ico", "//session", "/*"])
def test_without_the_token_there_is_nothing(path: str, server: ReviewServer) -> None:
    status, _, body = ask(server, path)
    assert (status, body) == (404, b"not here")
    assert ask(server, f"/{server.token}x/session")[0] == 404


@pytest.mark.parametrize(
    "path", ["../plan.json", "plan.json", "items.jsonl", "item/..", "picture/0/start/1400.png"]
)
def test_nothing_but_the_page_and_its_data_is_served(path: str, server: ReviewServer) -> None:
    assert ask(server, path)[0] == 404


def test_the_policy_lets_only_the_page_itself_run(server: ReviewServer) -> None:
    _, headers, body = ask(server, "")
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self';")
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert b"<style" not in body
    assert b"onclick" not in body


def test_another_host_or_page_is_refused(server: ReviewServer) -> None:
    assert ask(server, "session", Host=f"evil.example:{server.port}")[0] == 404
    assert ask(server, "session", Host=f"localhost:{server.port}")[0] == 200
    first = server.desk.order[0]
    assert ask(server, "judge", answer(first), Origin="https://evil.example")[0] == 404
    assert ask(server, "judge", answer(first), Origin="null")[0] == 404
    assert not read_path(server).exists()


def read_path(server: ReviewServer) -> Path:
    return server.desk._file.path


def test_a_form_of_another_page_cannot_post(server: ReviewServer) -> None:
    status, _, body = ask(server, "judge", answer(server.desk.order[0]), Content_Type="text/plain")
    assert status == 400
    assert json.loads(body)["error"] == "a short JSON body with its length is needed"
    assert not read_path(server).exists()


def test_a_body_that_is_too_long_is_refused(server: ReviewServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Content-Type": "application/json", "Content-Length": str(LARGEST_REQUEST + 1)}
    connection.request("POST", f"/{server.token}/judge", b"", headers)
    assert connection.getresponse().status == 400


def test_a_wrong_answer_comes_back_with_its_reason(server: ReviewServer) -> None:
    status, _, body = ask(server, "judge", answer(server.desk.order[0], score=9))
    assert (status, json.loads(body)) == (400, {"error": "score: Input should be less than or equal to 4"})


def test_pictures_come_as_png_and_the_target_only_after_a_reveal(server: ReviewServer) -> None:
    item = next(i for i in server.desk.order if server.desk.item(i)["pictures"]["output"]["drawn"])
    status, headers, body = ask(server, f"picture/{item}/output/1400.png")
    assert (status, headers["Content-Type"], body[:4]) == (200, "image/png", b"\x89PNG")
    assert ask(server, f"picture/{item}/output/1401.png")[0] == 400
    assert ask(server, f"picture/{item}/target/1400.png")[0] == 400
    assert ask(server, f"reveal/{item}", b"{}")[0] == 200
    assert ask(server, f"picture/{item}/target/1400.png")[0] == 200
    assert [line.kind for line in read_lines(read_path(server))] == ["reveal"]


def test_a_taken_port_is_refused_with_advice(server: ReviewServer) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ConfigError, match=r"port \d+ cannot be used: .*; leave --port out"):
            ReviewServer(server.desk, taken.getsockname()[1])


def test_a_page_that_goes_away_is_no_fault(server: ReviewServer, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(10):
        gone = socket.create_connection(("127.0.0.1", server.port))
        gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets
        gone.sendall(
            f"GET /{server.token}/review.js HTTP/1.0\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        )
        gone.close()
    assert ask(server, "")[0] == 200
    assert capsys.readouterr().err == ""
