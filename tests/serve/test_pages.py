"""Pages, cursors and previews: what fits into one answer, and the way to the rest."""

import pytest

pytest.importorskip("mcp.server")

from reviewer.serve.pages import (
    LONG,
    MOST_ANSWER,
    MOST_ROWS,
    PREVIEW,
    AskedRows,
    Cursors,
    Whole,
    fit_rows,
    measure_length,
)
from reviewer.serve.refusals import RefusalError

pytestmark = pytest.mark.slow

ROWS = [{"name": f"n{number}", "text": "x"} for number in range(250)]


def whole(row, key):
    return Whole("list-things", {"name": row["name"], "fields": [key]}, "mcp-review PATH")


def page(rows, start=0, spare=MOST_ANSWER, **asked):
    return fit_rows(rows, start, AskedRows(**asked), spare, whole)


class TestRows:
    @pytest.mark.parametrize(("limit", "count"), [(1, 1), (20, 20), (1_000_000, MOST_ROWS), (0, 1), (-5, 1)])
    def test_limit_is_clamped(self, limit, count):
        assert len(page(ROWS, limit=limit)) == count

    def test_pages_give_every_row_once(self):
        seen, start = [], 0
        while start < len(ROWS):
            rows = page(ROWS, start, limit=70)
            seen += rows
            start += len(rows)
        assert seen == ROWS

    def test_start_after_the_end_is_an_empty_page(self):
        assert page(ROWS, 250) == []

    def test_fields_are_what_was_asked_for(self):
        assert page(ROWS, limit=1, fields=("text",)) == [{"text": "x"}]

    def test_page_is_cut_to_what_fits(self):
        rows = [{"name": str(number), "text": "x" * 1300} for number in range(100)]
        shown = page(rows, limit=100)
        assert 10 < len(shown) < 40
        assert measure_length(shown) <= MOST_ANSWER

    def test_one_row_is_given_in_any_case(self):
        rows = [{"name": "a", **{f"k{number}": "x" * 1400 for number in range(40)}}]
        assert len(page(rows, spare=10)) == 1


class TestPreviews:
    LONG_ROW = ({"name": "a", "text": "y" * (LONG + 1)},)

    def test_long_value_is_a_preview_that_names_the_call_for_the_whole(self):
        assert page(self.LONG_ROW)[0]["text"] == {
            "_truncated": True,
            "characters": LONG + 1,
            "preview": "y" * PREVIEW,
            "full_action": "list-things",
            "full_params": {"name": "a", "fields": ["text"]},
        }

    def test_long_value_is_whole_if_it_is_named(self):
        assert page(self.LONG_ROW, fields=("text",)) == [{"text": "y" * (LONG + 1)}]
        assert page(self.LONG_ROW, entire=("text",)) == list(self.LONG_ROW)

    def test_objects_are_cut_too(self):
        schema = {"properties": {f"p{number}": {"type": "string"} for number in range(200)}}
        assert page([{"name": "a", "schema": schema}])[0]["schema"]["preview"].startswith('{"properties"')

    def test_value_that_fits_no_answer_names_a_command(self):
        shown = page([{"name": "a", "text": "z" * 500_000}], fields=("text",))[0]["text"]
        assert shown["full_action"] == "command line"
        assert shown["full_params"] == {"command": "mcp-review PATH"}
        assert len(shown["preview"]) == PREVIEW

    def test_what_cannot_be_seen_is_spelled_out(self):
        assert page([{"name": "a\u202eb", "text": {"k\u200b": ["\x1b[2J"]}}]) == [
            {"name": "a\\u{202E}b", "text": {"k\\u{200B}": ["\\u{001B}[2J"]}}
        ]


class TestCursors:
    def test_cursor_leads_to_its_row(self):
        cursors = Cursors()
        assert cursors.open(cursors.seal("5eed", 40, "q"), "q") == ("5eed", 40)

    def test_cursor_does_not_tell_what_it_is_made_of_twice(self):
        assert Cursors().seal("5eed", 40, "q") != Cursors().seal("5eed", 40, "q")

    @pytest.mark.parametrize("given", ["", "20", "AAAA", "ü", "…", "a" * 256, "=" * 9, "NWVlZDo0MA"])
    def test_garbled_cursor_is_refused(self, given):
        with pytest.raises(RefusalError) as refused:
            Cursors().open(given, "q")
        assert refused.value.code == "cursor_invalid"
        assert refused.value.text.count("cursor") >= 2

    def test_cursor_of_another_question_is_refused(self):
        cursors = Cursors()
        with pytest.raises(RefusalError):
            cursors.open(cursors.seal("5eed", 40, "q"), "other")

    def test_cursor_of_another_server_is_refused(self):
        with pytest.raises(RefusalError):
            Cursors().open(Cursors().seal("5eed", 40, "q"), "q")

    def test_changed_cursor_is_refused(self):
        cursors = Cursors()
        sealed = cursors.seal("5eed", 40, "q")
        for place in range(len(sealed) - 1):
            changed = sealed[:place] + ("A" if sealed[place] != "A" else "B") + sealed[place + 1 :]
            with pytest.raises(RefusalError):
                cursors.open(changed, "q")
