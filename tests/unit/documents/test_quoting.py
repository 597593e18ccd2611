"""Whether words stand in a text."""

from __future__ import annotations

import pytest

from askfirst.documents.quoting import plain_words, stands_in

TEXT = plain_words("It ran  \u201crm -rf\u201d\non the drive (all of it).")


@pytest.mark.parametrize("words", ["It ran 'rm -rf' on the drive", "RAN", "(all of it)", "of it).", "-rf\\non"])
def test_case_blanks_and_quotation_marks_do_not_count(words: str) -> None:
    assert stands_in(plain_words(words), TEXT)


@pytest.mark.parametrize("words", ["", "''", "t ran", "on the driv", "ran on the drive", "all of it.*"])
def test_only_whole_words_in_their_order_stand_in_a_text(words: str) -> None:
    assert not stands_in(plain_words(words), TEXT)
