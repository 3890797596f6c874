"""How well a model judges: questions out, verdicts in, scores, a page.

    python evals/judge/run.py sets                                    name the sets, with their sizes
    python evals/judge/run.py export SET [--shard I/N] [--only RULE] -o FILE   write what a fresh judge needs, and nothing else
    python evals/judge/run.py import SET ANSWERS... [--only RULE]     check answers and score them: evals/judge/results/
    python evals/judge/run.py report --write evals/results/judge-accuracy.md   write the page of all results
    python evals/judge/run.py lock                                    add new versions of rubrics to prompts/versions.lock

What is written and read are the files of `mcp-review judge export` and `import`. A judge must see the exported file only, and is
best asked for one shard in one sitting: the twins of a pair lie in different shards. For `repeat`, have one exported file
answered twice, by two judges that do not know of each other, and another one, exported anew, once: its questions come in another
order.

After a change of one rubric, `--only` its rule: `--keep` an earlier result, and what was answered there by rubrics that are still
the same counts on.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from accuracy import page, unknowns
from attacking import attack_items
from jury import grade_items, jury_items
from material import HERE, Item, pair_items, placed, shard
from mutating import mutation_items, unseen_items
from pydantic import ValidationError
from repeating import repeat_items
from tallies import Answered, results

from reviewer.judge import Judged
from reviewer.judge.exchange import HostRepliesV1, export_requests, iter_imported_replies
from reviewer.judge.question_requests import QuestionRequest, build_request
from reviewer.judge.replies import parse_answers, parse_grades
from reviewer.judge.rubrics import FRAME, find_prompts_folder, load_rubric, read_lock, update_lock

SETS: dict[str, Callable[[], Iterator[Item]]] = {
    "attacks": attack_items,
    "grades": grade_items,
    "jury": jury_items,
    "mutations": mutation_items,
    "pairs": pair_items,
    "repeat": repeat_items,
    "unseen": unseen_items,
}
SITTING = 50
"""Requests that one judge answers in a sitting."""

SEED = re.compile(r"(?P<set>[0-9a-f]{6})-(?P<index>\d+)-(?P<count>\d+)(?:-(?P<together>\d+)t)?-[0-9a-f]+")


def sign(name: str) -> str:
    """Return what stands for a set in its exports: a judge need not know that it is attacked."""
    return sha256(name.encode()).hexdigest()[:6]


def part(items: list[Item], index: int, count: int) -> list[Item]:
    """Return a shard; what would be the same request twice is asked once."""
    return list({tuple(each.viewed().keys): each for each in shard(items, index, count)}.values())


def asked_together(
    items: list[Item], seed: str, most: int, *, graded: bool
) -> list[tuple[QuestionRequest, list[Item]]]:
    """Return requests about up to `most` items each, as the product puts tools together.

    An item with other tools beside it stays alone: these are the others of its own server.
    """
    rubrics = tuple(sorted({asked.rubric for each in items for asked in each.asked}))
    viewed = [(each, each.viewed()) for each in items]
    alone = [[each] for each in viewed if "siblings" in each[1].seen or most == 1]
    rest = [each for each in viewed if "siblings" not in each[1].seen and most > 1]
    groups = [*alone, *(rest[start : start + most] for start in range(0, len(rest), most))]
    return [
        (build_request([view for _, view in group], seed, rubrics, graded=graded), [item for item, _ in group])
        for group in groups
    ]


def items_of(name: str, only: str | None) -> list[Item]:
    """Return the items of a set, or those that one rule asks about."""
    listed = list(SETS[name]())
    return [each for each in listed if only is None or {asked.rule.slug for asked in each.asked} == {only}]


def export(name: str, index: int, count: int, together: int, output: Path, only: str | None = None) -> int:
    """Write the requests of one shard."""
    seed = f"{sign(name)}-{index}-{count}-{together}t-{token_hex(8)}"
    kept = part(items_of(name, only), index, count)
    requests = [
        question_request for question_request, _ in asked_together(kept, seed, together, graded=name == "grades")
    ]
    output.write_text(json.dumps(export_requests(requests, seed), ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{output}: {len(requests)} requests, {sum(len(each.asked) for each in kept)} questions")
    return 0


def read(path: Path, name: str, items: list[Item]) -> Iterator[Answered]:
    """Check one file of answers, as the product checks it. Exits if it is none, or of another set."""
    try:
        replies = HostRepliesV1.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        sys.exit(f"{path}: not a file of verdicts: {str(error).splitlines()[0]}")
    seed = SEED.fullmatch(replies.export)
    if seed is None or seed["set"] != sign(name):
        sys.exit(f"{path}: verdicts on `{replies.export}`, which is no export of `{name}`")
    kept = part(items, int(seed["index"]), int(seed["count"]))
    asked = asked_together(kept, replies.export, int(seed["together"] or 1), graded=name == "grades")
    by_key = {question_request.key: group for question_request, group in asked}
    unknown = [each for each in replies.replies if not isinstance(each, dict) or each.get("request") not in by_key]
    if unknown:
        print(f"{path}: {len(unknown)} replies to requests that are not in this set any more", file=sys.stderr)
    for question_request, reply in iter_imported_replies((question_request for question_request, _ in asked), replies):
        graded = parse_grades(reply.document, replies.model)
        for posed, answer in zip(question_request.posed, parse_answers(question_request, reply), strict=True):
            item = by_key[question_request.key][posed.tool]
            given = graded.get(posed.tool + 1) if isinstance(answer, Judged) else None
            yield Answered(item, posed.rubric, answer, replies.export, replies.model, path.name, given)


def once(answered: list[Answered]) -> list[Answered]:
    """Return one answer for each question: what one file leaves out, another may have answered, of a set in parts or asked
    anew."""
    found: dict[tuple[str, str, str], Answered] = {}
    for each in answered:
        key = (each.item.id, each.rubric.name, each.model)
        if key not in found or found[key].verdict is None:
            found[key] = each
    return list(found.values())


def earlier(result: Path, items: list[Item]) -> Iterator[Answered]:
    """Yield what an earlier result has of questions whose frame and rubric are still the same."""
    document = json.loads(result.read_text("utf-8"))
    versions: dict[str, int] = document["rubrics"]
    if versions[FRAME] != load_rubric(FRAME).version:
        sys.exit(f"{result}: by another frame; all has to be answered anew")
    by_id = {each.id: each for each in items}
    for row in document["answers"]:
        guide, item = load_rubric(row["rubric"]), by_id.get(row["case"])
        if item is not None and versions[guide.name] == guide.version and "verdict" in row:
            said = Judged(
                row["verdict"], row["quote"], row["why"], guide.shown, document["model"], tuple(row["failing"])
            )
            yield Answered(item, guide, said, document["exports"][0], document["model"], result.name)


def take(name: str, paths: list[Path], only: str | None = None, kept: Path | None = None) -> int:
    """Score files of answers, and keep what was answered with the scores."""
    items = items_of(name, only)
    answered = [each for path in paths for each in read(path, name, items)]
    if kept is not None:
        answered += earlier(kept, items_of(name, None))
    if name != "repeat":
        answered = once(answered)
    for path, result in results(name, answered).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
        print(path)
        print(json.dumps(result["scores"], ensure_ascii=False, indent=1))
    return 0


def sets() -> int:
    """Print the sets, with how many requests they have, and in how many shards they are best judged."""
    for name, items in SETS.items():
        count = len(list(items()))
        print(f"{name}: {count} requests, best in {max(1, -(-count // SITTING))} shards")
    return 0


def lock() -> int:
    """Add what is new among the rubrics to their lock."""
    Path(str(find_prompts_folder() / "versions.lock")).write_text(update_lock(read_lock()), "utf-8")
    return 0


def report(write: Path | None) -> int:
    """Write the page of all results, or print it."""
    text = page([json.loads(path.read_text("utf-8")) for path in sorted((HERE / "results").glob("*.json"))])
    unknown = HERE / "unknowns.json"
    text += unknowns(json.loads(unknown.read_text("utf-8"))) if unknown.exists() else ""
    if write is None:
        print(text, end="")
    else:
        write.write_text(text, "utf-8")
    return 0


def main() -> int:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("sets")
    commands.add_parser("lock")
    one = commands.add_parser("export")
    one.add_argument("set", choices=SETS)
    one.add_argument("--shard", type=placed, default=(0, 1))
    one.add_argument("--together", type=int, default=6, help="tools of a request, as many as in the product")
    one.add_argument("--only", metavar="RULE", help="what one rule asks")
    one.add_argument("-o", "--output", type=Path, required=True)
    other = commands.add_parser("import")
    other.add_argument("set", choices=SETS)
    other.add_argument("answers", type=Path, nargs="+")
    other.add_argument("--only", metavar="RULE", help="as in the export")
    other.add_argument("--keep", type=Path, metavar="RESULT", help="an earlier result of the set")
    commands.add_parser("report").add_argument("--write", type=Path)
    given = parser.parse_args()
    match given.command:
        case "export":
            return export(given.set, *given.shard, given.together, given.output, given.only)
        case "import":
            return take(given.set, given.answers, given.only, given.keep)
        case "report":
            return report(given.write)
    return {"sets": sets, "lock": lock}[given.command]()


if __name__ == "__main__":
    sys.exit(main())
