from pathlib import Path

import pytest
from rust_projects import arms, bounded, dispatching, review

from reviewer.source import Opaque


class TestCatalogs:
    def test_a_row_tells_all_it_declares(self, tmp_path: Path) -> None:
        project = review(
            tmp_path,
            src__books__catalog="""
            pub const ACTIONS: &[ActionSpec] = &[
                ActionSpec {
                    name: "book.list",
                    description: "List the books",
                    destructive: false,
                    params: &[
                        ParamSpec { name: "shelf", ty: "string", required: true, description: "Which shelf" },
                        ParamSpec { name: "limit", ty: "integer", required: false, description: "" },
                    ],
                    returns: "Book[]",
                },
                ActionSpec { name: "book.burn", description: "Burn it", destructive: true, params: BURN, returns: "null" },
            ];
            const BURN: &[ParamSpec] = &[ParamSpec { name: "id", ty: "string", required: true, description: "Its id" }];
            """,
        )
        (catalog,) = project.catalogs
        assert (catalog.domain, catalog.span.line) == ("books", 1)
        listing, burning = catalog.actions
        assert (listing.name, listing.name.span.line, listing.span.line) == ("book.list", 3, 2)
        assert (listing.description, listing.destructive, listing.returns) == ("List the books", False, "Book[]")
        assert isinstance(listing.parameters, tuple)
        shelf, _ = listing.parameters
        assert (shelf.name, shelf.required, shelf.description) == ("shelf", True, "Which shelf")
        assert [each.required for each in listing.parameters] == [True, False]
        assert burning.destructive is True
        assert isinstance(burning.parameters, tuple)
        assert [(each.name, each.span.line) for each in burning.parameters] == [("id", 14)]

    @pytest.mark.parametrize(
        ("path", "domain"),
        [
            ("src__radio__catalog", "radio"),
            ("src__radio__actions", "radio"),
            ("src__radio__mod", "radio"),
            ("src__radio", "radio"),
            ("radio__src__lib", "radio"),
            ("actions", "actions"),
        ],
    )
    def test_the_domain_is_the_file_or_its_folder(self, tmp_path: Path, path: str, domain: str) -> None:
        project = review(tmp_path, **{path: 'const A: &[ActionSpec] = &[ActionSpec { name: "a", params: &[] }];'})
        assert [catalog.domain for catalog in project.catalogs] == [domain]

    @pytest.mark.parametrize(
        "text",
        [
            'static A: &[ActionSpec] = &[ActionSpec { name: "a.b", params: &[] }];',
            'fn all() -> Vec<ActionSpec> { vec![ActionSpec { name: "a.b", params: &[] }] }',
            'fn all() -> Vec<ActionSpec> { wrap(vec![(1, ActionSpec { name: "a.b", params: &[] })]) }',
            'const A: core::ActionSpec = core::ActionSpec { name: "a.b", params: &[] };',
            'const A: McpActionSpec = McpActionSpec { name: "a.b", params: &[] };',
            'const NAME: &str = "a.b"; const A: ActionSpec = ActionSpec { name: NAME, params: &[] };',
        ],
    )
    def test_a_row_is_found_wherever_it_stands(self, tmp_path: Path, text: str) -> None:
        (catalog,) = review(tmp_path, a=text).catalogs
        assert [(action.name, action.parameters) for action in catalog.actions] == [("a.b", ())]

    @pytest.mark.parametrize(
        "text",
        [
            "pub struct ActionSpec { pub name: &'static str }",
            "fn copy(other: &Row) -> ActionSpec { ActionSpec { name: other.name, params: &[] } }",
            '#[cfg(test)] mod tests { const A: ActionSpec = ActionSpec { name: "a", params: &[] }; }',
            'fn f(s: ActionSpec) { let ActionSpec { name, .. } = s; println!("{name}"); }',
            '// ActionSpec { name: "a" }',
        ],
    )
    def test_what_is_no_row(self, tmp_path: Path, text: str) -> None:
        assert review(tmp_path, a=text).catalogs == ()

    def test_rows_that_a_macro_writes(self, tmp_path: Path) -> None:
        project = review(
            tmp_path,
            src__books__actions="""
            macro_rules! action_spec {
                ($name:literal, $scope:ident, exact: { allowed: $allowed:expr } $(,)?) => {
                    ActionSpec { name: $name, scope: Scope::$scope, destructive: true, params: $allowed }
                };
                ($name:literal, $scope:ident, $said:literal) => {
                    ActionSpec { name: $name, scope: Scope::$scope, description: $said, destructive: false }
                };
            }
            pub const ACTIONS: &[ActionSpec] = &[
                action_spec!("book.burn", Write, exact: { allowed: &["id", "force"] }),
                action_spec!("book.list", Read, "List the books"),
                action_spec!(BOOK),
            ];
            fn more() -> Vec<ActionSpec> { vec![action_spec!("book.get", Read, "Get a book")] }
            """,
        )
        rows = [
            (action.name, action.span.line, action.destructive)
            for catalog in project.catalogs
            for action in catalog.actions
        ]
        assert rows == [("book.burn", 10, True), ("book.list", 11, False), ("book.get", 14, False)]
        burning, listing = project.catalogs[0].actions
        assert isinstance(burning.parameters, tuple)
        assert [each.name for each in burning.parameters] == ["id", "force"]
        assert (listing.description, type(listing.parameters)) == ("List the books", Opaque)

    def test_parameters_in_other_forms(self, tmp_path: Path) -> None:
        project = review(
            tmp_path,
            a="""
            const LIMIT: ParamSpec = ParamSpec { name: "limit", ty: "integer", required: false, description: "" };
            const A: &[ActionSpec] = &[
                ActionSpec { name: "by_const", params: &[LIMIT] },
                ActionSpec { name: "by_name", required_params: &["id"], optional_params: &["page"] },
                ActionSpec { name: "by_call", params: &[ParamSpec::optional("cursor")] },
                ActionSpec { name: "at_run_time", params: make(), destructive: is_it() },
                ActionSpec { name: "untold" },
            ];
            fn b() { all(vec![ActionSpec { name: "by_vec", params: vec![ParamSpec { name: "q", required: true }] }]) }
            """,
        )
        actions = {action.name: action for catalog in project.catalogs for action in catalog.actions}
        names = {
            name: [each.name for each in action.parameters] if isinstance(action.parameters, tuple) else None
            for name, action in actions.items()
        }
        assert names == {
            "by_const": ["limit"],
            "by_name": ["id", "page"],
            "by_call": ["cursor"],
            "at_run_time": None,
            "untold": None,
            "by_vec": ["q"],
        }
        assert isinstance(actions["at_run_time"].destructive, Opaque)
        assert actions["untold"].destructive is None


