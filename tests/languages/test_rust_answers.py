from pathlib import Path

import pytest
from rust_projects import arms, dispatching, review

GUARD = "fn respond(action: &str, value: Value) -> Value { value }\n"


def envelope(body: str) -> str:
    return f"fn short(text: &str, a: &str, p: Value) -> Value {{\n    {body}\n}}"


class TestEnvelopes:
    @pytest.mark.parametrize(
        ("body", "keys"),
        [
            (
                'json!({ "_truncated": true, "preview": x(), "full_action": a })',
                {"_truncated", "preview", "full_action"},
            ),
            ('json!({ "a": [{ "_truncated": true }] })', {"_truncated"}),
            ('json!({ "_truncated": true, "full_params": null })', {"_truncated"}),
            ('let mut v = json!({ "preview": x() }); v["_truncated"] = json!(true); v', {"_truncated", "preview"}),
            ('let mut v = Map::new(); v.insert("_truncated".into(), json!(true)); v', {"_truncated"}),
        ],
    )
    def test_keys(self, tmp_path: Path, body: str, keys: set[str]) -> None:
        (found,) = review(tmp_path, src__short=envelope(body)).envelopes
        assert found.keys == keys

    @pytest.mark.parametrize(
        "body",
        [
            'value["_truncated"] == true',
            'value.get("_truncated").is_some()',
            'json!({ "properties": { "_truncated": { "type": "boolean" } } })',
            'json!({ "_truncated": false })',
            'tracing::debug!("_truncated")',
        ],
    )
    def test_what_only_speaks_of_it(self, tmp_path: Path, body: str) -> None:
        assert review(tmp_path, src__short=envelope(body)).envelopes == ()

    @pytest.mark.parametrize(
        ("preview", "length", "split"),
        [
            ("text.chars().take(300).collect::<String>()", 300, None),
            ("text.chars().take(2 * HALF).collect::<String>()", 500, None),
            ("&text[..500]", 500, "text[..500]"),
            ("text.get(..400).unwrap_or(text)", 400, None),
            ("text.split_at(700).0", 700, "text.split_at(700)"),
            ("head(text, 90)", 90, None),
            ("crate::other::fetched(text)", None, None),
            ('"none"', 4, None),
        ],
    )
    def test_previews(self, tmp_path: Path, preview: str, length: int | None, split: str | None) -> None:
        code = f"""
            const HALF: usize = 250;
            fn head(text: &str, most: usize) -> String {{ text.chars().take(most).collect() }}
            {envelope(f'json!({{ "_truncated": true, "preview": {preview} }})')}
        """
        (found,) = review(tmp_path, src__short=code).envelopes
        assert (found.preview, found.split) == (length, split)


class TestGuards:
    @pytest.mark.parametrize(
        ("body", "unsigned"),
        [
            ("value", True),
            ('let mut value = value; value["_meta"]["request_id"] = json!(id()); value', False),
            ('json!({ "data": value, "_meta": { "request_id": id() } })', False),
            ('json!({ "data": value, "_meta": { "id": id() } })', True),
        ],
    )
    def test_request_id(self, tmp_path: Path, body: str, *, unsigned: bool) -> None:
        (guard,) = review(tmp_path, src__lib=f"fn respond(action: &str, value: Value) -> Value {{ {body} }}").guards
        assert bool(guard.unsigned) is unsigned

    def test_the_function_named_for_it_is_the_guard(self, tmp_path: Path) -> None:
        other = "fn bounded(action: &str, value: Value) -> Value { value }"
        assert [each.name for each in review(tmp_path, src__lib=GUARD + other).guards] == ["respond"]
        assert [each.name for each in review(tmp_path, src__lib=other).guards] == ["bounded"]

    def test_what_answers_a_socket_is_none(self, tmp_path: Path) -> None:
        code = "fn respond(stream: TcpStream, body: &str) { stream.write(body); }"
        assert review(tmp_path, src__lib=code).guards == ()


class TestResults:
    def test_where_they_are_built(self, tmp_path: Path) -> None:
        code = f"""
            {GUARD}
            async fn run(action: &str) -> Result<CallToolResult, E> {{
                match action {{
                    "ping" => Ok(CallToolResult::success(vec![Content::text("pong")])),
                    "one" => Ok(wrap(respond("one", fetch().await))),
                    _ => Ok(CallToolResult::error(vec![Content::text("no")])),
                }}
            }}
            fn wrap(value: Value) -> CallToolResult {{ CallToolResult::success(vec![Content::text(value.to_string())]) }}
        """
        (dispatch,) = review(tmp_path, src__lib=code).dispatches
        found = [(way.built, way.written, "respond" in way.through) for arm in dispatch.arms for way in arm.exits]
        assert found == [('CallToolResult::success(vec![Content::text("pong")])', True, False), (None, False, True)]


class TestCuts:
    @pytest.mark.parametrize(
        ("arm", "cuts"),
        [
            ("Ok(respond(action, json!(client.text().await?.chars().take(900).collect::<String>())))", 1),
            ("{ let items = client.items().await?; Ok(respond(action, json!(items[..50]))) }", 0),
            ("{ let mut rows = client.rows().await?; rows.truncate(50); Ok(respond(action, json!(rows))) }", 0),
            ("Ok(respond(action, json!(id.chars().take(8).collect::<String>())))", 0),
        ],
    )
    def test_texts_and_lists(self, tmp_path: Path, arm: str, cuts: int) -> None:
        code = GUARD + dispatching(f'"item.get" => {arm},\n"item.list" => Ok(respond(action, json!([]))),')
        assert len(arms(review(tmp_path, src__lib=code))["item.get"].cuts) == cuts
