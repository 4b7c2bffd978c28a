"""A person in the page: what the server behind it gives, takes and refuses."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image
from vbench_agents.human_drawing import MOST_OBJECTS, Drawing

from tests.agents.test_human_terminal import ROOT, START, TARGET, TASK
from tests.agents.web_desk import Table, playing
from vbench_env.render import Picture, RenderFailure
from vbench_env.task import Repair, Task

HOSTILE_START = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60"><script>window.hacked = 1</script>'
    '<rect id="&lt;img src=x onerror=hacked=1&gt;" width="100" height="60" onload="hacked=1" fill="url(http://x/)"/>'
    '<image href="http://127.0.0.1:1/x.png" width="9" height="9"/>'
    '<foreignObject width="9" height="9"><b xmlns="http://www.w3.org/1999/xhtml">&lt;/textarea&gt;&lt;script&gt;'
    "hacked=1&lt;/script&gt;</b></foreignObject>"
    '<text id="t" y="9">&lt;/script&gt;&lt;img src=x onerror=hacked=1&gt;</text>'
    '<circle id="sun" cx="31" cy="18" r="9"/></svg>'
)
HOSTILE = Task(
    "<b>hostile</b>", "<img src=x onerror='hacked=1'> move the sun", HOSTILE_START,
    HOSTILE_START.replace('cx="31"', 'cx="70"'),
    (Repair(object="sun", operation="move", property="cx", corrupted="31", target="70"),), (),
)  # fmt: skip


def ask(url: str, path: str = "", body: str | None = None, token: bool = True) -> tuple[int, bytes, Any]:
    """Status, body and headers of one request to the page's server."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.netloc), timeout=40)
    connection.request("GET" if body is None else "POST", (parts.path if token else "/") + path, body)
    answer = connection.getresponse()
    return answer.status, answer.read(), answer.headers


def state(table: Table, after: int = 1) -> Any:
    return json.loads(ask(table.desk.url, f"state?after={after}")[1])


def act(table: Table, action: object) -> Any:
    """Play an action; the state that follows."""
    version = state(table)["version"]
    status, _, _ = ask(table.desk.url, "act", action if isinstance(action, str) else json.dumps(action))
    assert status == 204
    return state(table, version)


def test_nothing_is_served_without_the_token() -> None:
    with playing(TASK) as table:
        for path in ("", "state", "state?after=0", "now.png", "page.js", "x/", "../"):
            assert ask(table.desk.url, path, token=False)[:2] == (404, b"not here")
        assert ask(table.desk.url, "act", '{"tool": "submit"}', token=False)[0] == 404
        assert len(urlsplit(table.desk.url).path) > 20
        assert table.desk.url.startswith("http://127.0.0.1:")
        assert not table.episode.done


def test_a_task_is_solved_and_the_score_comes_at_the_end_only() -> None:
    with playing(TASK) as table:
        first = state(table)
        assert (first["task"], first["instruction"], first["svg"]) == ("suns", TASK.instruction, START)
        assert (first["turn"], first["turns_left"], first["over"], first["score"]) == (1, 24, False, None)
        assert {"name", "group", "about", "schema"} == set(first["tools"][0])
        move = {"tool": "set_attribute", "args": {"object": "sun", "name": "cx", "value": "70"}}
        moved = act(table, move)
        assert (moved["svg"], moved["turn"], moved["score"]) == (TARGET, 2, None)
        assert json.loads(moved["log"][-1]["action"]) == move
        assert moved["log"][-1]["result"] == 'set_attribute: circle sun: cx "31" -> "70"'
        wrong = act(table, {"tool": "move", "args": {"object": "moon", "dx": 1, "dy": 1}})
        assert wrong["log"][-1]["error"].startswith("error not_found at object: 'moon' matches no element")
        over = act(table, {"tool": "submit", "args": {}})
        assert (over["over"], over["stop_reason"], over["score"]["status"]) == (True, "submit", "PASS")
        assert ask(table.desk.url, "act", "{}")[0] == 409


def test_a_whole_document_is_an_action() -> None:
    with playing(TASK) as table:
        assert act(table, TARGET)["svg"] == TARGET


def test_a_second_move_is_refused_while_the_first_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    with playing(TASK) as table:
        state(table)
        assert table.desk.act('{"tool": "diff"}') is True
        taken = [table.desk.act('{"tool": "diff"}') for _ in range(3)]
        assert taken.count(True) <= 1
        assert state(table, 2)["version"] >= 3


def test_objects_come_with_boxes_paint_and_attributes() -> None:
    with playing(TASK) as table:
        sky, sun = state(table)["objects"]
        assert (sky["label"], sun["label"], sun["name"], sun["depth"]) == ("sky", "sun", "circle", 0)
        assert sun["box"] == pytest.approx([0.22, 0.15, 0.18, 0.3])
        assert sky["box"] == [0, 0, 1, 1]
        assert (sun["fill"], sun["where"]) == ("#ffb703", "22,9,18,18")
        assert ["cx", "31"] in sun["attributes"]


