"""Classes made by `reviewer.records` are those that the standard library makes."""

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, replace
from typing import Any, ClassVar

import pytest

from reviewer.records import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2
    names: list[str] = field(default_factory=list, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Named(Point):
    name: str = "n"


@dataclass(slots=True)
class Count:
    number: int = 0
    twice: int = field(init=False)

    def __post_init__(self) -> None:
        self.twice = 2 * self.number


@dataclass(eq=False)
class Open:
    part: int = field(default=3)
    seen: list[int] = field(init=False, default_factory=list)


@dataclass(frozen=True)
class Own:
    part: int

    def __repr__(self) -> str:
        return "own"

    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        return True


@dataclass(frozen=True)
class Rare:
    kinds: ClassVar[int] = 4
    part: int = 1


def _as_the_library(cls: type, **how: Any) -> type:
    """Make the same class anew by the library."""
    parts = [(each.name, each.type, _again(each)) for each in dataclasses.fields(cls)]
    return dataclasses.make_dataclass(cls.__name__, parts, **how)


def _again(given: Any) -> Any:
    names = ("default", "default_factory", "init", "repr", "hash", "compare")
    return field(**{name: getattr(given, name) for name in names})


@pytest.mark.parametrize("given", [(1,), (1, 3), (1, 3, ["a"])])
def test_a_frozen_class_with_slots_is_as_the_library_makes_it(given: tuple[Any, ...]) -> None:
    library = _as_the_library(Point, frozen=True, slots=True)
    mine, theirs = Point(*given), library(*given)
    assert repr(mine) == repr(theirs)
    assert hash(mine) == hash(theirs)
    assert mine == Point(*given)
    assert mine != Point(9)
    assert mine != theirs
    assert Point.__match_args__ == library.__match_args__  # type: ignore[attr-defined]
    assert Point.__slots__ == library.__slots__  # type: ignore[attr-defined]
    assert [each.name for each in dataclasses.fields(mine)] == [each.name for each in dataclasses.fields(theirs)]


def test_what_is_frozen_cannot_be_changed_and_can_be_copied() -> None:
    point = Named(1, name="q")
    with pytest.raises(FrozenInstanceError):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert replace(point, y=5) == Named(1, 5, name="q")
    assert copy.deepcopy(point) == point
    assert pickle.loads(pickle.dumps(point)) == point
    assert point != Point(1)
    assert dataclasses.asdict(point) == {"x": 1, "y": 2, "names": [], "name": "q"}


def test_defaults_and_what_follows_the_start() -> None:
    assert (Count(4).twice, repr(Count(4))) == (8, "Count(number=4, twice=8)")
    with pytest.raises(TypeError, match="unhashable"):
        hash(Count())
    assert (Open().seen, Open.part, Open() == Open()) == ([], 3, False)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        Point()  # type: ignore[call-arg]


def test_methods_of_a_class_stay_its_own() -> None:
    assert (repr(Own(1)), hash(Own(1)), Own(1) == 3) == ("own", 7, True)


def test_what_is_rare_is_left_to_the_library() -> None:
    assert (Rare.kinds, Rare(), [each.name for each in dataclasses.fields(Rare)]) == (4, Rare(1), ["part"])


def test_a_pattern_takes_fields_by_place() -> None:
    match Point(3):
        case Point(x, y):
            assert (x, y) == (3, 2)
        case _:
            pytest.fail("the pattern does not take a point")


def test_a_default_that_may_change_is_refused() -> None:
    @dataclass
    class Shared:
        parts: list[int] = []  # noqa: RUF012

    with pytest.raises(ValueError, match="mutable default"):
        Shared()
