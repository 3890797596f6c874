"""Work in bounds: what calls share, what they wait for, and what becomes of the processes."""

import json
import os
import time

import pytest

pytest.importorskip("mcp.server")

import anyio
import psutil
from anyio import to_process

from reviewer.serve.jobs import Done, Job
from reviewer.serve.refusals import RefusalError
from reviewer.serve.worker_pool import GONE, PoolBounds, WorkerPool

from .conversation import EXAMPLES, children, large

pytestmark = pytest.mark.slow


class Slow(WorkerPool):
    """Does jobs by waiting, and takes down when each began and ended."""

    async def _get_done(self, job, _position):
        self.log = [*getattr(self, "log", []), f"begin {job.named}"]
        await anyio.sleep(0.05)
        self.log.append(f"end {job.named}")
        return Done(json.dumps({"of": job.named}))


def job(name="a", kind="review"):
    return Job(kind, f"/{name}", "/", name)


async def silent(_done, _whole, _words):
    pass


def together(pool, *jobs):
    """Have jobs done at once, and give the outcomes in their order."""

    async def run():
        outcomes = {}

        async def one(number, each):
            try:
                outcomes[number] = await pool.request_document(each, silent)
            except RefusalError as error:
                outcomes[number] = error.code

        async with anyio.create_task_group() as group:
            for number, each in enumerate(jobs):
                group.start_soon(one, number, each)
        return [outcomes[number] for number in range(len(jobs))]

    return anyio.run(run)


class TestSharing:
    def test_calls_for_the_same_share_what_was_begun_after_they_came(self):
        pool = Slow()
        outcomes = together(pool, *[job()] * 50)
        assert {each.document["of"] for each in outcomes} == {"a"}
        assert pool.log == ["begin a", "end a", "begin a", "end a"][: len(pool.log)]

    def test_one_at_a_time_for_a_path(self):
        pool = Slow()
        together(pool, job(), job(kind="catalog"))
        assert pool.log == ["begin a", "end a", "begin a", "end a"]

    def test_no_more_processes_than_allowed(self):
        pool = Slow(PoolBounds(processes=2))
        together(pool, *map(job, "abcd"))
        running = most = 0
        for each in pool.log:
            running += 1 if each.startswith("begin") else -1
            most = max(most, running)
        assert most == 2

    def test_calls_beyond_the_bound_are_told_to_come_later(self):
        outcomes = together(Slow(PoolBounds(calls=2)), *map(job, "abc"))
        assert outcomes.count("busy") == 1

    def test_calls_that_wait_too_long_are_told_to_come_later(self):
        outcomes = together(Slow(PoolBounds(processes=1, waiting=0.02)), *map(job, "ab"))
        assert outcomes.count("busy") == 1

    def test_the_oldest_document_goes(self):
        pool = Slow(PoolBounds(kept=2))
        first, second, third = (together(pool, job(name))[0] for name in "abc")
        with pytest.raises(RefusalError) as stale:
            pool.recall_document(first.name)
        assert stale.value.code == "cursor_stale"
        assert [pool.recall_document(each.name)["of"] for each in (second, third)] == ["b", "c"]

    def test_many_characters_go_too_but_for_the_latest(self):
        pool = Slow(PoolBounds(characters=1))
        first, second = (together(pool, job(name))[0] for name in "ab")
        assert pool.recall_document(second.name)["of"] == "b"
        with pytest.raises(RefusalError):
            pool.recall_document(first.name)

    def test_same_document_keeps_its_name(self):
        pool = Slow()
        assert together(pool, job())[0].name == together(pool, job())[0].name


class TestProcesses:
    """Real processes. `meanwhile` happens once there is one."""

    @staticmethod
    def work(path, bounds=None, meanwhile=None):
        """Have a folder reviewed; give the outcome, and the processes that are left when the server has ended."""

        async def watch(scope):
            while not children(os.getpid()):
                await anyio.sleep(0.02)
            while True:  # again and again: a process that was only beginning is passed over
                await anyio.sleep(0.2)
                meanwhile(scope)

        async def run():
            pool = WorkerPool(bounds or PoolBounds())
            outcome = None
            async with anyio.create_task_group() as group:
                if meanwhile is not None:
                    group.start_soon(watch, group.cancel_scope)
                try:
                    outcome = await pool.request_document(Job("review", str(path), str(path), "."), silent)
                except RefusalError as error:
                    outcome = error.code
                group.cancel_scope.cancel()
            return outcome

        outcome, end = anyio.run(run), time.monotonic() + 10
        while children(os.getpid()) and time.monotonic() < end:
            time.sleep(0.02)
        return outcome, children(os.getpid())

    def test_what_takes_too_long_is_ended(self, tmp_path):
        assert self.work(large(tmp_path / "big"), PoolBounds(seconds=0.7)) == ("too_slow", [])

    def test_cancelled_work_is_ended(self, tmp_path):
        assert self.work(large(tmp_path / "big"), meanwhile=lambda scope: scope.cancel()) == (None, [])

    def test_process_that_dies_is_told_and_the_next_one_works(self, tmp_path):
        def kill(_scope):
            for each in children(os.getpid()):
                psutil.Process(each).kill()

        assert self.work(large(tmp_path / "big"), meanwhile=kill)[0] == "failed"
        found, _ = self.work(EXAMPLES / "notes-python")
        assert found.document["report"]["version"] == 1

    @pytest.mark.parametrize("gone", GONE)
    def test_process_that_died_while_it_waited_is_passed_over(self, gone, monkeypatch):
        began, run = [], to_process.run_sync

        async def run_sync(work, *arguments, **options):
            began.append(work)
            if len(began) == 1:
                raise gone
            return await run(work, *arguments, **options)

        monkeypatch.setattr(to_process, "run_sync", run_sync)
        found, _ = self.work(EXAMPLES / "notes-python")
        assert found.document["report"]["version"] == 1
        assert len(began) == 3