class TestDispatches:
    def test_arms_are_named_after_their_actions(self, tmp_path: Path) -> None:
        project = review(
            tmp_path,
            a="""
            async fn run(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {
                match action {
                    "a.get" => Ok(respond(action, client.get().await?)),
                    "a.list" | "a.all" => {
                        let found = client.list().await?;
                        to_json(found)
                    }
                    other => Err(ToolError::Unknown(other.into())),
                }
            }
            """,
        )
        (dispatch,) = project.dispatches
        assert (dispatch.name, dispatch.span.line, dispatch.span.end_line) == ("run", 1, 10)
        assert [(arm.name, arm.name.span.line, arm.span.line) for arm in dispatch.arms] == [
            ("a.get", 3, 3),
            ("a.list", 4, 4),
            ("a.all", 4, 4),
        ]
        assert bounded(project) == {"a.get": [True], "a.list": [False], "a.all": [False]}
        assert arms(project)["a.list"].exits[0].text == "to_json(found)"
        assert arms(project)["a.list"].exits[0].text.span.line == 6

    @pytest.mark.parametrize(
        ("arm", "ways"),
        [
            ("Ok(core::respond(action, v))", [True]),
            ("Ok(respond(action, client.get().await?))", [True]),
            ("return Ok(respond(action, v)),", [True]),
            ("client.get().await.map(|v| respond(action, v))", [True]),
            ("client.get().await.map_err(ToolError::from)", [False]),
            ("Ok(client.get().await?)", [False]),
            ("Ok(json!({}))", [False]),
            ("Ok(Value::Null)", [False]),
            ("{ let v = respond(action, get()?); Ok(v) }", [True]),
            ("if deep { Ok(respond(action, v)) } else { Ok(v) }", [True, False]),
            (
                "match kind { Kind::A => Ok(respond(action, v)), Kind::B => Err(no()), Kind::C => Ok(v) }",
                [True, False],
            ),
            ("{ if none { return Ok(Value::Null); } Ok(respond(action, v)) }", [False, True]),
            ("Box::pin(async move { Ok(respond(action, v)) })", [True]),
            ("Ok(match kind { Kind::A => respond(action, v), Kind::B => v })", [True, False]),
            ("{ let f = |x| { return Ok(x); }; Ok(respond(action, v)) }", [True]),
            ("unsafe { Ok(respond(action, v)) }", [True]),
            (
                "Ok(CallToolResult::success(vec![Content::text(respond(action, v).to_string())]))",
                [True],
            ),
            ("Ok(Json(respond(action, v)))", [True]),
            ("Ok(serde_json::to_string(&respond(action, v))?)", [True]),
            ("Ok(CallToolResult::structured(v))", [False]),
            ("Box::pin(async move { if none { return Ok(v); } Ok(respond(action, v)) })", [False, True]),
            ("Err(no())", []),
            ("return Err(no())", []),
            ('bail!("no")', []),
            ("todo!()", []),
            ("unreachable!()", []),
            ("{ forget(); }", []),
        ],
    )
    def test_exits(self, tmp_path: Path, arm: str, ways: list[bool]) -> None:
        project = review(tmp_path, a=dispatching(f'        "x" => {arm.removesuffix(",")},\n        "y" => todo!(),'))
        assert bounded(project)["x"] == ways

    def test_calls_into_the_project_are_followed(self, tmp_path: Path) -> None:
        project = review(
            tmp_path,
            a=dispatching(
                """
                "page" => page(v),
                "in_ok" => Ok(page(v)?),
                "elsewhere" => crate::answers::far(v).await,
                "own" => client.shelf.near(v),
                "mixed" => mixed(v),
                "two" => two(v),
                """
            )
            + """
            fn page(v: Value) -> Result<Value, E> { if v.is_null() { return Err(E); } Ok(respond("page", v)) }
            fn mixed(v: Value) -> Result<Value, E> { if v.is_null() { return Ok(v); } Ok(respond("mixed", v)) }
            fn two(v: Value) -> Result<Value, E> { page(v) }
            impl S { fn near(&self, v: Value) -> Result<Value, E> { Ok(respond("own", v)) } }
            """,
            answers="pub async fn far(v: Value) -> Result<Value, E> { Ok(respond(v)) }",
            main="mod a;\nmod answers;\n",
        )
        assert bounded(project) == {
            "page": [True],
            "in_ok": [True],
            "elsewhere": [True],
            "own": [True],
            "mixed": [False],
            "two": [True],
        }

    @pytest.mark.parametrize(
        "after",
        [
            'let v = match action { "a" => get()?, "b" => Value::Null, _ => return Err(no()) };\n Ok(respond(action, v))',
            'Ok(respond(action, match action { "a" => get()?, "b" => Value::Null, _ => bail!("no") }))',
            'match action { "a" => get(), "b" => Ok(Value::Null), _ => Err(no()) }.map(|v| respond(action, v))',
        ],
    )
    def test_what_all_arms_pass_afterwards_counts(self, tmp_path: Path, after: str) -> None:
        project = review(tmp_path, a=f"fn run(action: &str) -> Result<Value, E> {{\n{after}\n}}")
        assert bounded(project) == {"a": [True], "b": [True]}

    @pytest.mark.parametrize("scrutinee", ["action", "action.as_str()", "self.action", "(action)", "&*request.action"])
    def test_scrutinees_that_name_an_action(self, tmp_path: Path, scrutinee: str) -> None:
        text = f'fn run(&self) -> Result<Value, E> {{ match {scrutinee} {{ "a" => x(), "b" => y(), _ => z() }} }}'
        assert set(arms(review(tmp_path, a=text))) == {"a", "b"}

    def test_one_arm_is_enough_if_all_else_is_refused(self, tmp_path: Path) -> None:
        assert set(arms(review(tmp_path, a=dispatching('"a" => Ok(get()?),')))) == {"a"}

    def test_a_match_within_the_rest_counts(self, tmp_path: Path) -> None:
        inner = 'match action { "b" => y(), "c" => match action { "d" => x(), _ => y() }, _ => z() }'
        text = f'fn run(action: &str) -> Result<Value, E> {{ match action {{ "a" => x(), _ => {inner} }} }}'
        assert set(arms(review(tmp_path, a=text))) == {"a", "b", "c"}

    def test_constants_name_arms(self, tmp_path: Path) -> None:
        text = 'const GET: &str = "a.get";\n'
        text += 'fn run(action: &str) -> Result<Value, E> { match action { GET => x(), "b" => y(), _ => z() } }'
        assert set(arms(review(tmp_path, a=text))) == {"a.get", "b"}

    @pytest.mark.parametrize(
        "text",
        [
            'fn run(action: &str) -> Result<Value, E> { match action { "a" => x(), _ => z() } }',
            'fn run(verb: &str) -> Result<Value, E> { match verb { "a" => x(), "b" => y(), _ => z() } }',
            'fn run(transaction: &str) -> Result<Value, E> { match transaction { "a" => x(), "b" => y(), _ => z() } }',
            'fn destroys(action: &str) -> bool { match action { "a" => true, "b" => false, _ => true } }',
            'fn title(action: &str) -> &\'static str { match action { "a" => "A", "b" => "B", _ => "" } }',
            'fn check(action: &str) -> Result<(), E> { match action { "a" => Ok(()), "b" => Ok(()), _ => Err(E) } }',
            "fn run(action: Action) -> Result<Value, E> { match action { Action::A => x(), Action::B => y() } }",
            '#[test] fn t(action: &str) -> Result<Value, E> { match action { "a" => x(), "b" => y(), _ => z() } }',
        ],
    )
    def test_what_is_no_dispatch(self, tmp_path: Path, text: str) -> None:
        assert review(tmp_path, a=text).dispatches == ()


class TestGuards:
    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("pub fn respond(action: &str, value: Value) -> Value { value }", "respond"),
            ("pub async fn respond<T: Serialize>(kind: Kind, value: T) -> Json { value }", "respond"),
            (
                "fn finish(action: &str, value: serde_json::Value, fields: &[String]) -> serde_json::Value { value }",
                "finish",
            ),
        ],
    )
    def test_guards(self, tmp_path: Path, text: str, name: str) -> None:
        (guard,) = review(tmp_path, a=text).guards
        assert (guard.name, guard.span.line) == (name, 1)

    @pytest.mark.parametrize(
        "text",
        [
            "fn respond(value: Value) -> Value { value }",
            "fn respond(&self, value: Value) -> Value { value }",
            "fn dispatch(action: &str, params: Value) -> Value { params }",
            "fn finish(action: &str, value: Value) -> Result<Value, E> { Ok(value) }",
            "#[cfg(test)] mod tests { fn respond(action: &str, value: Value) -> Value { value } }",
        ],
    )
    def test_what_is_no_guard(self, tmp_path: Path, text: str) -> None:
        assert review(tmp_path, a=text).guards == ()
