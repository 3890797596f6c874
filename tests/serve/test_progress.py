"""What a client is told while a review goes on: real stages and counts, from the process that does the work."""

import os
import re

import pytest

pytest.importorskip("mcp.server")

import anyio

from reviewer.progress import STAGES, ProgressStep, Stage
from reviewer.serve import lifetime
from reviewer.serve.relay import Writer, reader
from reviewer.serve.waiting import WHOLE, Position, await_with_progress

from .conversation import EXAMPLES, large, talk

pytestmark = pytest.mark.slow

STEP = re.compile(r"(?P<stage>\D+): (?P<done>\d+)(?: of (?P<total>\d+))?(?: seconds?)?")


def told_of(folder, tool="review-server", beat=0.05, **bounds):
    """Call a tool with a progress token; give what was told."""

    async def called(client, _tools):
        told = []

        async def progress(done, whole, message):
            told.append((done, whole, message))

        result = await client.call_tool(tool, {"path": "."}, progress_callback=progress)
        assert not result.is_error
        return told

    return talk(called, folder, beat=beat, **bounds)


class TestTheProtocol:
    def test_stages_and_counts_of_a_review_increase_up_to_its_end(self, tmp_path):
        told = told_of(large(tmp_path / "many", 150))
        assert [each[0] for each in told] == sorted({each[0] for each in told})
        assert {each[1] for each in told} == {WHOLE}
        assert told[-1] == (WHOLE, WHOLE, "done")
        steps = [STEP.fullmatch(message) for _, _, message in told[:-1]]
        assert all(steps)
        stages = {each["stage"] for each in steps} & set(STAGES)
        assert len(stages) >= 2
        assert "150" in {each["total"] for each in steps}

    @pytest.mark.parametrize("tool", ["list-server-tools", "list-questions"])
    def test_the_other_tools_that_read_tell_it_too(self, tool, tmp_path):
        assert len(told_of(large(tmp_path / "many", 80), tool)) >= 2

    def test_a_short_review_tells_its_end_alone(self):
        assert told_of(EXAMPLES / "notes-python", beat=60) == [(WHOLE, WHOLE, "done")]


class TestThrottle:
    def test_a_process_writes_a_few_records_in_a_second(self, monkeypatch):
        written = []
        monkeypatch.setattr("reviewer.serve.relay.time.monotonic", lambda: clock[0])
        clock = [100.0]
        with reader() as record:
            writer = Writer(record.place)
            for number in range(1000):
                clock[0] += 0.001
                writer(Stage.CHECKING_TOOLS, number, 1000)
                written.append(record.read_latest())
            writer.close()
        assert len(set(written)) <= 11

    def test_nothing_is_told_twice(self):
        told = []

        async def tell(done, _whole, _words):
            told.append(done)

        async def run():
            with reader() as record:
                writer = Writer(record.place)
                writer(Stage.CHECKING_TOOLS, 3, 12)
                await await_with_progress(tell, 0.01, Position(300.0, record), lambda: anyio.sleep(0.2))
                writer.close()

        anyio.run(run)
        assert len(told) == 2


class TestTheRecord:
    def test_what_was_written_last_is_read(self, monkeypatch):
        monkeypatch.setattr("reviewer.serve.relay.PAUSE", 0)
        with reader() as record:
            assert record.read_latest() is None
            writer = Writer(record.place)
            for step in (ProgressStep(Stage.FINDING_FILES, 7), ProgressStep(Stage.CHECKING_TOOLS, 3, 12)):
                writer(step.stage, step.done, step.total)
                assert record.read_latest() == step
            writer.close()

    def test_nothing_is_left_of_it(self):
        with reader() as record:
            place = record.place
            Writer(place).close()
        assert not os.path.exists(place)

    def test_nothing_is_left_of_it_where_no_process_came(self):
        with reader() as record:
            assert os.path.exists(record.place)
        assert not os.path.exists(record.place)

    def test_a_disk_that_is_full_ends_no_review(self, monkeypatch):
        def full(*_given):
            raise OSError(28, "No space left on device")

        with reader() as record:
            writer = Writer(record.place)
            monkeypatch.setattr(os, "write", full)
            writer(Stage.CHECKING_TOOLS, 3, 12)
            monkeypatch.undo()
            writer.close()


class TestPosition:
    def test_a_call_in_the_queue_moves_on_too_and_comes_before_every_stage(self, monkeypatch):
        clock = [0.0]
        monkeypatch.setattr("reviewer.serve.waiting.time.monotonic", lambda: clock[0])
        position = Position(300.0, None, 0.0)
        clock[0] = 1.0
        assert position.read_progress() == (0.003, "waiting for other reviews: 1 second")
        clock[0] = 60.0
        assert position.read_progress() == (0.2, "waiting for other reviews: 60 seconds")
        clock[0] = 600.0
        assert position.read_progress()[0] < 1

    def test_a_review_that_is_done_is_not_read_from_any_more(self):
        position = Position(300.0)
        with position.reviewing() as place:
            assert os.path.exists(place)
            assert position.read_progress() is None
        assert position.read_progress()[1].startswith("waiting")

    def test_the_whole_is_more_than_every_stage(self):
        assert 1 + ProgressStep(STAGES[-1], 46, 46).stages < WHOLE


class TestLifetime:
    """The process of a job; `os._exit` is made to raise, so that the watch can be watched."""

    @pytest.fixture(autouse=True)
    def ends(self, monkeypatch):
        def end(_code):
            raise SystemExit

        monkeypatch.setattr(os, "_exit", end)
        monkeypatch.setattr(lifetime, "PAUSE", 0.01)

    def test_a_process_whose_server_is_gone_ends(self):
        with pytest.raises(SystemExit):
            lifetime._watch_server(2**22 + 1, None)

    def test_a_process_that_takes_too_much_ends_where_the_system_bounds_nothing(self):
        with pytest.raises(SystemExit):
            lifetime._watch_server(os.getppid(), 1)

    def test_a_number_that_another_process_has_now_is_not_the_server(self, monkeypatch):
        monkeypatch.setattr("psutil.Process.is_running", lambda _self: False)
        with pytest.raises(SystemExit):
            lifetime._watch_server(os.getppid(), None)

    @pytest.mark.parametrize("error", [ImportError, AttributeError, ValueError, OSError])
    def test_a_system_without_limits_is_watched_instead(self, error, monkeypatch):
        class Resource:
            RLIMIT_AS = 9

            @staticmethod
            def setrlimit(*_given):
                raise error

        monkeypatch.setitem(__import__("sys").modules, "resource", None if error is ImportError else Resource)
        assert lifetime._is_limited(2**40) is False
