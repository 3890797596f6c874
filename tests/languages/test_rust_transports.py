from pathlib import Path

import pytest
from rust_projects import HANDLER, review, server

from reviewer.facts import Transport
from reviewer.source import Opaque

SERVED = """
async fn main() -> Result<()> {{
    let service = StreamableHttpService::new(factory, LocalSessionManager::default().into(), config());
    {rest}
    axum::serve(TcpListener::bind({address}).await?, app).await?;
    Ok(())
}}

async fn checked(request: Request, next: Next) -> Result<Response, StatusCode> {{
    given(&request).ok_or(StatusCode::UNAUTHORIZED)?;
    Ok(next.run(request).await)
}}

fn given(request: &Request) -> Option<&str> {{
    request.headers().get("authorization").and_then(|value| value.to_str().ok())
}}

async fn logged(request: Request, next: Next) -> Response {{
    next.run(request).await
}}
"""


def http(root: Path, rest: str, address: str = '"0.0.0.0:80"') -> Transport:
    (found,) = review(root, main=SERVED.format(rest=rest, address=address)).transports
    return found


class TestAuth:
    @pytest.mark.parametrize(
        "rest",
        [
            'let app = Router::new().nest_service("/mcp", service).layer(from_fn(checked));',
            'let app = Router::new().nest_service("/mcp", service).layer(from_fn(logged)).route_layer(from_fn(checked));',
            'let mut app = Router::new().nest_service("/mcp", service); app = app.layer(middleware::from_fn(checked));',
            'let inner = Router::new().route_service("/", service).layer(from_fn(checked)); let app = Router::new().nest("/a", inner);',
            'let auth = from_fn_with_state(state, checked); let app = Router::new().nest_service("/mcp", service).layer(auth);',
            'let app = Router::new().nest_service("/mcp", ServiceBuilder::new().layer(from_fn(checked)).service(service));',
            'let app = Router::new().nest_service("/mcp", service).layer(ValidateRequestHeaderLayer::bearer(token));',
            'let app = Router::new().nest_service("/mcp", service).layer(AsyncRequireAuthorizationLayer::new(keys));',
            'let app = match Some(Router::new().nest_service("/mcp", service)) { Some(r) => r.layer(from_fn(checked)), None => other };',
        ],
    )
    def test_a_layer_that_reads_the_credential(self, tmp_path: Path, rest: str) -> None:
        assert isinstance(http(tmp_path, rest).auth, str)

    @pytest.mark.parametrize(
        "rest",
        [
            'let app = Router::new().nest_service("/mcp", service);',
            'let app = Router::new().nest_service("/mcp", service).layer(from_fn(logged));',
            'let app = Router::new().route("/", get(home)).layer(from_fn(checked)).nest_service("/mcp", service);',
            'let app = Router::new().nest_service("/mcp", service).layer(AddAuthorizationLayer::bearer(token));',
            'let app = Router::new().nest_service("/mcp", service).layer(ValidateRequestHeaderLayer::accept("text/html"));',
            "let app = TowerToHyperService::new(service);",
            'let (app, stop) = (Router::new().nest_service("/mcp", service), token);',
        ],
    )
    def test_what_does_not(self, tmp_path: Path, rest: str) -> None:
        assert http(tmp_path, rest).auth is None

    @pytest.mark.parametrize(
        "rest",
        [
            'let app = Router::new().nest_service("/mcp", service).layer(edge::GatewayLayer::new());',
            'let app = Router::new().nest_service("/mcp", service).layer(lab_auth::AuthLayer::from(keys));',
            'let app = edge::guarded(Router::new().nest_service("/mcp", service));',
            "let app = Site { mcp: service };",
        ],
    )
    def test_what_cannot_be_told(self, tmp_path: Path, rest: str) -> None:
        assert isinstance(http(tmp_path, rest).auth, Opaque)


