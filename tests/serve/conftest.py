"""What an event loop leaves of the processes for reviews, which end with it, is cleared away within the test that left it."""

import gc

import pytest


def pytest_collection_modifyitems(items):
    for each in items:
        if "/tests/serve/" in each.path.as_posix():
            each.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))


@pytest.fixture(autouse=True)
def cleared():
    yield
    gc.collect()
