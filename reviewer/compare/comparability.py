"""What decides which findings there are, besides the reviewed code: who compares two reports must know whether it is the same."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from reviewer.config import Flags, FoundConfiguration, Settings
from reviewer.engine import ActiveRule
from reviewer.report.model import SectionReport
from reviewer.version import __version__


def digest_grounds(
    settings: Settings, found: FoundConfiguration, flags: Flags, sections: Iterable[SectionReport], scope: str
) -> Mapping[str, str]:
    """Return a digest for each rule that ran and left no question open: of release, profile, options, files and judge.

    `scope` is the path that is reviewed. A finding of such a rule that is gone although its digest is the same
    is gone because code was changed.
    """
    open_ = {each.rule.slug for part in sections for each in part.waiting}
    own, judge = found.configuration, settings.judge
    common = [__version__, scope, settings.profile, own.exclude, own.include_tests, {**own.sdk, **flags.sdk}]
    asked = [judge.name, judge.model, judge.effort]
    ways: dict[str, list[ActiveRule]] = {}
    for each in settings.chosen:
        ways.setdefault(each.rule.slug, []).append(each)
    return {
        slug: _digest(
            [
                *common,
                slug,
                *(each.options for each in chosen),
                *(asked if chosen[0].rule.judged or chosen[0].rule.unsure else ()),
            ]
        )
        for slug, chosen in ways.items()
        if slug not in open_
    }


def _digest(parts: Any) -> str:
    written = json.dumps(parts, sort_keys=True, default=_to_plain)
    return sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _to_plain(value: Any) -> Any:
    """Return options as JSON holds them; what has no order is sorted."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)
