"""A method for each operation of the service."""

# Written by `crypto-intel-python-generate` from the catalogue. Do not edit.

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, Literal

from . import _records as r
from ._reply import Reply
from ._stream import AsyncTextStream, TextStream
from ._unsent import AsyncPager, Pager

Moment = float | str | datetime.date
"""Unix seconds, a date as `YYYY-MM-DD`, a `datetime.date`, or a `datetime.datetime` with a time zone."""


class Operations:
    """Each method sends a call and waits for its response."""

    def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        raise NotImplementedError

    def _stream(self, operation: str, arguments: dict[str, Any]) -> TextStream[Any]:
        raise NotImplementedError

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> Pager[Any]:
        raise NotImplementedError

    def credit_balance(
        self,
    ) -> Reply[r.CreditBalance]:
        """Remaining credits of the caller.
        """
        return self._call(
            "credit-balance",
            {},
        )

    def chat_completions(
        self,
        model: str,
        messages: list[r.ChatMessage],
        *,
        ability: list[Literal["search", "evm_onchain", "solana_onchain", "market_analysis", "calculate"] | str] | None = None,
        citation: list[Literal["source", "chart"] | str] | None = None,
        reasoning_effort: str | None = None,
        tools: list[r.ChatTool] | None = None,
    ) -> Reply[r.ChatCompletion]:
        """Answer a chat history (retired).

        Deprecated: the service replaced the operation by `responses`

        Args:
            model: The model that answers. `svc-1.5-instant` is light and quick, for simple questions; `svc-1.5-thinking` reasons in more steps, for hard ones; `svc-1.5` picks between them by the request and the difficulty. `svc-ask` and `svc-research` are the older generation and keep working unchanged. One of `svc-ask`, `svc-research`, `svc-1.5`, `svc-1.5-instant`, `svc-1.5-thinking`.
            messages: The conversation so far. It should hold at least one message whose role is `user`.
            ability: Hint that narrows the fields of competence the model may draw on. Omit it to leave the choice to the service.
            citation: The kinds of citation that the answer text should contain.
            reasoning_effort: How deeply to think before answering. Belongs to this operation alone; `responses` nests it as `reasoning.effort`. One of `low`, `medium`, `high`.
            tools: Functions of the caller that the model may ask to have run while it writes.
        """
        return self._call(
            "chat-completions",
            {
                "model": model,
                "messages": messages,
                "ability": ability,
                "citation": citation,
                "reasoning_effort": reasoning_effort,
                "tools": tools,
            },
        )

    def chat_completions_stream(
        self,
        model: str,
        messages: list[r.ChatMessage],
        *,
        ability: list[Literal["search", "evm_onchain", "solana_onchain", "market_analysis", "calculate"] | str] | None = None,
        citation: list[Literal["source", "chart"] | str] | None = None,
        reasoning_effort: str | None = None,
        tools: list[r.ChatTool] | None = None,
    ) -> TextStream[r.ChatCompletion]:
        """Answer a chat history (retired), as a stream of events.

        Deprecated: the service replaced the operation by `responses`

        Args:
            model: The model that answers. `svc-1.5-instant` is light and quick, for simple questions; `svc-1.5-thinking` reasons in more steps, for hard ones; `svc-1.5` picks between them by the request and the difficulty. `svc-ask` and `svc-research` are the older generation and keep working unchanged. One of `svc-ask`, `svc-research`, `svc-1.5`, `svc-1.5-instant`, `svc-1.5-thinking`.
            messages: The conversation so far. It should hold at least one message whose role is `user`.
            ability: Hint that narrows the fields of competence the model may draw on. Omit it to leave the choice to the service.
            citation: The kinds of citation that the answer text should contain.
            reasoning_effort: How deeply to think before answering. Belongs to this operation alone; `responses` nests it as `reasoning.effort`. One of `low`, `medium`, `high`.
            tools: Functions of the caller that the model may ask to have run while it writes.
        """
        return self._stream(
            "chat-completions-stream",
            {
                "model": model,
                "messages": messages,
                "ability": ability,
                "citation": citation,
                "reasoning_effort": reasoning_effort,
                "tools": tools,
            },
        )

    def responses(
        self,
        model: str,
        input: Any,
        *,
        include: list[str] | None = None,
        instructions: str | None = None,
        max_output_tokens: int | None = None,
        metadata: dict[str, Any] | None = None,
        previous_response_id: str | None = None,
        prompt: dict[str, Any] | None = None,
        reasoning: r.ResponsesReasoning | None = None,
    ) -> Reply[r.Response]:
        """Answer a research question.

        Args:
            model: The model that answers. `svc-2.0` is the whole research engine; `svc-2.0-instant` answers sooner and shorter. One of `svc-2.0`, `svc-2.0-instant`.
            input: What to answer - plain text, or for advanced callers a list of input items.
            include: Further parts wanted in the answer, honoured where the backend can. The allowed values are not shown.
            instructions: Guidance above the user's question, on style and on limits to keep.
            max_output_tokens: Upper limit of the output, in tokens. Its range is not shown.
            metadata: Data of the caller's own, given back with the answer. Keys reserved for identity are removed on the way; which ones is not shown.
            previous_response_id: Id of an earlier answer whose conversation this one continues.
            prompt: Configuration of a reusable prompt. Its fields are not shown, so any object is allowed.
            reasoning: Turns on thinking in several steps. Leave it out for one quick pass.
        """
        return self._call(
            "responses",
            {
                "model": model,
                "input": input,
                "include": include,
                "instructions": instructions,
                "max_output_tokens": max_output_tokens,
                "metadata": metadata,
                "previous_response_id": previous_response_id,
                "prompt": prompt,
                "reasoning": reasoning,
            },
        )

    def responses_stream(
        self,
        model: str,
        input: Any,
        *,
        include: list[str] | None = None,
        instructions: str | None = None,
        max_output_tokens: int | None = None,
        metadata: dict[str, Any] | None = None,
        previous_response_id: str | None = None,
        prompt: dict[str, Any] | None = None,
        reasoning: r.ResponsesReasoning | None = None,
    ) -> TextStream[r.Response]:
        """Answer a research question, as a stream of events.

        Args:
            model: The model that answers. `svc-2.0` is the whole research engine; `svc-2.0-instant` answers sooner and shorter. One of `svc-2.0`, `svc-2.0-instant`.
            input: What to answer - plain text, or for advanced callers a list of input items.
            include: Further parts wanted in the answer, honoured where the backend can. The allowed values are not shown.
            instructions: Guidance above the user's question, on style and on limits to keep.
            max_output_tokens: Upper limit of the output, in tokens. Its range is not shown.
            metadata: Data of the caller's own, given back with the answer. Keys reserved for identity are removed on the way; which ones is not shown.
            previous_response_id: Id of an earlier answer whose conversation this one continues.
            prompt: Configuration of a reusable prompt. Its fields are not shown, so any object is allowed.
            reasoning: Turns on thinking in several steps. Leave it out for one quick pass.
        """
        return self._stream(
            "responses-stream",
            {
                "model": model,
                "input": input,
                "include": include,
                "instructions": instructions,
                "max_output_tokens": max_output_tokens,
                "metadata": metadata,
                "previous_response_id": previous_response_id,
                "prompt": prompt,
                "reasoning": reasoning,
            },
        )

    def dex_token_price(
        self,
        address: str,
        chain: str,
        *,
        interval: str | None = None,
        time_range: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.DexTokenPriceBar]]:
        """Price candles of a token traded on DEXs.

        Args:
            address: Contract address of the token on that chain (the mint address on `solana`, presumably).
            chain: Long-form name of the chain that the token lives on. One of `ethereum`, `base`, `bsc`, `arbitrum`, `optimism`, `polygon`, `avalanche`, `solana`.
            interval: Width of one candle. One of `1m`, `5m`, `15m`, `30m`, `1h`, `4h`, `12h`, `1d`, `7d`. By default `1h`.
            time_range: Look-back window counted back from now; how it combines with `from` and `to` is not stated. One of `1h`, `6h`, `12h`, `24h`, `7d`, `30d`, `90d`, `180d`, `365d`, `max`. By default `24h`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return self._call(
            "dex-token-price",
            {
                "address": address,
                "chain": chain,
                "interval": interval,
                "time_range": time_range,
                "from": from_,
                "to": to,
            },
        )

    def equity_balance_sheet(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityBalanceSheetItem]]:
        """Balance sheets of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, year to date, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `ytd`, `annual`, `ttm`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "equity-balance-sheet",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_balance_sheet(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.EquityBalanceSheetItem]:
        """Iterates over all rows of `equity_balance_sheet`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_balance_sheet`.
        """
        return self._pager(
            "equity-balance-sheet",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def equity_candles(
        self,
        symbol: str,
        *,
        interval: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[r.EquityCandlesResponse]:
        """Equity price candles.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            interval: Length of one candle, for example `day`; the other values are not stated.
            from_: Start of the range, Unix seconds or a date `YYYY-MM-DD`.
            to: End of the range, Unix seconds or a date `YYYY-MM-DD`; whether it is included is not stated.
        """
        return self._call(
            "equity-candles",
            {
                "symbol": symbol,
                "interval": interval,
                "from": from_,
                "to": to,
            },
        )

    def equity_cash_flow(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityCashFlowItem]]:
        """Cash flow statements of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, year to date, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `ytd`, `annual`, `ttm`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "equity-cash-flow",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_cash_flow(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.EquityCashFlowItem]:
        """Iterates over all rows of `equity_cash_flow`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_cash_flow`.
        """
        return self._pager(
            "equity-cash-flow",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def equity_etf_holdings(
        self,
        symbol: str,
        *,
        as_of: Moment | None = None,
        asset_class: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[r.EquityEtfHoldingsResponse]:
        """Portfolio of an ETF.

        Args:
            symbol: Ticker of the fund, for example `SPY`.
            as_of: Report date `YYYY-MM-DD`, taken from `available_periods`; the newest report when omitted is likely.
            asset_class: Keeps only holdings of this class; the values are not stated. Totals stay unfiltered.
            limit: Largest number of holdings to return. By default `20`.
            offset: Number of holdings to skip. By default `0`.
        """
        return self._call(
            "equity-etf-holdings",
            {
                "symbol": symbol,
                "as_of": as_of,
                "asset_class": asset_class,
                "limit": limit,
                "offset": offset,
            },
        )

    def equity_filings(
        self,
        symbol: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityFiling]]:
        """Regulatory filings of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "equity-filings",
            {
                "symbol": symbol,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_filings(
        self,
        symbol: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.EquityFiling]:
        """Iterates over all rows of `equity_filings`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_filings`.
        """
        return self._pager(
            "equity-filings",
            {
                "symbol": symbol,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def equity_income_statement(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityIncomeStatementItem]]:
        """Income statements of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, year to date, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `ytd`, `annual`, `ttm`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "equity-income-statement",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_income_statement(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.EquityIncomeStatementItem]:
        """Iterates over all rows of `equity_income_statement`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_income_statement`.
        """
        return self._pager(
            "equity-income-statement",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def equity_latest_filings(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityLatestFilingItem]]:
        """Latest filings across companies.

        Args:
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "equity-latest-filings",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_latest_filings(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.EquityLatestFilingItem]:
        """Iterates over all rows of `equity_latest_filings`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_latest_filings`.
        """
        return self._pager(
            "equity-latest-filings",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def equity_latest_financials(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityLatestFinancialsItem]]:
        """Latest financials across companies.

        Args:
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "equity-latest-financials",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_latest_financials(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.EquityLatestFinancialsItem]:
        """Iterates over all rows of `equity_latest_financials`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_latest_financials`.
        """
        return self._pager(
            "equity-latest-financials",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def equity_listings(
        self,
        *,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityListing]]:
        """US equity listings.

        Args:
            q: Text to search for, likely in ticker and name; without it all listings are expected.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "equity-listings",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_listings(
        self,
        *,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.EquityListing]:
        """Iterates over all rows of `equity_listings`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_listings`.
        """
        return self._pager(
            "equity-listings",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def equity_metrics(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityFinancialMetricsItem]]:
        """Financial metrics of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `annual`, `ttm`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "equity-metrics",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_metrics(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.EquityFinancialMetricsItem]:
        """Iterates over all rows of `equity_metrics`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_metrics`.
        """
        return self._pager(
            "equity-metrics",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def equity_overview(
        self,
        symbol: str,
        *,
        period: str | None = None,
    ) -> Reply[r.EquityOverviewItem]:
        """Financial overview of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `annual`, `ttm`.
        """
        return self._call(
            "equity-overview",
            {
                "symbol": symbol,
                "period": period,
            },
        )

    def equity_price(
        self,
        symbol: str,
        *,
        include_tokenized: bool | None = None,
    ) -> Reply[r.EquityMeta]:
        """Latest price of an equity.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            include_tokenized: Whether to add the tokenized counterparts of the listing; false when omitted is assumed.
        """
        return self._call(
            "equity-price",
            {
                "symbol": symbol,
                "include_tokenized": include_tokenized,
            },
        )

    def equity_profile(
        self,
        symbol: str,
    ) -> Reply[r.EquityCompanyProfile]:
        """Company profile.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
        """
        return self._call(
            "equity-profile",
            {
                "symbol": symbol,
            },
        )

    def exchange_candles(
        self,
        exchange: str,
        pair: str,
        *,
        interval: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        include_synthetic: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ExchangeCandleItem]]:
        """Stored candles of regional exchanges.

        Args:
            exchange: Exchange whose stored candles are read. One of `bithumb`, `upbit`, `hashkey`, `bitflyer`, `coinone`, `korbit`.
            pair: Trading pair in the notation of the `pair` field of exchange/coverage.
            interval: Width of one candle. One of `5m`, `4h`, `1w`. By default `5m`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            include_synthetic: Whether rows marked `is_synthetic` are returned too; by default they are. By default `true`.
            limit: Greatest number of candles in one answer. By default `100`.
            offset: Number of candles to skip before the first one returned. By default `0`.
        """
        return self._call(
            "exchange-candles",
            {
                "exchange": exchange,
                "pair": pair,
                "interval": interval,
                "from": from_,
                "to": to,
                "include_synthetic": include_synthetic,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_exchange_candles(
        self,
        exchange: str,
        pair: str,
        *,
        interval: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        include_synthetic: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.ExchangeCandleItem]:
        """Iterates over all rows of `exchange_candles`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `exchange_candles`.
        """
        return self._pager(
            "exchange-candles",
            {
                "exchange": exchange,
                "pair": pair,
                "interval": interval,
                "from": from_,
                "to": to,
                "include_synthetic": include_synthetic,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def exchange_coverage(
        self,
        *,
        exchange: str | None = None,
        q: str | None = None,
        quote: str | None = None,
        type: str | None = None,
        status: str | None = None,
        data_status: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ExchangeCoverageItem]]:
        """Coverage and freshness of regional exchange pairs.

        Args:
            exchange: Keep the pairs of one exchange; left out, all covered exchanges are presumably listed. One of `bithumb`, `upbit`, `hashkey`, `bitflyer`, `coinone`, `korbit`.
            q: Free-text filter over pairs; which fields it searches is not stated.
            quote: Keep the pairs with this quote currency, for example `KRW`.
            type: Market type of the pairs. One of `spot`. By default `spot`.
            status: Keep the pairs whose listing has this state. One of `active`, `inactive`.
            data_status: Keep the pairs whose stored data are in this state. One of `covered`, `official_empty_all`, `official_empty_ticker`, `official_empty_5m`, `official_empty_weekly`, `stale_gt_7d`, `stale_30m_to_7d`, `recent_but_lt_min_ta_candles`, `missing_4h`, `missing_latest_ta`.
            sort_by: Field that orders the rows. One of `pair`, `price`, `change_24h`, `volume_24h`, `technical_score`, `latest_candle_at`, `status`. By default `pair`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `asc`.
            limit: Greatest number of pairs in one answer. By default `20`.
            offset: Number of pairs to skip before the first one returned. By default `0`.
        """
        return self._call(
            "exchange-coverage",
            {
                "exchange": exchange,
                "q": q,
                "quote": quote,
                "type": type,
                "status": status,
                "data_status": data_status,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_exchange_coverage(
        self,
        *,
        exchange: str | None = None,
        q: str | None = None,
        quote: str | None = None,
        type: str | None = None,
        status: str | None = None,
        data_status: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.ExchangeCoverageItem]:
        """Iterates over all rows of `exchange_coverage`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `exchange_coverage`.
        """
        return self._pager(
            "exchange-coverage",
            {
                "exchange": exchange,
                "q": q,
                "quote": quote,
                "type": type,
                "status": status,
                "data_status": data_status,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def exchange_depth(
        self,
        pair: str,
        *,
        type: str | None = None,
        limit: int | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangeDepthItem]]:
        """Order book depth of an exchange pair.

        Args:
            pair: Trading pair as listed by exchange/markets; the notation is not stated further.
            type: Market type of the pair; `swap`, `perpetual` and `perp` presumably all mean the perpetual contract. One of `spot`, `swap`, `perpetual`, `perp`. By default `spot`.
            limit: Number of price levels, presumably for each side of the book. By default `20`.
            exchange: Exchange whose order book is read. One of `binance`, `okx`, `bybit`, `bitget`, `coinbase`, `kraken`, `gate`, `mexc`, `upbit`, `bitstamp`, `deribit`, `bitmex`, `bithumb`, `hyperliquid`. By default `binance`.
        """
        return self._call(
            "exchange-depth",
            {
                "pair": pair,
                "type": type,
                "limit": limit,
                "exchange": exchange,
            },
        )

    def exchange_funding_history(
        self,
        pair: str,
        *,
        from_: Moment | None = None,
        limit: int | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangeFundingHistoryItem]]:
        """Funding rate history of a perpetual.

        Args:
            pair: Perpetual pair as listed by exchange/markets; the notation is not stated further.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD; left out, presumably the most recent rows are given.
            limit: Greatest number of rows in the answer. By default `100`.
            exchange: Exchange on which the contract trades. One of `binance`, `okx`, `bybit`, `bitget`, `gate`, `htx`, `mexc`, `bitfinex`, `bitmex`, `hyperliquid`. By default `binance`.
        """
        return self._call(
            "exchange-funding-history",
            {
                "pair": pair,
                "from": from_,
                "limit": limit,
                "exchange": exchange,
            },
        )

    def exchange_klines(
        self,
        pair: str,
        *,
        type: str | None = None,
        interval: str | None = None,
        from_: Moment | None = None,
        limit: int | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangeKlineResponse]]:
        """OHLCV candles of an exchange pair.

        Args:
            pair: Trading pair as listed by exchange/markets; the notation is not stated further.
            type: Market type of the pair; `swap`, `perpetual` and `perp` presumably all mean the perpetual contract. One of `spot`, `swap`, `perpetual`, `perp`. By default `spot`.
            interval: Width of one candle; upper and lower case matter. One of `1m`, `3m`, `5m`, `15m`, `30m`, `1h`, `2h`, `4h`, `6h`, `8h`, `12h`, `1d`, `3d`, `1w`, `1M`. By default `1h`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD; left out, presumably the most recent candles are given.
            limit: Greatest number of candles in the answer. By default `100`.
            exchange: Exchange on which the pair trades. One of `binance`, `okx`, `bybit`, `bitget`, `coinbase`, `kraken`, `gate`, `htx`, `kucoin`, `mexc`, `upbit`, `bitfinex`, `bitstamp`, `deribit`, `bitmex`, `bithumb`, `hyperliquid`. By default `binance`.
        """
        return self._call(
            "exchange-klines",
            {
                "pair": pair,
                "type": type,
                "interval": interval,
                "from": from_,
                "limit": limit,
                "exchange": exchange,
            },
        )

    def exchange_long_short_ratio(
        self,
        pair: str,
        *,
        interval: str | None = None,
        from_: Moment | None = None,
        limit: int | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangeLongShortRatioItem]]:
        """Long/short ratio history of an exchange pair.

        Args:
            pair: Contract pair as listed by exchange/markets; the notation is not stated further.
            interval: Step between two points. One of `1h`, `4h`, `1d`. By default `1h`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD; left out, presumably the most recent points are given.
            limit: Greatest number of points in the answer. By default `50`.
            exchange: Exchange whose ratio is read. One of `binance`, `okx`, `bybit`, `bitget`. By default `binance`.
        """
        return self._call(
            "exchange-long-short-ratio",
            {
                "pair": pair,
                "interval": interval,
                "from": from_,
                "limit": limit,
                "exchange": exchange,
            },
        )

    def exchange_markets(
        self,
        *,
        exchange: str | None = None,
        type: str | None = None,
        base: str | None = None,
        quote: str | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Reply[list[r.ExchangeMarketItem]]:
        """Trading pairs of an exchange.

        Args:
            exchange: Exchange whose pairs are listed. One of `binance`, `okx`, `bybit`, `bitget`, `coinbase`, `kraken`, `gate`, `htx`, `kucoin`, `mexc`, `upbit`, `bitfinex`, `bitstamp`, `deribit`, `bitmex`, `bithumb`, `hyperliquid`. By default `binance`.
            type: Keep one market type; left out, presumably all types are listed. One of `spot`, `swap`, `future`, `option`, `perpetual`, `perp`.
            base: Keep the pairs with this base currency, for example `BTC`.
            quote: Keep the pairs with this quote currency, for example `USDT`.
            search: Free-text filter over the pairs; which fields it searches is not stated.
            limit: Greatest number of pairs in the answer. By default `100`.
        """
        return self._call(
            "exchange-markets",
            {
                "exchange": exchange,
                "type": type,
                "base": base,
                "quote": quote,
                "search": search,
                "limit": limit,
            },
        )

    def exchange_perp(
        self,
        pair: str,
        *,
        fields: str | Sequence[str] | None = None,
        exchange: str | None = None,
    ) -> Reply[r.ExchangePerpResponse]:
        """Funding and open interest of a perpetual.

        Args:
            pair: Perpetual pair as listed by exchange/markets; the notation is not stated further.
            fields: Sections wanted, comma-separated; `funding` gives the funding and `oi` the open interest, and by default both are given. By default `funding,oi`.
            exchange: Exchange on which the contract trades. One of `binance`, `okx`, `bybit`, `bitget`, `htx`, `bitfinex`, `bitmex`, `hyperliquid`. By default `binance`.
        """
        return self._call(
            "exchange-perp",
            {
                "pair": pair,
                "fields": fields,
                "exchange": exchange,
            },
        )

    def exchange_price(
        self,
        pair: str,
        *,
        type: str | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangePriceItem]]:
        """Ticker of an exchange pair.

        Args:
            pair: Trading pair as listed by exchange/markets; the notation is not stated further.
            type: Market type of the pair; `swap`, `perpetual` and `perp` presumably all mean the perpetual contract. One of `spot`, `swap`, `perpetual`, `perp`. By default `spot`.
            exchange: Exchange whose ticker is read. One of `binance`, `okx`, `bybit`, `bitget`, `coinbase`, `kraken`, `gate`, `htx`, `kucoin`, `mexc`, `upbit`, `bitfinex`, `bitstamp`, `deribit`, `bitmex`, `bithumb`, `hyperliquid`. By default `binance`.
        """
        return self._call(
            "exchange-price",
            {
                "pair": pair,
                "type": type,
                "exchange": exchange,
            },
        )

    def fund_detail(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
    ) -> Reply[r.FundDetailItem]:
        """Profile of one fund.

        Args:
            id: UUID of the fund, as returned by the fund search; wins over `q`.
            q: Free text naming the fund, used when its UUID is not known.
        """
        return self._call(
            "fund-detail",
            {
                "id": id,
                "q": q,
            },
        )

    def fund_portfolio(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        is_lead: str | None = None,
        invested_after: int | None = None,
        invested_before: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
    ) -> Reply[list[r.FundPortfolioItem]]:
        """Projects a fund has invested in.

        Args:
            id: UUID of the fund, as returned by the fund search; wins over `q`.
            q: Free text naming the fund, used when its UUID is not known.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
            is_lead: Keeps only investments that the fund led (`true`) or did not lead (`false`); leave it out for both. One of `true`, `false`.
            invested_after: Earliest investment time to include, Unix seconds; whether the bound itself is included is not stated.
            invested_before: Latest investment time to include, Unix seconds; whether the bound itself is included is not stated.
            sort_by: Sort key, either the investment time, the size of the latest raise (USD) or the sum of all raises (USD). One of `invested_at`, `recent_raise`, `total_raise`. By default `invested_at`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
        """
        return self._call(
            "fund-portfolio",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "is_lead": is_lead,
                "invested_after": invested_after,
                "invested_before": invested_before,
                "sort_by": sort_by,
                "order": order,
            },
        )

    def iter_fund_portfolio(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        is_lead: str | None = None,
        invested_after: int | None = None,
        invested_before: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.FundPortfolioItem]:
        """Iterates over all rows of `fund_portfolio`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `fund_portfolio`.
        """
        return self._pager(
            "fund-portfolio",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "is_lead": is_lead,
                "invested_after": invested_after,
                "invested_before": invested_before,
                "sort_by": sort_by,
                "order": order,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def fund_ranking(
        self,
        metric: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.FundSearchItem]]:
        """Funds ranked by tier or portfolio size.

        Args:
            metric: What to rank by, either the fund tier or the number of unique projects in the portfolio. One of `tier`, `portfolio_count`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return self._call(
            "fund-ranking",
            {
                "metric": metric,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_fund_ranking(
        self,
        metric: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.FundSearchItem]:
        """Iterates over all rows of `fund_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `fund_ranking`.
        """
        return self._pager(
            "fund-ranking",
            {
                "metric": metric,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def hyperliquid_account(
        self,
        address: str,
    ) -> Reply[r.HyperliquidAccount]:
        """Hyperliquid account overview.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
        """
        return self._call(
            "hyperliquid-account",
            {
                "address": address,
            },
        )

    def hyperliquid_candles(
        self,
        symbol: str,
        from_: Moment,
        to: Moment,
        *,
        interval: str | None = None,
    ) -> Reply[list[r.HyperliquidCandle]]:
        """Hyperliquid price candles.

        Args:
            symbol: Market to read, for example `BTC`, `xyz:GOLD` for a market of another perpetuals dex, or `@107` for a spot pair by index.
            interval: Length of one candle; beware that `1m` is a minute and `1M` a month. One of `1m`, `3m`, `5m`, `15m`, `30m`, `1h`, `2h`, `4h`, `8h`, `12h`, `1d`, `3d`, `1w`, `1M`. By default `4h`.
            from_: Start of the window, included: Unix seconds, an ISO date-time or a UTC date.
            to: End of the window, excluded: Unix seconds, an ISO date-time or a UTC date; a bare date means the end of that UTC day.
        """
        return self._call(
            "hyperliquid-candles",
            {
                "symbol": symbol,
                "interval": interval,
                "from": from_,
                "to": to,
            },
        )

    def hyperliquid_fills(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        to_ms: int | None = None,
        to_fill_id: str | None = None,
        order: str | None = None,
        cursor: str | None = None,
        symbol: str | None = None,
        limit: int | None = None,
    ) -> Reply[list[r.HyperliquidFill]]:
        """Hyperliquid fills of a wallet.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            from_: Start of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD; the range without it is not stated.
            to: End of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD, where a bare date means the end of that UTC day.
            to_ms: End of the range as Unix milliseconds, a paging key to be used with `to_fill_id`; whether the bound is included is not stated.
            to_fill_id: Fill at which the range ends inside the millisecond `to_ms`; take both from the last fill already read.
            order: Direction of time in which fills are listed; the default is newest first. One of `desc`, `asc`. By default `desc`.
            cursor: Opaque token from `meta.next_cursor` of the page before; leave it out for the first page.
            symbol: Restricts the answer to one market, for example `BTC`; without it all markets are returned.
            limit: Largest number of fills in one page. By default `20`.
        """
        return self._call(
            "hyperliquid-fills",
            {
                "address": address,
                "from": from_,
                "to": to,
                "to_ms": to_ms,
                "to_fill_id": to_fill_id,
                "order": order,
                "cursor": cursor,
                "symbol": symbol,
                "limit": limit,
            },
        )

    def iter_hyperliquid_fills(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        to_ms: int | None = None,
        to_fill_id: str | None = None,
        order: str | None = None,
        cursor: str | None = None,
        symbol: str | None = None,
        limit: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.HyperliquidFill]:
        """Iterates over all rows of `hyperliquid_fills`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `hyperliquid_fills`.
        """
        return self._pager(
            "hyperliquid-fills",
            {
                "address": address,
                "from": from_,
                "to": to,
                "to_ms": to_ms,
                "to_fill_id": to_fill_id,
                "order": order,
                "cursor": cursor,
                "symbol": symbol,
                "limit": limit,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def hyperliquid_leaderboard(
        self,
        *,
        time_range: str | None = None,
        sort_by: str | None = None,
        min_trades: int | None = None,
        min_days_active: int | None = None,
        min_account_age_days: int | None = None,
        min_human_score: int | None = None,
        dex: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.HyperliquidTrader]]:
        """Hyperliquid trader leaderboard.

        Args:
            time_range: Lookback window over which the figures are computed; the default takes the whole history. One of `1d`, `7d`, `30d`, `90d`, `all`. By default `all`.
            sort_by: Figure that orders the ranking. One of `total_pnl`, `win_rate`, `volume_traded`. By default `total_pnl`.
            min_trades: Leaves out traders with fewer trades than this. By default `5`.
            min_days_active: Leaves out traders active on fewer days than this; zero filters nothing. By default `0`.
            min_account_age_days: Leaves out accounts younger than this many days; zero filters nothing. By default `0`.
            min_human_score: Leaves out traders with a lower `human_score`, in points from 0 to 100; zero filters nothing. By default `0`.
            dex: Restricts the figures to one perpetuals dex, where `main_dex` is presumably the venue's own; the meaning of leaving it out is not stated, all of them is likely. One of `main_dex`, `xyz`, `flx`, `vntl`, `hyna`, `km`, `abcd`, `cash`, `para`, `mkts`.
            limit: Largest number of traders in one page. By default `20`.
            offset: Number of traders to skip. By default `0`.
        """
        return self._call(
            "hyperliquid-leaderboard",
            {
                "time_range": time_range,
                "sort_by": sort_by,
                "min_trades": min_trades,
                "min_days_active": min_days_active,
                "min_account_age_days": min_account_age_days,
                "min_human_score": min_human_score,
                "dex": dex,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_hyperliquid_leaderboard(
        self,
        *,
        time_range: str | None = None,
        sort_by: str | None = None,
        min_trades: int | None = None,
        min_days_active: int | None = None,
        min_account_age_days: int | None = None,
        min_human_score: int | None = None,
        dex: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.HyperliquidTrader]:
        """Iterates over all rows of `hyperliquid_leaderboard`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `hyperliquid_leaderboard`.
        """
        return self._pager(
            "hyperliquid-leaderboard",
            {
                "time_range": time_range,
                "sort_by": sort_by,
                "min_trades": min_trades,
                "min_days_active": min_days_active,
                "min_account_age_days": min_account_age_days,
                "min_human_score": min_human_score,
                "dex": dex,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def hyperliquid_orders(
        self,
        address: str,
        *,
        open_limit: int | None = None,
        historical_limit: int | None = None,
    ) -> Reply[r.HyperliquidOrders]:
        """Hyperliquid open and historical orders.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            open_limit: Largest number of open orders to return. By default `500`.
            historical_limit: Largest number of past orders to return. By default `200`.
        """
        return self._call(
            "hyperliquid-orders",
            {
                "address": address,
                "open_limit": open_limit,
                "historical_limit": historical_limit,
            },
        )

    def hyperliquid_performance(
        self,
        address: str,
    ) -> Reply[r.HyperliquidPerformanceView]:
        """Hyperliquid wallet performance.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
        """
        return self._call(
            "hyperliquid-performance",
            {
                "address": address,
            },
        )

    def hyperliquid_positions(
        self,
        address: str,
        *,
        dex: str | None = None,
    ) -> Reply[r.HyperliquidPositions]:
        """Hyperliquid open perpetual positions.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            dex: Perpetuals dex whose positions are read, where `main_dex` is presumably the venue's own; the meaning of leaving it out is not stated. One of `main_dex`, `xyz`, `flx`, `vntl`, `hyna`, `km`, `abcd`, `cash`, `para`, `mkts`.
        """
        return self._call(
            "hyperliquid-positions",
            {
                "address": address,
                "dex": dex,
            },
        )

    def hyperliquid_trader_stats(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        dex: str | None = None,
    ) -> Reply[r.HyperliquidTraderStats]:
        """Hyperliquid trader statistics.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            from_: Start of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD; the range without it is not stated, the whole history is likely.
            to: End of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD, where a bare date means the end of that UTC day.
            dex: Restricts the figures to one perpetuals dex, where `main_dex` is presumably the venue's own; the meaning of leaving it out is not stated, all of them is likely. One of `main_dex`, `xyz`, `flx`, `vntl`, `hyna`, `km`, `abcd`, `cash`, `para`, `mkts`.
        """
        return self._call(
            "hyperliquid-trader-stats",
            {
                "address": address,
                "from": from_,
                "to": to,
                "dex": dex,
            },
        )

    def hyperliquid_trades(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Reply[list[r.HyperliquidEpisode]]:
        """Hyperliquid completed trades of a wallet.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            from_: Start of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD; whether it applies to the opening or the close of a trade is not stated.
            to: End of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD, where a bare date means the end of that UTC day.
            cursor: Opaque token from `meta.next_cursor` of the page before; leave it out for the first page.
            limit: Largest number of trades in one page. By default `20`.
        """
        return self._call(
            "hyperliquid-trades",
            {
                "address": address,
                "from": from_,
                "to": to,
                "cursor": cursor,
                "limit": limit,
            },
        )

    def iter_hyperliquid_trades(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.HyperliquidEpisode]:
        """Iterates over all rows of `hyperliquid_trades`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `hyperliquid_trades`.
        """
        return self._pager(
            "hyperliquid-trades",
            {
                "address": address,
                "from": from_,
                "to": to,
                "cursor": cursor,
                "limit": limit,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def hyperliquid_trades_aggregate(
        self,
        address: str,
        *,
        group_by: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        dex: str | None = None,
        fill_gaps: bool | None = None,
    ) -> Reply[list[r.HyperliquidTradeGroup]]:
        """Hyperliquid completed trades, grouped.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            group_by: What makes a group; it decides what `key` of a row holds. One of `day`, `symbol`, `direction`, `size_bucket`, `hold_bucket`. By default `day`.
            from_: Start of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD; the range without it is not stated.
            to: End of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD, where a bare date means the end of that UTC day.
            dex: Restricts the trades to one perpetuals dex, where `main_dex` is presumably the venue's own; the meaning of leaving it out is not stated, all of them is likely. One of `main_dex`, `xyz`, `flx`, `vntl`, `hyna`, `km`, `abcd`, `cash`, `para`, `mkts`.
            fill_gaps: Switches gap filling on; not stated whether this adds trades newer than the stored history or rows for groups without trades. By default `false`.
        """
        return self._call(
            "hyperliquid-trades-aggregate",
            {
                "address": address,
                "group_by": group_by,
                "from": from_,
                "to": to,
                "dex": dex,
                "fill_gaps": fill_gaps,
            },
        )

    def hyperliquid_trades_context(
        self,
        address: str,
        symbol: str,
        direction: str,
        open_time: int,
        close_time: int,
    ) -> Reply[r.HyperliquidTradeContext]:
        """Funding and leverage of one Hyperliquid trade.

        Args:
            address: Account address, 0x-prefixed or an ENS name.
            symbol: Market of the trade, for example `BTC`.
            direction: Side of the trade. One of `long`, `short`.
            open_time: Time the trade was opened, Unix seconds.
            close_time: Time the trade was closed, Unix seconds.
        """
        return self._call(
            "hyperliquid-trades-context",
            {
                "address": address,
                "symbol": symbol,
                "direction": direction,
                "open_time": open_time,
                "close_time": close_time,
            },
        )

    def market_etf(
        self,
        symbol: str,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.MarketEtfFlowItem]]:
        """Daily ETF flow history.

        Args:
            symbol: Asset whose funds are summed, as an uppercase ticker. One of `BTC`, `ETH`, `XRP`, `SOL`, `HYPE`.
            sort_by: Field that orders the rows. One of `flow_usd`, `timestamp`. By default `timestamp`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return self._call(
            "market-etf",
            {
                "symbol": symbol,
                "sort_by": sort_by,
                "order": order,
                "from": from_,
                "to": to,
            },
        )

    def market_exchange_flow_exchanges(
        self,
        symbol: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.MarketExchangeFlowExchangeItem]]:
        """Exchanges available for exchange-flow metrics.

        Args:
            symbol: Asset whose exchanges are listed, as an uppercase ticker. One of `BTC`, `ETH`.
            limit: Greatest number of exchanges in one answer. By default `100`.
            offset: Number of exchanges to skip before the first one returned. By default `0`.
        """
        return self._call(
            "market-exchange-flow-exchanges",
            {
                "symbol": symbol,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_market_exchange_flow_exchanges(
        self,
        symbol: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.MarketExchangeFlowExchangeItem]:
        """Iterates over all rows of `market_exchange_flow_exchanges`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `market_exchange_flow_exchanges`.
        """
        return self._pager(
            "market-exchange-flow-exchanges",
            {
                "symbol": symbol,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def market_fear_greed(
        self,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.MarketFearGreedHistoryItem]]:
        """Fear and greed index history.

        Args:
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return self._call(
            "market-fear-greed",
            {
                "from": from_,
                "to": to,
            },
        )

    def market_futures(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
    ) -> Reply[list[r.MarketFuturesItem]]:
        """Futures overview by token.

        Args:
            sort_by: Field that orders the rows. One of `open_interest`, `funding_rate`, `volume_24h`, `long_short_ratio`. By default `volume_24h`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
        """
        return self._call(
            "market-futures",
            {
                "sort_by": sort_by,
                "order": order,
            },
        )

    def market_liquidation_chart(
        self,
        symbol: str | Sequence[str],
        *,
        interval: str | None = None,
        exchange: str | None = None,
        limit: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.LiquidationChartItem]]:
        """Liquidation history of a token.

        Args:
            symbol: Uppercase ticker of the token, for example `BTC`.
            interval: Width of one step. One of `1m`, `3m`, `5m`, `15m`, `30m`, `1h`, `4h`, `6h`, `8h`, `12h`, `1d`, `1w`. By default `1h`.
            exchange: Exchange whose liquidations are summed. One of `Binance`, `OKX`, `Bybit`, `Bitget`, `Hyperliquid`, `Gate`, `HTX`, `Bitmex`, `Bitfinex`, `CoinEx`, `Aster`, `Lighter`. By default `Binance`.
            limit: Greatest number of steps in the answer. By default `500`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return self._call(
            "market-liquidation-chart",
            {
                "symbol": symbol,
                "interval": interval,
                "exchange": exchange,
                "limit": limit,
                "from": from_,
                "to": to,
            },
        )

    def market_liquidation_exchange_list(
        self,
        *,
        symbol: str | Sequence[str] | None = None,
        time_range: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
    ) -> Reply[list[r.LiquidationExchangeItem]]:
        """Liquidations by exchange.

        Args:
            symbol: Uppercase ticker of the token. By default `BTC`.
            time_range: Length of the window that ends now. One of `1h`, `4h`, `12h`, `24h`. By default `24h`.
            sort_by: Field that orders the rows. One of `liquidation_usd`, `long_liquidation_usd`, `short_liquidation_usd`. By default `liquidation_usd`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
        """
        return self._call(
            "market-liquidation-exchange-list",
            {
                "symbol": symbol,
                "time_range": time_range,
                "sort_by": sort_by,
                "order": order,
            },
        )

    def market_liquidation_order(
        self,
        *,
        exchange: str | None = None,
        symbol: str | Sequence[str] | None = None,
        min_amount: str | None = None,
        side: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.LiquidationOrderItem]]:
        """Large liquidation orders.

        Args:
            exchange: Exchange on which the positions were liquidated; case-sensitive as listed. One of `Binance`, `OKX`, `Bybit`, `Bitget`, `Hyperliquid`, `Gate`, `HTX`, `Bitmex`, `Bitfinex`, `CoinEx`, `Aster`, `Lighter`. By default `Binance`.
            symbol: Uppercase ticker of the token. By default `BTC`.
            min_amount: Smallest order value to return in USD, written as a decimal string. By default `10000`.
            side: Keep one side; whether it names the liquidated position or the order that closes it is not stated (the position is likely). One of `long`, `short`.
            sort_by: Field that orders the rows. One of `usd_value`, `timestamp`, `price`. By default `timestamp`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
            limit: Greatest number of orders in one answer. By default `20`.
            offset: Number of orders to skip before the first one returned. By default `0`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return self._call(
            "market-liquidation-order",
            {
                "exchange": exchange,
                "symbol": symbol,
                "min_amount": min_amount,
                "side": side,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
                "from": from_,
                "to": to,
            },
        )

    def iter_market_liquidation_order(
        self,
        *,
        exchange: str | None = None,
        symbol: str | Sequence[str] | None = None,
        min_amount: str | None = None,
        side: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.LiquidationOrderItem]:
        """Iterates over all rows of `market_liquidation_order`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `market_liquidation_order`.
        """
        return self._pager(
            "market-liquidation-order",
            {
                "exchange": exchange,
                "symbol": symbol,
                "min_amount": min_amount,
                "side": side,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
                "from": from_,
                "to": to,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def market_listing(
        self,
        from_: Moment,
        *,
        to: Moment | None = None,
        symbol: str | Sequence[str] | None = None,
        exchange: str | None = None,
        product: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ListingEventItem]]:
        """Exchange listing and delisting events.

        Args:
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD; whether it is compared with the effective or the publication time is not stated.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            symbol: Keep the events of one token, given by its uppercase ticker.
            exchange: Keep the events of one exchange; the accepted names are not stated.
            product: Keep one kind of product; by default every kind is returned. One of `spot`, `margin`, `perp`, `pre_market_perp`, `all`. By default `all`.
            type: Kind of event to return. One of `listing`, `delisting`, `cancelled`, `advanced`, `postponed`. By default `listing`.
            limit: Greatest number of events in one answer. By default `20`.
            offset: Number of events to skip before the first one returned. By default `0`.
        """
        return self._call(
            "market-listing",
            {
                "from": from_,
                "to": to,
                "symbol": symbol,
                "exchange": exchange,
                "product": product,
                "type": type,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_market_listing(
        self,
        from_: Moment,
        *,
        to: Moment | None = None,
        symbol: str | Sequence[str] | None = None,
        exchange: str | None = None,
        product: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.ListingEventItem]:
        """Iterates over all rows of `market_listing`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `market_listing`.
        """
        return self._pager(
            "market-listing",
            {
                "from": from_,
                "to": to,
                "symbol": symbol,
                "exchange": exchange,
                "product": product,
                "type": type,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def market_onchain_indicator(
        self,
        symbol: str,
        metric: str,
        *,
        granularity: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.MarketMetricPoint]]:
        """On-chain indicator series.

        Args:
            symbol: Asset of the series, as an uppercase ticker. One of `BTC`, `ETH`.
            metric: Indicator to return; names of exchange flows contain a slash. One of `nupl`, `sopr`, `mvrv`, `puell-multiple`, `nvm`, `nvt`, `nvt-golden-cross`, `exchange-flows/inflow`, `exchange-flows/outflow`, `exchange-flows/netflow`, `exchange-flows/reserve`.
            granularity: Step between two points. One of `day`. By default `day`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            exchange: Exchange or group of exchanges for the exchange-flow metrics; by default all exchanges together. One of `all_exchange`, `spot_exchange`, `derivative_exchange`, `coinbase_prime`, `binance`, `coinbase_advanced`, `okx`, `kraken`, `bybit`, `bitstamp`, `gemini`, `bitget`, `kucoin`, `bitfinex`, `gate_io`, `deribit`, `mexc`, `htx_global`, `bitflyer`, `coinone`, `bithumb`, `upbit`, `hashkey_exchange`. By default `all_exchange`.
        """
        return self._call(
            "market-onchain-indicator",
            {
                "symbol": symbol,
                "metric": metric,
                "granularity": granularity,
                "from": from_,
                "to": to,
                "exchange": exchange,
            },
        )

    def market_options(
        self,
        symbol: str,
        *,
        sort_by: str | None = None,
        order: str | None = None,
    ) -> Reply[list[r.MarketOptionsItem]]:
        """Options market by exchange.

        Args:
            symbol: Underlying asset, as an uppercase ticker. One of `BTC`, `ETH`, `SOL`, `XRP`, `BNB`, `DOGE`, `ADA`, `AVAX`.
            sort_by: Field that orders the rows. One of `open_interest`, `volume_24h`. By default `volume_24h`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
        """
        return self._call(
            "market-options",
            {
                "symbol": symbol,
                "sort_by": sort_by,
                "order": order,
            },
        )

    def market_price(
        self,
        symbol: str | Sequence[str],
        *,
        time_range: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        currency: str | None = None,
    ) -> Reply[list[r.MarketMetricPoint]]:
        """Token price history.

        Args:
            symbol: Uppercase ticker of one token, for example `BTC`.
            time_range: Look-back window counted back from now; how it combines with `from` and `to` is not stated. One of `1d`, `7d`, `14d`, `30d`, `90d`, `180d`, `365d`, `max`. By default `30d`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            currency: Quote currency of the prices, for example `usd`, `eur` or `btc`. By default `usd`.
        """
        return self._call(
            "market-price",
            {
                "symbol": symbol,
                "time_range": time_range,
                "from": from_,
                "to": to,
                "currency": currency,
            },
        )

    def market_price_indicator(
        self,
        symbol: str | Sequence[str],
        indicator: str,
        *,
        interval: str | None = None,
        exchange: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        options: str | None = None,
    ) -> Reply[list[r.MarketIndicatorItem]]:
        """Technical indicator of a token.

        Args:
            symbol: Uppercase ticker of the token, for example `BTC`; whether pair names are accepted is not stated.
            indicator: Indicator to compute. One of `rsi`, `macd`, `ema`, `sma`, `bbands`, `stoch`, `adx`, `atr`, `cci`, `obv`, `vwap`, `dmi`, `ichimoku`, `supertrend`.
            interval: Width of the candles that the indicator is computed from. One of `1m`, `5m`, `15m`, `30m`, `1h`, `2h`, `4h`, `12h`, `1d`, `1w`. By default `1d`.
            exchange: Exchange whose candles are used. One of `binance`, `bybit`, `coinbase`, `kraken`. By default `binance`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            options: Settings of the indicator, for example its period; the notation is not stated.
        """
        return self._call(
            "market-price-indicator",
            {
                "symbol": symbol,
                "indicator": indicator,
                "interval": interval,
                "exchange": exchange,
                "from": from_,
                "to": to,
                "options": options,
            },
        )

    def market_public_sale(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
    ) -> Reply[list[r.PublicSaleItem]]:
        """Public token sales of a project.

        Args:
            id: UUID of the project.
            q: Name or ticker of the project as free text, used when no `id` is given.
        """
        return self._call(
            "market-public-sale",
            {
                "id": id,
                "q": q,
            },
        )

    def market_ranking(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        category: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.MarketTopCoinItem]]:
        """Token ranking.

        Args:
            sort_by: Figure that ranks the tokens. One of `market_cap`, `change_24h`, `volume_24h`. By default `market_cap`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
            category: Keep the tokens of one category; left out, all tokens are ranked. One of `MEME`, `AI`, `AI_AGENTS`, `L1`, `L2`, `DEFI`, `GAMING`, `STABLECOIN`, `RWA`, `DEPIN`, `SOL_ECO`, `BASE_ECO`, `LST`.
            limit: Greatest number of tokens in one answer. By default `20`.
            offset: Number of tokens to skip before the first one returned. By default `0`.
        """
        return self._call(
            "market-ranking",
            {
                "sort_by": sort_by,
                "order": order,
                "category": category,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_market_ranking(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        category: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.MarketTopCoinItem]:
        """Iterates over all rows of `market_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `market_ranking`.
        """
        return self._pager(
            "market-ranking",
            {
                "sort_by": sort_by,
                "order": order,
                "category": category,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def market_tge(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
    ) -> Reply[r.TgeItem]:
        """Token generation event of a project.

        Args:
            id: UUID of the project.
            q: Name or ticker of the project as free text, used when no `id` is given.
        """
        return self._call(
            "market-tge",
            {
                "id": id,
                "q": q,
            },
        )

    def news_detail(
        self,
        id: str,
    ) -> Reply[r.NewsArticleDetailItem]:
        """One news article with its text.

        Args:
            id: Article id, taken from the `id` field of a news feed or news search row.
        """
        return self._call(
            "news-detail",
            {
                "id": id,
            },
        )

    def news_feed(
        self,
        *,
        source: str | None = None,
        project: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.NewsArticleItem]]:
        """Crypto news feed.

        Args:
            source: Publisher to keep; without it all publishers are included. One of `coindesk`, `cointelegraph`, `theblock`, `decrypt`, `dlnews`, `blockbeats`, `bitcoincom`, `coinpedia`, `ambcrypto`, `cryptodaily`, `cryptopotato`, `phemex`, `panews`, `odaily`, `tradingview`, `chaincatcher`, `techflow`.
            project: Project whose articles to keep; whether a name or an id is expected is not stated.
            from_: Start of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            to: End of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            sort_by: Order of the articles, by publication time or by how much they trend. One of `recency`, `trending`. By default `recency`.
            limit: Largest number of articles in one page; this endpoint allows fewer than most. By default `20`.
            offset: Number of articles to skip before the page begins. By default `0`.
        """
        return self._call(
            "news-feed",
            {
                "source": source,
                "project": project,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_news_feed(
        self,
        *,
        source: str | None = None,
        project: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.NewsArticleItem]:
        """Iterates over all rows of `news_feed`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `news_feed`.
        """
        return self._pager(
            "news-feed",
            {
                "source": source,
                "project": project,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def onchain_bridge_ranking(
        self,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.BridgeRankingItem]]:
        """Bridge protocol ranking.

        Args:
            time_range: Length of the window that ends now; `all` covers everything on record. One of `7d`, `30d`, `90d`, `180d`, `1y`, `all`. By default `30d`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "onchain-bridge-ranking",
            {
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_onchain_bridge_ranking(
        self,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.BridgeRankingItem]:
        """Iterates over all rows of `onchain_bridge_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `onchain_bridge_ranking`.
        """
        return self._pager(
            "onchain-bridge-ranking",
            {
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def onchain_dex_activity(
        self,
        chain: str,
        *,
        project: str | None = None,
        address: str | None = None,
        time_range: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        group_by: str | None = None,
    ) -> Reply[list[r.DexActivityItem]]:
        """DEX activity of a project or contract.

        Args:
            chain: Chain by its full lower-case name; short aliases such as `eth` are refused. One of `ethereum`, `base`, `bsc`, `arbitrum`, `tron`.
            project: Name of the exchange protocol; give this or `address`, not both.
            address: Contract address; give this or `project`, not both. Which kinds of contract are accepted is not stated.
            time_range: Length of the window that ends now; how it combines with `from` and `to` is not stated. One of `1d`, `7d`, `30d`, `90d`. By default `7d`.
            from_: Start of the window, Unix seconds or a date `YYYY-MM-DD`.
            to: End of the window, Unix seconds or a date `YYYY-MM-DD`.
            group_by: Whether to sum the whole window or to give one row per day. One of `total`, `day`. By default `total`.
        """
        return self._call(
            "onchain-dex-activity",
            {
                "chain": chain,
                "project": project,
                "address": address,
                "time_range": time_range,
                "from": from_,
                "to": to,
                "group_by": group_by,
            },
        )

    def onchain_gas_price(
        self,
        chain: str,
    ) -> Reply[r.OnchainGasPriceItem]:
        """Current gas price.

        Args:
            chain: Chain by its full lower-case name; short aliases such as `eth` are refused. One of `ethereum`, `polygon`, `bsc`, `arbitrum`, `optimism`, `base`, `avalanche`, `fantom`, `linea`, `cyber`.
        """
        return self._call(
            "onchain-gas-price",
            {
                "chain": chain,
            },
        )

    def onchain_schema(
        self,
    ) -> Reply[list[r.OnchainSchemaTable]]:
        """Tables and columns available to SQL.
        """
        return self._call(
            "onchain-schema",
            {},
        )

    def onchain_sql(
        self,
        sql: str,
        *,
        max_rows: int | None = None,
    ) -> Reply[list[dict[str, Any]]]:
        """Run a read-only SQL query.

        Args:
            max_rows: Most rows the result may have. By default `1000`.
            sql: Read-only query in the ClickHouse dialect, strings in single quotes. In transfer tables `amount` has the token's decimals applied and `amount_raw` is in base units.
        """
        return self._call(
            "onchain-sql",
            {
                "max_rows": max_rows,
                "sql": sql,
            },
        )

    def onchain_sql_job_cancel(
        self,
        job_id: str,
    ) -> Reply[r.SqlJob]:
        """Cancel a SQL job.

        Args:
            job_id: Identifier of the job to cancel.
        """
        return self._call(
            "onchain-sql-job-cancel",
            {
                "job_id": job_id,
            },
        )

    def onchain_sql_job_create(
        self,
        sql: str,
        *,
        Idempotency_Key: str | None = None,
        max_rows: int | None = None,
    ) -> Reply[r.SqlJob]:
        """Submit a SQL query as a job.

        Args:
            Idempotency_Key: Caller's key meant to make a repeated submission harmless; unverified: the service does not document this header.
            max_rows: Most rows the result may have. By default `1000`.
            sql: Read-only query in the ClickHouse dialect, strings in single quotes. In transfer tables `amount` has the token's decimals applied and `amount_raw` is in base units.
        """
        return self._call(
            "onchain-sql-job-create",
            {
                "Idempotency-Key": Idempotency_Key,
                "max_rows": max_rows,
                "sql": sql,
            },
        )

    def onchain_sql_job_get(
        self,
        job_id: str,
    ) -> Reply[r.SqlJob]:
        """State of a SQL job.

        Args:
            job_id: Identifier of the job, as returned by its submission.
        """
        return self._call(
            "onchain-sql-job-get",
            {
                "job_id": job_id,
            },
        )

    def onchain_sql_job_results(
        self,
        job_id: str,
    ) -> Reply[Any]:
        """Rows of a finished SQL job.

        Args:
            job_id: Identifier of the finished job.
        """
        return self._call(
            "onchain-sql-job-results",
            {
                "job_id": job_id,
            },
        )

    def onchain_sql_preflight(
        self,
        sql: str,
        *,
        max_rows: int | None = None,
    ) -> Reply[r.SqlPreflight]:
        """Check a SQL query without running it.

        Args:
            max_rows: Most rows the result may have. By default `1000`.
            sql: Read-only query in the ClickHouse dialect, strings in single quotes. In transfer tables `amount` has the token's decimals applied and `amount_raw` is in base units.
        """
        return self._call(
            "onchain-sql-preflight",
            {
                "max_rows": max_rows,
                "sql": sql,
            },
        )

    def onchain_structured_query(
        self,
        source: str,
        *,
        fields: list[str] | None = None,
        filters: list[r.StructuredFilter] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        sort: list[r.StructuredSort] | None = None,
    ) -> Reply[list[dict[str, Any]]]:
        """Query a table without SQL.

        Args:
            fields: Columns to return; what an omitted list returns is not stated, all columns are likely.
            filters: Conditions on the rows; how several combine is not stated, all must hold is likely.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned.
            sort: Sort keys, the first one weighs most.
            source: Table to read, as `agent.<table>`.
        """
        return self._call(
            "onchain-structured-query",
            {
                "fields": fields,
                "filters": filters,
                "limit": limit,
                "offset": offset,
                "sort": sort,
                "source": source,
            },
        )

    def iter_onchain_structured_query(
        self,
        source: str,
        *,
        fields: list[str] | None = None,
        filters: list[r.StructuredFilter] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        sort: list[r.StructuredSort] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[dict[str, Any]]:
        """Iterates over all rows of `onchain_structured_query`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `onchain_structured_query`.
        """
        return self._pager(
            "onchain-structured-query",
            {
                "fields": fields,
                "filters": filters,
                "limit": limit,
                "offset": offset,
                "sort": sort,
                "source": source,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def onchain_tx(
        self,
        hash: str,
        chain: str,
        *,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.OnchainTxItem]]:
        """Transaction by hash.

        Args:
            hash: Transaction hash, hexadecimal with `0x` prefix.
            chain: Chain by its full lower-case name; short aliases such as `eth` are refused. One of `ethereum`, `polygon`, `bsc`, `arbitrum`, `optimism`, `base`, `avalanche`, `fantom`, `linea`, `cyber`.
            include: Comma-separated extras; the accepted values are not stated, `labels` (known labels of sender and receiver) is likely.
        """
        return self._call(
            "onchain-tx",
            {
                "hash": hash,
                "chain": chain,
                "include": include,
            },
        )

    def onchain_yield_ranking(
        self,
        *,
        project: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.YieldRankingItem]]:
        """Yield pool ranking.

        Args:
            project: Name of one protocol to restrict the ranking to.
            sort_by: Figure to rank by. One of `apy`, `tvl_usd`. By default `apy`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return self._call(
            "onchain-yield-ranking",
            {
                "project": project,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_onchain_yield_ranking(
        self,
        *,
        project: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.YieldRankingItem]:
        """Iterates over all rows of `onchain_yield_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `onchain_yield_ranking`.
        """
        return self._pager(
            "onchain-yield-ranking",
            {
                "project": project,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def portfolio_wallets(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PortfolioWallet]]:
        """Wallets of the portfolio.

        Args:
            limit: Wallets per page (assumed). By default `20`.
            offset: Wallets to skip (assumed). By default `0`.
        """
        return self._call(
            "portfolio-wallets",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_portfolio_wallets(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.PortfolioWallet]:
        """Iterates over all rows of `portfolio_wallets`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `portfolio_wallets`.
        """
        return self._pager(
            "portfolio-wallets",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def kalshi_events(
        self,
        *,
        event_ticker: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiEvent]]:
        """Kalshi events with their markets.

        Args:
            event_ticker: Ticker of one Kalshi event.
            limit: Page size, counted in events. By default `20`.
            offset: Events to skip. By default `0`.
        """
        return self._call(
            "kalshi-events",
            {
                "event_ticker": event_ticker,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_kalshi_events(
        self,
        *,
        event_ticker: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.KalshiEvent]:
        """Iterates over all rows of `kalshi_events`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_events`.
        """
        return self._pager(
            "kalshi-events",
            {
                "event_ticker": event_ticker,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def kalshi_markets(
        self,
        *,
        market_ticker: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiMarketItem]]:
        """Kalshi markets.

        Args:
            market_ticker: Ticker of one Kalshi market.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "kalshi-markets",
            {
                "market_ticker": market_ticker,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_kalshi_markets(
        self,
        *,
        market_ticker: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.KalshiMarketItem]:
        """Iterates over all rows of `kalshi_markets`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_markets`.
        """
        return self._pager(
            "kalshi-markets",
            {
                "market_ticker": market_ticker,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def kalshi_open_interest(
        self,
        ticker: str,
        *,
        time_range: str | None = None,
    ) -> Reply[list[r.KalshiOiPoint]]:
        """Open interest history of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
        """
        return self._call(
            "kalshi-open-interest",
            {
                "ticker": ticker,
                "time_range": time_range,
            },
        )

    def kalshi_orderbooks(
        self,
        ticker: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        pagination_key: str | None = None,
    ) -> Reply[r.V2KalshiOrderbooksResponse]:
        """Order book snapshots of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            start_time: Start of the range, Unix milliseconds; without a range the latest book is the likely answer (not stated).
            end_time: End of the range, Unix milliseconds.
            limit: Maximum number of snapshots in one answer. By default `100`.
            pagination_key: Opaque key of the next page, taken from `pagination.pagination_key` of the previous answer.
        """
        return self._call(
            "kalshi-orderbooks",
            {
                "ticker": ticker,
                "start_time": start_time,
                "end_time": end_time,
                "limit": limit,
                "pagination_key": pagination_key,
            },
        )

    def iter_kalshi_orderbooks(
        self,
        ticker: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        pagination_key: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.V2KalshiOrderbookSnapshot]:
        """Iterates over all rows of `kalshi_orderbooks`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_orderbooks`.
        """
        return self._pager(
            "kalshi-orderbooks",
            {
                "ticker": ticker,
                "start_time": start_time,
                "end_time": end_time,
                "limit": limit,
                "pagination_key": pagination_key,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def kalshi_prices(
        self,
        ticker: str,
        *,
        time_range: str | None = None,
        interval: str | None = None,
    ) -> Reply[list[r.KalshiPricePoint]]:
        """Price history of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
            interval: Spacing of the points; `latest` asks for the current price, presumably as a single point. One of `1h`, `1d`, `latest`. By default `1d`.
        """
        return self._call(
            "kalshi-prices",
            {
                "ticker": ticker,
                "time_range": time_range,
                "interval": interval,
            },
        )

    def kalshi_ranking(
        self,
        *,
        category: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiRankingItem]]:
        """Ranked Kalshi markets.

        Args:
            category: One curated category; all of them when absent (assumed parameter). One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            sort_by: Field to rank by (assumed parameter); the accepted values are not known, `notional_volume_usd` and `open_interest` are plausible.
            order: Direction of the ranking (assumed parameter). One of `asc`, `desc`.
            limit: Page size (assumed parameter, after the general convention). By default `20`.
            offset: Rows to skip (assumed parameter, after the general convention). By default `0`.
        """
        return self._call(
            "kalshi-ranking",
            {
                "category": category,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_kalshi_ranking(
        self,
        *,
        category: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.KalshiRankingItem]:
        """Iterates over all rows of `kalshi_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_ranking`.
        """
        return self._pager(
            "kalshi-ranking",
            {
                "category": category,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def kalshi_trades(
        self,
        ticker: str,
        *,
        taker_side: str | None = None,
        min_amount: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiTrade]]:
        """Trades of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            taker_side: Keep only trades in which the taker took this side. One of `yes`, `no`.
            min_amount: Smallest trade to return, most likely in USD (unit not stated), whole numbers only.
            from_: Start of the range, Unix seconds or YYYY-MM-DD.
            to: End of the range, Unix seconds or YYYY-MM-DD.
            sort_by: Sort by trade time or by notional value in USD. One of `timestamp`, `notional_volume_usd`. By default `timestamp`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            limit: Page size; larger than on most endpoints. By default `50`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "kalshi-trades",
            {
                "ticker": ticker,
                "taker_side": taker_side,
                "min_amount": min_amount,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_kalshi_trades(
        self,
        ticker: str,
        *,
        taker_side: str | None = None,
        min_amount: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.KalshiTrade]:
        """Iterates over all rows of `kalshi_trades`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_trades`.
        """
        return self._pager(
            "kalshi-trades",
            {
                "ticker": ticker,
                "taker_side": taker_side,
                "min_amount": min_amount,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def kalshi_volumes(
        self,
        ticker: str,
        *,
        time_range: str | None = None,
    ) -> Reply[list[r.KalshiVolumePoint]]:
        """Volume history of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
        """
        return self._call(
            "kalshi-volumes",
            {
                "ticker": ticker,
                "time_range": time_range,
            },
        )

    def matching_market_daily(
        self,
        polymarket_condition_id: str,
        kalshi_market_ticker: str,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.MatchedMarketDailyItem]]:
        """Daily comparison of a matched market pair.

        Args:
            polymarket_condition_id: Condition id of the Polymarket market of the pair.
            kalshi_market_ticker: Ticker of the Kalshi market of the pair.
            time_range: Lookback window, counted back from now; `all` takes the whole history. One of `1d`, `7d`, `30d`, `90d`, `180d`, `1y`, `all`. By default `30d`.
            limit: Page size, in days; far larger than on most endpoints. By default `200`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "matching-market-daily",
            {
                "polymarket_condition_id": polymarket_condition_id,
                "kalshi_market_ticker": kalshi_market_ticker,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_matching_market_daily(
        self,
        polymarket_condition_id: str,
        kalshi_market_ticker: str,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.MatchedMarketDailyItem]:
        """Iterates over all rows of `matching_market_daily`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `matching_market_daily`.
        """
        return self._pager(
            "matching-market-daily",
            {
                "polymarket_condition_id": polymarket_condition_id,
                "kalshi_market_ticker": kalshi_market_ticker,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def matching_market_pairs(
        self,
        *,
        category: str | None = None,
        match_type: str | None = None,
        active_only: bool | None = None,
        min_confidence: int | None = None,
        polymarket_condition_id: str | None = None,
        kalshi_market_ticker: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.MatchedMarketPair]]:
        """Markets matched across the two venues.

        Args:
            category: Restrict the pairs to one curated category. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            match_type: Keep pairs on the same question or on a related one only; both kinds when absent. One of `exact`, `related`.
            active_only: When true, leave out pairs that no longer trade; whether one side or both must be active is not stated. By default `false`.
            min_confidence: Lowest match confidence to return, on a scale of 0 to 100. By default `0`.
            polymarket_condition_id: Keep only pairs with this Polymarket condition id.
            kalshi_market_ticker: Keep only pairs with this Kalshi market ticker.
            sort_by: Sort by confidence, by the volume of one venue (USD or contracts) or by the price spread. One of `confidence`, `polymarket_volume`, `kalshi_volume`, `spread_pct`. By default `confidence`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "matching-market-pairs",
            {
                "category": category,
                "match_type": match_type,
                "active_only": active_only,
                "min_confidence": min_confidence,
                "polymarket_condition_id": polymarket_condition_id,
                "kalshi_market_ticker": kalshi_market_ticker,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_matching_market_pairs(
        self,
        *,
        category: str | None = None,
        match_type: str | None = None,
        active_only: bool | None = None,
        min_confidence: int | None = None,
        polymarket_condition_id: str | None = None,
        kalshi_market_ticker: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.MatchedMarketPair]:
        """Iterates over all rows of `matching_market_pairs`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `matching_market_pairs`.
        """
        return self._pager(
            "matching-market-pairs",
            {
                "category": category,
                "match_type": match_type,
                "active_only": active_only,
                "min_confidence": min_confidence,
                "polymarket_condition_id": polymarket_condition_id,
                "kalshi_market_ticker": kalshi_market_ticker,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def polymarket_events(
        self,
        event_slug: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketEvent]]:
        """A Polymarket event with its markets.

        Args:
            event_slug: Slug of the Polymarket event, as in its address on the venue's site.
            limit: Page size, counted in events. By default `20`.
            offset: Events to skip. By default `0`.
        """
        return self._call(
            "polymarket-events",
            {
                "event_slug": event_slug,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_events(
        self,
        event_slug: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.PolymarketEvent]:
        """Iterates over all rows of `polymarket_events`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_events`.
        """
        return self._pager(
            "polymarket-events",
            {
                "event_slug": event_slug,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def polymarket_leaderboard(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.LeaderboardItem]]:
        """Polymarket trader leaderboard.

        Args:
            sort_by: Figure to rank by. One of `pnl`, `volume`, `trade_count`. By default `pnl`.
            order: Direction of the ranking. One of `asc`, `desc`. By default `desc`.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "polymarket-leaderboard",
            {
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_leaderboard(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.LeaderboardItem]:
        """Iterates over all rows of `polymarket_leaderboard`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_leaderboard`.
        """
        return self._pager(
            "polymarket-leaderboard",
            {
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def polymarket_markets(
        self,
        market_slug: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketMarketItem]]:
        """Polymarket market by slug.

        Args:
            market_slug: Slug of the Polymarket market, as in its address on the venue's site.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "polymarket-markets",
            {
                "market_slug": market_slug,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_markets(
        self,
        market_slug: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.PolymarketMarketItem]:
        """Iterates over all rows of `polymarket_markets`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_markets`.
        """
        return self._pager(
            "polymarket-markets",
            {
                "market_slug": market_slug,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def polymarket_open_interest(
        self,
        condition_id: str,
        *,
        time_range: str | None = None,
    ) -> Reply[list[r.PolymarketOiPoint]]:
        """Open interest history of a Polymarket market.

        Args:
            condition_id: Condition id of the Polymarket market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
        """
        return self._call(
            "polymarket-open-interest",
            {
                "condition_id": condition_id,
                "time_range": time_range,
            },
        )

    def polymarket_orderbooks(
        self,
        token_id: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        pagination_key: str | None = None,
    ) -> Reply[r.V2OrderbooksResponse]:
        """Order book snapshots of a Polymarket outcome.

        Args:
            token_id: Id of one outcome token, a long decimal number; not the condition id of the market.
            start_time: Start of the range, Unix milliseconds; without a range the latest book is the likely answer (not stated).
            end_time: End of the range, Unix milliseconds.
            limit: Maximum number of snapshots in one answer. By default `100`.
            pagination_key: Opaque key of the next page, taken from `pagination.pagination_key` of the previous answer.
        """
        return self._call(
            "polymarket-orderbooks",
            {
                "token_id": token_id,
                "start_time": start_time,
                "end_time": end_time,
                "limit": limit,
                "pagination_key": pagination_key,
            },
        )

    def iter_polymarket_orderbooks(
        self,
        token_id: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        pagination_key: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.V2OrderbookSnapshot]:
        """Iterates over all rows of `polymarket_orderbooks`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_orderbooks`.
        """
        return self._pager(
            "polymarket-orderbooks",
            {
                "token_id": token_id,
                "start_time": start_time,
                "end_time": end_time,
                "limit": limit,
                "pagination_key": pagination_key,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def polymarket_positions(
        self,
        address: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketPosition]]:
        """Polymarket positions of a wallet.

        Args:
            address: Wallet address whose positions are wanted; the general convention also allows ENS names.
            limit: Page size. By default `50`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "polymarket-positions",
            {
                "address": address,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_positions(
        self,
        address: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.PolymarketPosition]:
        """Iterates over all rows of `polymarket_positions`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_positions`.
        """
        return self._pager(
            "polymarket-positions",
            {
                "address": address,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def polymarket_price_ohlcv(
        self,
        condition_id: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        interval: int | None = None,
    ) -> Reply[r.V2CandlestickResponse]:
        """Price candles of a Polymarket market.

        Args:
            condition_id: Condition id of the Polymarket market.
            start_time: Start of the range, most likely Unix seconds (unit not stated).
            end_time: End of the range, most likely Unix seconds (unit not stated).
            interval: Length of one candle, most likely in minutes, so that the default is one hour and the maximum one day (unit not stated). By default `60`.
        """
        return self._call(
            "polymarket-price-ohlcv",
            {
                "condition_id": condition_id,
                "start_time": start_time,
                "end_time": end_time,
                "interval": interval,
            },
        )

    def polymarket_prices(
        self,
        condition_id: str,
        *,
        time_range: str | None = None,
        interval: str | None = None,
    ) -> Reply[list[r.PolymarketPricePoint]]:
        """Price history of a Polymarket market.

        Args:
            condition_id: Condition id of the Polymarket market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
            interval: Spacing of the points; `latest` asks for the current price, presumably as a single point. One of `1h`, `1d`, `latest`. By default `1d`.
        """
        return self._call(
            "polymarket-prices",
            {
                "condition_id": condition_id,
                "time_range": time_range,
                "interval": interval,
            },
        )

    def polymarket_smart_money(
        self,
        *,
        view: str | None = None,
        condition_id: str | None = None,
        category: str | None = None,
        direction: str | None = None,
        whale_tier: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[Any]]:
        """Smart money positions and trades on Polymarket.

        Args:
            view: Positioning per market or single trades; it decides the shape of the rows. One of `positioning`, `trades`. By default `positioning`.
            condition_id: Restrict the result to one Polymarket market.
            category: Restrict the result to one curated category. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            direction: Keep only markets or trades on which smart money leans this way. One of `bullish`, `bearish`, `neutral`.
            whale_tier: Keep only wallets or trades of this size class; the USD bounds of the classes are not stated. One of `whale`, `large`, `mega`.
            from_: Start of the range, Unix seconds or YYYY-MM-DD.
            to: End of the range, Unix seconds or YYYY-MM-DD.
            sort_by: Field to sort by; the volumes and amounts are in USD, the rest are a wallet count and a time. One of `smart_wallets_involved`, `smart_buy_volume_usd`, `smart_sell_volume_usd`, `amount_usd`, `block_time`. By default `smart_wallets_involved`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "polymarket-smart-money",
            {
                "view": view,
                "condition_id": condition_id,
                "category": category,
                "direction": direction,
                "whale_tier": whale_tier,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_smart_money(
        self,
        *,
        view: str | None = None,
        condition_id: str | None = None,
        category: str | None = None,
        direction: str | None = None,
        whale_tier: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[Any]:
        """Iterates over all rows of `polymarket_smart_money`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_smart_money`.
        """
        return self._pager(
            "polymarket-smart-money",
            {
                "view": view,
                "condition_id": condition_id,
                "category": category,
                "direction": direction,
                "whale_tier": whale_tier,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def polymarket_trades(
        self,
        *,
        condition_id: str | None = None,
        address: str | None = None,
        type: str | None = None,
        outcome_label: str | None = None,
        min_amount: float | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketTrade]]:
        """Polymarket trades.

        Args:
            condition_id: Condition id of the Polymarket market.
            address: Wallet address; returns trades in which it is the maker or the taker.
            type: Trades, redemptions of resolved shares, or both. One of `trade`, `redemption`, `all`. By default `trade`.
            outcome_label: Keep only trades of this outcome. One of `Yes`, `No`.
            min_amount: Smallest trade to return, in USD.
            from_: Start of the range, Unix seconds or YYYY-MM-DD.
            to: End of the range, Unix seconds or YYYY-MM-DD.
            sort_by: Sort by trade time or by notional value in USD. One of `timestamp`, `notional_volume_usd`. By default `timestamp`.
            limit: Page size; larger than on most endpoints. By default `50`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "polymarket-trades",
            {
                "condition_id": condition_id,
                "address": address,
                "type": type,
                "outcome_label": outcome_label,
                "min_amount": min_amount,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_trades(
        self,
        *,
        condition_id: str | None = None,
        address: str | None = None,
        type: str | None = None,
        outcome_label: str | None = None,
        min_amount: float | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.PolymarketTrade]:
        """Iterates over all rows of `polymarket_trades`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_trades`.
        """
        return self._pager(
            "polymarket-trades",
            {
                "condition_id": condition_id,
                "address": address,
                "type": type,
                "outcome_label": outcome_label,
                "min_amount": min_amount,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def polymarket_volume_split(
        self,
        condition_id: str,
        *,
        granularity: str | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
    ) -> Reply[r.V2VolumeChartResponse]:
        """Yes and No volume of a Polymarket market.

        Args:
            condition_id: Condition id of the Polymarket market.
            granularity: Length of one period. One of `hour`, `day`, `week`. By default `hour`.
            start_time: Start of the range, most likely Unix seconds (unit not stated).
            end_time: End of the range, most likely Unix seconds (unit not stated).
        """
        return self._call(
            "polymarket-volume-split",
            {
                "condition_id": condition_id,
                "granularity": granularity,
                "start_time": start_time,
                "end_time": end_time,
            },
        )

    def polymarket_volumes(
        self,
        *,
        condition_id: str | None = None,
        token_id: str | None = None,
        time_range: str | None = None,
        interval: str | None = None,
        granularity: str | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
    ) -> Reply[list[r.PolymarketVolumePoint]]:
        """Volume history of Polymarket.

        Args:
            condition_id: Condition id of the Polymarket market.
            token_id: Id of one outcome token, a long decimal number.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
            interval: Spacing of the points. One of `1h`, `1d`. By default `1d`.
            granularity: Length of one period, an alternative to `interval`; `all` presumably sums everything into one point. One of `day`, `week`, `month`, `year`, `all`.
            start_time: Start of the range, most likely Unix seconds (unit not stated).
            end_time: End of the range, most likely Unix seconds (unit not stated).
        """
        return self._call(
            "polymarket-volumes",
            {
                "condition_id": condition_id,
                "token_id": token_id,
                "time_range": time_range,
                "interval": interval,
                "granularity": granularity,
                "start_time": start_time,
                "end_time": end_time,
            },
        )

    def prediction_market_analytics(
        self,
        *,
        category: str | None = None,
        platform: str | None = None,
        time_range: str | None = None,
        top_n: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[r.AnalyticsBody]:
        """Category trends, top markets and momentum.

        Args:
            category: Restrict all views to one curated category; all categories when absent. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            platform: Restrict the result to one venue; both venues when absent. One of `polymarket`, `kalshi`.
            time_range: How far back the daily category series reaches. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
            top_n: Number of markets in `top_markets`. By default `10`.
            sort_by: Figure that orders `momentum_markets`; all of them look back seven days. One of `volume_7d`, `whale_flow_net_7d`, `price_change_7d`, `oi_change_7d`. By default `volume_7d`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            limit: Page size, most likely of `momentum_markets` (not stated which list it pages). By default `20`.
            offset: Rows to skip, most likely in `momentum_markets` (not stated). By default `0`.
        """
        return self._call(
            "prediction-market-analytics",
            {
                "category": category,
                "platform": platform,
                "time_range": time_range,
                "top_n": top_n,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def prediction_market_category_metrics(
        self,
        *,
        category: str | None = None,
        platform: str | None = None,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.CategoryMetricsPoint]]:
        """Daily volume and open interest by category.

        Args:
            category: One curated category; all of them when absent (assumed parameter). One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            platform: One venue; both when absent (assumed parameter). One of `polymarket`, `kalshi`.
            time_range: Lookback window (assumed parameter); what the service uses when it is absent is not known. One of `7d`, `30d`, `90d`, `180d`, `1y`.
            limit: Page size (assumed parameter, after the general convention). By default `20`.
            offset: Rows to skip (assumed parameter, after the general convention). By default `0`.
        """
        return self._call(
            "prediction-market-category-metrics",
            {
                "category": category,
                "platform": platform,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_prediction_market_category_metrics(
        self,
        *,
        category: str | None = None,
        platform: str | None = None,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.CategoryMetricsPoint]:
        """Iterates over all rows of `prediction_market_category_metrics`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `prediction_market_category_metrics`.
        """
        return self._pager(
            "prediction-market-category-metrics",
            {
                "category": category,
                "platform": platform,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def prediction_market_correlations(
        self,
        category: str,
        *,
        condition_id: str | None = None,
        min_correlation: float | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.CorrelationItem]]:
        """Correlated market pairs.

        Args:
            category: Curated category that both markets belong to. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            condition_id: Keep only pairs with this Polymarket market; presumably it may stand on either side.
            min_correlation: Smallest coefficient to return, between -1 and 1; whether it applies to the absolute value is not stated. By default `0.5`.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "prediction-market-correlations",
            {
                "category": category,
                "condition_id": condition_id,
                "min_correlation": min_correlation,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_prediction_market_correlations(
        self,
        category: str,
        *,
        condition_id: str | None = None,
        min_correlation: float | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.CorrelationItem]:
        """Iterates over all rows of `prediction_market_correlations`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `prediction_market_correlations`.
        """
        return self._pager(
            "prediction-market-correlations",
            {
                "category": category,
                "condition_id": condition_id,
                "min_correlation": min_correlation,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def project_ai_news(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: str | None = None,
    ) -> Reply[list[r.ProjectPulseItem]]:
        """Machine-written news digests about a project.

        Args:
            id: Id of the project; wins over `q`.
            q: Free text naming the project, used when its id is not known.
            limit: Largest number of rows in one page; this endpoint allows fewer than most. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
            lang: Language of the texts (`kr` is this endpoint's code for Korean). One of `en`, `zh`, `ja`, `kr`. By default `en`.
        """
        return self._call(
            "project-ai-news",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "lang": lang,
            },
        )

    def iter_project_ai_news(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.ProjectPulseItem]:
        """Iterates over all rows of `project_ai_news`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `project_ai_news`.
        """
        return self._pager(
            "project-ai-news",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "lang": lang,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def project_defi_metrics(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        metric: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ProjectMetricPoint]]:
        """Metric history of a DeFi project.

        Args:
            id: Id of the project; wins over `q`.
            q: Free text naming the project, used when its id is not known.
            metric: Series to return; money series are likely USD (unit not stated), `users` counts users. How `fee` differs from `fees` is not stated. One of `volume`, `fee`, `fees`, `revenue`, `tvl`, `users`. By default `tvl`.
            from_: Start of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            to: End of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            chain: Long-form name of the chain to measure on; the effect of leaving it out is not stated, likely all chains together. One of `ethereum`, `polygon`, `bsc`, `arbitrum`, `optimism`, `base`, `avalanche`, `fantom`, `solana`.
            limit: Largest number of points in one page. By default `20`.
            offset: Number of points to skip before the page begins. By default `0`.
        """
        return self._call(
            "project-defi-metrics",
            {
                "id": id,
                "q": q,
                "metric": metric,
                "from": from_,
                "to": to,
                "chain": chain,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_project_defi_metrics(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        metric: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.ProjectMetricPoint]:
        """Iterates over all rows of `project_defi_metrics`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `project_defi_metrics`.
        """
        return self._pager(
            "project-defi-metrics",
            {
                "id": id,
                "q": q,
                "metric": metric,
                "from": from_,
                "to": to,
                "chain": chain,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def project_defi_ranking(
        self,
        metric: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ProjectTopRankItem]]:
        """DeFi projects ranked by a metric.

        Args:
            metric: What to rank by; money metrics are likely USD (unit not stated), `users` is a count. One of `tvl`, `revenue`, `fees`, `volume`, `users`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return self._call(
            "project-defi-ranking",
            {
                "metric": metric,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_project_defi_ranking(
        self,
        metric: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.ProjectTopRankItem]:
        """Iterates over all rows of `project_defi_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `project_defi_ranking`.
        """
        return self._pager(
            "project-defi-ranking",
            {
                "metric": metric,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def project_detail(
        self,
        *,
        id: str | None = None,
        x_id: str | None = None,
        handle: str | None = None,
        q: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Reply[r.ProjectDetail]:
        """Profile of one project.

        Args:
            id: Id of the project; wins over the other identifiers.
            x_id: X account id of the project.
            handle: X handle of the project; whether a leading @ is accepted is not stated, so send it without.
            q: Free text naming the project, used when no identifier is known.
            fields: Comma-separated names of the sections to return; all of them by default. By default `overview,token_info,tokenomics,funding,team,contracts,social,tge_status`.
        """
        return self._call(
            "project-detail",
            {
                "id": id,
                "x_id": x_id,
                "handle": handle,
                "q": q,
                "fields": fields,
            },
        )

    def project_pulse(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: str | None = None,
    ) -> Reply[list[r.ProjectPulseItem]]:
        """Recent signals and news about a project.

        Args:
            id: Id of the project; likely wins over `q` where both are sent, as in related operations.
            q: Free text naming the project, used when its id is not known.
            limit: Largest number of rows in one page; this endpoint allows fewer than most. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
            lang: Language of the texts (`kr` is this endpoint's code for Korean). One of `en`, `zh`, `ja`, `kr`. By default `en`.
        """
        return self._call(
            "project-pulse",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "lang": lang,
            },
        )

    def iter_project_pulse(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.ProjectPulseItem]:
        """Iterates over all rows of `project_pulse`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `project_pulse`.
        """
        return self._pager(
            "project-pulse",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "lang": lang,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_airdrop(
        self,
        *,
        q: str | None = None,
        phase: str | Sequence[str] | None = None,
        reward_type: str | None = None,
        task_type: str | None = None,
        has_open: bool | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include_tasks: bool | None = None,
    ) -> Reply[list[r.AirdropSearchItem]]:
        """Search airdrop opportunities.

        Args:
            q: Free text to search for; without it all campaigns that pass the filters are listed.
            phase: Comma-separated phases to keep; only the two phases of the default are known, and their mapping to lifecycle states is not stated. By default `active,claimable`.
            reward_type: Kind of reward to keep. One of `airdrop`, `points`, `whitelist`, `nft`, `role`, `ambassador`.
            task_type: Keeps campaigns that have a task of this kind. One of `social`, `bounty-platforms`, `testnet`, `mainnet`, `role`, `form`, `liquidity`, `mint-nft`, `game`, `trading`, `staking`, `depin`, `node`, `ambassador`, `hold`, `check-wallet`, `mint-domain`, `predictions`, `deploy`.
            has_open: With `true`, presumably keeps only campaigns that have at least one open task; the source does not spell it out. By default `false`.
            sort_by: Sort key, either the raised sum (USD), the score of the project, or the time of the last state change. One of `total_raise`, `xscore`, `last_status_update`. By default `last_status_update`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
            include_tasks: Adds the list of tasks to every row. By default `false`.
        """
        return self._call(
            "search-airdrop",
            {
                "q": q,
                "phase": phase,
                "reward_type": reward_type,
                "task_type": task_type,
                "has_open": has_open,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
                "include_tasks": include_tasks,
            },
        )

    def iter_search_airdrop(
        self,
        *,
        q: str | None = None,
        phase: str | Sequence[str] | None = None,
        reward_type: str | None = None,
        task_type: str | None = None,
        has_open: bool | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include_tasks: bool | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.AirdropSearchItem]:
        """Iterates over all rows of `search_airdrop`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_airdrop`.
        """
        return self._pager(
            "search-airdrop",
            {
                "q": q,
                "phase": phase,
                "reward_type": reward_type,
                "task_type": task_type,
                "has_open": has_open,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
                "include_tasks": include_tasks,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_airdrop_activities(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.AirdropActivityItem]]:
        """Recent airdrop activities.

        Args:
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return self._call(
            "search-airdrop-activities",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_airdrop_activities(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.AirdropActivityItem]:
        """Iterates over all rows of `search_airdrop_activities`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_airdrop_activities`.
        """
        return self._pager(
            "search-airdrop-activities",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_events(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ProjectEventItem]]:
        """Events of a project.

        Args:
            id: Id of the project; wins over `q`.
            q: Free text naming the project, used when its id is not known.
            type: Kind of event to keep; without it all kinds are included. One of `launch`, `upgrade`, `partnership`, `news`, `airdrop`, `listing`, `twitter`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return self._call(
            "search-events",
            {
                "id": id,
                "q": q,
                "type": type,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_events(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.ProjectEventItem]:
        """Iterates over all rows of `search_events`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_events`.
        """
        return self._pager(
            "search-events",
            {
                "id": id,
                "q": q,
                "type": type,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_fund(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.FundSearchItem]]:
        """Search funds by name.

        Args:
            q: Free text naming the fund.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return self._call(
            "search-fund",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_fund(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.FundSearchItem]:
        """Iterates over all rows of `search_fund`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_fund`.
        """
        return self._pager(
            "search-fund",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_fundraising(
        self,
        *,
        q: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        source: str | None = None,
        lang: str | None = None,
        min_importance: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.FundraisingSearchItem]]:
        """Search fundraising news.

        Args:
            q: Free text to search for; without it all reports that pass the filters are listed.
            from_: Start of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            to: End of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            source: Kind of source to keep; without it both kinds are included. One of `social`, `news`.
            lang: Language of title and summary; `kr` and `ko` both stand for Korean, and older versions of the service may know only `kr`. One of `en`, `zh`, `ja`, `kr`, `ko`. By default `en`.
            min_importance: Least importance of a report to keep, on a scale of 1 to 5.
            sort_by: Sort key, either time, closeness to the query text, or importance. One of `recency`, `relevance`, `importance`. By default `recency`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return self._call(
            "search-fundraising",
            {
                "q": q,
                "from": from_,
                "to": to,
                "source": source,
                "lang": lang,
                "min_importance": min_importance,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_fundraising(
        self,
        *,
        q: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        source: str | None = None,
        lang: str | None = None,
        min_importance: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.FundraisingSearchItem]:
        """Iterates over all rows of `search_fundraising`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_fundraising`.
        """
        return self._pager(
            "search-fundraising",
            {
                "q": q,
                "from": from_,
                "to": to,
                "source": source,
                "lang": lang,
                "min_importance": min_importance,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_kalshi(
        self,
        *,
        q: str | None = None,
        category: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiEvent]]:
        """Search Kalshi events.

        Args:
            q: Words to look for.
            category: Restrict the result to one category; `unknown` means not classified. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`, `unknown`.
            status: Restrict the result to one lifecycle status; any status when absent. One of `active`, `closed`, `determined`, `disputed`, `finalized`, `inactive`, `initialized`.
            limit: Page size, counted in events. By default `20`.
            offset: Events to skip. By default `0`.
        """
        return self._call(
            "search-kalshi",
            {
                "q": q,
                "category": category,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_kalshi(
        self,
        *,
        q: str | None = None,
        category: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.KalshiEvent]:
        """Iterates over all rows of `search_kalshi`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_kalshi`.
        """
        return self._pager(
            "search-kalshi",
            {
                "q": q,
                "category": category,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_news(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.NewsArticleItem]]:
        """Search news articles.

        Args:
            q: Free text to search for.
            limit: Largest number of articles in one page; the default is smaller than elsewhere. By default `10`.
            offset: Number of articles to skip before the page begins. By default `0`.
        """
        return self._call(
            "search-news",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_news(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.NewsArticleItem]:
        """Iterates over all rows of `search_news`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_news`.
        """
        return self._pager(
            "search-news",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_polymarket(
        self,
        *,
        q: str | None = None,
        tags: str | Sequence[str] | None = None,
        category: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketEvent]]:
        """Search Polymarket events.

        Args:
            q: Words to look for.
            tags: Tags of the venue to filter by; several are presumably separated by commas.
            category: Restrict the result to one category; `unknown` means not classified. One of `crypto`, `culture`, `early_polymarket_trades`, `economics`, `financials`, `politics`, `stem`, `sports`, `unknown`.
            status: Restrict the result to one lifecycle status. One of `active`, `finalized`, `ended`, `initialized`, `closed`. By default `active`.
            limit: Page size, counted in events. By default `20`.
            offset: Events to skip. By default `0`.
        """
        return self._call(
            "search-polymarket",
            {
                "q": q,
                "tags": tags,
                "category": category,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_polymarket(
        self,
        *,
        q: str | None = None,
        tags: str | Sequence[str] | None = None,
        category: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.PolymarketEvent]:
        """Iterates over all rows of `search_polymarket`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_polymarket`.
        """
        return self._pager(
            "search-polymarket",
            {
                "q": q,
                "tags": tags,
                "category": category,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_prediction_market(
        self,
        *,
        condition_id: str | None = None,
        market_ticker: str | None = None,
        platform: str | None = None,
        category: str | None = None,
        status: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        smart_money: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.DiscoverMarketItem]]:
        """Search markets on both venues.

        Args:
            condition_id: Condition id of one Polymarket market.
            market_ticker: Ticker of one Kalshi market.
            platform: Restrict the result to one venue; both when absent. One of `polymarket`, `kalshi`.
            category: Restrict the result to one curated category. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            status: Restrict the result to one lifecycle status. One of `active`, `closed`, `finalized`. By default `active`.
            sort_by: Field to sort by; volumes and open interest are in USD. One of `volume_1d`, `volume_7d`, `volume_30d`, `open_interest`, `trade_count_7d`, `days_to_resolution`. By default `volume_7d`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            smart_money: Keep only markets on which smart money leans this way; only Polymarket markets have such a lean. One of `bullish`, `bearish`.
            q: Words to look for.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return self._call(
            "search-prediction-market",
            {
                "condition_id": condition_id,
                "market_ticker": market_ticker,
                "platform": platform,
                "category": category,
                "status": status,
                "sort_by": sort_by,
                "order": order,
                "smart_money": smart_money,
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_prediction_market(
        self,
        *,
        condition_id: str | None = None,
        market_ticker: str | None = None,
        platform: str | None = None,
        category: str | None = None,
        status: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        smart_money: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.DiscoverMarketItem]:
        """Iterates over all rows of `search_prediction_market`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_prediction_market`.
        """
        return self._pager(
            "search-prediction-market",
            {
                "condition_id": condition_id,
                "market_ticker": market_ticker,
                "platform": platform,
                "category": category,
                "status": status,
                "sort_by": sort_by,
                "order": order,
                "smart_money": smart_money,
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_project(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ProjectSearchItem]]:
        """Search projects by name.

        Args:
            q: Free text naming the project.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return self._call(
            "search-project",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_project(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.ProjectSearchItem]:
        """Iterates over all rows of `search_project`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_project`.
        """
        return self._pager(
            "search-project",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_social_people(
        self,
        q: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XUser]]:
        """Search X accounts.

        Args:
            q: Free-text keyword to look for, for example a name or a handle.
            limit: Accounts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return self._call(
            "search-social-people",
            {
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_search_social_people(
        self,
        q: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.XUser]:
        """Iterates over all rows of `search_social_people`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_social_people`.
        """
        return self._pager(
            "search-social-people",
            {
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_social_posts(
        self,
        q: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XTweet]]:
        """Search X posts.

        Args:
            q: Free-text keyword to look for in posts.
            limit: Posts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return self._call(
            "search-social-posts",
            {
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_search_social_posts(
        self,
        q: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.XTweet]:
        """Iterates over all rows of `search_social_posts`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_social_posts`.
        """
        return self._pager(
            "search-social-posts",
            {
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_token(
        self,
        q: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.SearchTokenItem]]:
        """Search token contracts.

        Args:
            q: Free text to search for, such as a token symbol; whether contract addresses also match is not stated.
            chain: Long-form name of the chain to search; likely all chains are searched without it (not stated). One of `ethereum`, `base`, `bsc`, `arbitrum`, `solana`, `polygon`, `optimism`, `avalanche`, `fantom`, `tron`, `linea`, `mantle`, `blast`, `gnosis`, `zksync`, `scroll`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return self._call(
            "search-token",
            {
                "q": q,
                "chain": chain,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_token(
        self,
        q: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.SearchTokenItem]:
        """Iterates over all rows of `search_token`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_token`.
        """
        return self._pager(
            "search-token",
            {
                "q": q,
                "chain": chain,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_wallet(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.WalletSearchItem]]:
        """Search labelled wallets and entities.

        Args:
            q: Free text to search for; which kinds of text match (entity name, label, address) is not stated.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return self._call(
            "search-wallet",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_wallet(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.WalletSearchItem]:
        """Iterates over all rows of `search_wallet`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_wallet`.
        """
        return self._pager(
            "search-wallet",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def search_web(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        site: str | None = None,
        include_content: bool | None = None,
    ) -> Reply[list[r.WebSearchResultItem]]:
        """Search the web.

        Args:
            q: Free text to search for.
            limit: Largest number of pages in one answer. By default `20`.
            offset: Number of pages to skip before the answer begins. By default `0`.
            site: Site to restrict the search to, likely a domain name (form not stated).
            include_content: Asks for the text of each page in `content`. By default `false`.
        """
        return self._call(
            "search-web",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
                "site": site,
                "include_content": include_content,
            },
        )

    def iter_search_web(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        site: str | None = None,
        include_content: bool | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.WebSearchResultItem]:
        """Iterates over all rows of `search_web`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_web`.
        """
        return self._pager(
            "search-web",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
                "site": site,
                "include_content": include_content,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def signal_detail(
        self,
        *,
        id: str | None = None,
        project_slug: str | None = None,
        time_range: str | None = None,
    ) -> Reply[r.SignalProject]:
        """Heat score of one project.

        Args:
            id: Project UUID; give either this or `project_slug`, not both.
            project_slug: Slug of the project; give either this or `id`, not both.
            time_range: Window over which the heat score is computed. One of `24h`, `7d`. By default `24h`.
        """
        return self._call(
            "signal-detail",
            {
                "id": id,
                "project_slug": project_slug,
                "time_range": time_range,
            },
        )

    def signal_projects(
        self,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.SignalProject]]:
        """Projects by heat score.

        Args:
            time_range: Window over which the heat score is computed. One of `24h`, `7d`. By default `24h`.
            limit: Largest number of projects in one page. By default `20`.
            offset: Number of projects to skip. By default `0`.
        """
        return self._call(
            "signal-projects",
            {
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_signal_projects(
        self,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.SignalProject]:
        """Iterates over all rows of `signal_projects`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `signal_projects`.
        """
        return self._pager(
            "signal-projects",
            {
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def signal_token_of_the_day(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.SignalProject]]:
        """Tokens of the day by heat score.

        Args:
            limit: Largest number of projects in one page. By default `20`.
            offset: Number of projects to skip. By default `0`.
        """
        return self._call(
            "signal-token-of-the-day",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_signal_token_of_the_day(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.SignalProject]:
        """Iterates over all rows of `signal_token_of_the_day`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `signal_token_of_the_day`.
        """
        return self._pager(
            "signal-token-of-the-day",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def signal_token_of_week(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.SignalProject]]:
        """Tokens of the week by heat score.

        Args:
            limit: Largest number of projects in one page. By default `20`.
            offset: Number of projects to skip. By default `0`.
        """
        return self._call(
            "signal-token-of-week",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_signal_token_of_week(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.SignalProject]:
        """Iterates over all rows of `signal_token_of_week`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `signal_token_of_week`.
        """
        return self._pager(
            "signal-token-of-week",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def social_detail(
        self,
        *,
        x_id: str | None = None,
        q: str | None = None,
        fields: str | Sequence[str] | None = None,
        time_range: str | None = None,
        geo_limit: int | None = None,
    ) -> Reply[r.SocialDetailBody]:
        """Social profile of a project.

        Args:
            x_id: Numeric X account id of the project, as a string.
            q: Project name or other keyword used to find the project when no account id is at hand.
            fields: Comma-separated sections to return, out of `sentiment`, `follower_geo` and `smart_followers`; other values are not shown. By default `sentiment,follower_geo,smart_followers`.
            time_range: Lookback window, most likely of the sentiment section only. One of `24h`, `48h`, `7d`, `30d`, `3m`, `6m`, `1y`. By default `7d`.
            geo_limit: Maximum number of locations in the follower geography section. By default `20`.
        """
        return self._call(
            "social-detail",
            {
                "x_id": x_id,
                "q": q,
                "fields": fields,
                "time_range": time_range,
                "geo_limit": geo_limit,
            },
        )

    def social_mindshare(
        self,
        interval: str,
        *,
        id: str | None = None,
        q: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        include_tag_percents: bool | None = None,
        source: str | None = None,
    ) -> Reply[list[r.SocialMindsharePoint]]:
        """Mindshare time series of a project.

        Args:
            id: UUID of the project.
            q: Project name or other keyword used to find the project when its id is not known.
            interval: Length of one step of the series. One of `5m`, `1h`, `1d`, `7d`.
            from_: Start of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default start is not stated.
            to: End of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default end is most likely now.
            include_tag_percents: Whether to add the project's share within each of its tags as `tag_percents`; most likely off when left out.
            source: Platform whose posts are counted. One of `x`, `binance_square`. By default `x`.
        """
        return self._call(
            "social-mindshare",
            {
                "id": id,
                "q": q,
                "interval": interval,
                "from": from_,
                "to": to,
                "include_tag_percents": include_tag_percents,
                "source": source,
            },
        )

    def social_ranking(
        self,
        *,
        offset: int | None = None,
        limit: int | None = None,
        tag: str | None = None,
        time_range: str | None = None,
        sentiment: str | None = None,
        source: str | None = None,
    ) -> Reply[list[r.MindshareTopProject]]:
        """Projects ranked by mindshare.

        Args:
            offset: Rows to skip. By default `0`.
            limit: Rows per page. By default `20`.
            tag: Only projects with this tag; leave it out for all of them. One of `l1`, `l2`, `dex`, `derivatives`, `cex`, `gamefi`, `nft`, `oracle`, `prediction`, `rwa`, `yield`, `data`, `devtool`, `compliance`, `meme`.
            time_range: Lookback window the ranking is computed over. One of `24h`, `48h`, `7d`, `30d`. By default `7d`.
            sentiment: Only projects with this kind of sentiment; leave it out for all of them. One of `positive`, `negative`.
            source: Platform whose posts are counted. One of `x`, `binance_square`. By default `x`.
        """
        return self._call(
            "social-ranking",
            {
                "offset": offset,
                "limit": limit,
                "tag": tag,
                "time_range": time_range,
                "sentiment": sentiment,
                "source": source,
            },
        )

    def iter_social_ranking(
        self,
        *,
        offset: int | None = None,
        limit: int | None = None,
        tag: str | None = None,
        time_range: str | None = None,
        sentiment: str | None = None,
        source: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.MindshareTopProject]:
        """Iterates over all rows of `social_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_ranking`.
        """
        return self._pager(
            "social-ranking",
            {
                "offset": offset,
                "limit": limit,
                "tag": tag,
                "time_range": time_range,
                "sentiment": sentiment,
                "source": source,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def social_sentiment(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
    ) -> Reply[r.SocialSentimentItem]:
        """Current sentiment score of a project.

        Args:
            id: UUID of the project.
            q: Project name or other keyword used to find the project when its id is not known.
        """
        return self._call(
            "social-sentiment",
            {
                "id": id,
                "q": q,
            },
        )

    def social_smart_followers_history(
        self,
        *,
        x_id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> Reply[list[r.SmartFollowerHistoryPoint]]:
        """Smart follower count over time.

        Args:
            x_id: Numeric X account id, as a string.
            q: Project name or other keyword used to find the account when its id is not known.
            limit: Maximum number of history points. By default `36`.
        """
        return self._call(
            "social-smart-followers-history",
            {
                "x_id": x_id,
                "q": q,
                "limit": limit,
            },
        )

    def social_tweet_replies(
        self,
        tweet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XTweet]]:
        """Replies to a post.

        Args:
            tweet_id: Id of the post whose replies are wanted.
            limit: Replies per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return self._call(
            "social-tweet-replies",
            {
                "tweet_id": tweet_id,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_social_tweet_replies(
        self,
        tweet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.XTweet]:
        """Iterates over all rows of `social_tweet_replies`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_tweet_replies`.
        """
        return self._pager(
            "social-tweet-replies",
            {
                "tweet_id": tweet_id,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def social_tweets(
        self,
        ids: str | Sequence[str],
    ) -> Reply[list[r.XTweet]]:
        """Posts by id.

        Args:
            ids: Comma-separated post ids; the maximum number is not stated.
        """
        return self._call(
            "social-tweets",
            {
                "ids": ids,
            },
        )

    def social_user(
        self,
        handle: str,
    ) -> Reply[r.XUser]:
        """X account profile.

        Args:
            handle: Name of the account, without the leading `@`.
        """
        return self._call(
            "social-user",
            {
                "handle": handle,
            },
        )

    def social_user_followers(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XUser]]:
        """Followers of an X account.

        Args:
            handle: Name of the account, without the leading `@`.
            limit: Accounts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return self._call(
            "social-user-followers",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_social_user_followers(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.XUser]:
        """Iterates over all rows of `social_user_followers`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_user_followers`.
        """
        return self._pager(
            "social-user-followers",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def social_user_following(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XUser]]:
        """Accounts an X account follows.

        Args:
            handle: Name of the account, without the leading `@`.
            limit: Accounts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return self._call(
            "social-user-following",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_social_user_following(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.XUser]:
        """Iterates over all rows of `social_user_following`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_user_following`.
        """
        return self._pager(
            "social-user-following",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def social_user_posts(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        filter: str | None = None,
    ) -> Reply[list[r.XTweet]]:
        """Posts of an X account.

        Args:
            handle: Name of the account, without the leading `@`.
            limit: Posts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
            filter: Which posts to return; `original` leaves reposts out. One of `all`, `original`. By default `all`.
        """
        return self._call(
            "social-user-posts",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
                "filter": filter,
            },
        )

    def iter_social_user_posts(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        filter: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.XTweet]:
        """Iterates over all rows of `social_user_posts`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_user_posts`.
        """
        return self._pager(
            "social-user-posts",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
                "filter": filter,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def social_user_replies(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XTweet]]:
        """Replies written by an X account.

        Args:
            handle: Name of the account, without the leading `@`.
            limit: Replies per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return self._call(
            "social-user-replies",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_social_user_replies(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.XTweet]:
        """Iterates over all rows of `social_user_replies`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_user_replies`.
        """
        return self._pager(
            "social-user-replies",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def token_dex_trades(
        self,
        address: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.DexTradeItem]]:
        """DEX trades of a token.

        Args:
            address: Contract address of the token.
            chain: Chain the contract lives on, by its long name. One of `ethereum`, `base`, `bsc`, `arbitrum`, `tron`. By default `ethereum`.
            limit: Trades per page. By default `20`.
            offset: Trades to skip. By default `0`.
            include: Extra parts of each row; `labels` adds the label of the taker, and nothing is added when left out.
        """
        return self._call(
            "token-dex-trades",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
        )

    def iter_token_dex_trades(
        self,
        address: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.DexTradeItem]:
        """Iterates over all rows of `token_dex_trades`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `token_dex_trades`.
        """
        return self._pager(
            "token-dex-trades",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def token_holders(
        self,
        address: str,
        chain: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.TokenHolderItem]]:
        """Holders of a token.

        Args:
            address: Contract address of the token.
            chain: Chain the contract lives on, by its long name. One of `ethereum`, `polygon`, `bsc`, `solana`, `avalanche`, `arbitrum`, `optimism`, `base`.
            limit: Holders per page. By default `20`.
            offset: Holders to skip. By default `0`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `label` as it does for DEX trades.
        """
        return self._call(
            "token-holders",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
        )

    def iter_token_holders(
        self,
        address: str,
        chain: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.TokenHolderItem]:
        """Iterates over all rows of `token_holders`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `token_holders`.
        """
        return self._pager(
            "token-holders",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def token_tokenomics(
        self,
        *,
        id: str | None = None,
        symbol: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.TokenUnlockPoint]]:
        """Token unlock schedule.

        Args:
            id: UUID of the token or its project; the sources do not say which.
            symbol: Uppercase ticker of the token, for example `ARB`.
            from_: Start of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default start is not stated.
            to: End of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default end is not stated.
        """
        return self._call(
            "token-tokenomics",
            {
                "id": id,
                "symbol": symbol,
                "from": from_,
                "to": to,
            },
        )

    def token_transfer_counterparties(
        self,
        address: str,
        chain: str,
        direction: str,
        *,
        metric: str | None = None,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        exclude_labels: str | Sequence[str] | None = None,
    ) -> Reply[list[r.TransferCounterpartyItem]]:
        """Top transfer counterparties.

        Args:
            address: Address whose counterparties are wanted.
            chain: Chain to look at, by its long name. One of `ethereum`, `base`, `bsc`, `arbitrum`, `tron`.
            direction: Which side of the transfers the counterparties are on; most likely `to` means receivers and `from` means senders, which the sources do not spell out. One of `to`, `from`.
            metric: What the ranking goes by, which is the number of transfers, the token amount or the amount in USD. One of `count`, `amount`, `amount_usd`. By default `count`.
            time_range: Lookback window. One of `1d`, `7d`, `30d`, `90d`. By default `7d`.
            limit: Counterparties per page. By default `20`.
            offset: Counterparties to skip. By default `0`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `label` as it does for DEX trades.
            exclude_labels: Labels of counterparties to leave out, most likely comma-separated; the accepted values are not shown.
        """
        return self._call(
            "token-transfer-counterparties",
            {
                "address": address,
                "chain": chain,
                "direction": direction,
                "metric": metric,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
                "include": include,
                "exclude_labels": exclude_labels,
            },
        )

    def iter_token_transfer_counterparties(
        self,
        address: str,
        chain: str,
        direction: str,
        *,
        metric: str | None = None,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        exclude_labels: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.TransferCounterpartyItem]:
        """Iterates over all rows of `token_transfer_counterparties`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `token_transfer_counterparties`.
        """
        return self._pager(
            "token-transfer-counterparties",
            {
                "address": address,
                "chain": chain,
                "direction": direction,
                "metric": metric,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
                "include": include,
                "exclude_labels": exclude_labels,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def token_transfer_stats(
        self,
        address: str,
        chain: str,
        *,
        time_range: str | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[r.TransferStatsBody]:
        """Transfer totals of a token.

        Args:
            address: Contract address of the token; the sources do not state whether a wallet address works too.
            chain: Chain to look at, by its long name. One of `ethereum`, `base`, `bsc`, `arbitrum`, `tron`.
            time_range: Lookback window. One of `1d`, `7d`, `30d`, `90d`. By default `7d`.
            include: Extra parts of the answer; the accepted values are not shown, one for the `series` is likely.
        """
        return self._call(
            "token-transfer-stats",
            {
                "address": address,
                "chain": chain,
                "time_range": time_range,
                "include": include,
            },
        )

    def token_transfers(
        self,
        address: str,
        chain: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.TokenTransferItem]]:
        """Transfers of a token.

        Args:
            address: Contract address of the token.
            chain: Chain the contract lives on, by its long name. One of `ethereum`, `base`, `solana`, `tron`, `bsc`, `arbitrum`.
            from_: Start of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default start is not stated.
            to: End of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default end is most likely now.
            limit: Transfers per page. By default `20`.
            offset: Transfers to skip. By default `0`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `from_label` and `to_label` as it does for DEX trades.
        """
        return self._call(
            "token-transfers",
            {
                "address": address,
                "chain": chain,
                "from": from_,
                "to": to,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
        )

    def iter_token_transfers(
        self,
        address: str,
        chain: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.TokenTransferItem]:
        """Iterates over all rows of `token_transfers`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `token_transfers`.
        """
        return self._pager(
            "token-transfers",
            {
                "address": address,
                "chain": chain,
                "from": from_,
                "to": to,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def wallet_detail(
        self,
        address: str,
        *,
        chain: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Reply[r.WalletDetailBody]:
        """Wallet overview.

        Args:
            address: Wallet address; ENS names are accepted too.
            chain: Only this chain, by its long name; what is covered when left out is not stated, most likely every chain that fits the address. One of `ethereum`, `polygon`, `bsc`, `avalanche`, `arbitrum`, `optimism`, `fantom`, `base`, `solana`.
            fields: Comma-separated sections to return, out of `balance`, `tokens`, `labels` and `nft`; others, for example `approvals`, are likely but not shown. By default `balance,tokens,labels,nft`.
        """
        return self._call(
            "wallet-detail",
            {
                "address": address,
                "chain": chain,
                "fields": fields,
            },
        )

    def wallet_history(
        self,
        address: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        before: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.WalletHistoryItem]]:
        """Transaction history of a wallet.

        Args:
            address: Wallet address; ENS names are accepted too.
            chain: Chain to look at, by its long name. One of `ethereum`, `polygon`, `bsc`, `avalanche`, `arbitrum`, `optimism`, `fantom`, `base`. By default `ethereum`.
            limit: Transactions per page. By default `20`.
            offset: Transactions to skip. By default `0`.
            before: Upper bound in time for the transactions, as an integer; the unit is not stated, most likely Unix seconds.
            sort_by: What the rows are sorted by. One of `timestamp`, `value`. By default `timestamp`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `from_label` and `to_label` as it does for DEX trades.
        """
        return self._call(
            "wallet-history",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "before": before,
                "sort_by": sort_by,
                "order": order,
                "include": include,
            },
        )

    def iter_wallet_history(
        self,
        address: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        before: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.WalletHistoryItem]:
        """Iterates over all rows of `wallet_history`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `wallet_history`.
        """
        return self._pager(
            "wallet-history",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "before": before,
                "sort_by": sort_by,
                "order": order,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def wallet_labels_batch(
        self,
        addresses: str | Sequence[str],
    ) -> Reply[list[r.WalletLabelItem]]:
        """Labels of several wallets.

        Args:
            addresses: Comma-separated wallet addresses; the maximum number is not stated.
        """
        return self._call(
            "wallet-labels-batch",
            {
                "addresses": addresses,
            },
        )

    def wallet_net_worth(
        self,
        address: str,
    ) -> Reply[list[r.WalletNetWorthPoint]]:
        """Net worth of a wallet over time.

        Args:
            address: Wallet address; ENS names are accepted too.
        """
        return self._call(
            "wallet-net-worth",
            {
                "address": address,
            },
        )

    def wallet_protocols(
        self,
        address: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.WalletProtocolItem]]:
        """DeFi positions of a wallet.

        Args:
            address: Wallet address; ENS names are accepted too.
            limit: Protocols per page. By default `20`.
            offset: Protocols to skip. By default `0`.
        """
        return self._call(
            "wallet-protocols",
            {
                "address": address,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_wallet_protocols(
        self,
        address: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.WalletProtocolItem]:
        """Iterates over all rows of `wallet_protocols`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `wallet_protocols`.
        """
        return self._pager(
            "wallet-protocols",
            {
                "address": address,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def wallet_transfers(
        self,
        address: str,
        *,
        chain: str | None = None,
        flow: str | None = None,
        token: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.WalletTransferItem]]:
        """Token transfers of a wallet.

        Args:
            address: Wallet address; ENS names are accepted too.
            chain: Chain to look at, by its long name. One of `ethereum`, `base`, `solana`, `tron`, `bsc`, `arbitrum`. By default `ethereum`.
            flow: Only transfers into (`in`) or out of (`out`) the wallet; leave it out for both. One of `in`, `out`.
            token: Only transfers of this token; the sources do not say whether a contract address or a ticker is meant, most likely the address.
            limit: Transfers per page. By default `20`.
            offset: Transfers to skip. By default `0`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `from_label` and `to_label` as it does for DEX trades.
        """
        return self._call(
            "wallet-transfers",
            {
                "address": address,
                "chain": chain,
                "flow": flow,
                "token": token,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
        )

    def iter_wallet_transfers(
        self,
        address: str,
        *,
        chain: str | None = None,
        flow: str | None = None,
        token: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> Pager[r.WalletTransferItem]:
        """Iterates over all rows of `wallet_transfers`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `wallet_transfers`.
        """
        return self._pager(
            "wallet-transfers",
            {
                "address": address,
                "chain": chain,
                "flow": flow,
                "token": token,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    def web_fetch(
        self,
        url: str,
        *,
        target_selector: str | None = None,
        remove_selector: str | None = None,
        wait_for_selector: str | None = None,
        timeout: int | None = None,
    ) -> Reply[r.WebFetchResultItem]:
        """Fetch a web page as text.

        Args:
            url: Full address of the page to load.
            target_selector: Selector of the part of the page to return, presumably CSS; without it the whole page is presumably taken.
            remove_selector: Selector of parts to drop before the content is read, presumably CSS.
            wait_for_selector: Selector that must be present before the page is read, presumably CSS.
            timeout: Longest time to wait for the page; unit not stated, the bounds point to milliseconds. By default `30000`.
        """
        return self._call(
            "web-fetch",
            {
                "url": url,
                "target_selector": target_selector,
                "remove_selector": remove_selector,
                "wait_for_selector": wait_for_selector,
                "timeout": timeout,
            },
        )

    def x_tweets(
        self,
        ids: str | Sequence[str],
    ) -> Reply[list[r.XTweet]]:
        """Posts by id (newer path).

        Args:
            ids: Comma-separated post ids (assumed); the maximum number is not stated.
        """
        return self._call(
            "x-tweets",
            {
                "ids": ids,
            },
        )


class AsyncOperations:
    """Each method returns an awaitable. Await it to get the response."""

    async def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        raise NotImplementedError

    async def _stream(self, operation: str, arguments: dict[str, Any]) -> AsyncTextStream[Any]:
        raise NotImplementedError

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> AsyncPager[Any]:
        raise NotImplementedError

    async def credit_balance(
        self,
    ) -> Reply[r.CreditBalance]:
        """Remaining credits of the caller.
        """
        return await self._call(
            "credit-balance",
            {},
        )

    async def chat_completions(
        self,
        model: str,
        messages: list[r.ChatMessage],
        *,
        ability: list[Literal["search", "evm_onchain", "solana_onchain", "market_analysis", "calculate"] | str] | None = None,
        citation: list[Literal["source", "chart"] | str] | None = None,
        reasoning_effort: str | None = None,
        tools: list[r.ChatTool] | None = None,
    ) -> Reply[r.ChatCompletion]:
        """Answer a chat history (retired).

        Deprecated: the service replaced the operation by `responses`

        Args:
            model: The model that answers. `svc-1.5-instant` is light and quick, for simple questions; `svc-1.5-thinking` reasons in more steps, for hard ones; `svc-1.5` picks between them by the request and the difficulty. `svc-ask` and `svc-research` are the older generation and keep working unchanged. One of `svc-ask`, `svc-research`, `svc-1.5`, `svc-1.5-instant`, `svc-1.5-thinking`.
            messages: The conversation so far. It should hold at least one message whose role is `user`.
            ability: Hint that narrows the fields of competence the model may draw on. Omit it to leave the choice to the service.
            citation: The kinds of citation that the answer text should contain.
            reasoning_effort: How deeply to think before answering. Belongs to this operation alone; `responses` nests it as `reasoning.effort`. One of `low`, `medium`, `high`.
            tools: Functions of the caller that the model may ask to have run while it writes.
        """
        return await self._call(
            "chat-completions",
            {
                "model": model,
                "messages": messages,
                "ability": ability,
                "citation": citation,
                "reasoning_effort": reasoning_effort,
                "tools": tools,
            },
        )

    async def chat_completions_stream(
        self,
        model: str,
        messages: list[r.ChatMessage],
        *,
        ability: list[Literal["search", "evm_onchain", "solana_onchain", "market_analysis", "calculate"] | str] | None = None,
        citation: list[Literal["source", "chart"] | str] | None = None,
        reasoning_effort: str | None = None,
        tools: list[r.ChatTool] | None = None,
    ) -> AsyncTextStream[r.ChatCompletion]:
        """Answer a chat history (retired), as a stream of events.

        Deprecated: the service replaced the operation by `responses`

        Args:
            model: The model that answers. `svc-1.5-instant` is light and quick, for simple questions; `svc-1.5-thinking` reasons in more steps, for hard ones; `svc-1.5` picks between them by the request and the difficulty. `svc-ask` and `svc-research` are the older generation and keep working unchanged. One of `svc-ask`, `svc-research`, `svc-1.5`, `svc-1.5-instant`, `svc-1.5-thinking`.
            messages: The conversation so far. It should hold at least one message whose role is `user`.
            ability: Hint that narrows the fields of competence the model may draw on. Omit it to leave the choice to the service.
            citation: The kinds of citation that the answer text should contain.
            reasoning_effort: How deeply to think before answering. Belongs to this operation alone; `responses` nests it as `reasoning.effort`. One of `low`, `medium`, `high`.
            tools: Functions of the caller that the model may ask to have run while it writes.
        """
        return await self._stream(
            "chat-completions-stream",
            {
                "model": model,
                "messages": messages,
                "ability": ability,
                "citation": citation,
                "reasoning_effort": reasoning_effort,
                "tools": tools,
            },
        )

    async def responses(
        self,
        model: str,
        input: Any,
        *,
        include: list[str] | None = None,
        instructions: str | None = None,
        max_output_tokens: int | None = None,
        metadata: dict[str, Any] | None = None,
        previous_response_id: str | None = None,
        prompt: dict[str, Any] | None = None,
        reasoning: r.ResponsesReasoning | None = None,
    ) -> Reply[r.Response]:
        """Answer a research question.

        Args:
            model: The model that answers. `svc-2.0` is the whole research engine; `svc-2.0-instant` answers sooner and shorter. One of `svc-2.0`, `svc-2.0-instant`.
            input: What to answer - plain text, or for advanced callers a list of input items.
            include: Further parts wanted in the answer, honoured where the backend can. The allowed values are not shown.
            instructions: Guidance above the user's question, on style and on limits to keep.
            max_output_tokens: Upper limit of the output, in tokens. Its range is not shown.
            metadata: Data of the caller's own, given back with the answer. Keys reserved for identity are removed on the way; which ones is not shown.
            previous_response_id: Id of an earlier answer whose conversation this one continues.
            prompt: Configuration of a reusable prompt. Its fields are not shown, so any object is allowed.
            reasoning: Turns on thinking in several steps. Leave it out for one quick pass.
        """
        return await self._call(
            "responses",
            {
                "model": model,
                "input": input,
                "include": include,
                "instructions": instructions,
                "max_output_tokens": max_output_tokens,
                "metadata": metadata,
                "previous_response_id": previous_response_id,
                "prompt": prompt,
                "reasoning": reasoning,
            },
        )

    async def responses_stream(
        self,
        model: str,
        input: Any,
        *,
        include: list[str] | None = None,
        instructions: str | None = None,
        max_output_tokens: int | None = None,
        metadata: dict[str, Any] | None = None,
        previous_response_id: str | None = None,
        prompt: dict[str, Any] | None = None,
        reasoning: r.ResponsesReasoning | None = None,
    ) -> AsyncTextStream[r.Response]:
        """Answer a research question, as a stream of events.

        Args:
            model: The model that answers. `svc-2.0` is the whole research engine; `svc-2.0-instant` answers sooner and shorter. One of `svc-2.0`, `svc-2.0-instant`.
            input: What to answer - plain text, or for advanced callers a list of input items.
            include: Further parts wanted in the answer, honoured where the backend can. The allowed values are not shown.
            instructions: Guidance above the user's question, on style and on limits to keep.
            max_output_tokens: Upper limit of the output, in tokens. Its range is not shown.
            metadata: Data of the caller's own, given back with the answer. Keys reserved for identity are removed on the way; which ones is not shown.
            previous_response_id: Id of an earlier answer whose conversation this one continues.
            prompt: Configuration of a reusable prompt. Its fields are not shown, so any object is allowed.
            reasoning: Turns on thinking in several steps. Leave it out for one quick pass.
        """
        return await self._stream(
            "responses-stream",
            {
                "model": model,
                "input": input,
                "include": include,
                "instructions": instructions,
                "max_output_tokens": max_output_tokens,
                "metadata": metadata,
                "previous_response_id": previous_response_id,
                "prompt": prompt,
                "reasoning": reasoning,
            },
        )

    async def dex_token_price(
        self,
        address: str,
        chain: str,
        *,
        interval: str | None = None,
        time_range: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.DexTokenPriceBar]]:
        """Price candles of a token traded on DEXs.

        Args:
            address: Contract address of the token on that chain (the mint address on `solana`, presumably).
            chain: Long-form name of the chain that the token lives on. One of `ethereum`, `base`, `bsc`, `arbitrum`, `optimism`, `polygon`, `avalanche`, `solana`.
            interval: Width of one candle. One of `1m`, `5m`, `15m`, `30m`, `1h`, `4h`, `12h`, `1d`, `7d`. By default `1h`.
            time_range: Look-back window counted back from now; how it combines with `from` and `to` is not stated. One of `1h`, `6h`, `12h`, `24h`, `7d`, `30d`, `90d`, `180d`, `365d`, `max`. By default `24h`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return await self._call(
            "dex-token-price",
            {
                "address": address,
                "chain": chain,
                "interval": interval,
                "time_range": time_range,
                "from": from_,
                "to": to,
            },
        )

    async def equity_balance_sheet(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityBalanceSheetItem]]:
        """Balance sheets of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, year to date, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `ytd`, `annual`, `ttm`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "equity-balance-sheet",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_balance_sheet(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.EquityBalanceSheetItem]:
        """Iterates over all rows of `equity_balance_sheet`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_balance_sheet`.
        """
        return self._pager(
            "equity-balance-sheet",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def equity_candles(
        self,
        symbol: str,
        *,
        interval: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[r.EquityCandlesResponse]:
        """Equity price candles.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            interval: Length of one candle, for example `day`; the other values are not stated.
            from_: Start of the range, Unix seconds or a date `YYYY-MM-DD`.
            to: End of the range, Unix seconds or a date `YYYY-MM-DD`; whether it is included is not stated.
        """
        return await self._call(
            "equity-candles",
            {
                "symbol": symbol,
                "interval": interval,
                "from": from_,
                "to": to,
            },
        )

    async def equity_cash_flow(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityCashFlowItem]]:
        """Cash flow statements of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, year to date, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `ytd`, `annual`, `ttm`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "equity-cash-flow",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_cash_flow(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.EquityCashFlowItem]:
        """Iterates over all rows of `equity_cash_flow`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_cash_flow`.
        """
        return self._pager(
            "equity-cash-flow",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def equity_etf_holdings(
        self,
        symbol: str,
        *,
        as_of: Moment | None = None,
        asset_class: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[r.EquityEtfHoldingsResponse]:
        """Portfolio of an ETF.

        Args:
            symbol: Ticker of the fund, for example `SPY`.
            as_of: Report date `YYYY-MM-DD`, taken from `available_periods`; the newest report when omitted is likely.
            asset_class: Keeps only holdings of this class; the values are not stated. Totals stay unfiltered.
            limit: Largest number of holdings to return. By default `20`.
            offset: Number of holdings to skip. By default `0`.
        """
        return await self._call(
            "equity-etf-holdings",
            {
                "symbol": symbol,
                "as_of": as_of,
                "asset_class": asset_class,
                "limit": limit,
                "offset": offset,
            },
        )

    async def equity_filings(
        self,
        symbol: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityFiling]]:
        """Regulatory filings of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "equity-filings",
            {
                "symbol": symbol,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_filings(
        self,
        symbol: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.EquityFiling]:
        """Iterates over all rows of `equity_filings`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_filings`.
        """
        return self._pager(
            "equity-filings",
            {
                "symbol": symbol,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def equity_income_statement(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityIncomeStatementItem]]:
        """Income statements of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, year to date, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `ytd`, `annual`, `ttm`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "equity-income-statement",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_income_statement(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.EquityIncomeStatementItem]:
        """Iterates over all rows of `equity_income_statement`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_income_statement`.
        """
        return self._pager(
            "equity-income-statement",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def equity_latest_filings(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityLatestFilingItem]]:
        """Latest filings across companies.

        Args:
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "equity-latest-filings",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_latest_filings(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.EquityLatestFilingItem]:
        """Iterates over all rows of `equity_latest_filings`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_latest_filings`.
        """
        return self._pager(
            "equity-latest-filings",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def equity_latest_financials(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityLatestFinancialsItem]]:
        """Latest financials across companies.

        Args:
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "equity-latest-financials",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_latest_financials(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.EquityLatestFinancialsItem]:
        """Iterates over all rows of `equity_latest_financials`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_latest_financials`.
        """
        return self._pager(
            "equity-latest-financials",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def equity_listings(
        self,
        *,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityListing]]:
        """US equity listings.

        Args:
            q: Text to search for, likely in ticker and name; without it all listings are expected.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "equity-listings",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_listings(
        self,
        *,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.EquityListing]:
        """Iterates over all rows of `equity_listings`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_listings`.
        """
        return self._pager(
            "equity-listings",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def equity_metrics(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.EquityFinancialMetricsItem]]:
        """Financial metrics of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `annual`, `ttm`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "equity-metrics",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_equity_metrics(
        self,
        symbol: str,
        *,
        period: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.EquityFinancialMetricsItem]:
        """Iterates over all rows of `equity_metrics`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `equity_metrics`.
        """
        return self._pager(
            "equity-metrics",
            {
                "symbol": symbol,
                "period": period,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def equity_overview(
        self,
        symbol: str,
        *,
        period: str | None = None,
    ) -> Reply[r.EquityOverviewItem]:
        """Financial overview of a company.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            period: Kind of reporting period: single quarters, fiscal years, or trailing twelve months. The default is not stated. One of `quarterly`, `annual`, `ttm`.
        """
        return await self._call(
            "equity-overview",
            {
                "symbol": symbol,
                "period": period,
            },
        )

    async def equity_price(
        self,
        symbol: str,
        *,
        include_tokenized: bool | None = None,
    ) -> Reply[r.EquityMeta]:
        """Latest price of an equity.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
            include_tokenized: Whether to add the tokenized counterparts of the listing; false when omitted is assumed.
        """
        return await self._call(
            "equity-price",
            {
                "symbol": symbol,
                "include_tokenized": include_tokenized,
            },
        )

    async def equity_profile(
        self,
        symbol: str,
    ) -> Reply[r.EquityCompanyProfile]:
        """Company profile.

        Args:
            symbol: Ticker of the US listing, for example `AAPL`.
        """
        return await self._call(
            "equity-profile",
            {
                "symbol": symbol,
            },
        )

    async def exchange_candles(
        self,
        exchange: str,
        pair: str,
        *,
        interval: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        include_synthetic: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ExchangeCandleItem]]:
        """Stored candles of regional exchanges.

        Args:
            exchange: Exchange whose stored candles are read. One of `bithumb`, `upbit`, `hashkey`, `bitflyer`, `coinone`, `korbit`.
            pair: Trading pair in the notation of the `pair` field of exchange/coverage.
            interval: Width of one candle. One of `5m`, `4h`, `1w`. By default `5m`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            include_synthetic: Whether rows marked `is_synthetic` are returned too; by default they are. By default `true`.
            limit: Greatest number of candles in one answer. By default `100`.
            offset: Number of candles to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "exchange-candles",
            {
                "exchange": exchange,
                "pair": pair,
                "interval": interval,
                "from": from_,
                "to": to,
                "include_synthetic": include_synthetic,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_exchange_candles(
        self,
        exchange: str,
        pair: str,
        *,
        interval: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        include_synthetic: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.ExchangeCandleItem]:
        """Iterates over all rows of `exchange_candles`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `exchange_candles`.
        """
        return self._pager(
            "exchange-candles",
            {
                "exchange": exchange,
                "pair": pair,
                "interval": interval,
                "from": from_,
                "to": to,
                "include_synthetic": include_synthetic,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def exchange_coverage(
        self,
        *,
        exchange: str | None = None,
        q: str | None = None,
        quote: str | None = None,
        type: str | None = None,
        status: str | None = None,
        data_status: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ExchangeCoverageItem]]:
        """Coverage and freshness of regional exchange pairs.

        Args:
            exchange: Keep the pairs of one exchange; left out, all covered exchanges are presumably listed. One of `bithumb`, `upbit`, `hashkey`, `bitflyer`, `coinone`, `korbit`.
            q: Free-text filter over pairs; which fields it searches is not stated.
            quote: Keep the pairs with this quote currency, for example `KRW`.
            type: Market type of the pairs. One of `spot`. By default `spot`.
            status: Keep the pairs whose listing has this state. One of `active`, `inactive`.
            data_status: Keep the pairs whose stored data are in this state. One of `covered`, `official_empty_all`, `official_empty_ticker`, `official_empty_5m`, `official_empty_weekly`, `stale_gt_7d`, `stale_30m_to_7d`, `recent_but_lt_min_ta_candles`, `missing_4h`, `missing_latest_ta`.
            sort_by: Field that orders the rows. One of `pair`, `price`, `change_24h`, `volume_24h`, `technical_score`, `latest_candle_at`, `status`. By default `pair`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `asc`.
            limit: Greatest number of pairs in one answer. By default `20`.
            offset: Number of pairs to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "exchange-coverage",
            {
                "exchange": exchange,
                "q": q,
                "quote": quote,
                "type": type,
                "status": status,
                "data_status": data_status,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_exchange_coverage(
        self,
        *,
        exchange: str | None = None,
        q: str | None = None,
        quote: str | None = None,
        type: str | None = None,
        status: str | None = None,
        data_status: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.ExchangeCoverageItem]:
        """Iterates over all rows of `exchange_coverage`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `exchange_coverage`.
        """
        return self._pager(
            "exchange-coverage",
            {
                "exchange": exchange,
                "q": q,
                "quote": quote,
                "type": type,
                "status": status,
                "data_status": data_status,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def exchange_depth(
        self,
        pair: str,
        *,
        type: str | None = None,
        limit: int | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangeDepthItem]]:
        """Order book depth of an exchange pair.

        Args:
            pair: Trading pair as listed by exchange/markets; the notation is not stated further.
            type: Market type of the pair; `swap`, `perpetual` and `perp` presumably all mean the perpetual contract. One of `spot`, `swap`, `perpetual`, `perp`. By default `spot`.
            limit: Number of price levels, presumably for each side of the book. By default `20`.
            exchange: Exchange whose order book is read. One of `binance`, `okx`, `bybit`, `bitget`, `coinbase`, `kraken`, `gate`, `mexc`, `upbit`, `bitstamp`, `deribit`, `bitmex`, `bithumb`, `hyperliquid`. By default `binance`.
        """
        return await self._call(
            "exchange-depth",
            {
                "pair": pair,
                "type": type,
                "limit": limit,
                "exchange": exchange,
            },
        )

    async def exchange_funding_history(
        self,
        pair: str,
        *,
        from_: Moment | None = None,
        limit: int | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangeFundingHistoryItem]]:
        """Funding rate history of a perpetual.

        Args:
            pair: Perpetual pair as listed by exchange/markets; the notation is not stated further.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD; left out, presumably the most recent rows are given.
            limit: Greatest number of rows in the answer. By default `100`.
            exchange: Exchange on which the contract trades. One of `binance`, `okx`, `bybit`, `bitget`, `gate`, `htx`, `mexc`, `bitfinex`, `bitmex`, `hyperliquid`. By default `binance`.
        """
        return await self._call(
            "exchange-funding-history",
            {
                "pair": pair,
                "from": from_,
                "limit": limit,
                "exchange": exchange,
            },
        )

    async def exchange_klines(
        self,
        pair: str,
        *,
        type: str | None = None,
        interval: str | None = None,
        from_: Moment | None = None,
        limit: int | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangeKlineResponse]]:
        """OHLCV candles of an exchange pair.

        Args:
            pair: Trading pair as listed by exchange/markets; the notation is not stated further.
            type: Market type of the pair; `swap`, `perpetual` and `perp` presumably all mean the perpetual contract. One of `spot`, `swap`, `perpetual`, `perp`. By default `spot`.
            interval: Width of one candle; upper and lower case matter. One of `1m`, `3m`, `5m`, `15m`, `30m`, `1h`, `2h`, `4h`, `6h`, `8h`, `12h`, `1d`, `3d`, `1w`, `1M`. By default `1h`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD; left out, presumably the most recent candles are given.
            limit: Greatest number of candles in the answer. By default `100`.
            exchange: Exchange on which the pair trades. One of `binance`, `okx`, `bybit`, `bitget`, `coinbase`, `kraken`, `gate`, `htx`, `kucoin`, `mexc`, `upbit`, `bitfinex`, `bitstamp`, `deribit`, `bitmex`, `bithumb`, `hyperliquid`. By default `binance`.
        """
        return await self._call(
            "exchange-klines",
            {
                "pair": pair,
                "type": type,
                "interval": interval,
                "from": from_,
                "limit": limit,
                "exchange": exchange,
            },
        )

    async def exchange_long_short_ratio(
        self,
        pair: str,
        *,
        interval: str | None = None,
        from_: Moment | None = None,
        limit: int | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangeLongShortRatioItem]]:
        """Long/short ratio history of an exchange pair.

        Args:
            pair: Contract pair as listed by exchange/markets; the notation is not stated further.
            interval: Step between two points. One of `1h`, `4h`, `1d`. By default `1h`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD; left out, presumably the most recent points are given.
            limit: Greatest number of points in the answer. By default `50`.
            exchange: Exchange whose ratio is read. One of `binance`, `okx`, `bybit`, `bitget`. By default `binance`.
        """
        return await self._call(
            "exchange-long-short-ratio",
            {
                "pair": pair,
                "interval": interval,
                "from": from_,
                "limit": limit,
                "exchange": exchange,
            },
        )

    async def exchange_markets(
        self,
        *,
        exchange: str | None = None,
        type: str | None = None,
        base: str | None = None,
        quote: str | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Reply[list[r.ExchangeMarketItem]]:
        """Trading pairs of an exchange.

        Args:
            exchange: Exchange whose pairs are listed. One of `binance`, `okx`, `bybit`, `bitget`, `coinbase`, `kraken`, `gate`, `htx`, `kucoin`, `mexc`, `upbit`, `bitfinex`, `bitstamp`, `deribit`, `bitmex`, `bithumb`, `hyperliquid`. By default `binance`.
            type: Keep one market type; left out, presumably all types are listed. One of `spot`, `swap`, `future`, `option`, `perpetual`, `perp`.
            base: Keep the pairs with this base currency, for example `BTC`.
            quote: Keep the pairs with this quote currency, for example `USDT`.
            search: Free-text filter over the pairs; which fields it searches is not stated.
            limit: Greatest number of pairs in the answer. By default `100`.
        """
        return await self._call(
            "exchange-markets",
            {
                "exchange": exchange,
                "type": type,
                "base": base,
                "quote": quote,
                "search": search,
                "limit": limit,
            },
        )

    async def exchange_perp(
        self,
        pair: str,
        *,
        fields: str | Sequence[str] | None = None,
        exchange: str | None = None,
    ) -> Reply[r.ExchangePerpResponse]:
        """Funding and open interest of a perpetual.

        Args:
            pair: Perpetual pair as listed by exchange/markets; the notation is not stated further.
            fields: Sections wanted, comma-separated; `funding` gives the funding and `oi` the open interest, and by default both are given. By default `funding,oi`.
            exchange: Exchange on which the contract trades. One of `binance`, `okx`, `bybit`, `bitget`, `htx`, `bitfinex`, `bitmex`, `hyperliquid`. By default `binance`.
        """
        return await self._call(
            "exchange-perp",
            {
                "pair": pair,
                "fields": fields,
                "exchange": exchange,
            },
        )

    async def exchange_price(
        self,
        pair: str,
        *,
        type: str | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.ExchangePriceItem]]:
        """Ticker of an exchange pair.

        Args:
            pair: Trading pair as listed by exchange/markets; the notation is not stated further.
            type: Market type of the pair; `swap`, `perpetual` and `perp` presumably all mean the perpetual contract. One of `spot`, `swap`, `perpetual`, `perp`. By default `spot`.
            exchange: Exchange whose ticker is read. One of `binance`, `okx`, `bybit`, `bitget`, `coinbase`, `kraken`, `gate`, `htx`, `kucoin`, `mexc`, `upbit`, `bitfinex`, `bitstamp`, `deribit`, `bitmex`, `bithumb`, `hyperliquid`. By default `binance`.
        """
        return await self._call(
            "exchange-price",
            {
                "pair": pair,
                "type": type,
                "exchange": exchange,
            },
        )

    async def fund_detail(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
    ) -> Reply[r.FundDetailItem]:
        """Profile of one fund.

        Args:
            id: UUID of the fund, as returned by the fund search; wins over `q`.
            q: Free text naming the fund, used when its UUID is not known.
        """
        return await self._call(
            "fund-detail",
            {
                "id": id,
                "q": q,
            },
        )

    async def fund_portfolio(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        is_lead: str | None = None,
        invested_after: int | None = None,
        invested_before: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
    ) -> Reply[list[r.FundPortfolioItem]]:
        """Projects a fund has invested in.

        Args:
            id: UUID of the fund, as returned by the fund search; wins over `q`.
            q: Free text naming the fund, used when its UUID is not known.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
            is_lead: Keeps only investments that the fund led (`true`) or did not lead (`false`); leave it out for both. One of `true`, `false`.
            invested_after: Earliest investment time to include, Unix seconds; whether the bound itself is included is not stated.
            invested_before: Latest investment time to include, Unix seconds; whether the bound itself is included is not stated.
            sort_by: Sort key, either the investment time, the size of the latest raise (USD) or the sum of all raises (USD). One of `invested_at`, `recent_raise`, `total_raise`. By default `invested_at`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
        """
        return await self._call(
            "fund-portfolio",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "is_lead": is_lead,
                "invested_after": invested_after,
                "invested_before": invested_before,
                "sort_by": sort_by,
                "order": order,
            },
        )

    def iter_fund_portfolio(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        is_lead: str | None = None,
        invested_after: int | None = None,
        invested_before: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.FundPortfolioItem]:
        """Iterates over all rows of `fund_portfolio`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `fund_portfolio`.
        """
        return self._pager(
            "fund-portfolio",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "is_lead": is_lead,
                "invested_after": invested_after,
                "invested_before": invested_before,
                "sort_by": sort_by,
                "order": order,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def fund_ranking(
        self,
        metric: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.FundSearchItem]]:
        """Funds ranked by tier or portfolio size.

        Args:
            metric: What to rank by, either the fund tier or the number of unique projects in the portfolio. One of `tier`, `portfolio_count`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return await self._call(
            "fund-ranking",
            {
                "metric": metric,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_fund_ranking(
        self,
        metric: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.FundSearchItem]:
        """Iterates over all rows of `fund_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `fund_ranking`.
        """
        return self._pager(
            "fund-ranking",
            {
                "metric": metric,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def hyperliquid_account(
        self,
        address: str,
    ) -> Reply[r.HyperliquidAccount]:
        """Hyperliquid account overview.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
        """
        return await self._call(
            "hyperliquid-account",
            {
                "address": address,
            },
        )

    async def hyperliquid_candles(
        self,
        symbol: str,
        from_: Moment,
        to: Moment,
        *,
        interval: str | None = None,
    ) -> Reply[list[r.HyperliquidCandle]]:
        """Hyperliquid price candles.

        Args:
            symbol: Market to read, for example `BTC`, `xyz:GOLD` for a market of another perpetuals dex, or `@107` for a spot pair by index.
            interval: Length of one candle; beware that `1m` is a minute and `1M` a month. One of `1m`, `3m`, `5m`, `15m`, `30m`, `1h`, `2h`, `4h`, `8h`, `12h`, `1d`, `3d`, `1w`, `1M`. By default `4h`.
            from_: Start of the window, included: Unix seconds, an ISO date-time or a UTC date.
            to: End of the window, excluded: Unix seconds, an ISO date-time or a UTC date; a bare date means the end of that UTC day.
        """
        return await self._call(
            "hyperliquid-candles",
            {
                "symbol": symbol,
                "interval": interval,
                "from": from_,
                "to": to,
            },
        )

    async def hyperliquid_fills(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        to_ms: int | None = None,
        to_fill_id: str | None = None,
        order: str | None = None,
        cursor: str | None = None,
        symbol: str | None = None,
        limit: int | None = None,
    ) -> Reply[list[r.HyperliquidFill]]:
        """Hyperliquid fills of a wallet.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            from_: Start of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD; the range without it is not stated.
            to: End of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD, where a bare date means the end of that UTC day.
            to_ms: End of the range as Unix milliseconds, a paging key to be used with `to_fill_id`; whether the bound is included is not stated.
            to_fill_id: Fill at which the range ends inside the millisecond `to_ms`; take both from the last fill already read.
            order: Direction of time in which fills are listed; the default is newest first. One of `desc`, `asc`. By default `desc`.
            cursor: Opaque token from `meta.next_cursor` of the page before; leave it out for the first page.
            symbol: Restricts the answer to one market, for example `BTC`; without it all markets are returned.
            limit: Largest number of fills in one page. By default `20`.
        """
        return await self._call(
            "hyperliquid-fills",
            {
                "address": address,
                "from": from_,
                "to": to,
                "to_ms": to_ms,
                "to_fill_id": to_fill_id,
                "order": order,
                "cursor": cursor,
                "symbol": symbol,
                "limit": limit,
            },
        )

    def iter_hyperliquid_fills(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        to_ms: int | None = None,
        to_fill_id: str | None = None,
        order: str | None = None,
        cursor: str | None = None,
        symbol: str | None = None,
        limit: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.HyperliquidFill]:
        """Iterates over all rows of `hyperliquid_fills`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `hyperliquid_fills`.
        """
        return self._pager(
            "hyperliquid-fills",
            {
                "address": address,
                "from": from_,
                "to": to,
                "to_ms": to_ms,
                "to_fill_id": to_fill_id,
                "order": order,
                "cursor": cursor,
                "symbol": symbol,
                "limit": limit,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def hyperliquid_leaderboard(
        self,
        *,
        time_range: str | None = None,
        sort_by: str | None = None,
        min_trades: int | None = None,
        min_days_active: int | None = None,
        min_account_age_days: int | None = None,
        min_human_score: int | None = None,
        dex: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.HyperliquidTrader]]:
        """Hyperliquid trader leaderboard.

        Args:
            time_range: Lookback window over which the figures are computed; the default takes the whole history. One of `1d`, `7d`, `30d`, `90d`, `all`. By default `all`.
            sort_by: Figure that orders the ranking. One of `total_pnl`, `win_rate`, `volume_traded`. By default `total_pnl`.
            min_trades: Leaves out traders with fewer trades than this. By default `5`.
            min_days_active: Leaves out traders active on fewer days than this; zero filters nothing. By default `0`.
            min_account_age_days: Leaves out accounts younger than this many days; zero filters nothing. By default `0`.
            min_human_score: Leaves out traders with a lower `human_score`, in points from 0 to 100; zero filters nothing. By default `0`.
            dex: Restricts the figures to one perpetuals dex, where `main_dex` is presumably the venue's own; the meaning of leaving it out is not stated, all of them is likely. One of `main_dex`, `xyz`, `flx`, `vntl`, `hyna`, `km`, `abcd`, `cash`, `para`, `mkts`.
            limit: Largest number of traders in one page. By default `20`.
            offset: Number of traders to skip. By default `0`.
        """
        return await self._call(
            "hyperliquid-leaderboard",
            {
                "time_range": time_range,
                "sort_by": sort_by,
                "min_trades": min_trades,
                "min_days_active": min_days_active,
                "min_account_age_days": min_account_age_days,
                "min_human_score": min_human_score,
                "dex": dex,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_hyperliquid_leaderboard(
        self,
        *,
        time_range: str | None = None,
        sort_by: str | None = None,
        min_trades: int | None = None,
        min_days_active: int | None = None,
        min_account_age_days: int | None = None,
        min_human_score: int | None = None,
        dex: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.HyperliquidTrader]:
        """Iterates over all rows of `hyperliquid_leaderboard`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `hyperliquid_leaderboard`.
        """
        return self._pager(
            "hyperliquid-leaderboard",
            {
                "time_range": time_range,
                "sort_by": sort_by,
                "min_trades": min_trades,
                "min_days_active": min_days_active,
                "min_account_age_days": min_account_age_days,
                "min_human_score": min_human_score,
                "dex": dex,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def hyperliquid_orders(
        self,
        address: str,
        *,
        open_limit: int | None = None,
        historical_limit: int | None = None,
    ) -> Reply[r.HyperliquidOrders]:
        """Hyperliquid open and historical orders.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            open_limit: Largest number of open orders to return. By default `500`.
            historical_limit: Largest number of past orders to return. By default `200`.
        """
        return await self._call(
            "hyperliquid-orders",
            {
                "address": address,
                "open_limit": open_limit,
                "historical_limit": historical_limit,
            },
        )

    async def hyperliquid_performance(
        self,
        address: str,
    ) -> Reply[r.HyperliquidPerformanceView]:
        """Hyperliquid wallet performance.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
        """
        return await self._call(
            "hyperliquid-performance",
            {
                "address": address,
            },
        )

    async def hyperliquid_positions(
        self,
        address: str,
        *,
        dex: str | None = None,
    ) -> Reply[r.HyperliquidPositions]:
        """Hyperliquid open perpetual positions.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            dex: Perpetuals dex whose positions are read, where `main_dex` is presumably the venue's own; the meaning of leaving it out is not stated. One of `main_dex`, `xyz`, `flx`, `vntl`, `hyna`, `km`, `abcd`, `cash`, `para`, `mkts`.
        """
        return await self._call(
            "hyperliquid-positions",
            {
                "address": address,
                "dex": dex,
            },
        )

    async def hyperliquid_trader_stats(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        dex: str | None = None,
    ) -> Reply[r.HyperliquidTraderStats]:
        """Hyperliquid trader statistics.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            from_: Start of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD; the range without it is not stated, the whole history is likely.
            to: End of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD, where a bare date means the end of that UTC day.
            dex: Restricts the figures to one perpetuals dex, where `main_dex` is presumably the venue's own; the meaning of leaving it out is not stated, all of them is likely. One of `main_dex`, `xyz`, `flx`, `vntl`, `hyna`, `km`, `abcd`, `cash`, `para`, `mkts`.
        """
        return await self._call(
            "hyperliquid-trader-stats",
            {
                "address": address,
                "from": from_,
                "to": to,
                "dex": dex,
            },
        )

    async def hyperliquid_trades(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Reply[list[r.HyperliquidEpisode]]:
        """Hyperliquid completed trades of a wallet.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            from_: Start of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD; whether it applies to the opening or the close of a trade is not stated.
            to: End of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD, where a bare date means the end of that UTC day.
            cursor: Opaque token from `meta.next_cursor` of the page before; leave it out for the first page.
            limit: Largest number of trades in one page. By default `20`.
        """
        return await self._call(
            "hyperliquid-trades",
            {
                "address": address,
                "from": from_,
                "to": to,
                "cursor": cursor,
                "limit": limit,
            },
        )

    def iter_hyperliquid_trades(
        self,
        address: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.HyperliquidEpisode]:
        """Iterates over all rows of `hyperliquid_trades`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `hyperliquid_trades`.
        """
        return self._pager(
            "hyperliquid-trades",
            {
                "address": address,
                "from": from_,
                "to": to,
                "cursor": cursor,
                "limit": limit,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def hyperliquid_trades_aggregate(
        self,
        address: str,
        *,
        group_by: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        dex: str | None = None,
        fill_gaps: bool | None = None,
    ) -> Reply[list[r.HyperliquidTradeGroup]]:
        """Hyperliquid completed trades, grouped.

        Args:
            address: Account address, 0x-prefixed; ENS names are accepted as for other address parameters.
            group_by: What makes a group; it decides what `key` of a row holds. One of `day`, `symbol`, `direction`, `size_bucket`, `hold_bucket`. By default `day`.
            from_: Start of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD; the range without it is not stated.
            to: End of the time range: Unix seconds, an ISO date-time or a date YYYY-MM-DD, where a bare date means the end of that UTC day.
            dex: Restricts the trades to one perpetuals dex, where `main_dex` is presumably the venue's own; the meaning of leaving it out is not stated, all of them is likely. One of `main_dex`, `xyz`, `flx`, `vntl`, `hyna`, `km`, `abcd`, `cash`, `para`, `mkts`.
            fill_gaps: Switches gap filling on; not stated whether this adds trades newer than the stored history or rows for groups without trades. By default `false`.
        """
        return await self._call(
            "hyperliquid-trades-aggregate",
            {
                "address": address,
                "group_by": group_by,
                "from": from_,
                "to": to,
                "dex": dex,
                "fill_gaps": fill_gaps,
            },
        )

    async def hyperliquid_trades_context(
        self,
        address: str,
        symbol: str,
        direction: str,
        open_time: int,
        close_time: int,
    ) -> Reply[r.HyperliquidTradeContext]:
        """Funding and leverage of one Hyperliquid trade.

        Args:
            address: Account address, 0x-prefixed or an ENS name.
            symbol: Market of the trade, for example `BTC`.
            direction: Side of the trade. One of `long`, `short`.
            open_time: Time the trade was opened, Unix seconds.
            close_time: Time the trade was closed, Unix seconds.
        """
        return await self._call(
            "hyperliquid-trades-context",
            {
                "address": address,
                "symbol": symbol,
                "direction": direction,
                "open_time": open_time,
                "close_time": close_time,
            },
        )

    async def market_etf(
        self,
        symbol: str,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.MarketEtfFlowItem]]:
        """Daily ETF flow history.

        Args:
            symbol: Asset whose funds are summed, as an uppercase ticker. One of `BTC`, `ETH`, `XRP`, `SOL`, `HYPE`.
            sort_by: Field that orders the rows. One of `flow_usd`, `timestamp`. By default `timestamp`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return await self._call(
            "market-etf",
            {
                "symbol": symbol,
                "sort_by": sort_by,
                "order": order,
                "from": from_,
                "to": to,
            },
        )

    async def market_exchange_flow_exchanges(
        self,
        symbol: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.MarketExchangeFlowExchangeItem]]:
        """Exchanges available for exchange-flow metrics.

        Args:
            symbol: Asset whose exchanges are listed, as an uppercase ticker. One of `BTC`, `ETH`.
            limit: Greatest number of exchanges in one answer. By default `100`.
            offset: Number of exchanges to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "market-exchange-flow-exchanges",
            {
                "symbol": symbol,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_market_exchange_flow_exchanges(
        self,
        symbol: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.MarketExchangeFlowExchangeItem]:
        """Iterates over all rows of `market_exchange_flow_exchanges`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `market_exchange_flow_exchanges`.
        """
        return self._pager(
            "market-exchange-flow-exchanges",
            {
                "symbol": symbol,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def market_fear_greed(
        self,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.MarketFearGreedHistoryItem]]:
        """Fear and greed index history.

        Args:
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return await self._call(
            "market-fear-greed",
            {
                "from": from_,
                "to": to,
            },
        )

    async def market_futures(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
    ) -> Reply[list[r.MarketFuturesItem]]:
        """Futures overview by token.

        Args:
            sort_by: Field that orders the rows. One of `open_interest`, `funding_rate`, `volume_24h`, `long_short_ratio`. By default `volume_24h`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
        """
        return await self._call(
            "market-futures",
            {
                "sort_by": sort_by,
                "order": order,
            },
        )

    async def market_liquidation_chart(
        self,
        symbol: str | Sequence[str],
        *,
        interval: str | None = None,
        exchange: str | None = None,
        limit: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.LiquidationChartItem]]:
        """Liquidation history of a token.

        Args:
            symbol: Uppercase ticker of the token, for example `BTC`.
            interval: Width of one step. One of `1m`, `3m`, `5m`, `15m`, `30m`, `1h`, `4h`, `6h`, `8h`, `12h`, `1d`, `1w`. By default `1h`.
            exchange: Exchange whose liquidations are summed. One of `Binance`, `OKX`, `Bybit`, `Bitget`, `Hyperliquid`, `Gate`, `HTX`, `Bitmex`, `Bitfinex`, `CoinEx`, `Aster`, `Lighter`. By default `Binance`.
            limit: Greatest number of steps in the answer. By default `500`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return await self._call(
            "market-liquidation-chart",
            {
                "symbol": symbol,
                "interval": interval,
                "exchange": exchange,
                "limit": limit,
                "from": from_,
                "to": to,
            },
        )

    async def market_liquidation_exchange_list(
        self,
        *,
        symbol: str | Sequence[str] | None = None,
        time_range: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
    ) -> Reply[list[r.LiquidationExchangeItem]]:
        """Liquidations by exchange.

        Args:
            symbol: Uppercase ticker of the token. By default `BTC`.
            time_range: Length of the window that ends now. One of `1h`, `4h`, `12h`, `24h`. By default `24h`.
            sort_by: Field that orders the rows. One of `liquidation_usd`, `long_liquidation_usd`, `short_liquidation_usd`. By default `liquidation_usd`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
        """
        return await self._call(
            "market-liquidation-exchange-list",
            {
                "symbol": symbol,
                "time_range": time_range,
                "sort_by": sort_by,
                "order": order,
            },
        )

    async def market_liquidation_order(
        self,
        *,
        exchange: str | None = None,
        symbol: str | Sequence[str] | None = None,
        min_amount: str | None = None,
        side: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.LiquidationOrderItem]]:
        """Large liquidation orders.

        Args:
            exchange: Exchange on which the positions were liquidated; case-sensitive as listed. One of `Binance`, `OKX`, `Bybit`, `Bitget`, `Hyperliquid`, `Gate`, `HTX`, `Bitmex`, `Bitfinex`, `CoinEx`, `Aster`, `Lighter`. By default `Binance`.
            symbol: Uppercase ticker of the token. By default `BTC`.
            min_amount: Smallest order value to return in USD, written as a decimal string. By default `10000`.
            side: Keep one side; whether it names the liquidated position or the order that closes it is not stated (the position is likely). One of `long`, `short`.
            sort_by: Field that orders the rows. One of `usd_value`, `timestamp`, `price`. By default `timestamp`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
            limit: Greatest number of orders in one answer. By default `20`.
            offset: Number of orders to skip before the first one returned. By default `0`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
        """
        return await self._call(
            "market-liquidation-order",
            {
                "exchange": exchange,
                "symbol": symbol,
                "min_amount": min_amount,
                "side": side,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
                "from": from_,
                "to": to,
            },
        )

    def iter_market_liquidation_order(
        self,
        *,
        exchange: str | None = None,
        symbol: str | Sequence[str] | None = None,
        min_amount: str | None = None,
        side: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.LiquidationOrderItem]:
        """Iterates over all rows of `market_liquidation_order`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `market_liquidation_order`.
        """
        return self._pager(
            "market-liquidation-order",
            {
                "exchange": exchange,
                "symbol": symbol,
                "min_amount": min_amount,
                "side": side,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
                "from": from_,
                "to": to,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def market_listing(
        self,
        from_: Moment,
        *,
        to: Moment | None = None,
        symbol: str | Sequence[str] | None = None,
        exchange: str | None = None,
        product: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ListingEventItem]]:
        """Exchange listing and delisting events.

        Args:
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD; whether it is compared with the effective or the publication time is not stated.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            symbol: Keep the events of one token, given by its uppercase ticker.
            exchange: Keep the events of one exchange; the accepted names are not stated.
            product: Keep one kind of product; by default every kind is returned. One of `spot`, `margin`, `perp`, `pre_market_perp`, `all`. By default `all`.
            type: Kind of event to return. One of `listing`, `delisting`, `cancelled`, `advanced`, `postponed`. By default `listing`.
            limit: Greatest number of events in one answer. By default `20`.
            offset: Number of events to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "market-listing",
            {
                "from": from_,
                "to": to,
                "symbol": symbol,
                "exchange": exchange,
                "product": product,
                "type": type,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_market_listing(
        self,
        from_: Moment,
        *,
        to: Moment | None = None,
        symbol: str | Sequence[str] | None = None,
        exchange: str | None = None,
        product: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.ListingEventItem]:
        """Iterates over all rows of `market_listing`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `market_listing`.
        """
        return self._pager(
            "market-listing",
            {
                "from": from_,
                "to": to,
                "symbol": symbol,
                "exchange": exchange,
                "product": product,
                "type": type,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def market_onchain_indicator(
        self,
        symbol: str,
        metric: str,
        *,
        granularity: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        exchange: str | None = None,
    ) -> Reply[list[r.MarketMetricPoint]]:
        """On-chain indicator series.

        Args:
            symbol: Asset of the series, as an uppercase ticker. One of `BTC`, `ETH`.
            metric: Indicator to return; names of exchange flows contain a slash. One of `nupl`, `sopr`, `mvrv`, `puell-multiple`, `nvm`, `nvt`, `nvt-golden-cross`, `exchange-flows/inflow`, `exchange-flows/outflow`, `exchange-flows/netflow`, `exchange-flows/reserve`.
            granularity: Step between two points. One of `day`. By default `day`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            exchange: Exchange or group of exchanges for the exchange-flow metrics; by default all exchanges together. One of `all_exchange`, `spot_exchange`, `derivative_exchange`, `coinbase_prime`, `binance`, `coinbase_advanced`, `okx`, `kraken`, `bybit`, `bitstamp`, `gemini`, `bitget`, `kucoin`, `bitfinex`, `gate_io`, `deribit`, `mexc`, `htx_global`, `bitflyer`, `coinone`, `bithumb`, `upbit`, `hashkey_exchange`. By default `all_exchange`.
        """
        return await self._call(
            "market-onchain-indicator",
            {
                "symbol": symbol,
                "metric": metric,
                "granularity": granularity,
                "from": from_,
                "to": to,
                "exchange": exchange,
            },
        )

    async def market_options(
        self,
        symbol: str,
        *,
        sort_by: str | None = None,
        order: str | None = None,
    ) -> Reply[list[r.MarketOptionsItem]]:
        """Options market by exchange.

        Args:
            symbol: Underlying asset, as an uppercase ticker. One of `BTC`, `ETH`, `SOL`, `XRP`, `BNB`, `DOGE`, `ADA`, `AVAX`.
            sort_by: Field that orders the rows. One of `open_interest`, `volume_24h`. By default `volume_24h`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
        """
        return await self._call(
            "market-options",
            {
                "symbol": symbol,
                "sort_by": sort_by,
                "order": order,
            },
        )

    async def market_price(
        self,
        symbol: str | Sequence[str],
        *,
        time_range: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        currency: str | None = None,
    ) -> Reply[list[r.MarketMetricPoint]]:
        """Token price history.

        Args:
            symbol: Uppercase ticker of one token, for example `BTC`.
            time_range: Look-back window counted back from now; how it combines with `from` and `to` is not stated. One of `1d`, `7d`, `14d`, `30d`, `90d`, `180d`, `365d`, `max`. By default `30d`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            currency: Quote currency of the prices, for example `usd`, `eur` or `btc`. By default `usd`.
        """
        return await self._call(
            "market-price",
            {
                "symbol": symbol,
                "time_range": time_range,
                "from": from_,
                "to": to,
                "currency": currency,
            },
        )

    async def market_price_indicator(
        self,
        symbol: str | Sequence[str],
        indicator: str,
        *,
        interval: str | None = None,
        exchange: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        options: str | None = None,
    ) -> Reply[list[r.MarketIndicatorItem]]:
        """Technical indicator of a token.

        Args:
            symbol: Uppercase ticker of the token, for example `BTC`; whether pair names are accepted is not stated.
            indicator: Indicator to compute. One of `rsi`, `macd`, `ema`, `sma`, `bbands`, `stoch`, `adx`, `atr`, `cci`, `obv`, `vwap`, `dmi`, `ichimoku`, `supertrend`.
            interval: Width of the candles that the indicator is computed from. One of `1m`, `5m`, `15m`, `30m`, `1h`, `2h`, `4h`, `12h`, `1d`, `1w`. By default `1d`.
            exchange: Exchange whose candles are used. One of `binance`, `bybit`, `coinbase`, `kraken`. By default `binance`.
            from_: Start of the window, Unix seconds or a date YYYY-MM-DD.
            to: End of the window, Unix seconds or a date YYYY-MM-DD.
            options: Settings of the indicator, for example its period; the notation is not stated.
        """
        return await self._call(
            "market-price-indicator",
            {
                "symbol": symbol,
                "indicator": indicator,
                "interval": interval,
                "exchange": exchange,
                "from": from_,
                "to": to,
                "options": options,
            },
        )

    async def market_public_sale(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
    ) -> Reply[list[r.PublicSaleItem]]:
        """Public token sales of a project.

        Args:
            id: UUID of the project.
            q: Name or ticker of the project as free text, used when no `id` is given.
        """
        return await self._call(
            "market-public-sale",
            {
                "id": id,
                "q": q,
            },
        )

    async def market_ranking(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        category: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.MarketTopCoinItem]]:
        """Token ranking.

        Args:
            sort_by: Figure that ranks the tokens. One of `market_cap`, `change_24h`, `volume_24h`. By default `market_cap`.
            order: Direction of the ordering. One of `asc`, `desc`. By default `desc`.
            category: Keep the tokens of one category; left out, all tokens are ranked. One of `MEME`, `AI`, `AI_AGENTS`, `L1`, `L2`, `DEFI`, `GAMING`, `STABLECOIN`, `RWA`, `DEPIN`, `SOL_ECO`, `BASE_ECO`, `LST`.
            limit: Greatest number of tokens in one answer. By default `20`.
            offset: Number of tokens to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "market-ranking",
            {
                "sort_by": sort_by,
                "order": order,
                "category": category,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_market_ranking(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        category: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.MarketTopCoinItem]:
        """Iterates over all rows of `market_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `market_ranking`.
        """
        return self._pager(
            "market-ranking",
            {
                "sort_by": sort_by,
                "order": order,
                "category": category,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def market_tge(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
    ) -> Reply[r.TgeItem]:
        """Token generation event of a project.

        Args:
            id: UUID of the project.
            q: Name or ticker of the project as free text, used when no `id` is given.
        """
        return await self._call(
            "market-tge",
            {
                "id": id,
                "q": q,
            },
        )

    async def news_detail(
        self,
        id: str,
    ) -> Reply[r.NewsArticleDetailItem]:
        """One news article with its text.

        Args:
            id: Article id, taken from the `id` field of a news feed or news search row.
        """
        return await self._call(
            "news-detail",
            {
                "id": id,
            },
        )

    async def news_feed(
        self,
        *,
        source: str | None = None,
        project: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.NewsArticleItem]]:
        """Crypto news feed.

        Args:
            source: Publisher to keep; without it all publishers are included. One of `coindesk`, `cointelegraph`, `theblock`, `decrypt`, `dlnews`, `blockbeats`, `bitcoincom`, `coinpedia`, `ambcrypto`, `cryptodaily`, `cryptopotato`, `phemex`, `panews`, `odaily`, `tradingview`, `chaincatcher`, `techflow`.
            project: Project whose articles to keep; whether a name or an id is expected is not stated.
            from_: Start of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            to: End of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            sort_by: Order of the articles, by publication time or by how much they trend. One of `recency`, `trending`. By default `recency`.
            limit: Largest number of articles in one page; this endpoint allows fewer than most. By default `20`.
            offset: Number of articles to skip before the page begins. By default `0`.
        """
        return await self._call(
            "news-feed",
            {
                "source": source,
                "project": project,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_news_feed(
        self,
        *,
        source: str | None = None,
        project: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.NewsArticleItem]:
        """Iterates over all rows of `news_feed`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `news_feed`.
        """
        return self._pager(
            "news-feed",
            {
                "source": source,
                "project": project,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def onchain_bridge_ranking(
        self,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.BridgeRankingItem]]:
        """Bridge protocol ranking.

        Args:
            time_range: Length of the window that ends now; `all` covers everything on record. One of `7d`, `30d`, `90d`, `180d`, `1y`, `all`. By default `30d`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "onchain-bridge-ranking",
            {
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_onchain_bridge_ranking(
        self,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.BridgeRankingItem]:
        """Iterates over all rows of `onchain_bridge_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `onchain_bridge_ranking`.
        """
        return self._pager(
            "onchain-bridge-ranking",
            {
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def onchain_dex_activity(
        self,
        chain: str,
        *,
        project: str | None = None,
        address: str | None = None,
        time_range: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        group_by: str | None = None,
    ) -> Reply[list[r.DexActivityItem]]:
        """DEX activity of a project or contract.

        Args:
            chain: Chain by its full lower-case name; short aliases such as `eth` are refused. One of `ethereum`, `base`, `bsc`, `arbitrum`, `tron`.
            project: Name of the exchange protocol; give this or `address`, not both.
            address: Contract address; give this or `project`, not both. Which kinds of contract are accepted is not stated.
            time_range: Length of the window that ends now; how it combines with `from` and `to` is not stated. One of `1d`, `7d`, `30d`, `90d`. By default `7d`.
            from_: Start of the window, Unix seconds or a date `YYYY-MM-DD`.
            to: End of the window, Unix seconds or a date `YYYY-MM-DD`.
            group_by: Whether to sum the whole window or to give one row per day. One of `total`, `day`. By default `total`.
        """
        return await self._call(
            "onchain-dex-activity",
            {
                "chain": chain,
                "project": project,
                "address": address,
                "time_range": time_range,
                "from": from_,
                "to": to,
                "group_by": group_by,
            },
        )

    async def onchain_gas_price(
        self,
        chain: str,
    ) -> Reply[r.OnchainGasPriceItem]:
        """Current gas price.

        Args:
            chain: Chain by its full lower-case name; short aliases such as `eth` are refused. One of `ethereum`, `polygon`, `bsc`, `arbitrum`, `optimism`, `base`, `avalanche`, `fantom`, `linea`, `cyber`.
        """
        return await self._call(
            "onchain-gas-price",
            {
                "chain": chain,
            },
        )

    async def onchain_schema(
        self,
    ) -> Reply[list[r.OnchainSchemaTable]]:
        """Tables and columns available to SQL.
        """
        return await self._call(
            "onchain-schema",
            {},
        )

    async def onchain_sql(
        self,
        sql: str,
        *,
        max_rows: int | None = None,
    ) -> Reply[list[dict[str, Any]]]:
        """Run a read-only SQL query.

        Args:
            max_rows: Most rows the result may have. By default `1000`.
            sql: Read-only query in the ClickHouse dialect, strings in single quotes. In transfer tables `amount` has the token's decimals applied and `amount_raw` is in base units.
        """
        return await self._call(
            "onchain-sql",
            {
                "max_rows": max_rows,
                "sql": sql,
            },
        )

    async def onchain_sql_job_cancel(
        self,
        job_id: str,
    ) -> Reply[r.SqlJob]:
        """Cancel a SQL job.

        Args:
            job_id: Identifier of the job to cancel.
        """
        return await self._call(
            "onchain-sql-job-cancel",
            {
                "job_id": job_id,
            },
        )

    async def onchain_sql_job_create(
        self,
        sql: str,
        *,
        Idempotency_Key: str | None = None,
        max_rows: int | None = None,
    ) -> Reply[r.SqlJob]:
        """Submit a SQL query as a job.

        Args:
            Idempotency_Key: Caller's key meant to make a repeated submission harmless; unverified: the service does not document this header.
            max_rows: Most rows the result may have. By default `1000`.
            sql: Read-only query in the ClickHouse dialect, strings in single quotes. In transfer tables `amount` has the token's decimals applied and `amount_raw` is in base units.
        """
        return await self._call(
            "onchain-sql-job-create",
            {
                "Idempotency-Key": Idempotency_Key,
                "max_rows": max_rows,
                "sql": sql,
            },
        )

    async def onchain_sql_job_get(
        self,
        job_id: str,
    ) -> Reply[r.SqlJob]:
        """State of a SQL job.

        Args:
            job_id: Identifier of the job, as returned by its submission.
        """
        return await self._call(
            "onchain-sql-job-get",
            {
                "job_id": job_id,
            },
        )

    async def onchain_sql_job_results(
        self,
        job_id: str,
    ) -> Reply[Any]:
        """Rows of a finished SQL job.

        Args:
            job_id: Identifier of the finished job.
        """
        return await self._call(
            "onchain-sql-job-results",
            {
                "job_id": job_id,
            },
        )

    async def onchain_sql_preflight(
        self,
        sql: str,
        *,
        max_rows: int | None = None,
    ) -> Reply[r.SqlPreflight]:
        """Check a SQL query without running it.

        Args:
            max_rows: Most rows the result may have. By default `1000`.
            sql: Read-only query in the ClickHouse dialect, strings in single quotes. In transfer tables `amount` has the token's decimals applied and `amount_raw` is in base units.
        """
        return await self._call(
            "onchain-sql-preflight",
            {
                "max_rows": max_rows,
                "sql": sql,
            },
        )

    async def onchain_structured_query(
        self,
        source: str,
        *,
        fields: list[str] | None = None,
        filters: list[r.StructuredFilter] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        sort: list[r.StructuredSort] | None = None,
    ) -> Reply[list[dict[str, Any]]]:
        """Query a table without SQL.

        Args:
            fields: Columns to return; what an omitted list returns is not stated, all columns are likely.
            filters: Conditions on the rows; how several combine is not stated, all must hold is likely.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned.
            sort: Sort keys, the first one weighs most.
            source: Table to read, as `agent.<table>`.
        """
        return await self._call(
            "onchain-structured-query",
            {
                "fields": fields,
                "filters": filters,
                "limit": limit,
                "offset": offset,
                "sort": sort,
                "source": source,
            },
        )

    def iter_onchain_structured_query(
        self,
        source: str,
        *,
        fields: list[str] | None = None,
        filters: list[r.StructuredFilter] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        sort: list[r.StructuredSort] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[dict[str, Any]]:
        """Iterates over all rows of `onchain_structured_query`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `onchain_structured_query`.
        """
        return self._pager(
            "onchain-structured-query",
            {
                "fields": fields,
                "filters": filters,
                "limit": limit,
                "offset": offset,
                "sort": sort,
                "source": source,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def onchain_tx(
        self,
        hash: str,
        chain: str,
        *,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.OnchainTxItem]]:
        """Transaction by hash.

        Args:
            hash: Transaction hash, hexadecimal with `0x` prefix.
            chain: Chain by its full lower-case name; short aliases such as `eth` are refused. One of `ethereum`, `polygon`, `bsc`, `arbitrum`, `optimism`, `base`, `avalanche`, `fantom`, `linea`, `cyber`.
            include: Comma-separated extras; the accepted values are not stated, `labels` (known labels of sender and receiver) is likely.
        """
        return await self._call(
            "onchain-tx",
            {
                "hash": hash,
                "chain": chain,
                "include": include,
            },
        )

    async def onchain_yield_ranking(
        self,
        *,
        project: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.YieldRankingItem]]:
        """Yield pool ranking.

        Args:
            project: Name of one protocol to restrict the ranking to.
            sort_by: Figure to rank by. One of `apy`, `tvl_usd`. By default `apy`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
            limit: Largest number of rows to return. By default `20`.
            offset: Number of rows to skip before the first one returned. By default `0`.
        """
        return await self._call(
            "onchain-yield-ranking",
            {
                "project": project,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_onchain_yield_ranking(
        self,
        *,
        project: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.YieldRankingItem]:
        """Iterates over all rows of `onchain_yield_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `onchain_yield_ranking`.
        """
        return self._pager(
            "onchain-yield-ranking",
            {
                "project": project,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def portfolio_wallets(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PortfolioWallet]]:
        """Wallets of the portfolio.

        Args:
            limit: Wallets per page (assumed). By default `20`.
            offset: Wallets to skip (assumed). By default `0`.
        """
        return await self._call(
            "portfolio-wallets",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_portfolio_wallets(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.PortfolioWallet]:
        """Iterates over all rows of `portfolio_wallets`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `portfolio_wallets`.
        """
        return self._pager(
            "portfolio-wallets",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def kalshi_events(
        self,
        *,
        event_ticker: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiEvent]]:
        """Kalshi events with their markets.

        Args:
            event_ticker: Ticker of one Kalshi event.
            limit: Page size, counted in events. By default `20`.
            offset: Events to skip. By default `0`.
        """
        return await self._call(
            "kalshi-events",
            {
                "event_ticker": event_ticker,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_kalshi_events(
        self,
        *,
        event_ticker: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.KalshiEvent]:
        """Iterates over all rows of `kalshi_events`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_events`.
        """
        return self._pager(
            "kalshi-events",
            {
                "event_ticker": event_ticker,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def kalshi_markets(
        self,
        *,
        market_ticker: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiMarketItem]]:
        """Kalshi markets.

        Args:
            market_ticker: Ticker of one Kalshi market.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "kalshi-markets",
            {
                "market_ticker": market_ticker,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_kalshi_markets(
        self,
        *,
        market_ticker: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.KalshiMarketItem]:
        """Iterates over all rows of `kalshi_markets`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_markets`.
        """
        return self._pager(
            "kalshi-markets",
            {
                "market_ticker": market_ticker,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def kalshi_open_interest(
        self,
        ticker: str,
        *,
        time_range: str | None = None,
    ) -> Reply[list[r.KalshiOiPoint]]:
        """Open interest history of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
        """
        return await self._call(
            "kalshi-open-interest",
            {
                "ticker": ticker,
                "time_range": time_range,
            },
        )

    async def kalshi_orderbooks(
        self,
        ticker: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        pagination_key: str | None = None,
    ) -> Reply[r.V2KalshiOrderbooksResponse]:
        """Order book snapshots of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            start_time: Start of the range, Unix milliseconds; without a range the latest book is the likely answer (not stated).
            end_time: End of the range, Unix milliseconds.
            limit: Maximum number of snapshots in one answer. By default `100`.
            pagination_key: Opaque key of the next page, taken from `pagination.pagination_key` of the previous answer.
        """
        return await self._call(
            "kalshi-orderbooks",
            {
                "ticker": ticker,
                "start_time": start_time,
                "end_time": end_time,
                "limit": limit,
                "pagination_key": pagination_key,
            },
        )

    def iter_kalshi_orderbooks(
        self,
        ticker: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        pagination_key: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.V2KalshiOrderbookSnapshot]:
        """Iterates over all rows of `kalshi_orderbooks`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_orderbooks`.
        """
        return self._pager(
            "kalshi-orderbooks",
            {
                "ticker": ticker,
                "start_time": start_time,
                "end_time": end_time,
                "limit": limit,
                "pagination_key": pagination_key,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def kalshi_prices(
        self,
        ticker: str,
        *,
        time_range: str | None = None,
        interval: str | None = None,
    ) -> Reply[list[r.KalshiPricePoint]]:
        """Price history of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
            interval: Spacing of the points; `latest` asks for the current price, presumably as a single point. One of `1h`, `1d`, `latest`. By default `1d`.
        """
        return await self._call(
            "kalshi-prices",
            {
                "ticker": ticker,
                "time_range": time_range,
                "interval": interval,
            },
        )

    async def kalshi_ranking(
        self,
        *,
        category: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiRankingItem]]:
        """Ranked Kalshi markets.

        Args:
            category: One curated category; all of them when absent (assumed parameter). One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            sort_by: Field to rank by (assumed parameter); the accepted values are not known, `notional_volume_usd` and `open_interest` are plausible.
            order: Direction of the ranking (assumed parameter). One of `asc`, `desc`.
            limit: Page size (assumed parameter, after the general convention). By default `20`.
            offset: Rows to skip (assumed parameter, after the general convention). By default `0`.
        """
        return await self._call(
            "kalshi-ranking",
            {
                "category": category,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_kalshi_ranking(
        self,
        *,
        category: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.KalshiRankingItem]:
        """Iterates over all rows of `kalshi_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_ranking`.
        """
        return self._pager(
            "kalshi-ranking",
            {
                "category": category,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def kalshi_trades(
        self,
        ticker: str,
        *,
        taker_side: str | None = None,
        min_amount: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiTrade]]:
        """Trades of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            taker_side: Keep only trades in which the taker took this side. One of `yes`, `no`.
            min_amount: Smallest trade to return, most likely in USD (unit not stated), whole numbers only.
            from_: Start of the range, Unix seconds or YYYY-MM-DD.
            to: End of the range, Unix seconds or YYYY-MM-DD.
            sort_by: Sort by trade time or by notional value in USD. One of `timestamp`, `notional_volume_usd`. By default `timestamp`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            limit: Page size; larger than on most endpoints. By default `50`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "kalshi-trades",
            {
                "ticker": ticker,
                "taker_side": taker_side,
                "min_amount": min_amount,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_kalshi_trades(
        self,
        ticker: str,
        *,
        taker_side: str | None = None,
        min_amount: int | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.KalshiTrade]:
        """Iterates over all rows of `kalshi_trades`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `kalshi_trades`.
        """
        return self._pager(
            "kalshi-trades",
            {
                "ticker": ticker,
                "taker_side": taker_side,
                "min_amount": min_amount,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def kalshi_volumes(
        self,
        ticker: str,
        *,
        time_range: str | None = None,
    ) -> Reply[list[r.KalshiVolumePoint]]:
        """Volume history of a Kalshi market.

        Args:
            ticker: Ticker of the Kalshi market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
        """
        return await self._call(
            "kalshi-volumes",
            {
                "ticker": ticker,
                "time_range": time_range,
            },
        )

    async def matching_market_daily(
        self,
        polymarket_condition_id: str,
        kalshi_market_ticker: str,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.MatchedMarketDailyItem]]:
        """Daily comparison of a matched market pair.

        Args:
            polymarket_condition_id: Condition id of the Polymarket market of the pair.
            kalshi_market_ticker: Ticker of the Kalshi market of the pair.
            time_range: Lookback window, counted back from now; `all` takes the whole history. One of `1d`, `7d`, `30d`, `90d`, `180d`, `1y`, `all`. By default `30d`.
            limit: Page size, in days; far larger than on most endpoints. By default `200`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "matching-market-daily",
            {
                "polymarket_condition_id": polymarket_condition_id,
                "kalshi_market_ticker": kalshi_market_ticker,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_matching_market_daily(
        self,
        polymarket_condition_id: str,
        kalshi_market_ticker: str,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.MatchedMarketDailyItem]:
        """Iterates over all rows of `matching_market_daily`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `matching_market_daily`.
        """
        return self._pager(
            "matching-market-daily",
            {
                "polymarket_condition_id": polymarket_condition_id,
                "kalshi_market_ticker": kalshi_market_ticker,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def matching_market_pairs(
        self,
        *,
        category: str | None = None,
        match_type: str | None = None,
        active_only: bool | None = None,
        min_confidence: int | None = None,
        polymarket_condition_id: str | None = None,
        kalshi_market_ticker: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.MatchedMarketPair]]:
        """Markets matched across the two venues.

        Args:
            category: Restrict the pairs to one curated category. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            match_type: Keep pairs on the same question or on a related one only; both kinds when absent. One of `exact`, `related`.
            active_only: When true, leave out pairs that no longer trade; whether one side or both must be active is not stated. By default `false`.
            min_confidence: Lowest match confidence to return, on a scale of 0 to 100. By default `0`.
            polymarket_condition_id: Keep only pairs with this Polymarket condition id.
            kalshi_market_ticker: Keep only pairs with this Kalshi market ticker.
            sort_by: Sort by confidence, by the volume of one venue (USD or contracts) or by the price spread. One of `confidence`, `polymarket_volume`, `kalshi_volume`, `spread_pct`. By default `confidence`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "matching-market-pairs",
            {
                "category": category,
                "match_type": match_type,
                "active_only": active_only,
                "min_confidence": min_confidence,
                "polymarket_condition_id": polymarket_condition_id,
                "kalshi_market_ticker": kalshi_market_ticker,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_matching_market_pairs(
        self,
        *,
        category: str | None = None,
        match_type: str | None = None,
        active_only: bool | None = None,
        min_confidence: int | None = None,
        polymarket_condition_id: str | None = None,
        kalshi_market_ticker: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.MatchedMarketPair]:
        """Iterates over all rows of `matching_market_pairs`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `matching_market_pairs`.
        """
        return self._pager(
            "matching-market-pairs",
            {
                "category": category,
                "match_type": match_type,
                "active_only": active_only,
                "min_confidence": min_confidence,
                "polymarket_condition_id": polymarket_condition_id,
                "kalshi_market_ticker": kalshi_market_ticker,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def polymarket_events(
        self,
        event_slug: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketEvent]]:
        """A Polymarket event with its markets.

        Args:
            event_slug: Slug of the Polymarket event, as in its address on the venue's site.
            limit: Page size, counted in events. By default `20`.
            offset: Events to skip. By default `0`.
        """
        return await self._call(
            "polymarket-events",
            {
                "event_slug": event_slug,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_events(
        self,
        event_slug: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.PolymarketEvent]:
        """Iterates over all rows of `polymarket_events`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_events`.
        """
        return self._pager(
            "polymarket-events",
            {
                "event_slug": event_slug,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def polymarket_leaderboard(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.LeaderboardItem]]:
        """Polymarket trader leaderboard.

        Args:
            sort_by: Figure to rank by. One of `pnl`, `volume`, `trade_count`. By default `pnl`.
            order: Direction of the ranking. One of `asc`, `desc`. By default `desc`.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "polymarket-leaderboard",
            {
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_leaderboard(
        self,
        *,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.LeaderboardItem]:
        """Iterates over all rows of `polymarket_leaderboard`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_leaderboard`.
        """
        return self._pager(
            "polymarket-leaderboard",
            {
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def polymarket_markets(
        self,
        market_slug: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketMarketItem]]:
        """Polymarket market by slug.

        Args:
            market_slug: Slug of the Polymarket market, as in its address on the venue's site.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "polymarket-markets",
            {
                "market_slug": market_slug,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_markets(
        self,
        market_slug: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.PolymarketMarketItem]:
        """Iterates over all rows of `polymarket_markets`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_markets`.
        """
        return self._pager(
            "polymarket-markets",
            {
                "market_slug": market_slug,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def polymarket_open_interest(
        self,
        condition_id: str,
        *,
        time_range: str | None = None,
    ) -> Reply[list[r.PolymarketOiPoint]]:
        """Open interest history of a Polymarket market.

        Args:
            condition_id: Condition id of the Polymarket market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
        """
        return await self._call(
            "polymarket-open-interest",
            {
                "condition_id": condition_id,
                "time_range": time_range,
            },
        )

    async def polymarket_orderbooks(
        self,
        token_id: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        pagination_key: str | None = None,
    ) -> Reply[r.V2OrderbooksResponse]:
        """Order book snapshots of a Polymarket outcome.

        Args:
            token_id: Id of one outcome token, a long decimal number; not the condition id of the market.
            start_time: Start of the range, Unix milliseconds; without a range the latest book is the likely answer (not stated).
            end_time: End of the range, Unix milliseconds.
            limit: Maximum number of snapshots in one answer. By default `100`.
            pagination_key: Opaque key of the next page, taken from `pagination.pagination_key` of the previous answer.
        """
        return await self._call(
            "polymarket-orderbooks",
            {
                "token_id": token_id,
                "start_time": start_time,
                "end_time": end_time,
                "limit": limit,
                "pagination_key": pagination_key,
            },
        )

    def iter_polymarket_orderbooks(
        self,
        token_id: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        pagination_key: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.V2OrderbookSnapshot]:
        """Iterates over all rows of `polymarket_orderbooks`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_orderbooks`.
        """
        return self._pager(
            "polymarket-orderbooks",
            {
                "token_id": token_id,
                "start_time": start_time,
                "end_time": end_time,
                "limit": limit,
                "pagination_key": pagination_key,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def polymarket_positions(
        self,
        address: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketPosition]]:
        """Polymarket positions of a wallet.

        Args:
            address: Wallet address whose positions are wanted; the general convention also allows ENS names.
            limit: Page size. By default `50`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "polymarket-positions",
            {
                "address": address,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_positions(
        self,
        address: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.PolymarketPosition]:
        """Iterates over all rows of `polymarket_positions`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_positions`.
        """
        return self._pager(
            "polymarket-positions",
            {
                "address": address,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def polymarket_price_ohlcv(
        self,
        condition_id: str,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        interval: int | None = None,
    ) -> Reply[r.V2CandlestickResponse]:
        """Price candles of a Polymarket market.

        Args:
            condition_id: Condition id of the Polymarket market.
            start_time: Start of the range, most likely Unix seconds (unit not stated).
            end_time: End of the range, most likely Unix seconds (unit not stated).
            interval: Length of one candle, most likely in minutes, so that the default is one hour and the maximum one day (unit not stated). By default `60`.
        """
        return await self._call(
            "polymarket-price-ohlcv",
            {
                "condition_id": condition_id,
                "start_time": start_time,
                "end_time": end_time,
                "interval": interval,
            },
        )

    async def polymarket_prices(
        self,
        condition_id: str,
        *,
        time_range: str | None = None,
        interval: str | None = None,
    ) -> Reply[list[r.PolymarketPricePoint]]:
        """Price history of a Polymarket market.

        Args:
            condition_id: Condition id of the Polymarket market.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
            interval: Spacing of the points; `latest` asks for the current price, presumably as a single point. One of `1h`, `1d`, `latest`. By default `1d`.
        """
        return await self._call(
            "polymarket-prices",
            {
                "condition_id": condition_id,
                "time_range": time_range,
                "interval": interval,
            },
        )

    async def polymarket_smart_money(
        self,
        *,
        view: str | None = None,
        condition_id: str | None = None,
        category: str | None = None,
        direction: str | None = None,
        whale_tier: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[Any]]:
        """Smart money positions and trades on Polymarket.

        Args:
            view: Positioning per market or single trades; it decides the shape of the rows. One of `positioning`, `trades`. By default `positioning`.
            condition_id: Restrict the result to one Polymarket market.
            category: Restrict the result to one curated category. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            direction: Keep only markets or trades on which smart money leans this way. One of `bullish`, `bearish`, `neutral`.
            whale_tier: Keep only wallets or trades of this size class; the USD bounds of the classes are not stated. One of `whale`, `large`, `mega`.
            from_: Start of the range, Unix seconds or YYYY-MM-DD.
            to: End of the range, Unix seconds or YYYY-MM-DD.
            sort_by: Field to sort by; the volumes and amounts are in USD, the rest are a wallet count and a time. One of `smart_wallets_involved`, `smart_buy_volume_usd`, `smart_sell_volume_usd`, `amount_usd`, `block_time`. By default `smart_wallets_involved`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "polymarket-smart-money",
            {
                "view": view,
                "condition_id": condition_id,
                "category": category,
                "direction": direction,
                "whale_tier": whale_tier,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_smart_money(
        self,
        *,
        view: str | None = None,
        condition_id: str | None = None,
        category: str | None = None,
        direction: str | None = None,
        whale_tier: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[Any]:
        """Iterates over all rows of `polymarket_smart_money`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_smart_money`.
        """
        return self._pager(
            "polymarket-smart-money",
            {
                "view": view,
                "condition_id": condition_id,
                "category": category,
                "direction": direction,
                "whale_tier": whale_tier,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def polymarket_trades(
        self,
        *,
        condition_id: str | None = None,
        address: str | None = None,
        type: str | None = None,
        outcome_label: str | None = None,
        min_amount: float | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketTrade]]:
        """Polymarket trades.

        Args:
            condition_id: Condition id of the Polymarket market.
            address: Wallet address; returns trades in which it is the maker or the taker.
            type: Trades, redemptions of resolved shares, or both. One of `trade`, `redemption`, `all`. By default `trade`.
            outcome_label: Keep only trades of this outcome. One of `Yes`, `No`.
            min_amount: Smallest trade to return, in USD.
            from_: Start of the range, Unix seconds or YYYY-MM-DD.
            to: End of the range, Unix seconds or YYYY-MM-DD.
            sort_by: Sort by trade time or by notional value in USD. One of `timestamp`, `notional_volume_usd`. By default `timestamp`.
            limit: Page size; larger than on most endpoints. By default `50`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "polymarket-trades",
            {
                "condition_id": condition_id,
                "address": address,
                "type": type,
                "outcome_label": outcome_label,
                "min_amount": min_amount,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_polymarket_trades(
        self,
        *,
        condition_id: str | None = None,
        address: str | None = None,
        type: str | None = None,
        outcome_label: str | None = None,
        min_amount: float | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        sort_by: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.PolymarketTrade]:
        """Iterates over all rows of `polymarket_trades`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `polymarket_trades`.
        """
        return self._pager(
            "polymarket-trades",
            {
                "condition_id": condition_id,
                "address": address,
                "type": type,
                "outcome_label": outcome_label,
                "min_amount": min_amount,
                "from": from_,
                "to": to,
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def polymarket_volume_split(
        self,
        condition_id: str,
        *,
        granularity: str | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
    ) -> Reply[r.V2VolumeChartResponse]:
        """Yes and No volume of a Polymarket market.

        Args:
            condition_id: Condition id of the Polymarket market.
            granularity: Length of one period. One of `hour`, `day`, `week`. By default `hour`.
            start_time: Start of the range, most likely Unix seconds (unit not stated).
            end_time: End of the range, most likely Unix seconds (unit not stated).
        """
        return await self._call(
            "polymarket-volume-split",
            {
                "condition_id": condition_id,
                "granularity": granularity,
                "start_time": start_time,
                "end_time": end_time,
            },
        )

    async def polymarket_volumes(
        self,
        *,
        condition_id: str | None = None,
        token_id: str | None = None,
        time_range: str | None = None,
        interval: str | None = None,
        granularity: str | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
    ) -> Reply[list[r.PolymarketVolumePoint]]:
        """Volume history of Polymarket.

        Args:
            condition_id: Condition id of the Polymarket market.
            token_id: Id of one outcome token, a long decimal number.
            time_range: Lookback window, counted back from now. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
            interval: Spacing of the points. One of `1h`, `1d`. By default `1d`.
            granularity: Length of one period, an alternative to `interval`; `all` presumably sums everything into one point. One of `day`, `week`, `month`, `year`, `all`.
            start_time: Start of the range, most likely Unix seconds (unit not stated).
            end_time: End of the range, most likely Unix seconds (unit not stated).
        """
        return await self._call(
            "polymarket-volumes",
            {
                "condition_id": condition_id,
                "token_id": token_id,
                "time_range": time_range,
                "interval": interval,
                "granularity": granularity,
                "start_time": start_time,
                "end_time": end_time,
            },
        )

    async def prediction_market_analytics(
        self,
        *,
        category: str | None = None,
        platform: str | None = None,
        time_range: str | None = None,
        top_n: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[r.AnalyticsBody]:
        """Category trends, top markets and momentum.

        Args:
            category: Restrict all views to one curated category; all categories when absent. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            platform: Restrict the result to one venue; both venues when absent. One of `polymarket`, `kalshi`.
            time_range: How far back the daily category series reaches. One of `7d`, `30d`, `90d`, `180d`, `1y`. By default `30d`.
            top_n: Number of markets in `top_markets`. By default `10`.
            sort_by: Figure that orders `momentum_markets`; all of them look back seven days. One of `volume_7d`, `whale_flow_net_7d`, `price_change_7d`, `oi_change_7d`. By default `volume_7d`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            limit: Page size, most likely of `momentum_markets` (not stated which list it pages). By default `20`.
            offset: Rows to skip, most likely in `momentum_markets` (not stated). By default `0`.
        """
        return await self._call(
            "prediction-market-analytics",
            {
                "category": category,
                "platform": platform,
                "time_range": time_range,
                "top_n": top_n,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    async def prediction_market_category_metrics(
        self,
        *,
        category: str | None = None,
        platform: str | None = None,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.CategoryMetricsPoint]]:
        """Daily volume and open interest by category.

        Args:
            category: One curated category; all of them when absent (assumed parameter). One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            platform: One venue; both when absent (assumed parameter). One of `polymarket`, `kalshi`.
            time_range: Lookback window (assumed parameter); what the service uses when it is absent is not known. One of `7d`, `30d`, `90d`, `180d`, `1y`.
            limit: Page size (assumed parameter, after the general convention). By default `20`.
            offset: Rows to skip (assumed parameter, after the general convention). By default `0`.
        """
        return await self._call(
            "prediction-market-category-metrics",
            {
                "category": category,
                "platform": platform,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_prediction_market_category_metrics(
        self,
        *,
        category: str | None = None,
        platform: str | None = None,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.CategoryMetricsPoint]:
        """Iterates over all rows of `prediction_market_category_metrics`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `prediction_market_category_metrics`.
        """
        return self._pager(
            "prediction-market-category-metrics",
            {
                "category": category,
                "platform": platform,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def prediction_market_correlations(
        self,
        category: str,
        *,
        condition_id: str | None = None,
        min_correlation: float | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.CorrelationItem]]:
        """Correlated market pairs.

        Args:
            category: Curated category that both markets belong to. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            condition_id: Keep only pairs with this Polymarket market; presumably it may stand on either side.
            min_correlation: Smallest coefficient to return, between -1 and 1; whether it applies to the absolute value is not stated. By default `0.5`.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "prediction-market-correlations",
            {
                "category": category,
                "condition_id": condition_id,
                "min_correlation": min_correlation,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_prediction_market_correlations(
        self,
        category: str,
        *,
        condition_id: str | None = None,
        min_correlation: float | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.CorrelationItem]:
        """Iterates over all rows of `prediction_market_correlations`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `prediction_market_correlations`.
        """
        return self._pager(
            "prediction-market-correlations",
            {
                "category": category,
                "condition_id": condition_id,
                "min_correlation": min_correlation,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def project_ai_news(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: str | None = None,
    ) -> Reply[list[r.ProjectPulseItem]]:
        """Machine-written news digests about a project.

        Args:
            id: Id of the project; wins over `q`.
            q: Free text naming the project, used when its id is not known.
            limit: Largest number of rows in one page; this endpoint allows fewer than most. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
            lang: Language of the texts (`kr` is this endpoint's code for Korean). One of `en`, `zh`, `ja`, `kr`. By default `en`.
        """
        return await self._call(
            "project-ai-news",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "lang": lang,
            },
        )

    def iter_project_ai_news(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.ProjectPulseItem]:
        """Iterates over all rows of `project_ai_news`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `project_ai_news`.
        """
        return self._pager(
            "project-ai-news",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "lang": lang,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def project_defi_metrics(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        metric: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ProjectMetricPoint]]:
        """Metric history of a DeFi project.

        Args:
            id: Id of the project; wins over `q`.
            q: Free text naming the project, used when its id is not known.
            metric: Series to return; money series are likely USD (unit not stated), `users` counts users. How `fee` differs from `fees` is not stated. One of `volume`, `fee`, `fees`, `revenue`, `tvl`, `users`. By default `tvl`.
            from_: Start of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            to: End of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            chain: Long-form name of the chain to measure on; the effect of leaving it out is not stated, likely all chains together. One of `ethereum`, `polygon`, `bsc`, `arbitrum`, `optimism`, `base`, `avalanche`, `fantom`, `solana`.
            limit: Largest number of points in one page. By default `20`.
            offset: Number of points to skip before the page begins. By default `0`.
        """
        return await self._call(
            "project-defi-metrics",
            {
                "id": id,
                "q": q,
                "metric": metric,
                "from": from_,
                "to": to,
                "chain": chain,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_project_defi_metrics(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        metric: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.ProjectMetricPoint]:
        """Iterates over all rows of `project_defi_metrics`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `project_defi_metrics`.
        """
        return self._pager(
            "project-defi-metrics",
            {
                "id": id,
                "q": q,
                "metric": metric,
                "from": from_,
                "to": to,
                "chain": chain,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def project_defi_ranking(
        self,
        metric: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ProjectTopRankItem]]:
        """DeFi projects ranked by a metric.

        Args:
            metric: What to rank by; money metrics are likely USD (unit not stated), `users` is a count. One of `tvl`, `revenue`, `fees`, `volume`, `users`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return await self._call(
            "project-defi-ranking",
            {
                "metric": metric,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_project_defi_ranking(
        self,
        metric: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.ProjectTopRankItem]:
        """Iterates over all rows of `project_defi_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `project_defi_ranking`.
        """
        return self._pager(
            "project-defi-ranking",
            {
                "metric": metric,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def project_detail(
        self,
        *,
        id: str | None = None,
        x_id: str | None = None,
        handle: str | None = None,
        q: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Reply[r.ProjectDetail]:
        """Profile of one project.

        Args:
            id: Id of the project; wins over the other identifiers.
            x_id: X account id of the project.
            handle: X handle of the project; whether a leading @ is accepted is not stated, so send it without.
            q: Free text naming the project, used when no identifier is known.
            fields: Comma-separated names of the sections to return; all of them by default. By default `overview,token_info,tokenomics,funding,team,contracts,social,tge_status`.
        """
        return await self._call(
            "project-detail",
            {
                "id": id,
                "x_id": x_id,
                "handle": handle,
                "q": q,
                "fields": fields,
            },
        )

    async def project_pulse(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: str | None = None,
    ) -> Reply[list[r.ProjectPulseItem]]:
        """Recent signals and news about a project.

        Args:
            id: Id of the project; likely wins over `q` where both are sent, as in related operations.
            q: Free text naming the project, used when its id is not known.
            limit: Largest number of rows in one page; this endpoint allows fewer than most. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
            lang: Language of the texts (`kr` is this endpoint's code for Korean). One of `en`, `zh`, `ja`, `kr`. By default `en`.
        """
        return await self._call(
            "project-pulse",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "lang": lang,
            },
        )

    def iter_project_pulse(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        lang: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.ProjectPulseItem]:
        """Iterates over all rows of `project_pulse`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `project_pulse`.
        """
        return self._pager(
            "project-pulse",
            {
                "id": id,
                "q": q,
                "limit": limit,
                "offset": offset,
                "lang": lang,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_airdrop(
        self,
        *,
        q: str | None = None,
        phase: str | Sequence[str] | None = None,
        reward_type: str | None = None,
        task_type: str | None = None,
        has_open: bool | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include_tasks: bool | None = None,
    ) -> Reply[list[r.AirdropSearchItem]]:
        """Search airdrop opportunities.

        Args:
            q: Free text to search for; without it all campaigns that pass the filters are listed.
            phase: Comma-separated phases to keep; only the two phases of the default are known, and their mapping to lifecycle states is not stated. By default `active,claimable`.
            reward_type: Kind of reward to keep. One of `airdrop`, `points`, `whitelist`, `nft`, `role`, `ambassador`.
            task_type: Keeps campaigns that have a task of this kind. One of `social`, `bounty-platforms`, `testnet`, `mainnet`, `role`, `form`, `liquidity`, `mint-nft`, `game`, `trading`, `staking`, `depin`, `node`, `ambassador`, `hold`, `check-wallet`, `mint-domain`, `predictions`, `deploy`.
            has_open: With `true`, presumably keeps only campaigns that have at least one open task; the source does not spell it out. By default `false`.
            sort_by: Sort key, either the raised sum (USD), the score of the project, or the time of the last state change. One of `total_raise`, `xscore`, `last_status_update`. By default `last_status_update`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
            include_tasks: Adds the list of tasks to every row. By default `false`.
        """
        return await self._call(
            "search-airdrop",
            {
                "q": q,
                "phase": phase,
                "reward_type": reward_type,
                "task_type": task_type,
                "has_open": has_open,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
                "include_tasks": include_tasks,
            },
        )

    def iter_search_airdrop(
        self,
        *,
        q: str | None = None,
        phase: str | Sequence[str] | None = None,
        reward_type: str | None = None,
        task_type: str | None = None,
        has_open: bool | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include_tasks: bool | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.AirdropSearchItem]:
        """Iterates over all rows of `search_airdrop`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_airdrop`.
        """
        return self._pager(
            "search-airdrop",
            {
                "q": q,
                "phase": phase,
                "reward_type": reward_type,
                "task_type": task_type,
                "has_open": has_open,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
                "include_tasks": include_tasks,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_airdrop_activities(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.AirdropActivityItem]]:
        """Recent airdrop activities.

        Args:
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return await self._call(
            "search-airdrop-activities",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_airdrop_activities(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.AirdropActivityItem]:
        """Iterates over all rows of `search_airdrop_activities`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_airdrop_activities`.
        """
        return self._pager(
            "search-airdrop-activities",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_events(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ProjectEventItem]]:
        """Events of a project.

        Args:
            id: Id of the project; wins over `q`.
            q: Free text naming the project, used when its id is not known.
            type: Kind of event to keep; without it all kinds are included. One of `launch`, `upgrade`, `partnership`, `news`, `airdrop`, `listing`, `twitter`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return await self._call(
            "search-events",
            {
                "id": id,
                "q": q,
                "type": type,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_events(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.ProjectEventItem]:
        """Iterates over all rows of `search_events`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_events`.
        """
        return self._pager(
            "search-events",
            {
                "id": id,
                "q": q,
                "type": type,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_fund(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.FundSearchItem]]:
        """Search funds by name.

        Args:
            q: Free text naming the fund.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return await self._call(
            "search-fund",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_fund(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.FundSearchItem]:
        """Iterates over all rows of `search_fund`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_fund`.
        """
        return self._pager(
            "search-fund",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_fundraising(
        self,
        *,
        q: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        source: str | None = None,
        lang: str | None = None,
        min_importance: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.FundraisingSearchItem]]:
        """Search fundraising news.

        Args:
            q: Free text to search for; without it all reports that pass the filters are listed.
            from_: Start of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            to: End of the time range, as Unix seconds or a date in the form YYYY-MM-DD.
            source: Kind of source to keep; without it both kinds are included. One of `social`, `news`.
            lang: Language of title and summary; `kr` and `ko` both stand for Korean, and older versions of the service may know only `kr`. One of `en`, `zh`, `ja`, `kr`, `ko`. By default `en`.
            min_importance: Least importance of a report to keep, on a scale of 1 to 5.
            sort_by: Sort key, either time, closeness to the query text, or importance. One of `recency`, `relevance`, `importance`. By default `recency`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return await self._call(
            "search-fundraising",
            {
                "q": q,
                "from": from_,
                "to": to,
                "source": source,
                "lang": lang,
                "min_importance": min_importance,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_fundraising(
        self,
        *,
        q: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        source: str | None = None,
        lang: str | None = None,
        min_importance: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.FundraisingSearchItem]:
        """Iterates over all rows of `search_fundraising`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_fundraising`.
        """
        return self._pager(
            "search-fundraising",
            {
                "q": q,
                "from": from_,
                "to": to,
                "source": source,
                "lang": lang,
                "min_importance": min_importance,
                "sort_by": sort_by,
                "order": order,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_kalshi(
        self,
        *,
        q: str | None = None,
        category: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.KalshiEvent]]:
        """Search Kalshi events.

        Args:
            q: Words to look for.
            category: Restrict the result to one category; `unknown` means not classified. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`, `unknown`.
            status: Restrict the result to one lifecycle status; any status when absent. One of `active`, `closed`, `determined`, `disputed`, `finalized`, `inactive`, `initialized`.
            limit: Page size, counted in events. By default `20`.
            offset: Events to skip. By default `0`.
        """
        return await self._call(
            "search-kalshi",
            {
                "q": q,
                "category": category,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_kalshi(
        self,
        *,
        q: str | None = None,
        category: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.KalshiEvent]:
        """Iterates over all rows of `search_kalshi`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_kalshi`.
        """
        return self._pager(
            "search-kalshi",
            {
                "q": q,
                "category": category,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_news(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.NewsArticleItem]]:
        """Search news articles.

        Args:
            q: Free text to search for.
            limit: Largest number of articles in one page; the default is smaller than elsewhere. By default `10`.
            offset: Number of articles to skip before the page begins. By default `0`.
        """
        return await self._call(
            "search-news",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_news(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.NewsArticleItem]:
        """Iterates over all rows of `search_news`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_news`.
        """
        return self._pager(
            "search-news",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_polymarket(
        self,
        *,
        q: str | None = None,
        tags: str | Sequence[str] | None = None,
        category: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.PolymarketEvent]]:
        """Search Polymarket events.

        Args:
            q: Words to look for.
            tags: Tags of the venue to filter by; several are presumably separated by commas.
            category: Restrict the result to one category; `unknown` means not classified. One of `crypto`, `culture`, `early_polymarket_trades`, `economics`, `financials`, `politics`, `stem`, `sports`, `unknown`.
            status: Restrict the result to one lifecycle status. One of `active`, `finalized`, `ended`, `initialized`, `closed`. By default `active`.
            limit: Page size, counted in events. By default `20`.
            offset: Events to skip. By default `0`.
        """
        return await self._call(
            "search-polymarket",
            {
                "q": q,
                "tags": tags,
                "category": category,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_polymarket(
        self,
        *,
        q: str | None = None,
        tags: str | Sequence[str] | None = None,
        category: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.PolymarketEvent]:
        """Iterates over all rows of `search_polymarket`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_polymarket`.
        """
        return self._pager(
            "search-polymarket",
            {
                "q": q,
                "tags": tags,
                "category": category,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_prediction_market(
        self,
        *,
        condition_id: str | None = None,
        market_ticker: str | None = None,
        platform: str | None = None,
        category: str | None = None,
        status: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        smart_money: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.DiscoverMarketItem]]:
        """Search markets on both venues.

        Args:
            condition_id: Condition id of one Polymarket market.
            market_ticker: Ticker of one Kalshi market.
            platform: Restrict the result to one venue; both when absent. One of `polymarket`, `kalshi`.
            category: Restrict the result to one curated category. One of `crypto`, `culture`, `economics`, `financials`, `politics`, `stem`, `sports`.
            status: Restrict the result to one lifecycle status. One of `active`, `closed`, `finalized`. By default `active`.
            sort_by: Field to sort by; volumes and open interest are in USD. One of `volume_1d`, `volume_7d`, `volume_30d`, `open_interest`, `trade_count_7d`, `days_to_resolution`. By default `volume_7d`.
            order: Direction of the sort. One of `asc`, `desc`. By default `desc`.
            smart_money: Keep only markets on which smart money leans this way; only Polymarket markets have such a lean. One of `bullish`, `bearish`.
            q: Words to look for.
            limit: Page size. By default `20`.
            offset: Rows to skip. By default `0`.
        """
        return await self._call(
            "search-prediction-market",
            {
                "condition_id": condition_id,
                "market_ticker": market_ticker,
                "platform": platform,
                "category": category,
                "status": status,
                "sort_by": sort_by,
                "order": order,
                "smart_money": smart_money,
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_prediction_market(
        self,
        *,
        condition_id: str | None = None,
        market_ticker: str | None = None,
        platform: str | None = None,
        category: str | None = None,
        status: str | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        smart_money: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.DiscoverMarketItem]:
        """Iterates over all rows of `search_prediction_market`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_prediction_market`.
        """
        return self._pager(
            "search-prediction-market",
            {
                "condition_id": condition_id,
                "market_ticker": market_ticker,
                "platform": platform,
                "category": category,
                "status": status,
                "sort_by": sort_by,
                "order": order,
                "smart_money": smart_money,
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_project(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.ProjectSearchItem]]:
        """Search projects by name.

        Args:
            q: Free text naming the project.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return await self._call(
            "search-project",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_project(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.ProjectSearchItem]:
        """Iterates over all rows of `search_project`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_project`.
        """
        return self._pager(
            "search-project",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_social_people(
        self,
        q: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XUser]]:
        """Search X accounts.

        Args:
            q: Free-text keyword to look for, for example a name or a handle.
            limit: Accounts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return await self._call(
            "search-social-people",
            {
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_search_social_people(
        self,
        q: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.XUser]:
        """Iterates over all rows of `search_social_people`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_social_people`.
        """
        return self._pager(
            "search-social-people",
            {
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_social_posts(
        self,
        q: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XTweet]]:
        """Search X posts.

        Args:
            q: Free-text keyword to look for in posts.
            limit: Posts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return await self._call(
            "search-social-posts",
            {
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_search_social_posts(
        self,
        q: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.XTweet]:
        """Iterates over all rows of `search_social_posts`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_social_posts`.
        """
        return self._pager(
            "search-social-posts",
            {
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_token(
        self,
        q: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.SearchTokenItem]]:
        """Search token contracts.

        Args:
            q: Free text to search for, such as a token symbol; whether contract addresses also match is not stated.
            chain: Long-form name of the chain to search; likely all chains are searched without it (not stated). One of `ethereum`, `base`, `bsc`, `arbitrum`, `solana`, `polygon`, `optimism`, `avalanche`, `fantom`, `tron`, `linea`, `mantle`, `blast`, `gnosis`, `zksync`, `scroll`.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return await self._call(
            "search-token",
            {
                "q": q,
                "chain": chain,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_token(
        self,
        q: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.SearchTokenItem]:
        """Iterates over all rows of `search_token`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_token`.
        """
        return self._pager(
            "search-token",
            {
                "q": q,
                "chain": chain,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_wallet(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.WalletSearchItem]]:
        """Search labelled wallets and entities.

        Args:
            q: Free text to search for; which kinds of text match (entity name, label, address) is not stated.
            limit: Largest number of rows in one page. By default `20`.
            offset: Number of rows to skip before the page begins. By default `0`.
        """
        return await self._call(
            "search-wallet",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_search_wallet(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.WalletSearchItem]:
        """Iterates over all rows of `search_wallet`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_wallet`.
        """
        return self._pager(
            "search-wallet",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def search_web(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        site: str | None = None,
        include_content: bool | None = None,
    ) -> Reply[list[r.WebSearchResultItem]]:
        """Search the web.

        Args:
            q: Free text to search for.
            limit: Largest number of pages in one answer. By default `20`.
            offset: Number of pages to skip before the answer begins. By default `0`.
            site: Site to restrict the search to, likely a domain name (form not stated).
            include_content: Asks for the text of each page in `content`. By default `false`.
        """
        return await self._call(
            "search-web",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
                "site": site,
                "include_content": include_content,
            },
        )

    def iter_search_web(
        self,
        q: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        site: str | None = None,
        include_content: bool | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.WebSearchResultItem]:
        """Iterates over all rows of `search_web`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `search_web`.
        """
        return self._pager(
            "search-web",
            {
                "q": q,
                "limit": limit,
                "offset": offset,
                "site": site,
                "include_content": include_content,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def signal_detail(
        self,
        *,
        id: str | None = None,
        project_slug: str | None = None,
        time_range: str | None = None,
    ) -> Reply[r.SignalProject]:
        """Heat score of one project.

        Args:
            id: Project UUID; give either this or `project_slug`, not both.
            project_slug: Slug of the project; give either this or `id`, not both.
            time_range: Window over which the heat score is computed. One of `24h`, `7d`. By default `24h`.
        """
        return await self._call(
            "signal-detail",
            {
                "id": id,
                "project_slug": project_slug,
                "time_range": time_range,
            },
        )

    async def signal_projects(
        self,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.SignalProject]]:
        """Projects by heat score.

        Args:
            time_range: Window over which the heat score is computed. One of `24h`, `7d`. By default `24h`.
            limit: Largest number of projects in one page. By default `20`.
            offset: Number of projects to skip. By default `0`.
        """
        return await self._call(
            "signal-projects",
            {
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_signal_projects(
        self,
        *,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.SignalProject]:
        """Iterates over all rows of `signal_projects`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `signal_projects`.
        """
        return self._pager(
            "signal-projects",
            {
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def signal_token_of_the_day(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.SignalProject]]:
        """Tokens of the day by heat score.

        Args:
            limit: Largest number of projects in one page. By default `20`.
            offset: Number of projects to skip. By default `0`.
        """
        return await self._call(
            "signal-token-of-the-day",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_signal_token_of_the_day(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.SignalProject]:
        """Iterates over all rows of `signal_token_of_the_day`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `signal_token_of_the_day`.
        """
        return self._pager(
            "signal-token-of-the-day",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def signal_token_of_week(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.SignalProject]]:
        """Tokens of the week by heat score.

        Args:
            limit: Largest number of projects in one page. By default `20`.
            offset: Number of projects to skip. By default `0`.
        """
        return await self._call(
            "signal-token-of-week",
            {
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_signal_token_of_week(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.SignalProject]:
        """Iterates over all rows of `signal_token_of_week`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `signal_token_of_week`.
        """
        return self._pager(
            "signal-token-of-week",
            {
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def social_detail(
        self,
        *,
        x_id: str | None = None,
        q: str | None = None,
        fields: str | Sequence[str] | None = None,
        time_range: str | None = None,
        geo_limit: int | None = None,
    ) -> Reply[r.SocialDetailBody]:
        """Social profile of a project.

        Args:
            x_id: Numeric X account id of the project, as a string.
            q: Project name or other keyword used to find the project when no account id is at hand.
            fields: Comma-separated sections to return, out of `sentiment`, `follower_geo` and `smart_followers`; other values are not shown. By default `sentiment,follower_geo,smart_followers`.
            time_range: Lookback window, most likely of the sentiment section only. One of `24h`, `48h`, `7d`, `30d`, `3m`, `6m`, `1y`. By default `7d`.
            geo_limit: Maximum number of locations in the follower geography section. By default `20`.
        """
        return await self._call(
            "social-detail",
            {
                "x_id": x_id,
                "q": q,
                "fields": fields,
                "time_range": time_range,
                "geo_limit": geo_limit,
            },
        )

    async def social_mindshare(
        self,
        interval: str,
        *,
        id: str | None = None,
        q: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        include_tag_percents: bool | None = None,
        source: str | None = None,
    ) -> Reply[list[r.SocialMindsharePoint]]:
        """Mindshare time series of a project.

        Args:
            id: UUID of the project.
            q: Project name or other keyword used to find the project when its id is not known.
            interval: Length of one step of the series. One of `5m`, `1h`, `1d`, `7d`.
            from_: Start of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default start is not stated.
            to: End of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default end is most likely now.
            include_tag_percents: Whether to add the project's share within each of its tags as `tag_percents`; most likely off when left out.
            source: Platform whose posts are counted. One of `x`, `binance_square`. By default `x`.
        """
        return await self._call(
            "social-mindshare",
            {
                "id": id,
                "q": q,
                "interval": interval,
                "from": from_,
                "to": to,
                "include_tag_percents": include_tag_percents,
                "source": source,
            },
        )

    async def social_ranking(
        self,
        *,
        offset: int | None = None,
        limit: int | None = None,
        tag: str | None = None,
        time_range: str | None = None,
        sentiment: str | None = None,
        source: str | None = None,
    ) -> Reply[list[r.MindshareTopProject]]:
        """Projects ranked by mindshare.

        Args:
            offset: Rows to skip. By default `0`.
            limit: Rows per page. By default `20`.
            tag: Only projects with this tag; leave it out for all of them. One of `l1`, `l2`, `dex`, `derivatives`, `cex`, `gamefi`, `nft`, `oracle`, `prediction`, `rwa`, `yield`, `data`, `devtool`, `compliance`, `meme`.
            time_range: Lookback window the ranking is computed over. One of `24h`, `48h`, `7d`, `30d`. By default `7d`.
            sentiment: Only projects with this kind of sentiment; leave it out for all of them. One of `positive`, `negative`.
            source: Platform whose posts are counted. One of `x`, `binance_square`. By default `x`.
        """
        return await self._call(
            "social-ranking",
            {
                "offset": offset,
                "limit": limit,
                "tag": tag,
                "time_range": time_range,
                "sentiment": sentiment,
                "source": source,
            },
        )

    def iter_social_ranking(
        self,
        *,
        offset: int | None = None,
        limit: int | None = None,
        tag: str | None = None,
        time_range: str | None = None,
        sentiment: str | None = None,
        source: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.MindshareTopProject]:
        """Iterates over all rows of `social_ranking`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_ranking`.
        """
        return self._pager(
            "social-ranking",
            {
                "offset": offset,
                "limit": limit,
                "tag": tag,
                "time_range": time_range,
                "sentiment": sentiment,
                "source": source,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def social_sentiment(
        self,
        *,
        id: str | None = None,
        q: str | None = None,
    ) -> Reply[r.SocialSentimentItem]:
        """Current sentiment score of a project.

        Args:
            id: UUID of the project.
            q: Project name or other keyword used to find the project when its id is not known.
        """
        return await self._call(
            "social-sentiment",
            {
                "id": id,
                "q": q,
            },
        )

    async def social_smart_followers_history(
        self,
        *,
        x_id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> Reply[list[r.SmartFollowerHistoryPoint]]:
        """Smart follower count over time.

        Args:
            x_id: Numeric X account id, as a string.
            q: Project name or other keyword used to find the account when its id is not known.
            limit: Maximum number of history points. By default `36`.
        """
        return await self._call(
            "social-smart-followers-history",
            {
                "x_id": x_id,
                "q": q,
                "limit": limit,
            },
        )

    async def social_tweet_replies(
        self,
        tweet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XTweet]]:
        """Replies to a post.

        Args:
            tweet_id: Id of the post whose replies are wanted.
            limit: Replies per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return await self._call(
            "social-tweet-replies",
            {
                "tweet_id": tweet_id,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_social_tweet_replies(
        self,
        tweet_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.XTweet]:
        """Iterates over all rows of `social_tweet_replies`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_tweet_replies`.
        """
        return self._pager(
            "social-tweet-replies",
            {
                "tweet_id": tweet_id,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def social_tweets(
        self,
        ids: str | Sequence[str],
    ) -> Reply[list[r.XTweet]]:
        """Posts by id.

        Args:
            ids: Comma-separated post ids; the maximum number is not stated.
        """
        return await self._call(
            "social-tweets",
            {
                "ids": ids,
            },
        )

    async def social_user(
        self,
        handle: str,
    ) -> Reply[r.XUser]:
        """X account profile.

        Args:
            handle: Name of the account, without the leading `@`.
        """
        return await self._call(
            "social-user",
            {
                "handle": handle,
            },
        )

    async def social_user_followers(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XUser]]:
        """Followers of an X account.

        Args:
            handle: Name of the account, without the leading `@`.
            limit: Accounts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return await self._call(
            "social-user-followers",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_social_user_followers(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.XUser]:
        """Iterates over all rows of `social_user_followers`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_user_followers`.
        """
        return self._pager(
            "social-user-followers",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def social_user_following(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XUser]]:
        """Accounts an X account follows.

        Args:
            handle: Name of the account, without the leading `@`.
            limit: Accounts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return await self._call(
            "social-user-following",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_social_user_following(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.XUser]:
        """Iterates over all rows of `social_user_following`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_user_following`.
        """
        return self._pager(
            "social-user-following",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def social_user_posts(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        filter: str | None = None,
    ) -> Reply[list[r.XTweet]]:
        """Posts of an X account.

        Args:
            handle: Name of the account, without the leading `@`.
            limit: Posts per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
            filter: Which posts to return; `original` leaves reposts out. One of `all`, `original`. By default `all`.
        """
        return await self._call(
            "social-user-posts",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
                "filter": filter,
            },
        )

    def iter_social_user_posts(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        filter: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.XTweet]:
        """Iterates over all rows of `social_user_posts`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_user_posts`.
        """
        return self._pager(
            "social-user-posts",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
                "filter": filter,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def social_user_replies(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Reply[list[r.XTweet]]:
        """Replies written by an X account.

        Args:
            handle: Name of the account, without the leading `@`.
            limit: Replies per page. By default `20`.
            cursor: Opaque page token from `meta.next_cursor` of the page before; leave it out for the first page.
        """
        return await self._call(
            "social-user-replies",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def iter_social_user_replies(
        self,
        handle: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.XTweet]:
        """Iterates over all rows of `social_user_replies`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `social_user_replies`.
        """
        return self._pager(
            "social-user-replies",
            {
                "handle": handle,
                "limit": limit,
                "cursor": cursor,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def token_dex_trades(
        self,
        address: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.DexTradeItem]]:
        """DEX trades of a token.

        Args:
            address: Contract address of the token.
            chain: Chain the contract lives on, by its long name. One of `ethereum`, `base`, `bsc`, `arbitrum`, `tron`. By default `ethereum`.
            limit: Trades per page. By default `20`.
            offset: Trades to skip. By default `0`.
            include: Extra parts of each row; `labels` adds the label of the taker, and nothing is added when left out.
        """
        return await self._call(
            "token-dex-trades",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
        )

    def iter_token_dex_trades(
        self,
        address: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.DexTradeItem]:
        """Iterates over all rows of `token_dex_trades`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `token_dex_trades`.
        """
        return self._pager(
            "token-dex-trades",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def token_holders(
        self,
        address: str,
        chain: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.TokenHolderItem]]:
        """Holders of a token.

        Args:
            address: Contract address of the token.
            chain: Chain the contract lives on, by its long name. One of `ethereum`, `polygon`, `bsc`, `solana`, `avalanche`, `arbitrum`, `optimism`, `base`.
            limit: Holders per page. By default `20`.
            offset: Holders to skip. By default `0`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `label` as it does for DEX trades.
        """
        return await self._call(
            "token-holders",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
        )

    def iter_token_holders(
        self,
        address: str,
        chain: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.TokenHolderItem]:
        """Iterates over all rows of `token_holders`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `token_holders`.
        """
        return self._pager(
            "token-holders",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def token_tokenomics(
        self,
        *,
        id: str | None = None,
        symbol: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
    ) -> Reply[list[r.TokenUnlockPoint]]:
        """Token unlock schedule.

        Args:
            id: UUID of the token or its project; the sources do not say which.
            symbol: Uppercase ticker of the token, for example `ARB`.
            from_: Start of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default start is not stated.
            to: End of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default end is not stated.
        """
        return await self._call(
            "token-tokenomics",
            {
                "id": id,
                "symbol": symbol,
                "from": from_,
                "to": to,
            },
        )

    async def token_transfer_counterparties(
        self,
        address: str,
        chain: str,
        direction: str,
        *,
        metric: str | None = None,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        exclude_labels: str | Sequence[str] | None = None,
    ) -> Reply[list[r.TransferCounterpartyItem]]:
        """Top transfer counterparties.

        Args:
            address: Address whose counterparties are wanted.
            chain: Chain to look at, by its long name. One of `ethereum`, `base`, `bsc`, `arbitrum`, `tron`.
            direction: Which side of the transfers the counterparties are on; most likely `to` means receivers and `from` means senders, which the sources do not spell out. One of `to`, `from`.
            metric: What the ranking goes by, which is the number of transfers, the token amount or the amount in USD. One of `count`, `amount`, `amount_usd`. By default `count`.
            time_range: Lookback window. One of `1d`, `7d`, `30d`, `90d`. By default `7d`.
            limit: Counterparties per page. By default `20`.
            offset: Counterparties to skip. By default `0`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `label` as it does for DEX trades.
            exclude_labels: Labels of counterparties to leave out, most likely comma-separated; the accepted values are not shown.
        """
        return await self._call(
            "token-transfer-counterparties",
            {
                "address": address,
                "chain": chain,
                "direction": direction,
                "metric": metric,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
                "include": include,
                "exclude_labels": exclude_labels,
            },
        )

    def iter_token_transfer_counterparties(
        self,
        address: str,
        chain: str,
        direction: str,
        *,
        metric: str | None = None,
        time_range: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        exclude_labels: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.TransferCounterpartyItem]:
        """Iterates over all rows of `token_transfer_counterparties`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `token_transfer_counterparties`.
        """
        return self._pager(
            "token-transfer-counterparties",
            {
                "address": address,
                "chain": chain,
                "direction": direction,
                "metric": metric,
                "time_range": time_range,
                "limit": limit,
                "offset": offset,
                "include": include,
                "exclude_labels": exclude_labels,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def token_transfer_stats(
        self,
        address: str,
        chain: str,
        *,
        time_range: str | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[r.TransferStatsBody]:
        """Transfer totals of a token.

        Args:
            address: Contract address of the token; the sources do not state whether a wallet address works too.
            chain: Chain to look at, by its long name. One of `ethereum`, `base`, `bsc`, `arbitrum`, `tron`.
            time_range: Lookback window. One of `1d`, `7d`, `30d`, `90d`. By default `7d`.
            include: Extra parts of the answer; the accepted values are not shown, one for the `series` is likely.
        """
        return await self._call(
            "token-transfer-stats",
            {
                "address": address,
                "chain": chain,
                "time_range": time_range,
                "include": include,
            },
        )

    async def token_transfers(
        self,
        address: str,
        chain: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.TokenTransferItem]]:
        """Transfers of a token.

        Args:
            address: Contract address of the token.
            chain: Chain the contract lives on, by its long name. One of `ethereum`, `base`, `solana`, `tron`, `bsc`, `arbitrum`.
            from_: Start of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default start is not stated.
            to: End of the window, in Unix seconds or as a `YYYY-MM-DD` date; the default end is most likely now.
            limit: Transfers per page. By default `20`.
            offset: Transfers to skip. By default `0`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `from_label` and `to_label` as it does for DEX trades.
        """
        return await self._call(
            "token-transfers",
            {
                "address": address,
                "chain": chain,
                "from": from_,
                "to": to,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
        )

    def iter_token_transfers(
        self,
        address: str,
        chain: str,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.TokenTransferItem]:
        """Iterates over all rows of `token_transfers`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `token_transfers`.
        """
        return self._pager(
            "token-transfers",
            {
                "address": address,
                "chain": chain,
                "from": from_,
                "to": to,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def wallet_detail(
        self,
        address: str,
        *,
        chain: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Reply[r.WalletDetailBody]:
        """Wallet overview.

        Args:
            address: Wallet address; ENS names are accepted too.
            chain: Only this chain, by its long name; what is covered when left out is not stated, most likely every chain that fits the address. One of `ethereum`, `polygon`, `bsc`, `avalanche`, `arbitrum`, `optimism`, `fantom`, `base`, `solana`.
            fields: Comma-separated sections to return, out of `balance`, `tokens`, `labels` and `nft`; others, for example `approvals`, are likely but not shown. By default `balance,tokens,labels,nft`.
        """
        return await self._call(
            "wallet-detail",
            {
                "address": address,
                "chain": chain,
                "fields": fields,
            },
        )

    async def wallet_history(
        self,
        address: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        before: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.WalletHistoryItem]]:
        """Transaction history of a wallet.

        Args:
            address: Wallet address; ENS names are accepted too.
            chain: Chain to look at, by its long name. One of `ethereum`, `polygon`, `bsc`, `avalanche`, `arbitrum`, `optimism`, `fantom`, `base`. By default `ethereum`.
            limit: Transactions per page. By default `20`.
            offset: Transactions to skip. By default `0`.
            before: Upper bound in time for the transactions, as an integer; the unit is not stated, most likely Unix seconds.
            sort_by: What the rows are sorted by. One of `timestamp`, `value`. By default `timestamp`.
            order: Sort direction. One of `asc`, `desc`. By default `desc`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `from_label` and `to_label` as it does for DEX trades.
        """
        return await self._call(
            "wallet-history",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "before": before,
                "sort_by": sort_by,
                "order": order,
                "include": include,
            },
        )

    def iter_wallet_history(
        self,
        address: str,
        *,
        chain: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        before: int | None = None,
        sort_by: str | None = None,
        order: str | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.WalletHistoryItem]:
        """Iterates over all rows of `wallet_history`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `wallet_history`.
        """
        return self._pager(
            "wallet-history",
            {
                "address": address,
                "chain": chain,
                "limit": limit,
                "offset": offset,
                "before": before,
                "sort_by": sort_by,
                "order": order,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def wallet_labels_batch(
        self,
        addresses: str | Sequence[str],
    ) -> Reply[list[r.WalletLabelItem]]:
        """Labels of several wallets.

        Args:
            addresses: Comma-separated wallet addresses; the maximum number is not stated.
        """
        return await self._call(
            "wallet-labels-batch",
            {
                "addresses": addresses,
            },
        )

    async def wallet_net_worth(
        self,
        address: str,
    ) -> Reply[list[r.WalletNetWorthPoint]]:
        """Net worth of a wallet over time.

        Args:
            address: Wallet address; ENS names are accepted too.
        """
        return await self._call(
            "wallet-net-worth",
            {
                "address": address,
            },
        )

    async def wallet_protocols(
        self,
        address: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Reply[list[r.WalletProtocolItem]]:
        """DeFi positions of a wallet.

        Args:
            address: Wallet address; ENS names are accepted too.
            limit: Protocols per page. By default `20`.
            offset: Protocols to skip. By default `0`.
        """
        return await self._call(
            "wallet-protocols",
            {
                "address": address,
                "limit": limit,
                "offset": offset,
            },
        )

    def iter_wallet_protocols(
        self,
        address: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.WalletProtocolItem]:
        """Iterates over all rows of `wallet_protocols`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `wallet_protocols`.
        """
        return self._pager(
            "wallet-protocols",
            {
                "address": address,
                "limit": limit,
                "offset": offset,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def wallet_transfers(
        self,
        address: str,
        *,
        chain: str | None = None,
        flow: str | None = None,
        token: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
    ) -> Reply[list[r.WalletTransferItem]]:
        """Token transfers of a wallet.

        Args:
            address: Wallet address; ENS names are accepted too.
            chain: Chain to look at, by its long name. One of `ethereum`, `base`, `solana`, `tron`, `bsc`, `arbitrum`. By default `ethereum`.
            flow: Only transfers into (`in`) or out of (`out`) the wallet; leave it out for both. One of `in`, `out`.
            token: Only transfers of this token; the sources do not say whether a contract address or a ticker is meant, most likely the address.
            limit: Transfers per page. By default `20`.
            offset: Transfers to skip. By default `0`.
            include: Extra parts of each row; the accepted values are not shown, but `labels` most likely adds `from_label` and `to_label` as it does for DEX trades.
        """
        return await self._call(
            "wallet-transfers",
            {
                "address": address,
                "chain": chain,
                "flow": flow,
                "token": token,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
        )

    def iter_wallet_transfers(
        self,
        address: str,
        *,
        chain: str | None = None,
        flow: str | None = None,
        token: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: str | Sequence[str] | None = None,
        max_items: int | None = None,
        max_pages: int | None = None,
        max_credits: int | None = None,
    ) -> AsyncPager[r.WalletTransferItem]:
        """Iterates over all rows of `wallet_transfers`.

        Args:
            max_items: Maximum number of rows.
            max_pages: Maximum number of pages.
            max_credits: Maximum number of credits, by the list price of a page.

        The other arguments are the arguments of `wallet_transfers`.
        """
        return self._pager(
            "wallet-transfers",
            {
                "address": address,
                "chain": chain,
                "flow": flow,
                "token": token,
                "limit": limit,
                "offset": offset,
                "include": include,
            },
            {"items": max_items, "pages": max_pages, "credits": max_credits},
        )

    async def web_fetch(
        self,
        url: str,
        *,
        target_selector: str | None = None,
        remove_selector: str | None = None,
        wait_for_selector: str | None = None,
        timeout: int | None = None,
    ) -> Reply[r.WebFetchResultItem]:
        """Fetch a web page as text.

        Args:
            url: Full address of the page to load.
            target_selector: Selector of the part of the page to return, presumably CSS; without it the whole page is presumably taken.
            remove_selector: Selector of parts to drop before the content is read, presumably CSS.
            wait_for_selector: Selector that must be present before the page is read, presumably CSS.
            timeout: Longest time to wait for the page; unit not stated, the bounds point to milliseconds. By default `30000`.
        """
        return await self._call(
            "web-fetch",
            {
                "url": url,
                "target_selector": target_selector,
                "remove_selector": remove_selector,
                "wait_for_selector": wait_for_selector,
                "timeout": timeout,
            },
        )

    async def x_tweets(
        self,
        ids: str | Sequence[str],
    ) -> Reply[list[r.XTweet]]:
        """Posts by id (newer path).

        Args:
            ids: Comma-separated post ids (assumed); the maximum number is not stated.
        """
        return await self._call(
            "x-tweets",
            {
                "ids": ids,
            },
        )
