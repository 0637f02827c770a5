"""Exports over time: updates, earlier states, and plans of several exports."""

import datetime
from pathlib import Path

import pyarrow
import pytest

from crypto_intel import Client, CryptoIntelError, Sandbox, SyncPlan, read_as_of

START = 1_780_000_000
DAY = 86_400


def _titles(table: object) -> dict[str, str]:
    rows = pyarrow.table(table).to_pylist()
    return {row["id"]: row["title"] for row in rows}


def test_update_adds_and_replaces_rows_and_earlier_rows_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "news"
    with Sandbox(at=START) as sandbox:
        first = [{"id": "a", "published_at": START - 60, "title": "one"}]
        later = [
            {"id": "a", "published_at": START - 60, "title": "corrected"},
            {"id": "b", "published_at": START + 60, "title": "two"},
        ]
        client = sandbox.client()
        news = client.iter_news_feed(limit=2)

        sandbox.answer("news-feed", {"data": first})
        done = news.export(folder, update=DAY, table={"provenance": True})
        assert (done.outcome, done.rows) == ("complete", 1)

        sandbox.advance(DAY)
        sandbox.answer("news-feed", {"data": later})
        done = news.export(folder, update=DAY, table={"provenance": True})
        assert done.changes is not None
        assert (done.rows, done.changes.added, done.changes.replaced) == (2, 1, 1)

        def at(seconds: int) -> dict[str, str]:
            moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
            return _titles(read_as_of(folder, moment))

        assert at(START - 1) == {}
        assert at(START) == at(START + DAY - 1) == {"a": "one"}
        assert at(START + DAY) == {"a": "corrected", "b": "two"}


def test_plan_is_priced_and_runs_within_one_budget(tmp_path: Path) -> None:
    plan: SyncPlan = {
        "export": [
            {"operation": "market-price", "arguments": {"symbol": ["BTC", "ETH"]}},
            {
                "operation": "exchange-candles",
                "arguments": {"exchange": "upbit", "pair": "BTC-KRW"},
                "windows": {"from": "2026-05-01", "to": "2026-05-03", "days": 1},
                "max_rows": 20,
            },
        ]
    }
    with Sandbox(at=START) as sandbox:
        client: Client = sandbox.client(budget=5)
        bill = client.bill(plan)
        assert [(cost.requests, cost.credits) for cost in bill] == [(1, 2), (1, 2), (1, 1), (1, 1)]
        assert sandbox.requests_served() == 0

        done = client.sync(plan, tmp_path)
        assert sum(one.error is not None for one in done) == 1
        again = sandbox.client(budget=2).sync(plan, tmp_path)
        assert all(one.exported is not None for one in again)
        assert sandbox.requests_served() == 4
        assert sorted(one.name for one in again) == sorted(cost.name for cost in bill)

        with pytest.raises(CryptoIntelError, match="no parameter `coin`"):
            client.bill({"export": [{"operation": "market-price", "arguments": {"coin": "BTC"}}]})
