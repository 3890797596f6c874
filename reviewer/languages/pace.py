"""Words by which code keeps itself from sending too much, or lets a setting keep it from sending at all; in both languages."""

import re

PACING = re.compile(
    r"sleep|debounce|throttle|coalesc|interval|elapsed|monotonic|perf_counter|time\.time\(|loop\.time\(|call_later|call_at"
    r"|\bTimer\(|timeout|wait_for\(|Instant::now|rate_?limit|last_(?:sent|emit|report|notif|update|progress)|min_gap"
    r"|next_(?:report|emit|update)|\bawatch\(",
    re.IGNORECASE,
)
"""What shows that a stretch of code waits, or looks at the clock."""

STEPPING = re.compile(r"%|is_multiple_of|percent|pct|modulo|every|step|last_|previous|prev_|changed|milestone", re.I)
"""What shows that a condition lets through only some rounds of a loop."""

SETTINGS = frozenset(
    "settings setting config configuration cfg options opts env environ getenv flag flags feature features notify notifies "
    "notification notifications announce announces announcement announcements enabled enable disabled disable quiet silent "
    "muted args cli var".split()
)
"""Words in a condition that asks how the server is configured."""

CHANGE_HANDLER = re.compile(
    r"^_*(?:(?:handle_|on_|dispatch_|process_)+(?:\w+_)?(?:change|changes|changed|modified|created|deleted|moved|event"
    r"|events|any_event|update|updated|reload|reloaded|added|removed))$|^(?:handle_event|dispatch)$"
)
"""The name of what is called for every single change."""

SUBSCRIBING = re.compile(
    r"^(?:(?:set_|add_)?(?:on_)?(?:change|changes|changed|update|event)s?(?:_(?:handler|listener|callback|hook|observer))?"
    r"|on_\w*(?:change|changed|update|updated|added|removed|event|reload)|subscribe\w*|watch|observe|connect|listen"
    r"|(?:add|register)_\w*(?:listener|callback|hook|observer|handler|subscriber|watcher)|set_notifier)$"
)
"""What a callback for every single change is handed to, or is named as an argument."""
