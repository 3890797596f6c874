from pathlib import Path

import pytest
from rust_projects import arms, dispatching, review

from reviewer.facts import Limit

HELPERS = """
use rmcp::model::CallToolResult;

const MAX: u64 = 100;

fn optional_u64(params: &Value, key: &str) -> Result<Option<u64>, ToolError> {
    params.get(key).map(|value| value.as_u64().ok_or(ToolError::invalid(key))).transpose()
}

fn bounded_u64(params: &Value, key: &str, max: u64) -> Result<u64, ToolError> {
    let value = optional_u64(params, key)?.unwrap_or(20);
    if value > max {
        return Err(ToolError::invalid(key));
    }
    Ok(value)
}

struct ListArgs { project: String, limit: Option<u64>, cursor: Option<String> }
"""


def listing(code: str) -> str:
    return (
        dispatching(f'        "item.list" => {{ {code} }}\n        "item.get" => Ok(respond(action, get(&params)?)),')
        + HELPERS
    )


class TestPaged:
    @pytest.mark.parametrize(
        "code",
        [
            "Ok(respond(action, client.items(&params).await?))",
            "Ok(respond(action, client.items(params.clone()).await?))",
            "Ok(respond(action, client.items(Query { filter: params }).await?))",
            'Ok(respond(action, client.items(params["limit"].as_u64()).await?))',
            'Ok(respond(action, client.items(optional_u64(&params, "limit")?).await?))',
            'Ok(respond(action, client.items(params.pointer("/limit")).await?))',
            "let a: ListArgs = serde_json::from_value(params)?; Ok(respond(action, client.items(a.limit).await?))",
            "let ListArgs { limit, .. } = parse(&params)?; Ok(respond(action, client.items(limit).await?))",
            "let page = Page::from(&params); Ok(respond(action, page.apply(client.items().await?)))",
            'let (items, next) = client.items().await?; Ok(respond(action, json!({ "items": items, "next_cursor": next })))',
            'let found = client.items().await?; Ok(respond(action, json!({ "items": found.items, "next_cursor": found.next })))',
            "let mut all = client.items().await?; all.truncate(100); Ok(respond(action, json!(all)))",
            "let all = client.items().await?; Ok(respond(action, json!(&all[..all.len().min(20)])))",
            "let all = client.items().await?; Ok(respond(action, json!(all.get(0..20))))",
            "Ok(respond(action, json!(client.items().await?.into_iter().take(20).collect::<Vec<_>>())))",
            "Ok(respond(action, list_page(client.items().await?, &params)))",
            "self.listed(action, params).await",
            "handlers::list(&client, action, &params).await",
        ],
    )
    def test_pages(self, tmp_path: Path, code: str) -> None:
        assert arms(review(tmp_path, main=listing(code)))["item.list"].paged

    @pytest.mark.parametrize(
        "code",
        [
            "Ok(respond(action, client.items().await?))",
            'Ok(respond(action, client.items(require_str(&params, "project")?).await?))',
            'Ok(respond(action, client.items(params["project"].as_str()).await?))',
            "let _ = &params; Ok(respond(action, client.items().await?))",
            "let a: ListArgs = serde_json::from_value(params)?; Ok(respond(action, client.items(&a.project).await?))",
            "let ListArgs { project, .. } = parse(&params)?; Ok(respond(action, client.items(project).await?))",
            "let page = Page::from(&params); Ok(respond(action, client.items().await?))",
            'let limit = optional_u64(&params, "limit")?; debug!(?limit); Ok(respond(action, client.items().await?))',
            'let limit = optional_u64(&params, "limit")?; let limit = limit.min(Some(9)); Ok(respond(action, client.all().await?))',
            'let limit = optional_u64(&params, "limit")?; drop(limit); Ok(respond(action, client.items().await?))',
            "let all = client.items().await?; let next = page(&params).next(all.len()); "
            'Ok(respond(action, json!({ "items": all, "next_cursor": next })))',
            'Ok(respond(action, json!({ "items": client.items().await?, "next_cursor": Value::Null })))',
            'Ok(respond(action, json!({ "items": client.slice(0, u64::MAX).await? })))',
            "validate(&params)?; Ok(respond(action, client.items().await?))",
        ],
    )
    def test_gives_everything(self, tmp_path: Path, code: str) -> None:
        text = listing(code) + '\nfn validate(params: &Value) -> Result<(), ToolError> { check(params.get("project")) }'
        assert not arms(review(tmp_path, main=text))["item.list"].paged

    def test_helpers_in_other_files_are_followed(self, tmp_path: Path) -> None:
        body = 'pub async fn {0}(client: &Client, params: &Value) -> Result<Value, ToolError> {{ Ok(respond("x", client.items({1}))) }}'
        project = review(
            tmp_path,
            handlers=dispatching(
                '        "a.list" => crate::lists::paged(&client, &params).await,\n'
                '        "b.list" => crate::lists::whole(&client, &params).await,'
            ),
            lib="mod handlers;\nmod lists;\n",
            lists=body.format("paged", 'params["limit"].as_u64()')
            + "\n"
            + body.format("whole", 'params["kind"].as_str()'),
        )
        assert {name: arm.paged for name, arm in arms(project).items()} == {"a.list": True, "b.list": False}


def limits(root: Path, code: str) -> list[Limit]:
    return list(review(root, main=listing(code)).limits)