class TestLocal:
    @pytest.mark.parametrize(
        ("address", "local"),
        [
            ('"127.0.0.1:80"', True),
            ('"localhost:80"', True),
            ("([127, 0, 0, 1], 80)", True),
            ("(Ipv4Addr::LOCALHOST, 80)", True),
            ('format!("127.0.0.1:{port}")', True),
            ("ADDRESS", True),
            ("options.listen", True),
            ('"0.0.0.0:80"', False),
            ("(Ipv4Addr::UNSPECIFIED, 80)", False),
            ("([0, 0, 0, 0], 80)", False),
            ("address", None),
        ],
    )
    def test_the_address(self, tmp_path: Path, address: str, local: bool | None) -> None:
        options = '#[arg(long, default_value = "127.0.0.1:80")]\n    /// Where to listen.\n    pub listen: String,'
        text = SERVED.format(rest='let app = Router::new().nest_service("/mcp", service);', address=address)
        text += f'const ADDRESS: &str = "127.0.0.1:80";\nstruct Options {{\n    {options}\n}}\n'
        (found,) = review(tmp_path, main=text).transports
        assert found.local is local

    def test_the_sdks_options(self, tmp_path: Path) -> None:
        made = "fn main() {{ create_server(details(), Handler, HyperServerOptions {{ {} }}); }}"
        told = made.format('host: "0.0.0.0".into(), sse_support: false, auth: Some(a)')
        (found,) = review(tmp_path, main=told).transports
        assert (found.auth, found.local) == ("auth", False)
        (bare,) = review(tmp_path, main=made.format("sse_support: false")).transports
        assert (bare.auth, bare.local) == (None, True)


class TestEntry:
    def test_it_is_that_of_the_server(self, tmp_path: Path) -> None:
        found = review(
            tmp_path, server(), server=HANDLER.replace("BODY", "run()"), main="fn main() { serve(stdio()); }"
        )
        (transport,) = found.transports
        assert transport.entry is not None
        assert transport.entry.name == "call_tool"

    def test_none_where_several_may_be_served(self, tmp_path: Path) -> None:
        text = HANDLER.replace("BODY", "run()")
        servers = (*server("one.rs"), *server("two.rs"))
        found = review(tmp_path, servers, one=text, two=text, main="fn main() { serve(stdio()); }")
        (transport,) = found.transports
        assert transport.entry is None


class TestByHand:
    @pytest.mark.parametrize(
        "read",
        [
            "for line in std::io::stdin().lock().lines() { answer(line); }",
            "let input = io::stdin(); for line in input.lock().lines() { answer(line); }",
            "let mut input = BufReader::new(tokio::io::stdin()).lines(); while let Some(line) = input.next_line().await? {}",
        ],
    )
    def test_requests_read_from_the_standard_input(self, tmp_path: Path, read: str) -> None:
        text = f'fn main() {{ {read} }}\nfn answer(line: &str) -> Value {{ json!({{"jsonrpc": "2.0"}}) }}'
        (found,) = review(tmp_path, main=text).transports
        assert found.kind == "stdio"

    @pytest.mark.parametrize(
        ("routes", "kinds"),
        [
            ('.route("/sse", get(events)).route("/messages", post(take))', ["sse"]),
            ('.route("/sse", get(|| async { Sse::new(stream()) })).route("/message", post(take))', ["sse"]),
            ('.route("/mcp", get(events).post(take))', []),
            ('.route("/live", get(events)).route("/messages", post(take))', []),
            ('.route("/sse", get(home)).route("/messages", post(take))', []),
        ],
    )
    def test_event_streams(self, tmp_path: Path, routes: str, kinds: list[str]) -> None:
        text = (
            f"fn routes() -> Router {{ Router::new(){routes} }}\nasync fn events() -> Sse<S> {{ Sse::new(stream()) }}\n"
        )
        assert [each.kind for each in review(tmp_path, main=text + "async fn home() {}\n").transports] == kinds
