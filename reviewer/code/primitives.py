"""The types that Rust has without a declaration, by the names that code gives them.

Analyses ask a value for such a type, so these names stand below all that read types.
"""

# The integer types of the language reference (Types, Numeric types).
INTEGERS = tuple("u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize".split())

PRIMITIVES = (*INTEGERS, "f32", "f64", "bool", "char", "str")
"""All that the reference calls primitive and that has a name, which every module sees without a `use`."""

LIBRARY_INTEGERS = {name: f"std.{name}" for name in INTEGERS}
"""The paths of types of integers, as values have them."""
