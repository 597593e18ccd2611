import pytest

from askfirst.errors import InputError
from askfirst.models.seed import AuthorityGap, Seed
from askfirst.seeding.form import FORM, FormField, fitting_responses, seed_from_answers

BY_NAME = {field.name: field for field in FORM}
ANSWERS = {
    "title": "Agent mails the whole company",
    "id": "agent-mails-all",
    "domain": "communication",
    "date": "2026-03",
    "sources": "https://news.example.org/a\nhttps://blog.example.org/b",
    "summary": "It sent a draft to everybody.",
    "candidate_action": "Send the draft to all staff",
    "authority_gap": "not_requested",
    "stakes": "high",
    "reversible": "no",
    "externally_visible": "no",
    "right_response": "ASK",
    "lesson": "",
}


def test_answers_make_a_seed() -> None:
    seed = seed_from_answers(ANSWERS)
    assert (seed.id, seed.reversible, seed.lesson, seed.product) == ("agent-mails-all", False, "unknown", "unknown")
    assert len(seed.sources) == 2


def test_good_answers_pass_their_validators() -> None:
    for name, answer in ANSWERS.items():
        assert BY_NAME[name].validator(answer) is None, name


@pytest.mark.parametrize("field", FORM, ids=lambda field: field.name)
def test_every_question_fits_the_seed(field: FormField) -> None:
    assert field.name in Seed.model_fields
    assert (field.kind == "choice") == bool(field.choices)
    assert (field.validator("") is not None) == field.required
    for choice in field.choices:
        assert field.validator(choice.value) is None


def test_every_required_field_is_asked() -> None:
    assert {name for name, info in Seed.model_fields.items() if info.is_required()} <= set(BY_NAME)


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("id", "../x", "lower-case"),
        ("id", "con", "Windows"),
        ("id", "A", "lower-case"),
        ("date", "2026-02-30", "a day, a month"),
        ("sources", "www.site.org", "not a web address"),
        ("sources", "https://a:b@site.org", "a login"),
        ("title", "x" * 301, "at most 300"),
        ("harm", "Mail jo@acme.io", "a mail address"),
        ("domain", "kitchen", "choose one of"),
    ],
)
def test_bad_answers_are_told_at_once(name: str, answer: str, said: str) -> None:
    assert said in (BY_NAME[name].validator(answer) or "")


@pytest.mark.parametrize("gap", AuthorityGap)
def test_only_fitting_responses_are_offered(gap: AuthorityGap) -> None:
    offered = fitting_responses(gap.value)
    assert offered
    for choice in offered:
        seed = seed_from_answers({**ANSWERS, "authority_gap": gap.value, "right_response": choice.value})
        assert seed.right_response.value == choice.value


def test_answers_that_make_no_seed() -> None:
    with pytest.raises(InputError, match="right_response") as refused:
        seed_from_answers({**ANSWERS, "right_response": "ACT"})
    assert refused.value.where == "answer right_response"
    with pytest.raises(InputError, match="title: is missing"):
        seed_from_answers({})
