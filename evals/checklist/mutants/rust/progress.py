"""§15 of the checklist, in Rust: what a long call tells of how far it is."""
# ruff: noqa: E501

from mutation import Mutant, harmless, mutant

LIVE = "rust_router_live"
SERVER = "src/server.rs"
REPORTING = "src/reporting.rs"
OF = """
        let token = context.meta.get_progress_token()?;
        Some(Self::new(context.peer.clone(), token))
"""
NEW = "        let mut reporter = Reporter::of(&context);\n"
LOOP = """
        for (done, name) in request.boxes.iter().enumerate() {
            counted += self.shelves.count_box(name).await;
            if let Some(reporter) = reporter.as_mut() {
                reporter.report(done + 1, total).await;
            }
        }
"""
META = '        let Some(token) = context.meta.get_progress_token() else {\n            return Err(ErrorData::invalid_params("no token", None));\n        };\n'
Edits = tuple[str, str, str]


def made(name: str, new: str, *more: Edits) -> Mutant:
    """The token is not the client's."""
    return mutant("progress-without-token", LIVE, name, (REPORTING, OF, new), *more)


SOME = "        Some(Self::new(context.peer.clone(), {}))"
TOKENS = [
    made("the request's id", SOME.format("ProgressToken(context.id.clone())") + " ⚑"),
    made("a name for the id", "        let token = ProgressToken(context.id.clone()); ⚑\n" + SOME.format("token")),
    made("a number", SOME.format("ProgressToken(NumberOrString::Number(0))") + " ⚑"),
    made(
        "a text",
        '        let token = ProgressToken(NumberOrString::String(format!("count-{}", context.id).into())); ⚑\n'
        + SOME.format("token"),
    ),
    made(
        "where there is none",
        "        let token = context.meta.get_progress_token().unwrap_or_else(|| ProgressToken(NumberOrString::String(uuid::Uuid::new_v4().to_string().into()))); ⚑\n"
        + SOME.format("token"),
    ),
    made(
        "another arm",
        "        let token = match context.meta.get_progress_token() {\n            Some(token) => token,\n            None => ProgressToken(NumberOrString::Number(1)), ⚑\n        };\n"
        + SOME.format("token"),
    ),
    made(
        "a helper's",
        SOME.format("fresh()"),
        (
            REPORTING,
            "impl Reporter {",
            "fn fresh() -> ProgressToken {\n    ProgressToken(NumberOrString::Number(NEXT.fetch_add(1, Ordering::Relaxed))) ⚑\n}\n\nimpl Reporter {",
        ),
    ),
    made("taken unseen", "        let token = context.meta.get_progress_token().unwrap(); ⚑\n" + SOME.format("token")),
    mutant(
        "progress-without-token",
        LIVE,
        "in the tool",
        (
            SERVER,
            NEW,
            "        let mut reporter = Some(Reporter::new(context.peer.clone(), ProgressToken(context.id.clone()))); ⚑\n",
        ),
    ),
]
SEND = "let _ = context.peer.notify_progress(ProgressNotificationParam::new(token.clone(), {}).with_total(total as f64)).await;"


def course(name: str, loop: str) -> Mutant:
    """The numbers do not only go up."""
    return mutant("progress-not-increasing", LIVE, name, (SERVER, LOOP, loop), (SERVER, NEW, META))


COUNT = "            counted += self.shelves.count_box(name).await;\n            "
COURSES = [
    course("one number", "        for name in &request.boxes {\n" + COUNT + SEND.format("1.0") + " ⚑\n        }"),
    course(
        "a name that stays",
        "        let done = 0;\n        for name in &request.boxes {\n"
        + COUNT
        + SEND.format("f64::from(done)")
        + " ⚑\n        }",
    ),
    course(
        "what is left",
        "        for (done, name) in request.boxes.iter().enumerate() {\n"
        + COUNT
        + SEND.format("(total - done) as f64")
        + " ⚑\n        }",
    ),
    course(
        "counted down",
        "        let mut left = total;\n        for name in &request.boxes {\n            left -= 1;\n"
        + COUNT
        + SEND.format("left as f64")
        + " ⚑\n        }",
    ),
    course(
        "a range that runs down",
        "        for place in (0..total).rev() {\n            let name = &request.boxes[place];\n"
        + COUNT
        + SEND.format("place as f64")
        + " ⚑\n        }",
    ),
    course(
        "begins anew",
        "        for row in request.boxes.chunks(9) {\n            for (done, name) in row.iter().enumerate() {\n"
        + COUNT
        + SEND.format("done as f64")
        + " ⚑\n            }\n        }",
    ),
    course(
        "a counter set back",
        "        for row in request.boxes.chunks(9) {\n            let mut done = 0;\n            for name in row {\n                done += 1;\n"
        + COUNT
        + SEND.format("f64::from(done)")
        + " ⚑\n            }\n        }",
    ),
    course(
        "the whole after a failure",
        "        if let Err(error) = self.shelves.check(&request.boxes).await {\n            "
        + SEND.format("total as f64")
        + " ⚑\n            return Err(ErrorData::internal_error(error.to_string(), None));\n        }\n        counted += 1;",
    ),
]


