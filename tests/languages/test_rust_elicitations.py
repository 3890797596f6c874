from pathlib import Path

import pytest
from rust_projects import review

CATALOG = """
pub const ACTIONS: &[ActionSpec] = &[
    ActionSpec { name: "book.list", description: "List", destructive: false, params: &[] },
    ActionSpec { name: "book.burn", description: "Burn it", destructive: true, params: &[] },
    ActionSpec { name: "book.drop", description: "Drop it", destructive: true, params: &[] },
];
"""
HANDLERS = """
use crate::ask::ask;

pub async fn run(client: &Client, action: &str, params: Value) -> Result<Value, ToolError> {
    match action {
        "book.list" => Ok(respond(action, client.list().await?)),
        "book.burn" => Ok(respond(action, client.burn().await?)),
        "book.drop" => Ok(respond(action, client.drop().await?)),
        unknown => Err(ToolError::unknown(unknown)),
    }
}
"""
SERVER = """
use crate::book::actions::{{ActionSpec, ACTIONS}};
use crate::book::handlers::run;

pub fn is_destructive(action: &str) -> bool {{
    ACTIONS.iter().any(|spec| spec.name == action && spec.destructive)
}}
pub fn find(action: &str) -> Option<&'static ActionSpec> {{
    ACTIONS.iter().find(|spec| spec.name == action)
}}
pub fn is_cheap(action: &str) -> bool {{
    ACTIONS.iter().any(|spec| spec.name == action && spec.cheap)
}}
{helper}
pub struct Request {{
    pub action: String,
    pub params: Value,
    pub sure: bool,
    pub confirmed: bool,
}}
impl Books {{
    async fn answer(&self, request: Request, context: &RequestContext<RoleServer>) -> Result<Value, ToolError> {{
        let action = request.action.clone();
        let spec = find(&action).ok_or_else(no)?;
        {body}
        run(&self.client, &action, request.params).await
    }}
}}
"""
HELPER = """
async fn confirmed(peer: &Peer<RoleServer>, action: &str) -> Result<(), ToolError> {
    match peer.elicit::<Confirm>(format!("{action}?")).await {
        Ok(Some(Confirm { confirm: true })) => Ok(()),
        _ => Err(ToolError::refused(action)),
    }
}
"""
BOOL = """
async fn confirmed(peer: &Peer<RoleServer>, action: &str) -> bool {
    matches!(peer.elicit::<Confirm>(action).await, Ok(Some(answer)) if answer.confirm)
}
"""
ENUM = """
async fn confirmed(peer: &Peer<RoleServer>, action: &str) -> Said {
    if peer.supported_elicitation_modes().is_empty() {
        return Said::NotSupported;
    }
    match peer.create_elicitation(asked(action)).await {
        Ok(result) => match result.action {
            ElicitationAction::Accept => Said::Confirmed,
            ElicitationAction::Decline => Said::Declined,
            ElicitationAction::Cancel => Said::Cancelled,
        },
        Err(_) => Said::Failed,
    }
}
"""
MODULES = {
    "src__lib": "pub mod ask;\npub mod book;\npub mod server;\npub mod shop;\n",
    "src__book__mod": "pub mod actions;\npub mod handlers;\n",
    "src__shop__mod": "pub mod handlers;\n",
}
GOOD = [
    (HELPER, "if is_destructive(&action) { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "if spec.destructive { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "let risky = spec.destructive; if risky { confirmed(&context.peer, &action).await?; }"),
    (HELPER, 'if action == "book.burn" || action == "book.drop" { confirmed(&context.peer, &action).await?; }'),
    (HELPER, "if let Some(spec) = ACTIONS.iter().find(|s| s.name == action) { if spec.destructive { confirmed(&context.peer, &action).await?; } }"),
    (HELPER, "if let Some(spec) = ACTIONS.iter().find(|s| s.name == action && s.destructive) { confirmed(&context.peer, spec.name).await?; }"),
    (HELPER, "if !spec.destructive { return run(&self.client, &action, request.params).await; }\n confirmed(&context.peer, &action).await?;"),
    (HELPER, "match spec.destructive { true => confirmed(&context.peer, &action).await?, false => {} }"),
    (HELPER, "if spec.destructive && !request.confirmed { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "confirmed(&context.peer, &action).await?;"),
    (BOOL, "if spec.destructive && !confirmed(&context.peer, &action).await { return Err(ToolError::refused(&action)); }"),
    (BOOL, "if spec.destructive { let sure = confirmed(&context.peer, &action).await; if !sure { return Err(no()); } }"),
    (ENUM, "if spec.destructive { match confirmed(&context.peer, &action).await { Said::Confirmed => {} Said::Declined | Said::Cancelled => return Err(no()), Said::NotSupported => { if !request.sure { return Err(no()); } } Said::Failed => return Err(no()), } }"),
    ("", "if spec.destructive { let Ok(Some(Confirm { confirm: true })) = context.peer.elicit::<Confirm>(\"?\").await else { return Err(no()); }; }"),
    ("", "if spec.destructive { if let Ok(Some(c)) = context.peer.elicit::<Confirm>(\"?\").await { if c.confirm { return run(&self.client, &action, request.params).await; } } return Err(no()); }"),
    ("", "if spec.destructive { let answer = context.peer.create_elicitation(asked(&action)).await?; if answer.action != ElicitationAction::Accept { return Err(no()); } }"),
    ("", "if spec.destructive { let answer = context.peer.elicit::<Confirm>(\"?\").await.map_err(|_| no())?; if !answer.is_some_and(|c| c.confirm) { return Err(no()); } }"),
    ("", "if spec.destructive { match context.peer.elicit::<Confirm>(\"?\").await { Ok(Some(c)) => { if !c.confirm { return Err(no()); } } Ok(None) => {} Err(_) => return Err(no()) } }"),
]  # fmt: skip
UNREACHED = [
    (HELPER, ""),
    (HELPER, "if false { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "if !spec.destructive { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "if spec.destructive == false { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "if spec.destructive {} else { confirmed(&context.peer, &action).await?; }"),
    (HELPER, 'if action == "help" { confirmed(&context.peer, &action).await?; }'),
    (HELPER, 'match action.as_str() { "book.list" => confirmed(&context.peer, &action).await?, _ => {} }'),
    (HELPER, "if spec.destructive { return run(&self.client, &action, request.params).await; }\n confirmed(&context.peer, &action).await?;"),
    (HELPER, "return run(&self.client, &action, request.params).await;\n confirmed(&context.peer, &action).await?;"),
]  # fmt: skip
HEEDLESS = [
    (BOOL, "if spec.destructive && !confirmed(&context.peer, &action).await { warn!(\"declined\"); }"),
    (BOOL, "if spec.destructive { confirmed(&context.peer, &action).await; }"),
    (HELPER, "if spec.destructive { let _ = confirmed(&context.peer, &action).await; }"),
    (HELPER, "if spec.destructive { confirmed(&context.peer, &action).await.ok(); }"),
    (HELPER, "if spec.destructive { if let Err(error) = confirmed(&context.peer, &action).await { warn!(%error); } }"),
    (HELPER, "if spec.destructive { let said = confirmed(&context.peer, &action).await; info!(?said); }"),
    (HELPER, "if spec.destructive { match confirmed(&context.peer, &action).await { Ok(()) => {} Err(_) => { warn!(\"no\"); } } }"),
    (HELPER, "if spec.destructive { match confirmed(&context.peer, &action).await { Ok(()) => {} Err(_) => return run(&self.client, &action, request.params).await, } }"),
    (HELPER, "if spec.destructive { tokio::spawn(confirmed(&context.peer, &action)); }"),
    (BOOL.replace("matches!(", "peer.elicit::<Confirm>(action).await.map(|c| c.is_some()).unwrap_or(true) //"), "if spec.destructive && !confirmed(&context.peer, &action).await { return Err(no()); }"),
    (HELPER.replace("_ => Err(ToolError::refused(action))", "_ => Ok(())"), "if spec.destructive { confirmed(&context.peer, &action).await?; }"),
    ("", "if spec.destructive { context.peer.create_elicitation(asked(&action)).await?; }"),
    ("", "if spec.destructive { if let Ok(Some(c)) = context.peer.elicit::<Confirm>(\"?\").await { info!(\"{}\", c.confirm); } }"),
]  # fmt: skip


OPEN = [
    (HELPER, "if !is_destructive(Self::known(&action), &action) { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "if cfg!(debug_assertions) && spec.destructive { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "if is_cheap(&action) { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "if self.verbose { confirmed(&context.peer, &action).await?; }"),
    (HELPER, "let risky = spec.cheap; if risky { confirmed(&context.peer, &action).await?; }"),
    ("", "if spec.destructive { let said = context.peer.elicit::<Confirm>(\"?\").await.unwrap_or(Some(Confirm { confirm: true })); if !said.is_some_and(|c| c.confirm) { return Err(no()); } }"),
    (ENUM, "if spec.destructive { match confirmed(&context.peer, &action).await { Said::Confirmed | Said::Declined => {} _ => return Err(no()), } }"),
    (ENUM.replace("Decline => Said::Declined", "Decline => Said::Confirmed"), "if spec.destructive { match confirmed(&context.peer, &action).await { Said::Confirmed => {} _ => return Err(no()), } }"),
    ("", "if spec.destructive { let answer = context.peer.create_elicitation(asked(&action)).await?; if answer.action == ElicitationAction::Decline { warn!(\"no\"); } }"),
]  # fmt: skip


def _read(root: Path, helper: str, body: str):
    return review(
        root,
        **MODULES,
        src__book__actions=CATALOG,
        src__book__handlers=HANDLERS,
        src__server=SERVER.format(helper=helper, body=body),
    )


def _goes_on(project) -> set[bool | None]:
    return {each.goes_on for each in project.consents}


@pytest.mark.parametrize(("helper", "body"), GOOD)
def test_a_question_on_the_way(tmp_path: Path, helper: str, body: str) -> None:
    assert True not in _goes_on(_read(tmp_path, helper, body))


@pytest.mark.parametrize(("helper", "body"), [*UNREACHED, *HEEDLESS])
def test_carried_out_whatever_the_user_says(tmp_path: Path, helper: str, body: str) -> None:
    assert True in _goes_on(_read(tmp_path, helper, body))


@pytest.mark.parametrize(("helper", "body"), OPEN)
def test_what_only_a_run_tells(tmp_path: Path, helper: str, body: str) -> None:
    assert _goes_on(_read(tmp_path, helper, body)) == {None}


def test_a_question_in_an_arm_stands_before_that_action(tmp_path: Path) -> None:
    project = review(
        tmp_path,
        **MODULES,
        src__book__actions=CATALOG,
        src__book__handlers=HANDLERS.replace(
            '"book.burn" => Ok(', '"book.burn" => { ask(client.peer(), action).await?; Ok('
        ).replace("client.burn().await?)),", "client.burn().await?)) }"),
        src__ask=HELPER.replace("confirmed", "ask"),
    )
    assert {(each.action, each.goes_on) for each in project.consents} == {("book.burn", False), ("book.drop", True)}


def test_a_question_of_one_domain_stands_before_its_actions_only(tmp_path: Path) -> None:
    other = HANDLERS.replace("book.", "shop.")
    project = review(
        tmp_path,
        **MODULES,
        src__book__actions=CATALOG,
        src__book__handlers=HANDLERS,
        src__shop__handlers=other,
        src__server="use crate::book::actions::ACTIONS;\n"
        + HELPER
        + """
        fn is_destructive(action: &str) -> bool {
            ACTIONS.iter().any(|spec| spec.name == action && spec.destructive)
        }
        async fn book(request: Request) -> Result<Value, ToolError> {
            if is_destructive(&request.action) { confirmed(&request.peer, &request.action).await?; }
            crate::book::handlers::run(&client, &request.action, request.params).await
        }
        async fn shop(request: Request) -> Result<Value, ToolError> {
            crate::shop::handlers::run(&client, &request.action, request.params).await
        }
        """,
    )
    assert {each.action for each in project.consents if each.goes_on is False} == {"book.burn", "book.drop"}
    assert True not in _goes_on(project)


def test_a_question_that_no_call_reaches(tmp_path: Path) -> None:
    project = review(tmp_path, **MODULES, src__book__actions=CATALOG, src__book__handlers=HANDLERS, src__ask=HELPER)
    assert _goes_on(project) == {True}
