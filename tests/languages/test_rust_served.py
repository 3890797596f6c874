"""What a Rust server serves in the end: routers that are reached, tools that routers are given, lists made in loops."""

from test_rust_tools import project

from reviewer.languages.rust.project.items import RustItems, memoize
from reviewer.source import Opaque


def listed(found):
    return {str(tool.name) for server in found.servers for tool in server.tools}


ROUTERS = """\
#[tool_router(router = beds)]
impl Garden {
    #[tool(description = "List the beds")]
    async fn list_beds(&self) -> String { String::new() }
}
#[tool_router(router = ponds)]
impl Garden {
    #[tool(description = "List the ponds")]
    async fn list_ponds(&self) -> String { String::new() }
}
"""


class TestRouters:
    def test_what_no_handler_asks_for_is_not_listed(self, tmp_path):
        found = project(
            tmp_path, main=ROUTERS + "#[tool_handler(router = Self::beds())]\nimpl ServerHandler for Garden {}\n"
        )
        assert listed(found) == {"list_beds"}

    def test_what_a_function_joins_is_listed(self, tmp_path):
        joined = """\
        impl Garden {
            fn all() -> ToolRouter<Self> {
                let mut all = Self::beds();
                all += Garden::ponds();
                all
            }
        }
        #[tool_handler(router = Self::all())]
        impl ServerHandler for Garden {}
        """
        assert listed(project(tmp_path, main=ROUTERS + joined)) == {"list_beds", "list_ponds"}

    def test_what_a_field_holds_is_listed_where_the_handler_reads_it(self, tmp_path):
        held = """\
        impl Garden { fn new() -> Self { Self { tools: Self::beds() + Self::ponds() } } }
        #[tool_handler(router = self.tools)]
        impl ServerHandler for Garden {}
        """
        assert listed(project(tmp_path, main=ROUTERS + held)) == {"list_beds", "list_ponds"}

    def test_a_route_that_a_router_is_given(self, tmp_path):
        given = """\
        use rmcp::ServerHandler;
        impl Garden {
            fn all() -> ToolRouter<Self> {
                Self::beds().with_route(ToolRoute::new_dyn(
                    Tool::new("dig", "Dig a bed", json!({"type": "object"}).as_object().unwrap().clone()),
                    |_| todo!(),
                ))
            }
        }
        #[tool_handler(router = Self::all())]
        impl ServerHandler for Garden {}
        """
        found = project(tmp_path, main=ROUTERS + given)
        assert listed(found) == {"list_beds", "dig"}
        assert len(found.servers) == 1

    def test_a_type_that_is_a_tool_belongs_to_its_router(self, tmp_path):
        typed = """\
        use rmcp::handler::server::router::tool::ToolBase;
        #[derive(Serialize, JsonSchema)]
        struct Weight { grams: u32 }
        struct Weigh;
        impl ToolBase for Weigh {
            type Parameter = ();
            type Output = Weight;
            type Error = ErrorData;
            fn name() -> Cow<'static, str> { "weigh".into() }
            fn title() -> Option<String> { Some("Weigh it".into()) }
            fn input_schema() -> Option<Arc<JsonObject>> { None }
        }
        fn all() -> ToolRouter<Garden> { Garden::beds().with_sync_tool::<Weigh>() }
        #[tool_handler(router = all())]
        impl ServerHandler for Garden {}
        """
        found = project(tmp_path, main=ROUTERS + typed)
        (server,) = found.servers
        weigh = next(tool for tool in server.tools if tool.name == "weigh")
        assert weigh.title == "Weigh it"
        assert weigh.output_schema.document["required"] == ["grams"]


LISTING = """\
impl ServerHandler for Garden {
    async fn list_tools(&self, r: Option<P>, c: C) -> Result<ListToolsResult, E> {
        %s
    }
}
const MORE: &[&str] = &["dig", "weed"];
fn named(name: &str) -> Tool { Tool::new(name, "Does it", object(json!({"type": "object"}))) }
fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        other => panic!("{other}"),
    }
}
"""


class TestLists:
    def test_a_list_that_is_mapped(self, tmp_path):
        found = project(
            tmp_path,
            main=LISTING
            % """
        let pairs = [("water", "Water a bed"), ("rake", "Rake a bed")];
        let tools = pairs.into_iter().map(|(name, text)| Tool::new(name, text, object(json!({"type": "object"}))))
            .chain(MORE.iter().map(|name| named(name))).collect();
        Ok(ListToolsResult::with_all_items(tools))""",
        )
        told = {str(tool.name): str(tool.description) for tool in found.servers[0].tools}
        assert told == {"water": "Water a bed", "rake": "Rake a bed", "dig": "Does it", "weed": "Does it"}
        assert found.servers[0].unreadable == ()
        assert {str(tool.input_schema.document) for tool in found.servers[0].tools} == {"{'type': 'object'}"}

    def test_a_list_that_is_looped_over(self, tmp_path):
        found = project(
            tmp_path,
            main=LISTING
            % """
        let mut tools = Vec::new();
        for &name in MORE { tools.push(named(name)); }
        Ok(ListToolsResult::with_all_items(tools))""",
        )
        assert listed(found) == {"dig", "weed"}

    def test_a_list_that_a_run_gives(self, tmp_path):
        found = project(tmp_path, main=LISTING % "Ok(ListToolsResult::with_all_items(self.upstream.list().await?))")
        (opaque,) = found.servers[0].unreadable
        assert isinstance(opaque, Opaque)
        assert opaque.span.line == 2

    def test_a_list_that_is_passed_on_is_that_of_the_handler_inside(self, tmp_path):
        passed = """
        impl ServerHandler for Filtered {
            async fn list_tools(&self, r: Option<P>, c: C) -> Result<ListToolsResult, E> {
                self.inner.list_tools(r, c).await
            }
        }
        """
        served = "#[tool_handler(router = Self::beds() + Self::ponds())]\nimpl ServerHandler for Garden {}\n"
        (server,) = project(tmp_path, main=ROUTERS + served + passed).servers
        assert (len(server.tools), server.unreadable) == (2, ())

    def test_an_empty_list_is_no_server_of_tools(self, tmp_path):
        found = project(tmp_path, main=LISTING.partition("const")[0] % "Ok(ListToolsResult::with_all_items(vec![]))")
        assert found.servers == ()


class TestIndex:
    def test_what_reads_the_whole_tree_reads_once(self):
        read = []
        reading = memoize(lambda items: read.append(items))
        items = RustItems({})
        assert (reading(items), reading(items), len(read)) == (None, None, 1)
