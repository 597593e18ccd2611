import time
from pathlib import Path

import pytest

from askfirst.seeding.load import load_seed, load_seeds
from askfirst.seeding.privacy import find_private, private_parts

SEEDS = Path(__file__).parents[3] / "seeds"
# Put together here, so that no scanner takes this file for a leak.
AWS = "AKIA" + "Q4Z7PLM2XN8RTV5W"
GITHUB = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl"
PEM = "-----BEGIN RSA " + "PRIVATE KEY-----"


def test_shipped_seeds_hold_nothing_private() -> None:
    assert [finding for seed in load_seeds(SEEDS).seeds for finding in find_private(seed)] == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Write to jane.doe@acme.io, please", "a mail address"),
        ("jane[at]acme.io", "a mail address"),
        ("jane\uff20acme.io", "a mail address"),
        ("ja\u200bne@ac\u200bme.io", "a mail address"),
        ("jürgen@müller.de", "a mail address"),
        ("call +44 20 7946 0018", "a phone number"),
        ("(415) 555-2671", "a phone number"),
        ("415.555.2671", "a phone number"),
        ("06 12 34 56 78", "a phone number"),
        ("call me on 4155552671", "a phone number"),
        (f"key {AWS}", "a key or token"),
        ("sk-" + "proj-a1B2c3D4e5F6g7H8i9J0", "a key or token"),
        (GITHUB, "a key or token"),
        (JWT, "a key or token"),
        (PEM, "a private key"),
        ("password: hunter22x", "a password or key"),
        ("d41d8cd98f00b204e9800998ecf8427e", "a long random token"),
        ("dGhpcyBpcyBhIHNlY3JldCBrZXkgMTIzNDU2Nzg5MA==", "a long random token"),
        ("host 52.14.3.9.", "a public network address"),
        ("2a00:1450:4001:81b::200e", "a public network address"),
        ("4111 1111 1111 1111", "a payment card number"),
        ("5500-0000-0000-0004", "a payment card number"),
        ("DE89 3704 0044 0532 0130 00", "a bank account number"),
        ("123-45-6789", "a social security number"),
        ("https://bob:pass@host.io/x", "a login inside a web address"),
        ("https://host.io/x?access_token=abcdef0123456789ab", "a key in a web address"),
        (f"https://host.io/{GITHUB}", "a key or token"),
    ],
)
def test_private(text: str, kind: str) -> None:
    assert [found for found, _ in private_parts(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "jane@example.com and joe@mail.example.org",
        "git@github.com:owner/repo.git",
        "on 2025-12-25 at 10:30:45, about 155,000 to 200,000 dollars",
        "(415) 555-0132",
        "src/components/very/long/path/to/some/file2/that/is/fine.py",
        "cloud-placeholders-copied-originals-removed-2026-and-more",
        "A_CONSTANT_WITH_A_VERY_LONG_NAME_AND_NUMBER_2_AT_THE_END",
        "https://host.io/d41d8cd98f00b204e9800998ecf8427e?id=1234567890123456",
        "version 10.0.19.41 and v2.1.0.5",
        "127.0.0.1, 10.1.2.3, 192.168.0.1, 203.0.113.9, 8.8.8.8, 0.0.0.0",
        "2001:db8::1, ::1, std::vector, 12:30:45",
        "request 123e4567-e89b-12d3-a456-426614174000",
        "order 1700000000000 and ticket 4111111111111112",
        "the token is protected; the password is unknown",
        "posts to @channel and #general",
        "rmdir /s /q on the root of D:",
        'find <folder> -type f -name "*_new.json" -exec rm {} +',
    ],
)
def test_not_private(text: str) -> None:
    assert list(private_parts(text)) == []


def test_a_finding_never_tells_the_secret(tmp_path: Path) -> None:
    text = (SEEDS / "uk-shop-80-percent-code.yaml").read_text(encoding="utf-8")
    path = tmp_path / "uk-shop-80-percent-code.yaml"
    path.write_text(text.replace("summary: A small", f"summary: Key {AWS} of jane@acme.io. A small"), encoding="utf-8")
    findings = find_private(load_seed(path))
    assert [(f.code, f.path) for f in findings] == [("S2.private_data", "/summary")] * 2
    told = "".join(finding.model_dump_json() for finding in findings)
    assert AWS not in told
    assert "acme" not in told
    assert "AK… (20 characters)" in told


@pytest.mark.parametrize(
    "text", ["a" * 5000 + "@", "0-" * 2500, "a.b" * 1600, "+1" + " (" * 2400, "sk-" + "-" * 4900, "ZZ11" + " A" * 2400]
)
def test_hostile_text_does_not_take_long(text: str) -> None:
    start = time.perf_counter()
    list(private_parts(text))
    assert time.perf_counter() - start < 1.0
