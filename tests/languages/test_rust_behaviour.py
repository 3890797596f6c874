from pathlib import Path

import pytest
from rust_projects import CAUGHT, HANDLER, review, server

from reviewer.source import Opaque, Text


class TestTransports:
    @pytest.mark.parametrize(
        ("code", "kinds"),
        [
            ("server.serve(stdio()).await?;", ["stdio"]),
            ("server.serve(rmcp::transport::stdio()).await?;", ["stdio"]),
            ("let (input, output) = rmcp::transport::stdio();", ["stdio"]),
            ("server.serve((tokio::io::stdin(), tokio::io::stdout())).await?;", ["stdio"]),
            ("let transport = StdioTransport::new(TransportOptions::default())?;", ["stdio"]),
            ("let s = StreamableHttpService::new(f, LocalSessionManager::default().into(), c);", ["streamable-http"]),
            ("let s = StreamableHttpService::<S, M>::new(f, m, c);", ["streamable-http"]),
            ("let s = SseServer::serve(address).await?;", ["sse"]),
            ("let (s, r) = rmcp::transport::sse_server::SseServer::new(config);", ["sse"]),
            ("create_server(d, h, HyperServerOptions { host, ..Default::default() });", ["sse", "streamable-http"]),
            ("create_server(d, h, AxumServerOptions { sse_support: true, host });", ["sse", "streamable-http"]),
            ("create_server(d, h, HyperServerOptions { sse_support: false, host });", ["streamable-http"]),
            ("create_server(d, h, HyperServerOptions::default());", ["sse", "streamable-http"]),
            (
                "create_server(d, h, HyperServerOptions { host, ..HyperServerOptions::default() });",
                ["sse", "streamable-http"],
            ),
            ("let client = SseClientTransport::start(uri).await?;", []),
            ("let c = StreamableHttpServerConfig { sse_keep_alive: None, sse_retry: None };", []),
            ("let events: Sse<Stream> = Sse::new(stream);", []),
            ("let mut line = String::new(); std::io::stdin().read_line(&mut line)?;", []),
            ("command.stdin(Stdio::piped());", []),
            ("// SseServer::serve(address)", []),
        ],
    )
    def test_wiring(self, tmp_path: Path, code: str, kinds: list[str]) -> None:
        project = review(tmp_path, main=f"async fn main() -> Result<()> {{\n    {code}\n}}")
        assert [transport.kind for transport in project.transports] == kinds
        assert all(transport.text.span.line == 2 for transport in project.transports)

    def test_tests_and_docs_serve_nothing(self, tmp_path: Path) -> None:
        served = "async fn f() { SseServer::serve(address).await; }"
        project = review(tmp_path, src__lib=f"#[cfg(test)] mod tests {{ {served} }}", docs__sample=served)
        assert project.transports == ()


class TestEntries:
    @pytest.mark.parametrize(
        ("body", "isolation"),
        [
            ("self.dispatch(request).await", None),
            (
                "match AssertUnwindSafe(self.run(request)).catch_unwind().await { Ok(r) => r, Err(_) => Err(no()) }",
                "catch_unwind",
            ),
            ("std::panic::catch_unwind(|| self.run(request)).unwrap_or_else(|_| Err(no()))", "catch_unwind"),
            ("match tokio::spawn(run(request)).await { Ok(r) => r, Err(_) => Err(no()) }", "tokio::spawn"),
            ("tokio::spawn(run(request)).await.map_err(|_| no())?", "tokio::spawn"),
            ("let task = tokio::spawn(run(request)); task.await.unwrap_or_else(|_| Err(no()))", "tokio::spawn"),
            ("tokio::spawn(run(request)).await.unwrap()", None),
            ("tokio::spawn(log(request)); self.run(request).await", None),
        ],
    )
    def test_isolation(self, tmp_path: Path, body: str, isolation: str | None) -> None:
        project = review(tmp_path, server(), server=HANDLER.replace("BODY", body))
        (found,) = project.servers
        assert found.entry is not None
        assert (found.entry.name, found.entry.name.span.line) == ("call_tool", 2)
        if isolation is None:
            assert found.entry.isolation == ()
        else:
            (by,) = found.entry.isolation
            assert isolation in by
            assert by.span.line == 3

    def test_what_code_runs_that_is_not_there_is_unknown(self, tmp_path: Path) -> None:
        for body in (
            "CatchUnwindPoll::new(self.run(request)).await",
            "isolate(async move { run(request).await }).await",
        ):
            entry = review(tmp_path, server(), server=HANDLER.replace("BODY", body)).servers[0].entry
            assert entry is not None
            (by,) = entry.isolation
            assert isinstance(by, Opaque)

    def test_isolation_is_found_two_calls_deep(self, tmp_path: Path) -> None:
        text = HANDLER.replace("BODY", "first(request).await")
        text += "async fn first(r: Request) -> Answer { second(r).await }\n"
        text += "async fn second(r: Request) -> Answer { AssertUnwindSafe(run(r)).catch_unwind().await }\n"
        entry = review(tmp_path, server(), server=text).servers[0].entry
        assert entry is not None
        assert [str(each) for each in entry.isolation] == ["AssertUnwindSafe(run(r)).catch_unwind()"]

    def test_what_is_caught_and_given_to_nobody_isolates_nothing_and_circles_end(self, tmp_path: Path) -> None:
        text = HANDLER.replace("BODY", "a(request)") + "fn a(r: R) -> A { b(r) }\nfn b(r: R) -> A { c(r); a(r) }\n"
        text += "fn c(r: R) -> A { catch_unwind(|| run(r)) }\n"
        entry = review(tmp_path, server(), server=text).servers[0].entry
        assert entry is not None
        assert not any(isinstance(each, Text) for each in entry.isolation)

    def test_an_attribute_stands_for_the_method_it_writes(self, tmp_path: Path) -> None:
        text = "struct Books;\n#[tool_handler]\nimpl ServerHandler for Books {\n    fn get_info(&self) -> Info { info() }\n}\n"
        entry = review(tmp_path, server(), server=text).servers[0].entry
        assert entry is not None
        assert (entry.name, entry.name.span.line, entry.isolation) == ("tool_handler", 2, ())

    def test_an_implementation_in_another_file(self, tmp_path: Path) -> None:
        project = review(
            tmp_path,
            server("src/tools.rs"),
            src__tools="impl Books {\n    #[tool]\n    fn a(&self) {}\n}\n",
            src__handler=HANDLER.replace("BODY", "run()"),
        )
        entry = project.servers[0].entry
        assert entry is not None
        assert (entry.span.path, entry.name) == ("src/handler.rs", "call_tool")

    def test_a_function_that_dispatches(self, tmp_path: Path) -> None:
        text = "async fn dispatch_tool(name: &str) -> Value {\n    run(name)\n}\n"
        entry = review(tmp_path, server(), server=text).servers[0].entry
        assert entry is not None
        assert entry.name == "dispatch_tool"

    def test_none_where_nothing_takes_calls(self, tmp_path: Path) -> None:
        assert review(tmp_path, server(), server="fn main() {}\n").servers[0].entry is None