class TestLimits:
    @pytest.mark.parametrize(
        ("code", "default", "cap"),
        [
            ('let limit = params["limit"].as_u64().unwrap_or(20).clamp(1, 100);', 20, 100),
            ('let limit = params["limit"].as_u64().unwrap_or(30).min(MAX);', 30, 100),
            ('let limit = std::cmp::min(params["limit"].as_u64().unwrap_or(20), 2 * MAX);', 20, 200),
            ('let limit = optional_u64(&params, "limit")?.map_or(25, |n| n.min(50));', 25, 50),
            ('let limit = params["per_page"].as_u64().unwrap_or_else(|| 20).max(1);', 20, None),
            ('let limit = params["limit"].as_u64().unwrap_or(configured);', None, None),
            ('let limit = match params["limit"].as_u64() { Some(n) => n, None => 7 };', 7, None),
            ('let limit = if let Some(n) = params["limit"].as_u64() { n } else { 9 };', 9, None),
        ],
    )
    def test_numbers(self, tmp_path: Path, code: str, default: int | None, cap: int | None) -> None:
        found = limits(tmp_path, f"{code} Ok(respond(action, client.items(limit).await?))")
        told = [limit for limit in found if not limit.refuses]
        assert (default, cap) in [(limit.default, limit.cap) for limit in told]
        assert not any(limit.refuses for limit in found)

    @pytest.mark.parametrize(
        "code",
        [
            'if limit > MAX { return Err(ToolError::invalid("limit")); }',
            'if limit == 0 { bail!("limit"); }',
            "let too_large = limit > 100; if too_large { return Err(too_many()); }",
            "let limit = if limit <= 100 { limit } else { return Err(too_many()) };",
            "if !(1..=100).contains(&limit) { return Ok(CallToolResult::error(text())); }",
            "let Some(limit) = Some(limit).filter(|n| *n <= MAX) else { return Err(too_many()) };",
            "match limit.cmp(&MAX) { Ordering::Greater => return Err(too_many()), _ => {} }",
            "if matches!(limit, 0 | 101..) { return Err(too_many()); }",
            "assert!(limit <= MAX);",
        ],
    )
    def test_refusals(self, tmp_path: Path, code: str) -> None:
        given = f'let limit = params["limit"].as_u64().unwrap_or(20); {code} Ok(respond(action, client.items(limit).await?))'
        assert [limit.refuses for limit in limits(tmp_path, given)].count(True) == 1

    @pytest.mark.parametrize(
        "code",
        [
            "if items.len() > limit { return Err(too_many()); }",
            "if limit > MAX { limit = MAX; }",
            "if client.rate_limit > 100 { return Err(too_many()); }",
            'if params["depth"].as_u64() > Some(9) { return Err(too_many()); }',
            'let limit = optional_u64(&params, "limit")?.ok_or(ToolError::missing("limit"))?;',
            "debug_assert!(limit <= MAX);",
            'if limit > 100 { tracing::warn!("large"); }',
        ],
    )
    def test_no_refusals(self, tmp_path: Path, code: str) -> None:
        given = f'let mut limit = params["limit"].as_u64().unwrap_or(20); {code} Ok(respond(action, client.items(limit).await?))'
        assert not any(limit.refuses for limit in limits(tmp_path, given))

    def test_a_helper_that_refuses_is_told_where_it_is_asked(self, tmp_path: Path) -> None:
        code = 'let limit = bounded_u64(&params, "limit", 100)?; let depth = bounded_u64(&params, "depth", 9)?; Ok(respond(action, limit))'
        rejected = [limit for limit in limits(tmp_path, code) if limit.refuses]
        assert [limit.text for limit in rejected] == ['bounded_u64(&params, "limit", 100)']

    def test_tests_and_command_lines_are_left_out(self, tmp_path: Path) -> None:
        refusal = "fn f(limit: u64) -> Result<(), E> { if limit > 9 { return Err(E) } Ok(()) }"
        code = listing("Ok(respond(action, client.items(&params).await?))")
        project = review(tmp_path, main=f"use crate::cli;\n{code}\n#[cfg(test)] mod tests {{ {refusal} }}", cli=refusal)
        assert [limit for limit in project.limits if limit.refuses] == []


class TestCursors:
    @pytest.mark.parametrize(
        ("code", "unstable"),
        [
            ("let next_cursor = Uuid::new_v4().to_string();", "Uuid::new_v4()"),
            ('let n: u64 = rand::random(); let next_cursor = format!("{n}");', "rand::random()"),
            ('let next_cursor = encode(&json!({ "at": Utc::now() }));', "Utc::now"),
            (
                "let next_cursor = encode(COUNT.fetch_add(1, Ordering::Relaxed));",
                "COUNT.fetch_add(1, Ordering::Relaxed)",
            ),
            ('let next_cursor = encode(offset, "name");', None),
            ('let next_cursor = Uuid::new_v5(&SPACE, b"name").to_string();', None),
            (
                "let now = Utc::now(); let next_cursor = items.iter().filter(|i| i.end > now).last().map(|i| i.id);",
                None,
            ),
            ("let id = Uuid::new_v4(); let next_cursor = encode(offset);", None),
        ],
    )
    def test_sources(self, tmp_path: Path, code: str, unstable: str | None) -> None:
        text = listing(f'{code} Ok(respond(action, json!({{ "items": [], "next_cursor": next_cursor }})))')
        found = [cursor.unstable for cursor in review(tmp_path, main=text).cursors if cursor.unstable is not None]
        assert (unstable is None and not found) or (unstable is not None and unstable in found[0])
