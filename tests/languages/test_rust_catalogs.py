from pathlib import Path

import pytest
from rust_projects import review


class TestRowsThatFunctionsMake:
    @pytest.mark.parametrize(
        "rows",
        [
            'row("book.burn", true)',
            'losing("book.burn")',
            'ActionSpec::new("book.burn").destructive(true)',
            'ActionSpec::new("book.burn").losing().described("Burn it")',
            "BURN",
        ],
    )
    def test_a_row_is_what_its_function_makes_of_it(self, tmp_path: Path, rows: str) -> None:
        catalogs = review(
            tmp_path,
            books=f"""
            const fn row(name: &'static str, destructive: bool) -> ActionSpec {{
                ActionSpec {{ name, description: "", destructive, params: &[] }}
            }}
            const fn losing(name: &'static str) -> ActionSpec {{ row(name, true) }}
            impl ActionSpec {{
                pub const fn new(name: &'static str) -> Self {{
                    Self {{ name, description: "", destructive: false, params: &[] }}
                }}
                pub const fn destructive(mut self, destructive: bool) -> Self {{ self.destructive = destructive; self }}
                pub const fn losing(self) -> Self {{ Self {{ destructive: true, ..self }} }}
                pub const fn described(self, description: &'static str) -> Self {{ Self {{ description, ..self }} }}
            }}
            const BURN: ActionSpec = row("book.burn", true);
            pub const ACTIONS: &[ActionSpec] = &[
                ActionSpec {{ name: "book.get", description: "", destructive: false, params: &[] }},
                {rows},
            ];
            """,
        ).catalogs
        names = {action.name: action.destructive for catalog in catalogs for action in catalog.actions}
        assert names == {"book.get": False, "book.burn": True}
        assert not any(catalog.open for catalog in catalogs)

    def test_a_list_with_a_row_that_cannot_be_read_is_open(self, tmp_path: Path) -> None:
        text = """
        pub const ACTIONS: &[ActionSpec] = &[
            ActionSpec { name: "book.get", destructive: false, params: &[] },
            remote::row("book.burn"),
        ];
        """
        (catalog,) = review(tmp_path, books=text).catalogs
        assert (catalog.open, len(catalog.actions)) == (True, 1)

    @pytest.mark.parametrize(
        ("row", "destructive", "idempotent"),
        [
            ('ActionSpec { name: "a.b", destructive: true, idempotent: Some(false) }', True, False),
            ('ActionSpec { name: "a.b", destructive: LOSES, idempotent: None }', True, None),
            ('ActionSpec { name: "a.b", ..BASE }', True, True),
            ('ActionSpec { name: "a.b", destructive: false, ..Default::default() }', False, None),
        ],
    )
    def test_flags(self, tmp_path: Path, row: str, destructive: bool, idempotent: bool | None) -> None:
        head = "const LOSES: bool = true; const BASE: ActionSpec = ActionSpec { name: NONE, destructive: true, idempotent: true };"
        (catalog,) = review(tmp_path, books=f"{head}\npub const A: &[ActionSpec] = &[{row}];").catalogs
        assert [(each.destructive, each.idempotent) for each in catalog.actions] == [(destructive, idempotent)]


class TestDispatchesByComparison:
    @pytest.mark.parametrize(
        ("body", "names", "is_open"),
        [
            ('if action == "a" { return Ok(one()); }\nif "b" == action { return Ok(two()); }\nErr(no())', ["a", "b"], False),
            ('if action == "a" { Ok(one()) } else if action == "b" { Ok(two()) } else { Err(no()) }', ["a", "b"], False),
            ('if action == "a" || action == "c" { return Ok(one()); }\nforward(action).await', ["a", "c"], True),
            ('if action == A { return Ok(one()); }\nmatch action { "b" => Ok(two()), _ => Err(no()) }', ["a", "b"], False),
            ('match action { "a" => Ok(one()), "b" => Ok(two()), x if x.len() > 3 => Ok(long()), _ => Err(no()) }', ["a", "b"], True),
            ('match action { "a" => Ok(one()), "b" => Ok(two()), other => relay(other).await }', ["a", "b"], True),
        ],
    )  # fmt: skip
    def test_ways_to_choose(self, tmp_path: Path, body: str, names: list[str], is_open: bool) -> None:
        text = f'const A: &str = "a";\nasync fn run(action: &str) -> Result<Value, ToolError> {{\n{body}\n}}'
        (found,) = review(tmp_path, books=text).dispatches
        assert ([arm.name for arm in found.arms], found.open, found.domain) == (names, is_open, "books")

    def test_handing_on_to_a_dispatch_of_the_project_is_not_open(self, tmp_path: Path) -> None:
        text = """
        async fn dispatch(action: &str) -> Result<Value, ToolError> {
            match action {
                "help" => Ok(help()),
                other => run(other).await,
            }
        }
        async fn run(action: &str) -> Result<Value, ToolError> {
            match action { "a" => Ok(one()), "b" => Ok(two()), _ => Err(no()) }
        }
        """
        assert [(each.name, each.open) for each in review(tmp_path, books=text).dispatches] == [
            ("dispatch", False),
            ("run", False),
        ]
