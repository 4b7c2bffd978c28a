"""Secrets disappear; everything else stays letter for letter."""

from __future__ import annotations

import pytest

from vbench_env.experiments.redaction import BLANK, Redactor, public_url

KEY = "my+secret/key=42"


def test_known_values_go_in_any_spelling_and_the_rest_stays():
    redactor = Redactor([KEY], {})
    assert redactor.text(f"a {KEY} b") == f"a {BLANK} b"
    assert redactor.text("x?key=my%2Bsecret%2Fkey%3D42") == f"x?key={BLANK}"
    drawing = '<path id="sk-not-a-key-but-an-id" d="M0 0"/>'
    assert redactor.text(drawing) == drawing


def test_variables_named_like_credentials_are_known():
    redactor = Redactor(
        [], {"ACME_API_KEY": "abcdefgh1", "GITHUB_TOKEN": "tok-123456", "EDITOR": "vim-editor"}
    )
    assert redactor.text("abcdefgh1 tok-123456 vim-editor") == f"{BLANK} {BLANK} vim-editor"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Incorrect API key provided: sk-abc123def456", "sk-abc123def456"),
        ("Authorization: Bearer eyJhbGciOi.J9", "eyJhbGciOi.J9"),
        ("key=AIzaSyA1234567890abcdefghijkl", "AIzaSyA1234567890abcdefghijkl"),
    ],
)
def test_error_texts_lose_what_looks_like_a_credential(text, kept):
    cleaned = Redactor([], {}).error(text)
    assert kept not in cleaned
    assert BLANK in cleaned


def test_short_values_do_not_eat_the_text():
    assert Redactor(["k"], {}).text("kick the bucket") == "kick the bucket"


def test_data_is_cleaned_through_and_through_and_headers_are_blanked():
    data = {"a": [f"{KEY}", {"Authorization": "Basic zzz", "x-api-key": "zzz", "n": 1}], "max_tokens": 5}
    cleaned = Redactor([KEY], {}).data(data)
    assert cleaned == {"a": [BLANK, {"Authorization": BLANK, "x-api-key": BLANK, "n": 1}], "max_tokens": 5}


def test_addresses_lose_user_password_and_query():
    assert public_url("https://user:pass@host:81/v1?key=abc#x") == "https://host:81/v1"
    assert public_url(None) is None


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        ({"messages": [{"role": "user", "content": "plain"}]}, {"messages": [{"role": "user", "content": "plain"}]}),
        ({"content": [f"amid {KEY} text"], "n": 1.5}, {"content": [f"amid {BLANK} text"], "n": 1.5}),
        ({"is-secret": ['a "quoted\\" one']}, {"is-secret": [BLANK]}),
        ({"headers": {"X-Api-Key": "y", "Accept": "z"}}, {"headers": {"X-Api-Key": BLANK, "Accept": "z"}}),
        ({"prompt_tokens": 3, "cookie": "gone"}, {"prompt_tokens": 3, "cookie": BLANK}),
        (["ä", None, True, {"PASSWORD": "gone"}], ["ä", None, True, {"PASSWORD": BLANK}]),
    ],
)  # fmt: skip
def test_secrets_are_blanked_wherever_they_stand_in_data(data, kept):
    assert Redactor([KEY, 'a "quoted\\" one', "schlüssel-ä"], {}).data(data) == kept