def test_pictures_of_now_the_start_and_a_part(tmp_path: Path) -> None:
    with playing(TASK) as table:
        act(table, {"tool": "set_attribute", "args": {"object": "sun", "name": "cx", "value": "70"}})
        seen = {}
        for path in ("now.png", "start.png", "now.png?part=0.5,0,0.5,0.5"):
            status, png, headers = ask(table.desk.url, path)
            assert (status, headers["Content-Type"]) == (200, "image/png")
            (tmp_path / "x.png").write_bytes(png)
            seen[path] = Image.open(tmp_path / "x.png").convert("RGB")
        assert {picture.size for picture in seen.values()} == {(1400, 840)}
        sun = (255, 183, 3)
        assert seen["now.png"].getpixel((980, 252)) == sun != seen["start.png"].getpixel((980, 252))
        assert seen["now.png?part=0.5,0,0.5,0.5"].getpixel((560, 504)) == sun
        for wrong in ("1", "1,2", "nan,0,1,1", "0,0,0,0", "a,b,c,d", "0,0,9,9"):
            assert ask(table.desk.url, f"now.png?part={wrong}")[0] == 400
        assert ask(table.desk.url, "target.png")[0] == 404
        assert ask(table.desk.url, "state?after=x")[0] == 400


def test_what_cannot_be_drawn_says_why() -> None:
    odd = Task(
        "odd", "x", '<svg xmlns="http://www.w3.org/2000/svg" width="0" viewBox="0 0 1 1"/>', TARGET, (), ()
    )
    with playing(odd) as table:
        status, reason, _ = ask(table.desk.url, "now.png")
        assert status == 409
        assert b"preview unavailable (malformed): width of the root is 0 px" in reason
        assert state(table)["objects"] == []


def test_the_documents_markup_never_becomes_part_of_the_page() -> None:
    with playing(TASK) as tame:
        page = ask(tame.desk.url)[1]
    with playing(HOSTILE) as table:
        status, body, headers = ask(table.desk.url)
        assert (status, body) == (200, page)
        assert b"hacked" not in body
        policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
        assert (policy["default-src"], policy["script-src"], policy["style-src"]) == (
            "'none'",
            "'self'",
            "'self'",
        )
        assert headers["X-Content-Type-Options"] == "nosniff"
        for path, kind in (
            ("state", "application/json"),
            ("page.js", "text/javascript"),
            ("now.png", "image/png"),
        ):
            assert ask(table.desk.url, path)[2]["Content-Type"].startswith(kind)


def test_a_request_that_is_too_large_is_refused() -> None:
    with playing(TASK) as table:
        parts = urlsplit(table.desk.url)
        connection = http.client.HTTPConnection(str(parts.netloc), timeout=20)
        connection.putrequest("POST", parts.path + "act")
        connection.putheader("Content-Length", str(10**9))
        connection.endheaders()
        assert connection.getresponse().status == 413


@pytest.mark.parametrize(
    "svg",
    [
        "", "<svg", HOSTILE_START, '<svg xmlns="http://www.w3.org/2000/svg"/>',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 100000"><rect width="1" height="9"/></svg>',
        '<!DOCTYPE svg [<!ENTITY g "<g/>">]><svg xmlns="http://www.w3.org/2000/svg">&g;&g;</svg>',
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{"<g/>" * 3000}</svg>',
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{"<g>" * 200}{"</g>" * 200}</svg>',
    ],
)  # fmt: skip
def test_any_document_has_a_size_a_picture_or_a_reason_and_a_bounded_list(svg: str) -> None:
    drawing = Drawing(svg)
    assert all(1 <= side <= 1400 for side in drawing.size_px())
    assert isinstance(drawing.picture(), Picture | RenderFailure)
    assert isinstance(drawing.picture((0.4, 0.4, 0.2, 0.2)), Picture | RenderFailure)
    assert len(drawing.objects()) <= MOST_OBJECTS
    json.dumps(drawing.objects(), allow_nan=False)


def test_the_command_serves_the_page_and_ends_with_the_verdict(tmp_path: Path) -> None:
    change = {"part": "sun", "attribute": "cx", "before": "31", "after": "70"}
    data = {
        "task_id": "suns", "instruction": "Move the sun.", "initial_svg": START, "target_svg": TARGET,
        "expected_diff": [change], "should_preserve": ["sky"],
    }  # fmt: skip
    (tmp_path / "suns.json").write_text(json.dumps(data), encoding="utf-8")
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "agents"), *sys.path])}
    code = "from vbench_env.cli import main; main()"
    command = [sys.executable, "-c", code, "play", str(tmp_path / "suns.json"), "--web", "--no-browser"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=variables,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().removeprefix("play at ").strip()
        version = json.loads(ask(url, "state?after=1")[1])["version"]
        assert ask(url, "act", TARGET)[0] == 204
        version = json.loads(ask(url, f"state?after={version}")[1])["version"]
        assert ask(url, "act", '{"tool": "submit"}')[0] == 204
        over = json.loads(ask(url, f"state?after={version}")[1])
        assert over["score"]["status"] == "PASS"
        out, err = process.communicate("\n", timeout=40)
    assert process.returncode == 0, err
    assert "the page shows the score until you press Enter" in " ".join(out.split())
