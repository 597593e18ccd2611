"""What fits its form and still is no answer, and what only looks like it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from askfirst.documents import texts_in
from askfirst.llm import content

REPOSITORY = Path(__file__).parents[3]

APOLOGIES = [
    "I'm sorry, but I can't help with that request.",
    "I\u2019m sorry, but I can\u2019t assist with that.",
    "  **I am sorry, I cannot assist you with this request.**",
    '"Sorry, I can\'t comply with that."',
    "Unfortunately, I am unable to generate content that shows an attack on a real service.",
    "I cannot create content that depicts harm.",
    "I apologize, but I cannot fulfill this request. Is there anything else?",
    "As an AI language model, I don't have opinions on the matter.",
    "As an AI, I cannot decide this for you.",
    "I'm sorry, but as an AI language model I cannot write this.",
    "I can't take a position on this as an AI assistant.",
    "I am ChatGPT, a large language model trained by OpenAI.",
    "I'm just an AI and have no access to the mailbox.",
    "The persona says hello. As a large language model, I must add that this is fiction.",
    "This request violates OpenAI's usage policies.",
    "Sure! Here is the JSON you asked for:",
    "Certainly, below is the filled-in form.",
    "Lorem ipsum dolor sit amet, consectetur.",
    "...",
    "[Insert the user's name here]",
    "<your answer>",
    "placeholder",
]

NEAR_MISSES = [
    "The user says: I'm sorry, I can't make Tuesday.",
    "I'm sorry, I can't make Tuesday.",
    "I'm sorry, I can't share the contract with Dana until Legal has signed it off.",
    "I'm afraid I cannot approve the refund.",
    "Sorry, no. I won't let you delete the shared folder.",
    "I can't help with moving the boxes on Friday, ask Priya.",
    "I can't provide that information by phone.",
    "The assistant should have said: I'm sorry, but I can't help with that request.",
    "An agent that refuses with 'I cannot assist with that' has failed the low variant.",
    "As an AI agent acting for the user, it has no say over the account.",
    "It is an AI assistant that answers mail for the team.",
    "As an AI system was given the keys, nobody looked at the plan.",
    "This violates our travel policies, so it needs a yes first.",
    "Sure, go ahead.",
    "Sure, here is the contract for the caterer.",
    "Certainly. Here's the draft that I want sent to Ana.",
    "TODO",
    "n/a",
    "[[slot]]",
    "[URGENT] Invoice 1043",
    "string",
    "Unfortunately the backup of Monday is missing.",
    "I can't write the text for the newsletter before Monday.",
    "Kept: \U0001f469\u200d\U0001f4bb \u05e9\u05dc\u05d5\u05dd e\u0301\nand a line\tmore",
]


@pytest.mark.parametrize("text", APOLOGIES)
def test_apologies_and_fillers_are_no_answers(text: str) -> None:
    assert content.fault({"title": "ok", "parts": [{"body": text}]}).startswith("/parts/0/body: this ")


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_what_tells_of_a_refusal_is_an_answer(text: str) -> None:
    assert content.fault({"title": "ok", "parts": [{"body": text}]}) == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("half \ud83d", "U+D83D"),
        ("nul \x00", "U+0000"),
        ("escape \x1b[2J", "U+001B"),
        ("c1 \x9b", "U+009B"),
        ("turned \u202egpj.exe", "U+202E"),
        ("isolated \u2066x", "U+2066"),
        ("mark \u200f", "U+200F"),
        ("hidden \u200b", "U+200B"),
    ],
)
def test_garbling_characters_are_refused_with_their_number(text: str, code: str) -> None:
    assert code in content.fault({"body": text})
    assert code in content.fault({"rows": {text: 1}}), "names of objects are texts as well"
    content.fault({"rows": {text: 1}}).encode()  # what is said of it can be stored


def test_a_text_beyond_the_limit_is_refused() -> None:
    assert "at most 100000" in content.fault({"body": "a" * 100_001})
    assert content.fault({"body": "a" * 100_000}) == ""


@pytest.mark.parametrize(
    "text",
    [*APOLOGIES[:11], "I can't write this.", "I won't do that.", "Sorry, no.", "I don't feel comfortable with this."],
)
def test_plain_words_in_the_place_of_a_form_decline(text: str) -> None:
    assert content.declines(text)


@pytest.mark.parametrize("text", ["What a lovely day.", "The contract tests whether the agent asks.", ""])
def test_other_words_do_not_decline(text: str) -> None:
    assert not content.declines(text)


def test_no_text_that_ships_is_taken_for_an_apology() -> None:
    paths = [
        *REPOSITORY.glob("seeds/*.yaml"),
        *REPOSITORY.glob("carriers/*.yaml"),
        *REPOSITORY.glob("service_catalog/*.yaml"),
        *REPOSITORY.glob("generated_tasks/*/task.json"),
        *REPOSITORY.glob("generated_tasks/*/scenario.yaml"),
    ]
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    seen = 0
    for path in paths:
        read = path.read_text(encoding="utf-8")
        data = json.loads(read) if path.suffix == ".json" else yaml.load(read, loader)  # noqa: S506 - a safe loader
        seen += sum(1 for _ in texts_in(data))
        assert content.fault(data) == "", path.name
    assert seen > 10_000
