"""Sets of values that a text tells."""

import pytest

from reviewer.rules.shared.values.choices import extract_choices


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Kind of the kiln. Allowed values are GAS and WOOD.", ("GAS", "WOOD")),
        ("Allowed values: gas, wood and electric", ("gas", "wood", "electric")),
        ("One of top-loader or front-loader", ("top-loader", "front-loader")),
        ("'gas' or 'wood'", ("gas", "wood")),
    ],
)
def test_a_word_between_values_is_none(text, values):
    assert extract_choices(text) == values
