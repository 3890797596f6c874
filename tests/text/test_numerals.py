import pytest

from reviewer.text.numerals import LARGEST, clamp_to_float, parse_integer


@pytest.mark.parametrize(
    ("said", "number"),
    [("7", 7), ("-12", -12), ("٣", 3), ("9" * 300, 10**300 - 1), ("9" * 6000, LARGEST), ("-" + "9" * 6000, -LARGEST)],
)
def test_integer(said, number):
    assert parse_integer(said) == number


@pytest.mark.parametrize("said", ["", "²", "x", "x" * 400, "1.5"])
def test_text_that_is_no_integer(said):
    with pytest.raises(ValueError):
        parse_integer(said)


def test_number_beyond_a_float():
    assert clamp_to_float(10**4000) == float(LARGEST)
    assert clamp_to_float(-(10**4000)) == -float(LARGEST)
    assert clamp_to_float(1.5) == 1.5
