from pathlib import Path

import pytest
from rust_projects import CAUGHT, review

from reviewer.source import Opaque


class TestLogs:
    @pytest.mark.parametrize(
        ("handled", "target"),
        [
            ('match result { Ok(r) => r, Err(_) => { tracing::error!(target: "panic", "it"); Err(no()) } }', "panic"),
            (
                'match result { Ok(r) => r, Err(_) => { event!(target: "panic", Level::ERROR, "it"); Err(no()) } }',
                "panic",
            ),
            ('result.unwrap_or_else(|p| { log::error!(target: "tools", "{p:?}"); Err(no()) })', "tools"),
            ('result.inspect_err(|_| error!(target: "panic", "it")).unwrap_or_else(|_| Err(no()))', "panic"),
            ('if result.is_err() { error!(target: "panic", "it"); } result.unwrap_or(Err(no()))', "panic"),
            ('match result { Ok(r) => r, Err(_) => { error!(target: PANIC, "it"); Err(no()) } }', "panic"),
            ("result.map_err(generic)?", None),
            ('match result { Ok(r) => r, Err(_) => { eprintln!("it"); Err(no()) } }', None),
        ],
    )
    def test_the_event_and_its_target(self, tmp_path: Path, handled: str, target: str | None) -> None:
        text = CAUGHT.format(handled=handled) + 'const PANIC: &str = "panic";\n'
        (error_boundary,) = review(tmp_path, server=text).error_boundaries
        assert error_boundary.log is not None
        assert error_boundary.target == target

    def test_a_target_that_a_run_gives(self, tmp_path: Path) -> None:
        handled = 'match result { Ok(r) => r, Err(_) => { error!(target: name(), "it"); Err(no()) } }'
        (error_boundary,) = review(tmp_path, server=CAUGHT.format(handled=handled)).error_boundaries
        assert isinstance(error_boundary.target, Opaque)

    def test_none(self, tmp_path: Path) -> None:
        handled = 'match result { Ok(r) => { info!("done"); r } _ => Err(no()) }'
        (error_boundary,) = review(tmp_path, server=CAUGHT.format(handled=handled)).error_boundaries
        assert error_boundary.log is None


class TestSpecific:
    @pytest.mark.parametrize(
        ("handled", "specific"),
        [
            ('result.unwrap_or_else(|_| Err(E::A(format!("{name} panicked"))))', 'format!("{name} panicked")'),
            ('result.unwrap_or_else(|_| Err(E::A(format!("{} panicked", name))))', 'format!("{} panicked", name)'),
            ('result.unwrap_or_else(|_| Err(E::A("at src/a/b.rs".into())))', '"at src/a/b.rs"'),
            ('result.unwrap_or_else(|_| Err(E::A(format!("{TEXT}"))))', None),
            ('result.unwrap_or_else(|_| Err(E::A("tool handler panicked".into())))', None),
        ],
    )
    def test_what_is_made_for_one_failure(self, tmp_path: Path, handled: str, specific: str | None) -> None:
        (error_boundary,) = review(tmp_path, server=CAUGHT.format(handled=handled)).error_boundaries
        assert error_boundary.specific == specific


class TestPlaces:
    def test_a_time_limit_is_no_panic(self, tmp_path: Path) -> None:
        text = """
        async fn call_tool(p: Value) -> Result<Value, ToolError> {
            match tokio::time::timeout(LIMIT, AssertUnwindSafe(run(p)).catch_unwind()).await {
                Ok(Ok(r)) => r,
                Ok(Err(_)) => Err(no()),
                Err(_) => Err(late()),
            }
        }
        """
        (error_boundary,) = review(tmp_path, server=text).error_boundaries
        assert error_boundary.span.line == 4

    def test_a_handlers_own_task(self, tmp_path: Path) -> None:
        text = "async fn read_tool(p: Value) -> Result<V, ToolError> { tokio::spawn(read(p)).await.map_err(|_| no())? }"
        (error_boundary,) = review(tmp_path, server=text).error_boundaries
        assert error_boundary.in_handler

    def test_an_arm_that_leaves_answers_alone(self, tmp_path: Path) -> None:
        text = """
        async fn call_tool(p: Value) -> Result<Value, ToolError> {
            let text = match spawn_blocking(move || read(p)).await {
                Ok(text) => text,
                Err(e) => return Err(ToolError::Gone),
            };
            let page = cut(&text);
            Ok(page)
        }
        """
        (error_boundary,) = review(tmp_path, server=text).error_boundaries
        assert error_boundary.leak is None