class TestRescues:
    @pytest.mark.parametrize(
        ("handled", "leak"),
        [
            ('match result { Ok(r) => r, Err(_) => Err(internal("tool handler panicked")) }', None),
            ('match result { Ok(r) => r, Err(p) => { tracing::error!("{p:?}"); Err(internal("panicked")) } }', None),
            ('match result { Ok(r) => r, Err(p) => Err(internal(format!("{p:?}"))) }', 'format!("{p:?}")'),
            ('match result { Ok(r) => r, Err(p) => Err(internal(format!("{:?}", p))) }', 'format!("{:?}", p)'),
            ("match result { Ok(r) => r, Err(p) => Err(E { message: text_of(p) }) }", "text_of(p)"),
            ("match result { Ok(r) => r, Err(p) => Err(generic(p)) }", None),
            (
                "match result { Ok(r) => r, Err(p) => { let said = p.downcast_ref::<&str>(); Err(E::A(said.to_string())) } }",
                "said.to_string()",
            ),
            (
                'match result { Ok(r) => r, Err(p) => { let said = text_of(p); error!("{said}"); Err(internal("panicked")) } }',
                None,
            ),
            ('if let Err(p) = result { return Err(internal(format!("{p:?}"))); } Ok(v)', 'format!("{p:?}")'),
            ('result.unwrap_or_else(|p| Err(internal(format!("{p:?}"))))', 'format!("{p:?}")'),
            ('result.map_err(|_| internal("tool handler panicked"))?', None),
            ("result.map_err(|p| ToolError::internal(text_of(p)))?", "text_of(p)"),
            ("result.map_err(generic)?", None),
        ],
    )
    def test_caught_panics(self, tmp_path: Path, handled: str, leak: str | None) -> None:
        (error_boundary,) = review(tmp_path, server=CAUGHT.format(handled=handled)).error_boundaries
        assert error_boundary.span.line == 3
        assert error_boundary.leak == leak

    @pytest.mark.parametrize(
        ("handled", "leak"),
        [
            ("tokio::spawn(run(p)).await.map_err(|e| E::Internal(e.to_string()))?", "e.to_string()"),
            (
                "match tokio::spawn(run(p)).await { Ok(v) => v, Err(e) if e.is_panic() => Err(no()), Err(_) => Err(no()) }",
                None,
            ),
            ("tokio::spawn(run(p)).await.map_err(joined)?", "tokio::spawn(run(p)).await.map_err(joined)"),
        ],
    )
    def test_tasks(self, tmp_path: Path, handled: str, leak: str | None) -> None:
        text = f"async fn call_tool(p: Value) -> Result<Value, ToolError> {{\n    {handled}\n}}\n"
        text += "fn joined(e: JoinError) -> ToolError { ToolError::Internal(e.to_string()) }\n"
        found = review(tmp_path, server=text).error_boundaries
        assert found
        assert {error_boundary.leak for error_boundary in found} == {leak}

    @pytest.mark.parametrize(
        "text",
        [
            "async fn call_tool() { tokio::spawn(run()); }",
            "async fn index() -> Result<()> { tokio::spawn(run()).await.map_err(|e| anyhow!(e))?; Ok(tool()) }",
            'fn render() -> String { catch_unwind(|| draw()).unwrap_or_else(|p| format!("{p:?}")) }',
            "async fn call_tool() { match AssertUnwindSafe(run()).catch_unwind().await { Ok(Ok(v)) => v } }",
            "#[cfg(test)] mod tests { fn tool() { if let Err(p) = catch_unwind(|| run()) { panic!() } } }",
        ],
    )
    def test_what_is_no_rescue(self, tmp_path: Path, text: str) -> None:
        assert review(tmp_path, a=text).error_boundaries == ()

    def test_the_handlers_own_error_is_no_panic(self, tmp_path: Path) -> None:
        handled = "match result { Ok(Ok(v)) => Ok(v), Ok(Err(e)) => Err(internal(e.to_string())), Err(_) => Err(no()) }"
        (error_boundary,) = review(tmp_path, server=CAUGHT.format(handled=handled)).error_boundaries
        assert error_boundary.leak is None