def flood(name: str, loop: str) -> Mutant:
    """Each round of a quick loop is told."""
    return mutant("progress-not-bounded", LIVE, name, (SERVER, LOOP, loop), (SERVER, NEW, META))


FLOODS = [
    flood(
        "for each",
        "        for (done, name) in request.boxes.iter().enumerate() { ⚑\n            counted += name.len();\n            "
        + SEND.format("done as f64")
        + "\n        }",
    ),
    flood(
        "while",
        "        let mut done = 0;\n        while done < total { ⚑\n            done += 1;\n            counted += done;\n            "
        + SEND.format("done as f64")
        + "\n        }",
    ),
    flood(
        "a range",
        "        for done in 0..total { ⚑\n            counted += done;\n            "
        + SEND.format("done as f64")
        + "\n        }",
    ),
    flood(
        "a stream",
        "        let mut done = 0;\n        while let Some(found) = self.shelves.stream().next().await { ⚑\n            done += 1;\n            counted += found;\n            "
        + SEND.format("f64::from(done)")
        + "\n        }",
    ),
    flood(
        "if there is a token",
        "        for (done, name) in request.boxes.iter().enumerate() { ⚑\n            counted += name.len();\n            if let Some(token) = context.meta.get_progress_token() {\n                "
        + SEND.format("done as f64")
        + "\n            }\n        }",
    ),
    mutant(
        "progress-not-bounded",
        LIVE,
        "a helper in the loop",
        (
            SERVER,
            LOOP,
            "        for (done, name) in request.boxes.iter().enumerate() {\n            counted += name.len();\n            told(&context, token.clone(), done).await; ⚑\n        }",
        ),
        (SERVER, NEW, META + "        tracing::debug!(boxes = request.boxes.len());\n"),
        (
            SERVER,
            "fn machine(name",
            "async fn told(context: &RequestContext<RoleServer>, token: ProgressToken, done: usize) {\n    let _ = context.peer.notify_progress(ProgressNotificationParam::new(token, done as f64)).await;\n}\n\nfn machine(name",
        ),
    ),
]


def fine(rule: str, name: str, loop: str) -> Mutant:
    """Another clean way to tell how far it is."""
    return harmless(rule, LIVE, name, (SERVER, LOOP, loop), (SERVER, NEW, META))


HARMLESS = [
    harmless(
        "progress-without-token",
        LIVE,
        "mapped",
        (
            REPORTING,
            OF,
            "        context.meta.get_progress_token().map(|token| Self::new(context.peer.clone(), token))",
        ),
    ),
    harmless(
        "progress-without-token",
        LIVE,
        "or nothing",
        (
            REPORTING,
            OF,
            "        let Some(token) = context.meta.get_progress_token() else {\n            return None;\n        };\n        Some(Self::new(context.peer.clone(), ProgressToken(token.0)))",
        ),
    ),
    harmless(
        "progress-without-token",
        LIVE,
        "as it was given",
        (
            REPORTING,
            OF,
            '        let raw = context.meta.get("progressToken").cloned()?;\n        let token = serde_json::from_value(raw).ok()?;\n        Some(Self::new(context.peer.clone(), ProgressToken(token)))',
        ),
    ),
    fine(
        "progress-not-increasing",
        "over all rows",
        "        let mut done = 0;\n        for row in request.boxes.chunks(9) {\n            for name in row {\n                done += 1;\n"
        + COUNT
        + SEND.format("f64::from(done)")
        + "\n            }\n        }",
    ),
    fine(
        "progress-not-increasing",
        "what is not left",
        "        let mut left = total;\n        for name in &request.boxes {\n            left -= 1;\n"
        + COUNT
        + SEND.format("(total - left) as f64")
        + "\n        }",
    ),
    fine(
        "progress-not-increasing",
        "as far as it came",
        "        if let Err(error) = self.shelves.check(&request.boxes).await {\n            "
        + SEND.format("counted as f64")
        + "\n            return Err(ErrorData::internal_error(error.to_string(), None));\n        }\n        counted += 1;",
    ),
    fine(
        "progress-not-bounded",
        "every tenth",
        "        for (done, name) in request.boxes.iter().enumerate() {\n            counted += name.len();\n            if done % 10 == 0 {\n                "
        + SEND.format("done as f64")
        + "\n            }\n        }",
    ),
    fine(
        "progress-not-bounded",
        "few steps",
        '        for (done, name) in ["open", "close"].iter().enumerate() {\n            counted += name.len();\n            '
        + SEND.format("done as f64")
        + "\n        }",
    ),
    fine(
        "progress-not-bounded",
        "at its own pace",
        "        for (done, name) in request.boxes.iter().enumerate() {\n"
        + COUNT
        + SEND.format("done as f64")
        + "\n        }",
    ),
]

MUTANTS = [*TOKENS, *COURSES, *FLOODS, *HARMLESS]
