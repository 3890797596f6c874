"""Requests under way at once, as somebody ends them."""

import asyncio
import os
import signal
from contextlib import asynccontextmanager

import pytest

from reviewer.judge.backends.pool import iter_replies
from reviewer.judge.prices import CostBudget
from reviewer.judge.question_requests import QuestionRequest


def test_a_second_interrupt_while_the_first_is_closing_is_an_interrupt():
    closed: list[bool] = []

    async def ask(_question_request):
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(20)

    @asynccontextmanager
    async def opening():
        try:
            yield ask
        finally:
            asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGINT)
            try:
                await asyncio.sleep(20)
            finally:
                closed.append(True)

    question_request = QuestionRequest(({},), (), (), "")
    with pytest.raises(KeyboardInterrupt):
        list(iter_replies(opening, [question_request], CostBudget("a-model"), at_once=2, seconds=20))
    assert closed == [True]
