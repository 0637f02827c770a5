"""Clients in forked and spawned processes."""

import multiprocessing
import os

import pytest

import crypto_intel


def price(client: crypto_intel.Client) -> int:
    return len(client.market_price("BTC").data)


def call_in_child(client: crypto_intel.Client, results: "multiprocessing.Queue[object]") -> None:
    try:
        results.put((price(client), client.credits_used))
    except BaseException as error:
        results.put(repr(error))


def call_in_new_client(url: str, key: str, results: "multiprocessing.Queue[object]") -> None:
    try:
        results.put((price(crypto_intel.Client(api_key=key, base_url=url)), None))
    except BaseException as error:
        results.put(repr(error))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_uses_the_client_of_its_parent(shared: crypto_intel.Sandbox) -> None:
    client = crypto_intel.Client(api_key=shared.key, base_url=shared.url)
    points = price(client)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    children = [context.Process(target=call_in_child, args=(client, results)) for _ in range(3)]
    for child in children:
        child.start()
    answers = [results.get(timeout=30) for _ in children]
    for child in children:
        child.join(timeout=30)
        assert child.exitcode == 0
    assert [answer[0] for answer in answers] == [points] * 3, answers
    assert price(client) == points


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_another_process_builds_a_client(shared: crypto_intel.Sandbox, method: str) -> None:
    context = multiprocessing.get_context(method)
    results = context.Queue()
    child = context.Process(target=call_in_new_client, args=(shared.url, shared.key, results))
    child.start()
    answer = results.get(timeout=60)
    child.join(timeout=30)
    assert isinstance(answer, tuple) and answer[0] > 0, answer


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_child_spends_what_is_left_of_the_budget(shared: crypto_intel.Sandbox) -> None:
    client = crypto_intel.Client(api_key=shared.key, base_url=shared.url, budget=2)
    price(client)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=call_in_child, args=(client, results))
    child.start()
    answer = results.get(timeout=30)
    child.join(timeout=30)
    assert "Budget" in str(answer), answer
