"""The records of the service as dictionaries.

Fields that are not `Required` may be absent, and other fields may be present. A `Literal` has the known values; the
service may add others.
"""

# Written by `crypto-intel-python-generate` from the catalogue. Do not edit.

from __future__ import annotations

from typing import Any, Literal, Required, TypedDict


class AccessListEntry(TypedDict, total=False):
    address: Required[str]
    """Contract address the transaction declares to touch, with `0x` prefix."""
    storageKeys: Required[list[str] | None]
    """Storage slots of that contract declared to be touched, hexadecimal with `0x` prefix."""


class AirdropActivityItem(TypedDict, total=False):
    coin_name: Required[str]
    """Name of the coin or project."""
    coin_symbol: str
    """Ticker of the coin."""
    created_at: Required[int]
    """Time the entry was created, Unix seconds."""
    followers_count: str
    """Number of followers, as text."""
    id: Required[str]
    """Id of the activity."""
    reward: Required[str]
    """Text that describes the reward; its form is not stated."""
    reward_date: str
    """Date of the reward, as text; the date format is not stated."""
    reward_type: Required[str]
    """Kind of reward; the set of values is open."""
    status: Required[str]
    """State of the activity, for example `ACTIVE` or `ENDED`; the set of values is open."""
    total_raise: int
    """Sum raised by the project, whole USD."""
    updated_at: Required[int]
    """Time of the last change of the entry, Unix seconds."""
    xscore: str
    """Score of the project, as text; its scale is not stated."""


class AirdropSearchItem(TypedDict, total=False):
    coin_symbol: str
    """Ticker of the coin."""
    followers_count: Required[int]
    """Number of followers; 0 when unknown."""
    last_status_update: Required[int]
    """Time of the last change of the lifecycle state, Unix seconds."""
    logo_url: str
    """Address of the project logo."""
    project_id: str
    """UUID of the project, when the campaign is linked to one."""
    project_name: Required[str]
    """Name of the project."""
    reward_date: Required[int]
    """Time of the reward, Unix seconds; 0 when unknown."""
    reward_type: Literal["airdrop", "points", "whitelist", "nft", "role", "ambassador"] | str
    """Kind of reward."""
    status: Required[Literal["POTENTIAL", "CONFIRMED", "SNAPSHOT", "VERIFICATION", "REWARD_AVAILABLE", "DISTRIBUTED"] | str]
    """Lifecycle state, from rumoured (`POTENTIAL`) and announced (`CONFIRMED`) over eligibility snapshot (`SNAPSHOT`), open claim window (`VERIFICATION`) and claimable (`REWARD_AVAILABLE`) to paid out (`DISTRIBUTED`)."""
    task_summary: AirdropTaskSummary
    """Counts and kinds of the tasks of the campaign."""
    tasks: list[AirdropTaskItem] | None
    """Tasks of the campaign; present only when the request sets `include_tasks=true`."""
    total_raise: Required[int]
    """Sum raised by the project, whole USD; 0 when unknown."""
    xscore: Required[int]
    """Score of the project; 0 when unknown, its scale is not stated."""


class AirdropTaskItem(TypedDict, total=False):
    blockchains: list[str] | None
    """Chains on which the task takes place."""
    close_date: Required[int]
    """Time the task closes, Unix seconds; 0 when unknown."""
    cost: Required[int]
    """Cost of doing the task, whole USD; 0 means free."""
    external_link: str
    """Address of the page where the task is done."""
    is_exclusive: Required[bool]
    """Whether the task is marked as exclusive."""
    open_date: Required[int]
    """Time the task opens, Unix seconds; 0 when unknown."""
    status: Required[Literal["OPEN", "CLOSED", "UPCOMING"] | str]
    """Whether the task can be done now, is over or is still to come."""
    time_minutes: Required[int]
    """Time the task takes, minutes."""
    title: Required[str]
    """Title of the task."""
    type: Required[str]
    """Kind of task, for example `social`, `testnet`, `mainnet`, `staking` or `trading`; the set of values is open."""


class AirdropTaskSummary(TypedDict, total=False):
    open: Required[int]
    """Number of tasks that are open now."""
    total: Required[int]
    """Number of all tasks."""
    types: Required[list[str] | None]
    """Kinds of tasks that occur."""


class AnalyticsBody(TypedDict, total=False):
    category_trends: Required[list[CategoryDailyPoint] | None]
    """Daily volume and open interest per venue, summed over all categories when none was asked for."""
    momentum_markets: Required[list[MomentumItem] | None]
    """Markets with their momentum figures, in the order asked for."""
    momentum_summary: Required[MomentumSummary | None]
    """Number of markets in each momentum state."""
    top_markets: Required[list[DiscoverMarketItem] | None]
    """Markets with the largest open interest."""


class BridgeRankingItem(TypedDict, total=False):
    project: Required[str]
    """Name of the bridge protocol."""
    tx_count: Required[int]
    """Number of bridge transactions."""
    volume_usd: Required[float]
    """Value bridged, USD."""


class CategoryDailyPoint(TypedDict, total=False):
    market_count: Required[int]
    """Number of active markets on that day."""
    open_interest_usd: Required[float]
    """Cumulative open interest, USD."""
    source: Required[Literal["Polymarket", "Kalshi"] | str]
    """Venue of the figures, Polymarket or Kalshi."""
    timestamp: Required[int]
    """Start of the day, Unix seconds."""
    volume_usd: Required[float]
    """Notional volume of the day, USD."""


class CategoryMetricsPoint(TypedDict, total=False):
    category: str
    """Curated category of the markets (assumed field)."""
    market_count: int
    """Number of active markets on that day (assumed field)."""
    open_interest_usd: float
    """Cumulative open interest, USD (assumed field)."""
    source: str
    """Venue of the figures (assumed field)."""
    timestamp: int
    """Start of the day, Unix seconds (assumed field)."""
    volume_usd: float
    """Notional volume of the day, USD (assumed field)."""


class ChatChoice(TypedDict, total=False):
    finish_reason: Literal["stop", "length", "tool_calls", "content_filter", "error"] | str | None
    """Why the text ended - `stop` normally, `length` at the token cap, `tool_calls` to have a tool run, `content_filter` when held back, `error` after a failure; null when no reason is given."""
    index: int
    """Position among the choices, counted from 0."""
    message: Required[ChatChoiceMessage]
    """What the model wrote."""


class ChatChoiceMessage(TypedDict, total=False):
    content: str | None
    """The answer text. Described as a string; null is allowed for here because a tool request may come without text (assumed)."""
    reasoning: str
    """The model's thinking, where the service returns it; by policy it can be shortened or left out."""
    role: str
    """Who speaks, typically `assistant`."""
    tool_calls: list[ChatToolCall]
    """Calls the model asks for when `finish_reason` is `tool_calls`. Name and shape are assumed, after what common chat clients expect."""


class ChatCompletion(TypedDict, total=False):
    choices: Required[list[ChatChoice]]
    """The alternatives written, usually one."""
    created: int
    """When the completion was made, Unix seconds."""
    id: Required[str]
    """Identifies this completion; a `chatcmpl-` prefix has been seen."""
    meta: ChatMeta
    """What the call cost, if the service says so."""
    model: str
    """The model that did answer."""
    object: str
    """Kind of document, typically `chat.completion`."""
    usage: ChatUsage
    """Tokens read and written."""


class ChatMessage(TypedDict, total=False):
    content: Required[str]
    """What is said, as text."""
    role: Required[Literal["system", "user", "assistant", "tool"] | str]
    """Who speaks. `tool` hands back the result of a call; it is assumed, after what common chat clients send."""
    tool_call_id: str
    """Id of the call whose result this turn hands back. Assumed, after what common chat clients send."""
    tool_calls: list[ChatToolCall]
    """The calls the assistant asked for in this turn, as they came. Assumed, after what common chat clients send."""


class ChatMeta(TypedDict, total=False):
    credits_used: int
    """What the call cost, in credits, as the service reports it."""


class ChatTool(TypedDict, total=False):
    function: Required[ChatToolFunction]
    """The function that can be called."""
    type: Required[Literal["function"] | str]
    """Kind of tool; functions are the only kind."""


class ChatToolCall(TypedDict, total=False):
    function: ChatToolCallFunction
    """Which function to call, and with what (assumed)."""
    id: str
    """Identifies the call (assumed)."""
    type: str
    """Kind of tool, presumably `function` (assumed)."""


class ChatToolCallFunction(TypedDict, total=False):
    arguments: str
    """The arguments as JSON text, written by the model and therefore not certain to be valid (assumed)."""
    name: str
    """The name given in the request's `tools` (assumed)."""


class ChatToolFunction(TypedDict, total=False):
    description: str
    """What the function is for; it guides the model's decision to call it."""
    name: Required[str]
    """Name the model calls it by, best written in snake_case."""
    parameters: dict[str, Any]
    """JSON Schema of the arguments."""


class ChatUsage(TypedDict, total=False):
    completion_tokens: int
    """Output, in tokens."""
    prompt_tokens: int
    """Input, in tokens."""
    prompt_tokens_details: dict[str, Any]
    """Parts of the input, in tokens, such as `cached_tokens`. Its presence is assumed, since common chat clients read it."""
    total_tokens: int
    """Input and output together, in tokens."""


class CorrelationItem(TypedDict, total=False):
    category: Required[str]
    """Curated category of the pair."""
    correlation: Required[float]
    """Pearson coefficient over 30 days, from -1 to 1."""
    market_a_condition_id: Required[str]
    """Condition id of the first market."""
    market_a_question: str
    """Question of the first market."""
    market_b_condition_id: Required[str]
    """Condition id of the second market."""
    market_b_question: str
    """Question of the second market."""
    overlapping_days: Required[int]
    """Number of trading days on which both markets have data."""


class CreditBalance(TypedDict, total=False):
    balance: float
    """Credits left to spend (assumed)."""
    free_remaining: float
    """Credits left of today's free allowance (assumed)."""
    plan: str
    """Name of the caller's volume plan (assumed)."""


class CursorMeta(TypedDict, total=False):
    cached: Required[bool]
    """Whether the answer came from a cache."""
    credits_used: Required[int]
    """Credits deducted for the call."""
    empty_reason: str
    """Why `data` is empty, when that is so."""
    has_more: Required[bool]
    """Whether more rows exist beyond this page."""
    limit: Required[int]
    """Maximum number of rows in this answer."""
    next_cursor: str
    """Opaque token for the next page, empty or absent after the last one."""
    watermark: int
    """Time the answer was computed at, in Unix seconds, on operations served from a warehouse; newer rows come from a live feed."""


class DexActivityItem(TypedDict, total=False):
    active_traders: Required[int]
    """Number of distinct traders."""
    enriched_ratio: float
    """Share of the activity that could be enriched, likely with USD prices; meaning and unit not stated, a fraction (0.05 = 5 %) is likely."""
    timestamp: int
    """Start of the day, Unix seconds; absent when the window is summed into one row."""
    trades: Required[int]
    """Number of trades."""
    volume_usd: float
    """Traded value, USD; absent when it is not known."""


class DexTokenPriceBar(TypedDict, total=False):
    close: Required[float]
    """Last price in the interval, presumably in USD (currency not stated)."""
    high: Required[float]
    """Highest price in the interval, presumably in USD (currency not stated)."""
    low: Required[float]
    """Lowest price in the interval, presumably in USD (currency not stated)."""
    open: Required[float]
    """First price in the interval, presumably in USD (currency not stated)."""
    timestamp: Required[int]
    """Time of the candle, presumably its start (unit not stated; Unix seconds likely)."""
    volume_usd: Required[float]
    """Traded value in the interval, USD."""


class DexTradeItem(TypedDict, total=False):
    amount_usd: Required[float]
    """Value of the swap in USD."""
    block_time: Required[int]
    """Time of the block (unit not stated; likely Unix seconds)."""
    project: Required[str]
    """Name of the exchange protocol."""
    taker: Required[str]
    """Address of the wallet that started the swap."""
    taker_label: WalletLabelItem
    """Known owner and labels of the taker, present only with `include=labels`."""
    token_bought_address: str
    """Contract address of the token bought."""
    token_bought_amount: Required[float]
    """Amount of the token bought, in whole tokens after applying its decimals."""
    token_bought_symbol: Required[str]
    """Ticker of the token bought."""
    token_pair: Required[str]
    """The two tickers of the swap as one string."""
    token_sold_address: str
    """Contract address of the token sold."""
    token_sold_amount: Required[float]
    """Amount of the token sold, in whole tokens after applying its decimals."""
    token_sold_symbol: Required[str]
    """Ticker of the token sold."""
    tx_hash: Required[str]
    """Hash of the transaction; one transaction may hold several swaps."""
    version: Required[str]
    """Version of the protocol, such as `v2` or `v3`."""


class DiscoverMarketItem(TypedDict, total=False):
    category: Required[str]
    """Curated category of the market."""
    condition_id: str
    """Polymarket condition id."""
    days_to_resolution: int
    """Days until the market is due to resolve."""
    event_group_slug: str
    """Slug of the group that the event belongs to."""
    event_slug: str
    """Slug of the event."""
    event_ticker: str
    """Ticker of the Kalshi event."""
    event_title: str
    """Title of the event."""
    latest_price: float
    """Latest price of the selected outcome as a probability from 0 to 1; absent when no outcome token is selected."""
    market_link: str
    """Link to the market on its venue."""
    market_slug: str
    """Slug of the market."""
    market_ticker: str
    """Ticker of the Kalshi market."""
    matched_counterpart: str
    """Identifier of the matching market on the other venue."""
    open_interest_usd: Required[float]
    """Open interest, USD."""
    outcome_label: str
    """Label of the selected outcome."""
    platform: Required[Literal["polymarket", "kalshi"] | str]
    """Venue of the market."""
    question: Required[str]
    """Question the market asks."""
    smart_money_direction: Literal["BULLISH", "BEARISH", "NEUTRAL"] | str
    """Lean of the smart money wallets, for Polymarket markets only."""
    status: Required[str]
    """Lifecycle status of the market."""
    subcategory: str
    """Finer category of the market."""
    token_id: str
    """Outcome token id of the selected outcome."""
    trade_count_7d: Required[int]
    """Number of trades in the last seven days."""
    volume_1d: Required[float]
    """Volume of the last day, USD."""
    volume_30d: Required[float]
    """Volume of the last 30 days, USD."""
    volume_7d: Required[float]
    """Volume of the last seven days, USD."""


class EquityBalanceSheetItem(TypedDict, total=False):
    accumulated_oci: Required[MetricValue]
    """Gains and losses kept outside net income, accumulated, reporting currency."""
    calculated_at: int
    """Time the record was computed, Unix seconds."""
    cash_and_equivalents: Required[MetricValue]
    """Cash and assets as good as cash, reporting currency."""
    currency: Required[str]
    """Reporting currency of the money figures."""
    current_assets: Required[MetricValue]
    """Assets expected to turn into cash within a year, reporting currency."""
    current_debt: Required[MetricValue]
    """Debt due within a year, reporting currency."""
    current_investments: Required[MetricValue]
    """Investments meant to be held for less than a year, reporting currency."""
    current_liabilities: Required[MetricValue]
    """Obligations due within a year, reporting currency."""
    deferred_revenue: Required[MetricValue]
    """Payments received for goods or services still owed, reporting currency."""
    deposit_liabilities: Required[MetricValue]
    """Customer deposits owed, mainly by banks, reporting currency."""
    duration_days: int
    """Length of the period, days."""
    duration_months: int
    """Length of the period, months; deprecated in favour of `duration_days`."""
    fiscal_period: Required[str | None]
    """Fiscal label of the period; null when there is none."""
    fiscal_quarter: int
    """Number of the fiscal quarter."""
    fiscal_year: int
    """Fiscal year the period belongs to."""
    formula_version: str
    """Version of the formulas behind computed figures."""
    goodwill_and_intangible_assets: Required[MetricValue]
    """Goodwill and other intangible assets, reporting currency."""
    inventory: Required[MetricValue]
    """Goods held for sale or production, reporting currency."""
    liabilities_and_equity: Required[MetricValue]
    """Liabilities and equity together, equal to total assets, reporting currency."""
    net_debt: Required[MetricValue]
    """Total debt less cash and equivalents, reporting currency."""
    non_current_assets: Required[MetricValue]
    """Assets held for longer than a year, reporting currency."""
    non_current_debt: Required[MetricValue]
    """Debt due after more than a year, reporting currency."""
    non_current_investments: Required[MetricValue]
    """Investments meant to be held for more than a year, reporting currency."""
    non_current_liabilities: Required[MetricValue]
    """Obligations due after more than a year, reporting currency."""
    other_current_liabilities: Required[MetricValue]
    """Short-term obligations without a line of their own, reporting currency."""
    other_non_current_assets: Required[MetricValue]
    """Long-term assets without a line of their own, reporting currency."""
    other_non_current_liabilities: Required[MetricValue]
    """Long-term obligations without a line of their own, reporting currency."""
    outstanding_shares: Required[MetricValue]
    """Shares outstanding, number of shares."""
    payables: Required[MetricValue]
    """Amounts owed to suppliers and others, reporting currency."""
    period: Required[Literal["quarterly", "ytd", "annual", "ttm"] | str]
    """Kind of reporting period the figures cover."""
    period_start: str
    """First day of the reporting period."""
    property_plant_and_equipment: Required[MetricValue]
    """Land, buildings and equipment, likely after depreciation, reporting currency."""
    receivables: Required[MetricValue]
    """Amounts owed by customers and others, reporting currency."""
    report_period: Required[str]
    """Last day of the reporting period."""
    retained_earnings: Required[MetricValue]
    """Profits kept in the company since its start, negative for an accumulated loss, reporting currency."""
    shareholders_equity: Required[MetricValue]
    """Assets less liabilities, the owners' share, reporting currency."""
    source_updated_at: int
    """Time the underlying data last changed, Unix seconds."""
    symbol: Required[str]
    """US ticker of the company."""
    tax_assets: Required[MetricValue]
    """Tax assets, deferred ones included as far as reported, reporting currency."""
    tax_liabilities: Required[MetricValue]
    """Tax liabilities, deferred ones included as far as reported, reporting currency."""
    total_assets: Required[MetricValue]
    """All assets, reporting currency."""
    total_debt: Required[MetricValue]
    """Short-term and long-term debt together, reporting currency."""
    total_liabilities: Required[MetricValue]
    """All obligations, reporting currency."""
    working_capital: Required[MetricValue]
    """Current assets less current liabilities, reporting currency."""


class EquityCandle(TypedDict, total=False):
    close: Required[float]
    """Last price, currency of the listing."""
    high: Required[float]
    """Highest price, currency of the listing."""
    low: Required[float]
    """Lowest price, currency of the listing."""
    open: Required[float]
    """First price, currency of the listing."""
    timestamp: Required[int]
    """Time of the candle, Unix seconds; likely its start."""
    volume: Required[int]
    """Traded volume; unit not stated, number of shares is likely."""


class EquityCandlesResponse(TypedDict, total=False):
    candles: Required[list[EquityCandle] | None]
    """Candles of the range; the order is not stated, oldest first is likely."""
    end_date: Any
    """End of the range; type and format not stated, a date is likely."""
    interval: Required[str]
    """Unit of the candle length, for example `day`."""
    interval_multiplier: Required[int]
    """Number of such units in one candle."""
    latest_price: Required[EquityLatestPrice]
    """Latest known price."""
    start_date: Any
    """Start of the range; type and format not stated, a date is likely."""
    symbol: Required[str]
    """US ticker."""


class EquityCashFlowItem(TypedDict, total=False):
    beginning_cash: Required[MetricValue]
    """Cash at the start of the period, reporting currency."""
    business_acquisitions_and_disposals: Required[MetricValue]
    """Net cash from buying and selling businesses (sign convention not stated), reporting currency."""
    calculated_at: int
    """Time the record was computed, Unix seconds."""
    capital_expenditure: Required[MetricValue]
    """Spending on long-lived assets (sign convention not stated), reporting currency."""
    change_in_cash: Required[MetricValue]
    """Change of the cash position over the period, reporting currency."""
    currency: Required[str]
    """Reporting currency of the money figures."""
    debt_issuance_repayment: Required[MetricValue]
    """Net cash from taking up and repaying debt (sign convention not stated), reporting currency."""
    depreciation_and_amortization: Required[MetricValue]
    """Depreciation and amortization added back to income, reporting currency."""
    dividends_and_distributions: Required[MetricValue]
    """Cash paid to owners as dividends or other distributions (sign convention not stated), reporting currency."""
    duration_days: int
    """Length of the period, days."""
    duration_months: int
    """Length of the period, months; deprecated in favour of `duration_days`."""
    ending_cash: Required[MetricValue]
    """Cash at the end of the period, reporting currency."""
    equity_issuance_purchase: Required[MetricValue]
    """Net cash from issuing and buying back shares (sign convention not stated), reporting currency."""
    financing_cash_flow: Required[MetricValue]
    """Net cash from financing, reporting currency."""
    fiscal_period: Required[str | None]
    """Fiscal label of the period; null when there is none."""
    fiscal_quarter: int
    """Number of the fiscal quarter."""
    fiscal_year: int
    """Fiscal year the period belongs to."""
    formula_version: str
    """Version of the formulas behind computed figures."""
    free_cash_flow: Required[MetricValue]
    """Operating cash flow after capital expenditure, reporting currency."""
    fx_effect: Required[MetricValue]
    """Effect of exchange rates on cash, reporting currency."""
    investing_cash_flow: Required[MetricValue]
    """Net cash from investing, reporting currency."""
    investment_acquisitions_and_disposals: Required[MetricValue]
    """Net cash from buying and selling investments (sign convention not stated), reporting currency."""
    net_income: Required[MetricValue]
    """Profit after all costs and taxes, where the cash flow statement starts, reporting currency."""
    operating_cash_flow: Required[MetricValue]
    """Net cash from the operating business, reporting currency."""
    period: Required[Literal["quarterly", "ytd", "annual", "ttm"] | str]
    """Kind of reporting period the figures cover."""
    period_start: str
    """First day of the reporting period."""
    report_period: Required[str]
    """Last day of the reporting period."""
    share_based_compensation: Required[MetricValue]
    """Pay granted in shares, added back to income, reporting currency."""
    source_updated_at: int
    """Time the underlying data last changed, Unix seconds."""
    symbol: Required[str]
    """US ticker of the company."""


class EquityCompanyProfile(TypedDict, total=False):
    cik: str
    """Central index key at the US securities regulator; type not stated, text is assumed."""
    company_name: Required[str]
    """Name of the company."""
    description: str
    """What the company does."""
    employee_count: int
    """Number of employees."""
    exchange: Required[str]
    """Exchange of the listing."""
    industry: str
    """Industry."""
    is_active: Required[bool]
    """Whether the listing is still traded, going by the name."""
    listing_date: int
    """Date of the listing; type and format not stated."""
    location: str
    """Seat of the company; format not stated."""
    sec_filings_url: str
    """Address of the company's filings at the regulator."""
    sector: str
    """Sector."""
    sic_code: str
    """Standard industrial classification code; type not stated, text is assumed."""
    sic_industry: str
    """Industry by that classification."""
    sic_sector: str
    """Sector by that classification."""
    source_updated_at: int
    """Time the underlying data last changed, Unix seconds."""
    symbol: Required[str]
    """US ticker."""
    website_url: str
    """Address of the company's website."""


class EquityEtfFund(TypedDict, total=False):
    as_of: str
    """Date of the portfolio."""
    asset_class: str
    """Asset class; whether the fund's own or the filter in force is not stated."""
    cik: str
    """Central index key of the fund; type not stated, text is assumed."""
    filing_date: str
    """Date of the filing; format not stated."""
    name: str
    """Name of the fund."""
    offset: int
    """Number of positions skipped."""
    returned: int
    """Number of positions in this answer."""
    source: str
    """Where the portfolio comes from; the values are not shown."""
    total_holdings: int
    """Number of positions in the whole portfolio, before any filter."""
    total_net_assets: float | None
    """Net assets of the fund; currency not stated, USD is likely."""


class EquityEtfHolding(TypedDict, total=False):
    asset_class: str | None
    """Asset class of the holding; the values are not shown."""
    cusip: str | None
    """CUSIP of the holding."""
    isin: str | None
    """ISIN of the holding."""
    logo_url: str | None
    """Address of the holding's logo."""
    market_value: float | None
    """Value of the position; currency not stated, USD is likely."""
    name: str | None
    """Name of the holding."""
    shares: float | None
    """Number of shares or units held."""
    ticker: str | None
    """Ticker of the holding."""
    weight: float | None
    """Share of the portfolio, percentage points (5 = 5 %)."""


class EquityEtfHoldingsResponse(TypedDict, total=False):
    available_periods: Required[list[EquityEtfPeriod] | None]
    """Reports that can be asked for, newest first."""
    snapshots: Required[list[EquityEtfSnapshot] | None]
    """The selected portfolio and the one before it, newest first."""
    symbol: Required[str]
    """Ticker of the fund."""


class EquityEtfPeriod(TypedDict, total=False):
    as_of: Required[str]
    """Date of the portfolio, to be sent as `as_of`."""
    quarter: Required[int]
    """Quarter of the report."""
    year: Required[int]
    """Year of the report."""


class EquityEtfSnapshot(TypedDict, total=False):
    fund: Required[EquityEtfFund]
    """The fund and the report."""
    holdings: Required[list[EquityEtfHolding] | None]
    """Positions, ordered by weight; largest first is likely."""


class EquityFiling(TypedDict, total=False):
    accepted_at: int
    """Time the regulator accepted the filing; unit not stated, Unix seconds is likely."""
    accession: Required[str]
    """Accession number of the filing."""
    filed_on: Required[str]
    """Date of filing; format not stated, `YYYY-MM-DD` is likely."""
    financial_metric_count: Required[int]
    """Number of metrics computed from it."""
    form_type: Required[str]
    """Form, for example `10-K`."""
    normalized_statement_field_count: Required[int]
    """Number of statement fields taken from it."""
    report_periods: Required[list[str] | None]
    """Ends of the reporting periods covered; format not stated, `YYYY-MM-DD` is likely."""
    sec_url: Required[str]
    """Address of the filing at the regulator."""
    source_observed_at: int
    """Time the service first saw the filing, going by the name; unit not stated, Unix seconds is likely."""
    source_revision_ids: Required[list[str] | None]
    """Identifiers of their data revisions."""
    source_statement_ids: Required[list[str] | None]
    """Identifiers of the statements taken from it."""
    statement_types: Required[list[str] | None]
    """Kinds of statement it contains; the values are not shown."""


class EquityFinancialMetricsItem(TypedDict, total=False):
    asset_turnover: Required[MetricValue]
    """Revenue in relation to assets, a plain ratio."""
    book_value_growth: Required[MetricValue]
    """Growth of book value; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    book_value_per_share: Required[MetricValue]
    """Equity for one share, reporting currency per share."""
    calculated_at: int
    """Time the record was computed, Unix seconds."""
    cash_ratio: Required[MetricValue]
    """Cash in relation to current liabilities, a plain ratio."""
    change_in_cash_per_share: Required[MetricValue]
    """Change of the cash position for one share, reporting currency per share."""
    currency: Required[str]
    """Reporting currency of the money figures."""
    current_ratio: Required[MetricValue]
    """Current assets in relation to current liabilities, a plain ratio."""
    days_sales_outstanding: Required[MetricValue]
    """Average time customers take to pay, days."""
    debt_to_assets: Required[MetricValue]
    """Debt in relation to assets, a plain ratio."""
    debt_to_equity: Required[MetricValue]
    """Debt in relation to equity, a plain ratio."""
    duration_days: int
    """Length of the period, days."""
    duration_months: int
    """Length of the period, months; deprecated in favour of `duration_days`."""
    earnings_growth: Required[MetricValue]
    """Growth of net income; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    earnings_per_share: Required[MetricValue]
    """Net income for one share, reporting currency per share; basic or diluted is not stated."""
    earnings_per_share_growth: Required[MetricValue]
    """Growth of earnings per share; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    ebit_margin: Required[MetricValue]
    """Earnings before interest and taxes as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    ebitda: Required[MetricValue]
    """Earnings before interest, taxes, depreciation and amortization, reporting currency."""
    ebitda_growth: Required[MetricValue]
    """Growth of earnings before interest, taxes, depreciation and amortization; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    ebitda_margin: Required[MetricValue]
    """Earnings before interest, taxes, depreciation and amortization as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    enterprise_value: Required[MetricValue]
    """Market value of equity plus net debt, reporting currency."""
    enterprise_value_to_ebitda_ratio: Required[MetricValue]
    """Enterprise value in relation to EBITDA, a plain ratio."""
    enterprise_value_to_revenue_ratio: Required[MetricValue]
    """Enterprise value in relation to revenue, a plain ratio."""
    fiscal_period: Required[str | None]
    """Fiscal label of the period; null when there is none."""
    fiscal_quarter: int
    """Number of the fiscal quarter."""
    fiscal_year: int
    """Fiscal year the period belongs to."""
    formula_version: str
    """Version of the formulas behind computed figures."""
    free_cash_flow_growth: Required[MetricValue]
    """Growth of free cash flow; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    free_cash_flow_margin: Required[MetricValue]
    """Free cash flow as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    free_cash_flow_per_share: Required[MetricValue]
    """Free cash flow for one share, reporting currency per share."""
    free_cash_flow_yield: Required[MetricValue]
    """Free cash flow as part of market value; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    gross_margin: Required[MetricValue]
    """Gross profit as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    interest_coverage: Required[MetricValue]
    """How often earnings cover the interest due, a plain ratio."""
    inventory_turnover: Required[MetricValue]
    """How often inventory is sold per period, a plain ratio."""
    liabilities_to_assets: Required[MetricValue]
    """Liabilities in relation to assets, a plain ratio."""
    market_cap: Required[MetricValue]
    """Market value of all shares; currency not stated, the reporting currency is likely."""
    net_debt: Required[MetricValue]
    """Total debt less cash and equivalents, reporting currency."""
    net_margin: Required[MetricValue]
    """Net income as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    operating_cash_flow_per_share: Required[MetricValue]
    """Operating cash flow for one share, reporting currency per share."""
    operating_cash_flow_ratio: Required[MetricValue]
    """Operating cash flow in relation to current liabilities, a plain ratio."""
    operating_cycle: Required[MetricValue]
    """Time from buying inventory to being paid, days."""
    operating_income_growth: Required[MetricValue]
    """Growth of operating income; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    operating_margin: Required[MetricValue]
    """Operating income as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    payout_ratio: Required[MetricValue]
    """Dividends as part of net income; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    peg_ratio: Required[MetricValue]
    """Price-to-earnings ratio in relation to earnings growth, a plain ratio."""
    period: Required[Literal["quarterly", "annual", "ttm"] | str]
    """Kind of reporting period the figures cover."""
    period_start: str
    """First day of the reporting period."""
    price_to_book_ratio: Required[MetricValue]
    """Share price in relation to book value, a plain ratio."""
    price_to_earnings_ratio: Required[MetricValue]
    """Share price in relation to earnings, a plain ratio."""
    price_to_sales_ratio: Required[MetricValue]
    """Share price in relation to sales, a plain ratio."""
    quick_ratio: Required[MetricValue]
    """Current assets without inventory in relation to current liabilities, a plain ratio."""
    receivables_turnover: Required[MetricValue]
    """How often receivables are collected per period, a plain ratio."""
    report_period: Required[str]
    """Last day of the reporting period."""
    return_on_assets: Required[MetricValue]
    """Net income as part of assets; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    return_on_equity: Required[MetricValue]
    """Net income as part of equity; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    return_on_invested_capital: Required[MetricValue]
    """Operating profit after tax as part of the capital invested; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    revenue_growth: Required[MetricValue]
    """Growth of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    source_updated_at: int
    """Time the underlying data last changed, Unix seconds."""
    symbol: Required[str]
    """US ticker of the company."""
    working_capital_turnover: Required[MetricValue]
    """Revenue in relation to working capital, a plain ratio."""


class EquityIncomeStatementItem(TypedDict, total=False):
    calculated_at: int
    """Time the record was computed, Unix seconds."""
    cost_of_revenue: Required[MetricValue]
    """Direct cost of what was sold, reporting currency."""
    currency: Required[str]
    """Reporting currency of the money figures."""
    dividends_per_common_share: Required[MetricValue]
    """Dividends for one common share, reporting currency per share."""
    duration_days: int
    """Length of the period, days."""
    duration_months: int
    """Length of the period, months; deprecated in favour of `duration_days`."""
    ebit: Required[MetricValue]
    """Earnings before interest and taxes, reporting currency."""
    ebitda: Required[MetricValue]
    """Earnings before interest, taxes, depreciation and amortization, reporting currency."""
    eps_basic: Required[MetricValue]
    """Earnings per share on the shares outstanding, reporting currency per share."""
    eps_calculation_method: str
    """How earnings per share were computed; the values are not shown."""
    eps_diluted: Required[MetricValue]
    """Earnings per share as if all dilutive instruments were shares, reporting currency per share."""
    fiscal_period: Required[str | None]
    """Fiscal label of the period; null when there is none."""
    fiscal_quarter: int
    """Number of the fiscal quarter."""
    fiscal_year: int
    """Fiscal year the period belongs to."""
    formula_version: str
    """Version of the formulas behind computed figures."""
    gross_profit: Required[MetricValue]
    """Revenue less its direct cost, reporting currency."""
    income_tax_expense: Required[MetricValue]
    """Income tax charged, reporting currency."""
    interest_expense: Required[MetricValue]
    """Interest charged, reporting currency."""
    net_income: Required[MetricValue]
    """Profit after all costs and taxes, reporting currency."""
    net_income_common_stock: Required[MetricValue]
    """Part of net income that belongs to common shareholders, reporting currency."""
    net_income_discontinued_operations: Required[MetricValue]
    """Part of net income from businesses given up, reporting currency."""
    net_income_non_controlling_interests: Required[MetricValue]
    """Part of net income that belongs to minority owners of subsidiaries, reporting currency."""
    net_income_yoy: Required[MetricValue]
    """Change of net income against the same period a year earlier; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    operating_expense: Required[MetricValue]
    """Costs of running the business beyond direct costs, reporting currency."""
    operating_income: Required[MetricValue]
    """Profit of the operating business, reporting currency."""
    operating_income_yoy: Required[MetricValue]
    """Change of operating income against the same period a year earlier; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    period: Required[Literal["quarterly", "ytd", "annual", "ttm"] | str]
    """Kind of reporting period the figures cover."""
    period_start: str
    """First day of the reporting period."""
    report_period: Required[str]
    """Last day of the reporting period."""
    research_and_development: Required[MetricValue]
    """Cost of research and development, reporting currency."""
    revenue: Required[MetricValue]
    """Sales, reporting currency."""
    revenue_yoy: Required[MetricValue]
    """Change of revenue against the same period a year earlier; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    sga_expense: Required[MetricValue]
    """Selling, general and administrative cost, reporting currency."""
    source_updated_at: int
    """Time the underlying data last changed, Unix seconds."""
    symbol: Required[str]
    """US ticker of the company."""
    total_operating_costs: Required[MetricValue]
    """Direct and operating costs together, reporting currency."""
    weighted_average_shares: Required[MetricValue]
    """Average shares outstanding over the period, number of shares."""
    weighted_average_shares_diluted: Required[MetricValue]
    """Average shares over the period with dilutive instruments, number of shares."""


class EquityLatestFilingItem(TypedDict, total=False):
    accepted_at: int
    """Time the regulator accepted the filing; unit not stated, Unix seconds is likely."""
    company_name: Required[str]
    """Name of the company."""
    coverage_fields: Required[Any]
    """Statement fields the filing covers; whether a count or a list is not stated."""
    filed_on: Required[str]
    """Date of filing; format not stated, `YYYY-MM-DD` is likely."""
    financial_metric_count: Required[int]
    """Number of metrics computed from it."""
    form_type: Required[str]
    """Form, for example `10-K`."""
    logo_url: Required[str]
    """Address of the company's logo."""
    report_period: Required[str]
    """Last day of the reporting period."""
    sec_url: Required[str]
    """Address of the filing at the regulator."""
    symbol: Required[str]
    """US ticker."""


class EquityLatestFinancialsItem(TypedDict, total=False):
    company_name: Required[str]
    """Name of the company."""
    duration_days: int
    """Length of the period, days."""
    duration_months: int
    """Length of the period, months; deprecated in favour of `duration_days`."""
    filed_on: Required[str]
    """Date of filing; format not stated, `YYYY-MM-DD` is likely."""
    free_cash_flow: Required[MetricValue]
    """Operating cash flow after capital expenditure; currency not given in this record, the company's reporting currency is likely."""
    gross_margin: Required[MetricValue]
    """Gross profit as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    logo_url: Required[str]
    """Address of the company's logo."""
    operating_margin: Required[MetricValue]
    """Operating income as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    pe_ttm: Required[MetricValue]
    """Share price in relation to the earnings of the last twelve months, a plain ratio."""
    period_start: str
    """First day of the reporting period."""
    report_period: Required[str]
    """Last day of the reporting period."""
    return_on_equity: Required[MetricValue]
    """Net income as part of equity; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    revenue_growth: Required[MetricValue]
    """Growth of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    source_updated_at: int
    """Time the underlying data last changed, Unix seconds."""
    symbol: Required[str]
    """US ticker."""


class EquityLatestPrice(TypedDict, total=False):
    day_change: float
    """Change since the close of the previous trading day; currency of the listing, not named here."""
    day_change_percent: float
    """The same change relative to that close; going by the name in percent (5 = 5 %), the source does not say."""
    price: Required[float]
    """Price; currency of the listing, not named here."""
    timestamp: Required[int]
    """Time of the price, Unix seconds."""


class EquityListing(TypedDict, total=False):
    financial_serving_reason: Literal["reporting_series_missing", "publication_missing", "publication_terminal_excluded"] | str
    """Why no financial data is served."""
    financial_serving_status: Required[str]
    """Whether financial data is served for this listing."""
    is_current: Required[bool]
    """Whether the ticker is the one in use now."""
    is_primary: Required[bool]
    """Whether this is the security's main listing."""
    issuer_cik: Required[str]
    """Central index key of the issuer; type not stated, text is assumed."""
    issuer_company_id: Required[str]
    """Identifier of the issuing company."""
    issuer_legal_name: Required[str]
    """Legal name of the issuer."""
    listing_currency: str
    """Currency the listing trades in."""
    listing_exchange_code: str
    """Code of the listing's exchange."""
    listing_id: Required[str]
    """Identifier of the listing."""
    listing_lifecycle_status: Required[str]
    """Where the listing stands between admission and delisting."""
    listing_symbol_id: Required[str]
    """Identifier of this pairing of listing and ticker."""
    reporting_series_display_name: str
    """Name of the issuer's reporting series."""
    reporting_series_id: str
    """Identifier of the series of reports the figures come from."""
    security_id: Required[str]
    """Identifier of the security."""
    security_name: str
    """Name of the security."""
    security_type: Required[str]
    """Kind of security."""
    share_class: str
    """Share class."""
    stock_type: Required[str]
    """Kind of stock."""
    symbol_exchange_code: str
    """Code of the exchange the ticker belongs to."""
    symbol_identity_status: Required[str]
    """How well the ticker's identity is established."""
    ticker: Required[str]
    """Ticker."""
    valid_from: Any
    """When the ticker came into use; type and format not stated."""
    valid_to: Any
    """When the ticker went out of use; type and format not stated."""


class EquityMeta(TypedDict, total=False):
    currency: Required[str]
    """Currency of the price."""
    day_change: float
    """Change since the previous trading day, in `currency`."""
    day_change_percent: float
    """The same change in relation; going by the name in percent (5 = 5 %), the source does not say."""
    logo_url: Required[str]
    """Address of the company's logo."""
    name: Required[str]
    """Name of the company or fund."""
    price: Required[float]
    """Latest price, in `currency`."""
    price_timestamp: Required[int]
    """Time of the price; unit not stated, Unix seconds is likely."""
    symbol: Required[str]
    """US ticker."""
    tokenized: list[Any] | None
    """Tokenized counterparts, only when asked for and known; the shape of an entry is not shown."""


class EquityOverviewItem(TypedDict, total=False):
    calculated_at: int
    """Time the record was computed, Unix seconds."""
    cash_and_equivalents: MetricValue
    """Cash and assets as good as cash, reporting currency."""
    company_name: str
    """Name of the company."""
    currency: str
    """Reporting currency of the money figures."""
    current_ratio: MetricValue
    """Current assets in relation to current liabilities, a plain ratio."""
    debt_to_equity: MetricValue
    """Debt in relation to equity, a plain ratio."""
    duration_days: int
    """Length of the period, days."""
    duration_months: int
    """Length of the period, months; deprecated in favour of `duration_days`."""
    ebit: MetricValue
    """Earnings before interest and taxes, reporting currency."""
    ebit_margin: MetricValue
    """Earnings before interest and taxes as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    ebitda: MetricValue
    """Earnings before interest, taxes, depreciation and amortization, reporting currency."""
    ebitda_margin: MetricValue
    """Earnings before interest, taxes, depreciation and amortization as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    eps_basic: MetricValue
    """Earnings per share on the shares outstanding, reporting currency per share."""
    eps_diluted: MetricValue
    """Earnings per share as if all dilutive instruments were shares, reporting currency per share."""
    exchange: str
    """Exchange of the listing."""
    fiscal_period: str | None
    """Fiscal label of the period; null when there is none."""
    fiscal_quarter: int
    """Number of the fiscal quarter."""
    fiscal_year: int
    """Fiscal year the period belongs to."""
    formula_version: str
    """Version of the formulas behind computed figures."""
    free_cash_flow: MetricValue
    """Operating cash flow after capital expenditure, reporting currency."""
    gross_margin: MetricValue
    """Gross profit as part of revenue; the source does not tell fraction or percent, a fraction (0.05 = 5 %) is assumed."""
    gross_profit: MetricValue
    """Revenue less its direct cost, reporting currency."""
    period: Literal["quarterly", "annual", "ttm"] | str
    """Kind of reporting period the figures cover."""
    period_start: str
    """First day of the reporting period."""
    report_period: str
    """Last day of the reporting period."""
    source_updated_at: int
    """Time the underlying data last changed, Unix seconds."""
    symbol: str
    """US ticker of the company."""


class EtfTickerFlow(TypedDict, total=False):
    flow_usd: Required[float]
    """Net flow of the day in USD; negative for an outflow."""
    ticker: Required[str]
    """Ticker of the fund."""


class EvmBalanceItem(TypedDict, total=False):
    address: Required[str]
    """Address of the wallet."""
    chain_balances: list[WalletChainItem] | None
    """Value per chain."""
    total_usd: Required[float]
    """Value over all chains in USD."""


class EvmTokenItem(TypedDict, total=False):
    balance: Required[str]
    """Amount held, as a decimal string (unit not stated; likely whole tokens after applying the decimals)."""
    chain: str
    """Name of the chain."""
    is_verified: Required[bool]
    """Whether the token is known to be genuine."""
    logo_url: str
    """Address of the token's logo."""
    name: str
    """Name of the token."""
    price: Required[float]
    """Price of one token (currency not stated; likely USD)."""
    symbol: Required[str]
    """Ticker of the token."""
    token_address: Required[str]
    """Contract address of the token."""
    usd_value: Required[float]
    """Value of the amount held in USD."""


class ExchangeCandleItem(TypedDict, total=False):
    close: Required[float]
    """Last price in the interval, quote currency."""
    close_time: Required[int]
    """End of the candle (unit not stated; Unix seconds likely)."""
    exchange: Required[str]
    """Exchange of the candle."""
    high: Required[float]
    """Highest price in the interval, quote currency."""
    interval: Required[str]
    """Width of the candle."""
    is_synthetic: Required[bool]
    """True when the candle is synthetic, presumably made to fill a gap without trades."""
    low: Required[float]
    """Lowest price in the interval, quote currency."""
    open: Required[float]
    """First price in the interval, quote currency."""
    pair: Required[str]
    """Trading pair of the candle."""
    region: Required[str]
    """Region of the exchange; the set of values is not stated."""
    timestamp: Required[int]
    """Time of the candle, presumably its start (unit not stated; Unix seconds likely)."""
    trade_count: int
    """Number of trades in the interval, when known."""
    volume_base: float
    """Traded amount in the interval, base units."""
    volume_quote: float
    """Traded value in the interval, quote currency."""


class ExchangeCoverageItem(TypedDict, total=False):
    active: Required[bool]
    """True when the pair is trading."""
    base: Required[str]
    """Base currency of the pair."""
    change_24h_abs: float
    """Price change over 24 hours, quote currency."""
    change_24h_pct: float
    """Price change over 24 hours (unit not stated; percent likely, 5 = 5 %)."""
    data_actionability: str
    """Judgement of what the stored data can be used for; the values are not stated."""
    data_status: str
    """State of the stored data, presumably one of the values of the `data_status` parameter."""
    exchange: Required[str]
    """Exchange of the pair."""
    high_24h: float
    """Highest price of the last 24 hours, quote currency."""
    latest_4h_candle_at: int
    """Time of the newest stored 4-hour candle (unit not stated; Unix seconds likely)."""
    latest_5m_candle_at: int
    """Time of the newest stored 5-minute candle (unit not stated; Unix seconds likely)."""
    latest_candle_at: int
    """Time of the newest stored candle of any interval (unit not stated; Unix seconds likely)."""
    latest_price: float
    """Latest known price, quote currency."""
    latest_ticker_at: int
    """Time of the newest stored ticker (unit not stated; Unix seconds likely)."""
    latest_weekly_candle_at: int
    """Time of the newest stored weekly candle (unit not stated; Unix seconds likely)."""
    listing_date: int
    """When the exchange listed the pair (unit not stated; Unix seconds likely)."""
    low_24h: float
    """Lowest price of the last 24 hours, quote currency."""
    open_24h: float
    """Price at the start of the 24-hour window, quote currency."""
    pair: Required[str]
    """Trading pair; use this notation for exchange/candles."""
    prev_close: float
    """Previous closing price, quote currency; which close is meant is not stated."""
    quote: Required[str]
    """Quote currency of the pair."""
    region: Required[str]
    """Region of the exchange; the set of values is not stated."""
    status: Required[str]
    """Listing state of the pair, presumably one of the values of the `status` parameter."""
    technical_score: float
    """Score from technical analysis; its scale is not stated."""
    technical_score_at: int
    """When the technical score was computed (unit not stated; Unix seconds likely)."""
    technical_score_label: str
    """Verbal class of the technical score; the values are not stated."""
    type: Required[str]
    """Market type of the pair."""
    volume_24h_base: float
    """Amount traded in 24 hours, base units."""
    volume_24h_quote: float
    """Value traded in 24 hours, quote currency."""


class ExchangeDepthItem(TypedDict, total=False):
    ask_depth: Required[float | None]
    """Depth of the ask side, presumably the sum of its amounts (base units or quote currency not stated)."""
    asks: Required[list[ExchangeDepthLevel] | None]
    """Ask levels, presumably from the best price upward."""
    bid_depth: Required[float | None]
    """Depth of the bid side, presumably the sum of its amounts (base units or quote currency not stated)."""
    bids: Required[list[ExchangeDepthLevel] | None]
    """Bid levels, presumably from the best price downward."""
    exchange: Required[str]
    """Exchange of the book."""
    mid_price: Required[float | None]
    """Mean of best bid and best ask, quote currency."""
    pair: Required[str]
    """Trading pair of the book."""
    spread: Required[float | None]
    """Best ask minus best bid, quote currency."""
    spread_pct: Required[float | None]
    """Spread relative to the price (unit not stated; percent likely, 5 = 5 %)."""


class ExchangeDepthLevel(TypedDict, total=False):
    amount: Required[float]
    """Amount offered at this price; unit not stated, base units likely (contracts on derivatives possible)."""
    price: Required[float]
    """Price of the level, quote currency."""


class ExchangeFundingHistoryItem(TypedDict, total=False):
    exchange: Required[str]
    """Exchange of the contract."""
    funding_interval_hours: Required[int | None]
    """Hours from one funding to the next; null when unknown."""
    funding_rate: Required[float | None]
    """Funding rate of the event (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    funding_rate_1h: float
    """Funding rate rescaled to one hour (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    funding_rate_8h: float
    """Funding rate rescaled to eight hours (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    funding_rate_annualized: float
    """Funding rate rescaled to one year (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    funding_rate_raw: float
    """Funding rate as the exchange reports it (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    pair: Required[str]
    """Perpetual pair."""
    timestamp: Required[int | None]
    """Time of the funding (unit not stated; Unix seconds likely)."""


class ExchangeFundingItem(TypedDict, total=False):
    exchange: Required[str]
    """Exchange of the contract."""
    funding_interval_hours: Required[int | None]
    """Hours from one funding to the next; null when unknown."""
    funding_rate: Required[float | None]
    """Current funding rate (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    funding_rate_1h: float
    """Funding rate rescaled to one hour (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    funding_rate_8h: float
    """Funding rate rescaled to eight hours (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    funding_rate_annualized: float
    """Funding rate rescaled to one year (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    funding_rate_raw: float
    """Funding rate as the exchange reports it (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    index_price: Required[float | None]
    """Index price of the underlying, quote currency."""
    interval: Required[str | None]
    """Funding interval as text, for example `8h` (notation not stated)."""
    mark_price: Required[float | None]
    """Mark price of the contract, quote currency."""
    next_funding: Required[str | None]
    """Time of the next funding as text; the format is not stated."""
    pair: Required[str]
    """Perpetual pair."""


class ExchangeKlineItem(TypedDict, total=False):
    close: Required[float]
    """Last price in the interval, quote currency."""
    high: Required[float]
    """Highest price in the interval, quote currency."""
    low: Required[float]
    """Lowest price in the interval, quote currency."""
    open: Required[float]
    """First price in the interval, quote currency."""
    timestamp: Required[int | None]
    """Time of the candle, presumably its start (unit not stated; Unix seconds likely)."""
    volume: Required[float]
    """Traded amount in the interval; unit not stated, base units likely (contracts on derivatives possible)."""


class ExchangeKlineResponse(TypedDict, total=False):
    candles: Required[list[ExchangeKlineItem] | None]
    """Candles of the period; order not stated."""
    count: Required[int]
    """Number of candles."""
    exchange: Required[str]
    """Exchange of the candles."""
    interval: Required[str]
    """Width of one candle."""
    pair: Required[str]
    """Trading pair of the candles."""
    period_end: Required[str | None]
    """End of the period as text; the format is not stated."""
    period_high: Required[float | None]
    """Highest price of the period, quote currency."""
    period_low: Required[float | None]
    """Lowest price of the period, quote currency."""
    period_start: Required[str | None]
    """Start of the period as text; the format is not stated."""
    period_volume: Required[float | None]
    """Amount traded over the period, in the unit of the candles' `volume`."""


class ExchangeLongShortRatioItem(TypedDict, total=False):
    exchange: Required[str]
    """Exchange of the contract."""
    long_short_ratio: Required[float | None]
    """Longs divided by shorts, a plain ratio; null when unknown."""
    pair: Required[str]
    """Contract pair."""
    timestamp: Required[int | None]
    """Time of the point (unit not stated; Unix seconds likely)."""


class ExchangeMarketItem(TypedDict, total=False):
    active: Required[bool | None]
    """True when the pair can be traded; null when unknown."""
    base: Required[str | None]
    """Base currency of the pair."""
    exchange: Required[str]
    """Exchange of the pair."""
    maker_fee: Required[float | None]
    """Fee for adding liquidity (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    pair: Required[str]
    """Name of the pair, as the other exchange operations take it."""
    quote: Required[str | None]
    """Quote currency of the pair."""
    taker_fee: Required[float | None]
    """Fee for taking liquidity (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    type: Required[str | None]
    """Market type of the pair, for example spot or swap."""


class ExchangeOpenInterestItem(TypedDict, total=False):
    exchange: Required[str]
    """Exchange of the contract."""
    open_interest_amount: Required[float | None]
    """Open interest as an amount; unit not stated, base units or contracts."""
    open_interest_usd: Required[float | None]
    """Open interest in USD."""
    pair: Required[str]
    """Perpetual pair."""
    timestamp: Required[int | None]
    """Time of the reading (unit not stated; Unix seconds likely)."""


class ExchangePerpResponse(TypedDict, total=False):
    exchange: Required[str]
    """Exchange of the contract."""
    funding: Required[ExchangeFundingItem]
    """Current funding, asked for with `funding` in `fields`."""
    open_interest: Required[ExchangeOpenInterestItem]
    """Current open interest, asked for with `oi` in `fields`."""
    pair: Required[str]
    """Perpetual pair."""


class ExchangePriceItem(TypedDict, total=False):
    ask: Required[float | None]
    """Best ask price, quote currency."""
    bid: Required[float | None]
    """Best bid price, quote currency."""
    change_24h_pct: Required[float | None]
    """Price change over 24 hours (unit not stated; percent likely, 5 = 5 %)."""
    exchange: Required[str]
    """Exchange of the ticker."""
    high_24h: Required[float | None]
    """Highest price of the last 24 hours, quote currency."""
    last: Required[float | None]
    """Price of the last trade, quote currency."""
    low_24h: Required[float | None]
    """Lowest price of the last 24 hours, quote currency."""
    pair: Required[str]
    """Trading pair."""
    timestamp: Required[int | None]
    """Time of the ticker (unit not stated; Unix seconds likely)."""
    volume_24h_base: Required[float | None]
    """Amount traded in 24 hours, base units."""


class FollowerGeoData(TypedDict, total=False):
    locations: Required[list[FollowerGeoItem] | None]
    """Locations with their share of the followers, at most `geo_limit` of them."""
    total_follower_count: Required[int]
    """Number of followers counted in total."""


class FollowerGeoItem(TypedDict, total=False):
    follower_count: Required[int]
    """Number of followers in this location."""
    location: Required[str]
    """Name of the location, likely a country."""
    percentage: Required[float]
    """Share of the followers in this location (unit not stated; likely percent, so that 5 is 5 %)."""


class FundDetailItem(TypedDict, total=False):
    description: str
    """Text about the fund."""
    id: Required[str]
    """UUID of the fund."""
    image: str
    """Address of the fund logo."""
    invested_projects_count: Required[int]
    """Number of unique projects in the portfolio."""
    jurisdiction: str
    """Jurisdiction of the fund, as text."""
    links: Required[list[FundLinkItem] | None]
    """Web and social links of the fund."""
    members: Required[list[FundMemberItem] | None]
    """People of the fund."""
    name: Required[str]
    """Name of the fund."""
    recent_researches: Required[list[FundResearchItem] | None]
    """Recent research publications of the fund."""
    tier: Required[int]
    """Tier of the fund; a lower number is better."""
    type: str
    """Kind of fund; the set of values is open."""
    x_accounts: Required[list[FundXAccountItem] | None]
    """X accounts of the fund."""


class FundLinkItem(TypedDict, total=False):
    type: Required[str]
    """Kind of link; the set of values is open."""
    value: Required[str]
    """The link itself."""


class FundMemberItem(TypedDict, total=False):
    avatar: str
    """Address of a picture of the person."""
    name: Required[str]
    """Name of the person."""
    roles: Required[list[str] | None]
    """Roles the person has at the fund."""


class FundPortfolioItem(TypedDict, total=False):
    invested_at: int
    """Time of the investment (unit not stated; likely Unix seconds)."""
    is_lead: Required[bool]
    """Whether the fund led the investment."""
    project_id: Required[str]
    """Id of the project."""
    project_logo: str
    """Address of the project logo."""
    project_name: Required[str]
    """Name of the project."""
    project_slug: str
    """Short name of the project for use in addresses."""
    recent_raise: float
    """Size of the latest raise of the project, USD."""
    total_raise: float
    """Sum of all raises of the project, USD."""


class FundResearchItem(TypedDict, total=False):
    id: Required[str]
    """Id of the publication."""
    published_at: Required[int]
    """Time of publication, Unix seconds."""
    title: Required[str]
    """Title of the publication."""
    url: Required[str]
    """Address of the publication."""


class FundSearchItem(TypedDict, total=False):
    id: Required[str]
    """UUID of the fund, usable as `id` of fund detail and fund portfolio."""
    image: str
    """Address of the fund logo."""
    invested_projects_count: Required[int]
    """Number of unique projects in the portfolio."""
    name: Required[str]
    """Name of the fund."""
    tier: Required[int]
    """Tier of the fund; a lower number is better."""
    top_projects: Required[list[FundPortfolioItem] | None]
    """Up to five top projects of the portfolio; how they are chosen is not stated."""
    type: str
    """Kind of fund; the set of values is open."""


class FundXAccountItem(TypedDict, total=False):
    display_name: str
    """Display name of the account."""
    followers_count: Required[int]
    """Number of followers."""
    handle: Required[str]
    """Handle of the account, without @."""
    id: Required[str]
    """Id of the account."""
    profile_image: str
    """Address of the profile picture."""


class FundraisingSearchItem(TypedDict, total=False):
    event_at: Required[int]
    """Time of the event, Unix seconds."""
    id: Required[str]
    """Id of the report."""
    importance: int
    """Importance of the report on a scale of 1 to 5; a higher number presumably means more important."""
    published_at: Required[int]
    """Time of publication, Unix seconds."""
    source: Required[FundraisingSearchSource]
    """Main source of the report."""
    source_count: Required[int]
    """Number of sources behind the report."""
    summary: Required[str]
    """Short text of the report."""
    title: Required[str]
    """Title of the report."""


class FundraisingSearchSource(TypedDict, total=False):
    name: str
    """Name of the publisher or account."""
    type: Required[Literal["social", "news"] | str]
    """Kind of source."""
    url: str
    """Address of the source."""


class HyperliquidAccount(TypedDict, total=False):
    address: Required[str]
    """Account address, 0x-prefixed."""
    as_of: Required[int]
    """Time the data was fetched from the venue, Unix seconds."""
    errors: list[HyperliquidSectionError] | None
    """Parts that could not be read; sections `perp`, `spot`, `vaults`, `staking` and `pricing` are known."""
    perp: HyperliquidPerpSummary
    """Perpetuals side of the account; may be missing, as when that part could not be read."""
    spot: HyperliquidSpot
    """Spot token balances; may be missing, as when that part could not be read."""
    staking: HyperliquidStaking
    """Staked HYPE; may be missing, as when that part could not be read."""
    total_value_usd: float
    """Perpetuals equity, vault equity, staked HYPE and priced spot holdings added up, in USD; a lower bound if `unpriced_token_count` is above zero, missing if a section failed or HYPE is held without a price."""
    unpriced_token_count: Required[int]
    """Number of held tokens without a price, which the total leaves out."""
    vaults: HyperliquidVaults
    """Vault deposits; may be missing, as when that part could not be read."""


class HyperliquidCandle(TypedDict, total=False):
    close: Required[float]
    """Last price of the candle, presumably in the quote currency."""
    close_time: Required[int]
    """End of the candle; unit not stated, Unix seconds is likely as in the parameters."""
    closed: Required[bool]
    """True once the candle is over and no longer changes."""
    high: Required[float]
    """Highest price of the candle, presumably in the quote currency."""
    interval: Required[str]
    """Length of the candle, as in the request."""
    low: Required[float]
    """Lowest price of the candle, presumably in the quote currency."""
    open: Required[float]
    """First price of the candle, presumably in the quote currency."""
    open_time: Required[int]
    """Start of the candle; unit not stated, Unix seconds is likely as in the parameters."""
    quote: Required[float | None]
    """Traded value in USD; null before the time from which it is covered."""
    symbol: Required[str]
    """Market the candle belongs to."""
    trades: Required[int]
    """Number of trades in the candle."""
    volume: Required[float]
    """Traded amount in base units."""


class HyperliquidCumFunding(TypedDict, total=False):
    all_time: Required[float]
    """Funding in the market over the whole life of the account, USD."""
    since_change: Required[float]
    """Funding since the position last changed, USD."""
    since_open: Required[float]
    """Funding since the position was opened, USD."""


class HyperliquidEpisode(TypedDict, total=False):
    close_time: Required[int]
    """Time the position was closed; unit not stated, Unix seconds as in the trade context operation is likely."""
    direction: Required[str]
    """Side of the trade, `long` or `short`."""
    entry_px: Required[float]
    """Entry price, presumably in the quote currency, averaged over the trade."""
    episode_id: str
    """Identifier of the trade in the stored history; missing on live rows."""
    exit_px: Required[float]
    """Exit price, presumably in the quote currency, averaged over the trade."""
    fees: Required[float]
    """Trading fees of the trade; unit not stated, USD is likely."""
    funding_pnl: Required[float]
    """Funding result of the trade; unit not stated, USD is likely; not to be relied on unless `funding_status` is `complete`."""
    funding_status: Required[Literal["complete", "partial", "unavailable"] | str]
    """How fully the funding of the trade is covered."""
    gross_pnl: Required[float]
    """Profit before fees and funding; unit not stated, USD is likely."""
    hold_seconds: Required[int]
    """Time the position was held, seconds."""
    is_win: Required[bool]
    """True if the trade counts as won; the rule for ties is not stated."""
    leverage: float
    """Leverage of the trade as a multiple (10 = 10x); missing when unknown."""
    leverage_semantics: str
    """What the leverage figure stands for; the only value known is `completed_trade_reported`."""
    leverage_type: str
    """Margin mode of `leverage`; values not stated, likely `cross` or `isolated` as for open positions."""
    net_pnl: Required[float]
    """Profit after fees but without funding; unit not stated, USD is likely."""
    notional_usd: Required[float]
    """Notional value of the trade, USD."""
    open_time: Required[int]
    """Time the position was opened; unit not stated, Unix seconds as in the trade context operation is likely."""
    opened_sz: Required[float]
    """Size opened during the trade; unit not stated, base units is likely."""
    reported_leverage: float
    """Leverage that was reported for the trade, as a multiple; how it differs from `leverage` is not stated."""
    reported_leverage_type: str
    """Margin mode that was reported with `reported_leverage`; values not stated."""
    source: Required[Literal["warehouse", "live"] | str]
    """Where the row comes from: the stored history or live data."""
    symbol: Required[str]
    """Market of the trade, for example `BTC`."""


class HyperliquidFill(TypedDict, total=False):
    closed_pnl: Required[float]
    """Profit realised by this fill; unit not stated, USD is likely."""
    crossed: Required[bool]
    """True if the account was the taker, false if it was the maker."""
    direction: Required[str]
    """What the fill did to the position, for example `Open Long`."""
    fee: Required[float]
    """Fee in units of `fee_token`; a negative figure is a rebate."""
    fee_token: Required[str]
    """Token the fee was charged in."""
    fill_id: Required[str]
    """Unique identifier of the fill; a paging key together with `time_ms`."""
    hash: Required[str]
    """Transaction hash; several fills can share one."""
    is_internal: Required[bool]
    """True if the venue or the service marks the fill as internal; the exact meaning is not stated."""
    price: Required[float]
    """Price of the fill, presumably in the quote currency."""
    side: Required[Literal["buy", "sell"] | str]
    """Whether the account bought or sold."""
    size: Required[float]
    """Size of the fill; unit not stated, base units is likely."""
    start_position: Required[float]
    """Position before the fill; unit not stated, signed base units is likely."""
    symbol: Required[str]
    """Market of the fill, for example `BTC`."""
    time: Required[int]
    """Time of the fill, Unix seconds; not unique."""
    time_ms: Required[int]
    """Time of the fill, Unix milliseconds."""
    tx_index: Required[int]
    """Index that makes `time_ms` unique; zero is a valid index."""


class HyperliquidHistoricalOrder(TypedDict, total=False):
    is_position_tpsl: Required[bool]
    """True if the order is a take-profit or stop-loss tied to the whole position."""
    is_trigger: Required[bool]
    """True if the order waits for a trigger price."""
    limit_price: Required[float]
    """Limit price, presumably in the quote currency."""
    market_type: Required[Literal["perp", "spot"] | str]
    """Kind of market the order was placed in."""
    order_id: Required[int]
    """Order number at the venue."""
    order_type: Required[str]
    """Kind of order in the venue's words."""
    original_size: Required[float]
    """Size when the order was placed; unit not stated, base units is likely."""
    placed_time: Required[int]
    """Time the order was placed; unit not stated, Unix seconds is likely."""
    reduce_only: Required[bool]
    """True if the order may only reduce a position."""
    side: Required[str]
    """Side of the order; values not stated, buy and sell as for fills is likely."""
    size: Required[float]
    """Size not yet executed, presumably; unit not stated, base units is likely."""
    status: Required[str]
    """Last status of the order in the venue's words."""
    status_time: Required[int]
    """Time the status was reached; unit not stated, Unix seconds is likely."""
    symbol: Required[str]
    """Market of the order; spot markets look like `@107`."""
    trigger_condition: Required[str]
    """Condition that sets the order off, in the venue's words."""
    trigger_price: Required[float]
    """Price that sets the order off, presumably in the quote currency; presumably without meaning unless `is_trigger` is true."""


class HyperliquidOpenOrder(TypedDict, total=False):
    is_position_tpsl: Required[bool]
    """True if the order is a take-profit or stop-loss tied to the whole position."""
    is_trigger: Required[bool]
    """True if the order waits for a trigger price."""
    limit_price: Required[float]
    """Limit price, presumably in the quote currency."""
    market_type: Required[Literal["perp", "spot"] | str]
    """Kind of market the order was placed in."""
    order_id: Required[int]
    """Order number at the venue."""
    order_type: Required[str]
    """Kind of order in the venue's words."""
    original_size: Required[float]
    """Size when the order was placed; unit not stated, base units is likely."""
    reduce_only: Required[bool]
    """True if the order may only reduce a position."""
    side: Required[str]
    """Side of the order; values not stated, buy and sell as for fills is likely."""
    size: Required[float]
    """Size not yet executed, presumably; unit not stated, base units is likely."""
    symbol: Required[str]
    """Market of the order; spot markets look like `@107`."""
    timestamp: Required[int]
    """Time of the order, presumably when it was placed; unit not stated, Unix seconds is likely."""
    trigger_condition: Required[str]
    """Condition that sets the order off, in the venue's words."""
    trigger_price: Required[float]
    """Price that sets the order off, presumably in the quote currency; presumably without meaning unless `is_trigger` is true."""


class HyperliquidOrders(TypedDict, total=False):
    address: Required[str]
    """Account address, 0x-prefixed."""
    as_of: Required[int]
    """Time the data was fetched; unit not stated here, Unix seconds as in the account overview is likely."""
    errors: list[HyperliquidSectionError] | None
    """Parts that could not be read; the section names used here are not stated."""
    historical: Required[list[HyperliquidHistoricalOrder] | None]
    """Past orders, cut at `historical_limit`; the order is not stated."""
    historical_total: Required[int]
    """Number of past orders found; larger than the list when it was cut."""
    open: Required[list[HyperliquidOpenOrder] | None]
    """Open orders, cut at `open_limit`; the order is not stated."""
    open_total: Required[int]
    """Number of open orders found; larger than the list when it was cut."""


class HyperliquidPerformanceView(TypedDict, total=False):
    account_value: float
    """Account equity; unit not stated, USD is likely; missing only when the live snapshot could not be read in full."""
    address: Required[str]
    """Account address, 0x-prefixed."""
    errors: list[HyperliquidSectionError] | None
    """Parts that could not be computed; sections `gap_fill`, `snapshot` and `ledger` are known."""
    open_positions: Required[list[HyperliquidPosition] | None]
    """Open perpetual positions; the order is not stated here."""
    partial: Required[bool]
    """True when `errors` is not empty."""
    performance: HyperliquidWalletPerf
    """Statistics over completed trades; missing when they could not be computed."""
    total_unrealized_pnl: float
    """Unrealised profit of all open positions; unit not stated, USD is likely; may be missing."""
    traded_pairs: Required[int]
    """Number of markets traded."""
    watermark: Required[int]
    """Time up to which the stored history reaches, Unix seconds; zero means a full backfill."""


class HyperliquidPerpSummary(TypedDict, total=False):
    account_value: Required[float]
    """Perpetuals equity; unit not stated, USD is likely."""
    open_position_count: Required[int]
    """Number of open positions."""
    total_margin_used: Required[float]
    """Margin tied up in positions; unit not stated, USD is likely."""
    withdrawable: Required[float]
    """Amount that can be withdrawn; unit not stated, USD is likely."""


class HyperliquidPosition(TypedDict, total=False):
    cum_funding: Required[HyperliquidCumFunding]
    """Funding of the position over three periods, USD."""
    distance_to_liquidation: float
    """Distance between mark and liquidation price as a positive fraction (0.05 = 5 %); may be missing."""
    entry_price: Required[float]
    """Entry price, presumably in the quote currency and averaged."""
    leverage_type: Required[Literal["cross", "isolated"] | str]
    """Margin mode of the position."""
    leverage_value: Required[int]
    """Leverage set for the position, as a multiple (10 = 10x)."""
    liquidation_price: float
    """Price at which the position is liquidated, presumably in the quote currency; missing when the venue gives none."""
    margin_used: Required[float]
    """Margin tied up in the position; unit not stated, USD is likely."""
    mark_price: Required[float]
    """Mark price, presumably in the quote currency."""
    max_leverage: Required[int]
    """Largest leverage the market allows, as a multiple."""
    position_value: Required[float]
    """Value of the position at the mark price; unit not stated, USD is likely."""
    return_on_equity: Required[float]
    """Return on the margin as a fraction (0.45 = 45 %)."""
    side: Required[Literal["long", "short"] | str]
    """Side of the position."""
    size: Required[float]
    """Size, positive for long and negative for short; unit not stated, base units is likely."""
    symbol: Required[str]
    """Market of the position, for example `BTC`."""
    unrealized_pnl: Required[float]
    """Unrealised profit; unit not stated, USD is likely."""


class HyperliquidPositions(TypedDict, total=False):
    account_value: Required[float]
    """Perpetuals equity; unit not stated, USD is likely."""
    address: Required[str]
    """Account address, 0x-prefixed."""
    cross_maintenance_margin_used: Required[float]
    """Maintenance margin needed by positions in cross mode; unit not stated, USD is likely."""
    margin_ratio: Required[float]
    """Margin use as a fraction from 0 to 1; liquidation comes near as it approaches 1."""
    positions: Required[list[HyperliquidPosition] | None]
    """Open positions, largest value first."""
    timestamp: Required[int]
    """Time of the snapshot; unit not stated, Unix seconds is likely."""
    total_margin_used: Required[float]
    """Margin tied up in all positions; unit not stated, USD is likely."""
    total_notional_pos: Required[float]
    """Notional value of all positions; unit not stated, USD is likely."""
    total_raw_usd: Required[float]
    """Raw USD balance; what it counts is not stated."""
    withdrawable: Required[float]
    """Amount that can be withdrawn; unit not stated, USD is likely."""


class HyperliquidSectionError(TypedDict, total=False):
    reason: Required[str]
    """Why the part is missing, as text."""
    section: Required[Literal["perp", "spot", "vaults", "staking", "pricing", "gap_fill", "snapshot", "ledger"] | str]
    """Name of the part; which names occur depends on the operation."""


class HyperliquidSpot(TypedDict, total=False):
    balances: Required[list[HyperliquidSpotBalance] | None]
    """Token balances, sorted by symbol."""


class HyperliquidSpotBalance(TypedDict, total=False):
    available: Required[float]
    """Amount free to use, `total` minus `hold`, in the same unit."""
    entry_notional: Required[float]
    """Value at which the holding was bought; unit not stated, USD is likely."""
    hold: Required[float]
    """Amount that is held back, as by open orders; unit not stated, units of the token is likely."""
    symbol: Required[str]
    """Symbol of the token."""
    token_id: Required[int]
    """Index of the token at the venue."""
    total: Required[float]
    """Whole balance; unit not stated, units of the token is likely."""
    withdrawable: float
    """Amount that can be withdrawn; unit not stated, units of the token is likely; may be missing."""


class HyperliquidStaking(TypedDict, total=False):
    delegated_hype: Required[float]
    """Amount delegated to validators, HYPE."""
    pending_withdrawal_count: Required[int]
    """Number of withdrawals under way."""
    total_pending_withdrawal_hype: Required[float]
    """Amount of all withdrawals under way, HYPE."""
    undelegated_hype: Required[float]
    """Amount in staking that is not delegated, HYPE."""


class HyperliquidTradeContext(TypedDict, total=False):
    funding_pnl: float
    """Funding result of the trade; unit not stated, USD is likely; given only when `funding_status` is `complete`."""
    funding_status: Required[Literal["complete", "partial", "unavailable"] | str]
    """How fully the funding of the trade is covered."""
    leverage: float
    """Leverage of the trade as a multiple (10 = 10x); missing when unknown."""
    leverage_semantics: str
    """What the leverage figure stands for; the only value known is `completed_trade_reported`."""
    leverage_type: str
    """Margin mode of `leverage`; values not stated, likely `cross` or `isolated` as for open positions."""
    reported_leverage: float
    """Leverage that was reported for the trade, as a multiple; how it differs from `leverage` is not stated."""
    reported_leverage_type: str
    """Margin mode that was reported with `reported_leverage`; values not stated."""


class HyperliquidTradeGroup(TypedDict, total=False):
    avg_loss: float
    """Average result of the lost trades; unit and sign not stated, USD is likely; missing presumably when the group has none."""
    avg_win: float
    """Average result of the won trades; unit not stated, USD is likely; missing presumably when the group has none."""
    fees: Required[float]
    """Trading fees; unit not stated, USD is likely."""
    funding_pnl: Required[float]
    """Funding result; unit not stated, USD is likely; not to be relied on unless `funding_status` is `complete`."""
    funding_status: Required[Literal["complete", "partial", "unavailable"] | str]
    """How fully the funding of the trades in the group is covered."""
    gross_pnl: Required[float]
    """Profit before fees and funding; unit not stated, USD is likely."""
    key: Required[str]
    """Name of the group: a date YYYY-MM-DD, a market, a direction or the label of a size or holding-time tier, depending on `group_by`."""
    net_pnl: Required[float]
    """Profit after fees; unit not stated, USD is likely; presumably without funding as for a single trade."""
    trade_count: Required[int]
    """Number of completed trades."""
    volume_usd: Required[float]
    """Traded volume, USD."""
    win_rate: Required[float]
    """Share of won trades as a fraction (0.6 = 60 %)."""


class HyperliquidTrader(TypedDict, total=False):
    account_age_days: int
    """Age of the account, days; missing when unknown."""
    address: Required[str]
    """Account address, 0x-prefixed."""
    days_active: Required[int]
    """Number of days with trading."""
    human_score: Required[int]
    """Score from 0 to 100 for how much the account looks run by a person rather than a bot, presumably higher for a person."""
    rank: Required[int]
    """Place in the ranking, counted from 1 over all pages."""
    total_fees: Required[float]
    """Trading fees; unit not stated, USD is likely."""
    total_funding: Required[float]
    """Funding result; unit and sign not stated, USD is likely."""
    total_pnl: Required[float]
    """Profit; unit not stated, USD is likely, and whether fees are taken off is not stated."""
    total_trades: Required[int]
    """Number of trades."""
    traded_pairs: Required[list[str] | None]
    """Markets traded over the whole life of the account."""
    volume_traded: Required[float]
    """Traded volume; unit not stated, USD is likely."""
    win_rate: Required[float]
    """Share of won trades; unit not stated, a fraction (0.6 = 60 %) as in grouped trades is likely."""


class HyperliquidTraderStats(TypedDict, total=False):
    account_age_days: int
    """Age of the account, days; missing when unknown."""
    address: Required[str]
    """Account address, 0x-prefixed."""
    days_active: Required[int]
    """Number of days with trading."""
    human_score: Required[int]
    """Score, presumably from 0 to 100 as on the leaderboard, for how much the account looks run by a person rather than a bot."""
    loss_rate: Required[float]
    """Share of lost trades; unit not stated, a fraction (0.4 = 40 %) is likely."""
    total_fees: Required[float]
    """Trading fees; unit not stated, USD is likely."""
    total_funding: Required[float]
    """Funding result; unit and sign not stated, USD is likely."""
    total_pnl: Required[float]
    """Profit; unit not stated, USD is likely, and whether fees are taken off is not stated."""
    total_trades: Required[int]
    """Number of trades."""
    traded_pairs: Required[list[str] | None]
    """Markets traded; whether over the range or the whole life of the account is not stated."""
    volume_traded: Required[float]
    """Traded volume; unit not stated, USD is likely."""
    win_rate: Required[float]
    """Share of won trades; unit not stated, a fraction (0.6 = 60 %) as in grouped trades is likely."""


class HyperliquidVaultPosition(TypedDict, total=False):
    equity: Required[float]
    """Value of the deposit; unit not stated, USD is likely."""
    locked_until: int
    """Time until which the deposit is locked, Unix seconds; missing without a lock."""
    vault_address: Required[str]
    """Address of the vault."""


class HyperliquidVaults(TypedDict, total=False):
    positions: Required[list[HyperliquidVaultPosition] | None]
    """Deposits, one for each vault."""
    total_equity: Required[float]
    """Value of all deposits; unit not stated, USD is likely."""


class HyperliquidWalletPerf(TypedDict, total=False):
    avg_loss: float
    """Average result of the lost trades; unit and sign not stated, USD is likely; may be missing."""
    avg_win: float
    """Average result of the won trades; unit not stated, USD is likely; may be missing."""
    fees: Required[float]
    """Trading fees; unit not stated, USD is likely."""
    first_trade: Required[int]
    """Time of the first trade; unit not stated, Unix seconds is likely."""
    gross_pnl: Required[float]
    """Profit before fees; unit not stated, USD is likely."""
    last_trade: Required[int]
    """Time of the last trade; unit not stated, Unix seconds is likely."""
    losses: Required[int]
    """Number of lost trades."""
    net_pnl: Required[float]
    """Profit after fees; unit not stated, USD is likely; funding is presumably left out as for a single trade."""
    profit_factor: float
    """Sum of wins divided by sum of losses, presumably, as a plain ratio; may be missing."""
    scratches: Required[int]
    """Number of trades that were neither won nor lost, presumably."""
    trades: Required[int]
    """Number of completed trades."""
    volume_usd: Required[float]
    """Traded volume, USD."""
    win_rate: Required[float]
    """Share of won trades; unit not stated, a fraction (0.6 = 60 %) as in grouped trades is likely."""
    wins: Required[int]
    """Number of won trades."""


class IndicatorValues(TypedDict, total=False):
    bbands_lower: float
    """Lower Bollinger band, price in the quote currency of the candles."""
    bbands_middle: float
    """Middle Bollinger band, price in the quote currency of the candles."""
    bbands_upper: float
    """Upper Bollinger band, price in the quote currency of the candles."""
    dmi_adx: float
    """Average directional index of the DMI, usually 0 to 100."""
    dmi_mdi: float
    """Minus directional indicator of the DMI, usually 0 to 100."""
    dmi_pdi: float
    """Plus directional indicator of the DMI, usually 0 to 100."""
    ichimoku_base: float
    """Ichimoku base line, price in the quote currency of the candles."""
    ichimoku_conversion: float
    """Ichimoku conversion line, price in the quote currency of the candles."""
    ichimoku_current_span_a: float
    """Ichimoku leading span A at the current candle, price in the quote currency of the candles."""
    ichimoku_current_span_b: float
    """Ichimoku leading span B at the current candle, price in the quote currency of the candles."""
    ichimoku_lagging_span_a: float
    """Lagging value of Ichimoku span A, price in the quote currency of the candles; the exact meaning is not stated."""
    ichimoku_lagging_span_b: float
    """Lagging value of Ichimoku span B, price in the quote currency of the candles; the exact meaning is not stated."""
    ichimoku_span_a: float
    """Ichimoku leading span A, price in the quote currency of the candles."""
    ichimoku_span_b: float
    """Ichimoku leading span B, price in the quote currency of the candles."""
    macd_hist: float
    """MACD histogram, the MACD line minus its signal line, in price units."""
    macd_signal: float
    """Signal line of the MACD, in price units."""
    macd_value: float
    """MACD line, in price units."""
    stoch_d: float
    """Slow line %D of the stochastic oscillator, usually 0 to 100."""
    stoch_k: float
    """Fast line %K of the stochastic oscillator, usually 0 to 100."""
    supertrend_advice: str
    """Direction that the Supertrend indicator suggests; the values are not stated."""
    supertrend_value: float
    """Supertrend line, price in the quote currency of the candles."""


class KalshiEvent(TypedDict, total=False):
    event_subtitle: str
    """Second line of the event's title."""
    event_ticker: Required[str]
    """Ticker of the event."""
    event_title: Required[str]
    """Title of the event."""
    market_count: Required[int]
    """Number of markets in the event."""
    markets: Required[list[KalshiMarketItem] | None]
    """Markets of the event."""


class KalshiMarketItem(TypedDict, total=False):
    category: str
    """Curated category of the market."""
    close_time: int
    """When trading closes, most likely Unix seconds (unit not stated)."""
    end_time: int
    """When the market ends, most likely Unix seconds (unit not stated)."""
    event_ticker: Required[str]
    """Ticker of the event that the market belongs to."""
    event_title: str
    """Title of that event."""
    last_day_open_interest: Required[float]
    """Open interest of the last day, most likely contracts (unit not stated)."""
    market_ticker: Required[str]
    """Ticker of the market."""
    notional_volume_usd: Required[float]
    """Notional volume, USD; the period is not stated."""
    open_interest: Required[float]
    """Open interest now, most likely contracts (unit not stated)."""
    payout_type: Required[str]
    """How the market pays out (values not stated)."""
    result: str
    """Outcome of a resolved market."""
    start_time: int
    """When the market starts, most likely Unix seconds (unit not stated)."""
    status: Required[str]
    """Lifecycle status of the market."""
    subcategory: str
    """Finer category of the market."""
    title: Required[str]
    """Title of the market."""
    total_volume: Required[int]
    """Volume over the life of the market, most likely contracts (unit not stated)."""


class KalshiOiPoint(TypedDict, total=False):
    open_interest: Required[float]
    """Open interest, most likely contracts (unit not stated)."""
    timestamp: Required[int]
    """Time of the point, most likely Unix seconds (unit not stated)."""


class KalshiPricePoint(TypedDict, total=False):
    high: Required[float]
    """Highest price of the period, most likely a probability from 0 to 1; which side it refers to is not stated."""
    low: Required[float]
    """Lowest price of the period, most likely a probability from 0 to 1; which side it refers to is not stated."""
    open: float
    """First price of the period, most likely a probability from 0 to 1; which side it refers to is not stated."""
    side_a: Required[KalshiPriceSide]
    """First side with its price, presumably Yes."""
    side_b: Required[KalshiPriceSide]
    """Second side with its price, presumably No."""
    timestamp: Required[int]
    """Time of the point, most likely Unix seconds (unit not stated)."""


class KalshiPriceSide(TypedDict, total=False):
    label: Required[str]
    """Name of the side."""
    price: Required[float]
    """Price of the side, most likely a probability from 0 to 1 (unit not stated)."""


class KalshiRankingItem(TypedDict, total=False):
    category: str
    """Curated category of the market (assumed field)."""
    close_time: int
    """When trading closes, most likely Unix seconds (assumed field)."""
    end_time: int
    """When the market ends, most likely Unix seconds (assumed field)."""
    event_ticker: str
    """Ticker of the event that the market belongs to (assumed field)."""
    event_title: str
    """Title of that event (assumed field)."""
    last_day_open_interest: float
    """Open interest of the last day, most likely contracts (assumed field)."""
    market_ticker: str
    """Ticker of the market (assumed field)."""
    notional_volume_usd: float
    """Notional volume, USD (assumed field; period not known)."""
    open_interest: float
    """Open interest now, most likely contracts (assumed field)."""
    payout_type: str
    """How the market pays out (assumed field)."""
    result: str
    """Outcome of a resolved market (assumed field)."""
    start_time: int
    """When the market starts, most likely Unix seconds (assumed field)."""
    status: str
    """Lifecycle status of the market (assumed field)."""
    subcategory: str
    """Finer category of the market (assumed field)."""
    title: str
    """Title of the market (assumed field)."""
    total_volume: float
    """Volume over the life of the market, most likely contracts (assumed field)."""


class KalshiTrade(TypedDict, total=False):
    market_ticker: Required[str]
    """Ticker of the market."""
    no_price: Required[float]
    """Price of the No side, most likely a probability from 0 to 1 (unit not stated)."""
    notional_volume_usd: Required[int]
    """Notional value of the trade in whole USD."""
    taker_side: Required[str]
    """Side that the taker took."""
    timestamp: Required[int]
    """Time of the trade, most likely Unix seconds (unit not stated)."""
    trade_id: Required[str]
    """Identifier of the trade."""
    yes_price: Required[float]
    """Price of the Yes side, most likely a probability from 0 to 1 (unit not stated)."""


class KalshiVolumePoint(TypedDict, total=False):
    notional_volume_usd: Required[float]
    """Notional volume of the period, USD."""
    timestamp: Required[int]
    """Time of the point, most likely Unix seconds (unit not stated)."""


class LeaderboardItem(TypedDict, total=False):
    address: Required[str]
    """Address of the wallet."""
    pnl: Required[float]
    """Profit or loss, most likely USD (unit and period not stated)."""
    positions: Required[int]
    """Number of positions."""
    positions_lost: Required[int]
    """Number of positions that lost."""
    positions_open: Required[int]
    """Number of positions still open."""
    positions_won: Required[int]
    """Number of positions that won."""
    trade_count: Required[int]
    """Number of trades."""
    volume: Required[float]
    """Traded volume, most likely USD (unit and period not stated)."""


class LiquidationChartItem(TypedDict, total=False):
    contributing_exchanges: list[str] | None
    """Exchanges whose data are in the row, when given."""
    excluded_exchanges: list[str] | None
    """Exchanges left out of the row, when given; the reason is not stated."""
    long_liquidation_usd: Required[float]
    """Liquidated long positions, USD."""
    short_liquidation_usd: Required[float]
    """Liquidated short positions, USD."""
    timestamp: Required[int]
    """Time of the step, presumably its start (unit not stated; Unix seconds likely)."""


class LiquidationExchangeItem(TypedDict, total=False):
    exchange: Required[str]
    """Exchange of the row."""
    liquidation_usd: Required[float]
    """Liquidated positions of both sides together, USD."""
    long_liquidation_usd: Required[float]
    """Liquidated long positions, USD."""
    short_liquidation_usd: Required[float]
    """Liquidated short positions, USD."""


class LiquidationOrderItem(TypedDict, total=False):
    base_asset: Required[str]
    """Ticker of the asset whose position was liquidated."""
    exchange: Required[str]
    """Exchange of the order."""
    order_id: Required[str]
    """Identifier of the order."""
    price: Required[float]
    """Price of the order; presumably the quote currency of the contract (not stated)."""
    side: Required[str]
    """Side of the order, long or short."""
    symbol: Required[str]
    """Contract on the exchange; the notation is not stated."""
    timestamp: Required[int]
    """Time of the liquidation (unit not stated; Unix seconds likely)."""
    usd_value: Required[float]
    """Value of the order, USD."""


class ListingEventItem(TypedDict, total=False):
    base_symbol: str
    """Ticker of the base currency."""
    effective_at: Required[int]
    """When the event takes effect (unit not stated; Unix seconds likely)."""
    event_type: Required[str]
    """Kind of event, presumably one of the values of the `type` parameter."""
    exchange_name: Required[str]
    """Exchange that announced the event."""
    product: Required[str]
    """Kind of product, presumably one of the values of the `product` parameter."""
    published_at: int
    """When the announcement was published (unit not stated; Unix seconds likely)."""
    quote_symbol: str
    """Ticker of the quote currency."""
    trading_pair: Required[str]
    """Pair that the event is about."""


class MarketEtfFlowItem(TypedDict, total=False):
    etfs: list[EtfTickerFlow] | None
    """Flow of each fund on the day, when known."""
    flow_usd: Required[float]
    """Net flow of all funds together in USD; negative for an outflow."""
    price_usd: Required[float]
    """Price of the asset, USD."""
    project_id: str
    """Identifier of the project behind the asset, presumably a UUID."""
    settled: Required[bool]
    """True when the figures of the day are settled, presumably final."""
    symbol: str
    """Ticker of the asset."""
    timestamp: Required[int]
    """Day of the flow (unit not stated; Unix seconds likely)."""


class MarketExchangeFlowExchangeItem(TypedDict, total=False):
    name: Required[str]
    """Name of the exchange or group; whether this or `symbol` is the value that market/onchain-indicator takes is not stated."""
    supported_flow_filter: Required[bool]
    """True when the row can presumably be used as an exchange filter of the exchange-flow metrics."""
    symbol: Required[str]
    """Short name given for the row; whether it is that of the exchange or of the asset is not stated."""
    type: Required[str]
    """Kind of exchange or group; the values are not stated."""


class MarketFearGreedHistoryItem(TypedDict, total=False):
    classification: Required[str]
    """Verbal class of the value, for example a word for fear or greed."""
    price: Required[float]
    """Price of the reference asset at the time; asset and currency not stated, BTC in USD likely."""
    timestamp: Required[int]
    """Time of the value (unit not stated; Unix seconds likely)."""
    value: Required[int]
    """Value of the index; scale not stated, 0 (fear) to 100 (greed) likely."""


class MarketFuturesItem(TypedDict, total=False):
    funding_rate: Required[float]
    """Funding rate (unit not stated; a fraction likely, 0.0001 = 0.01 %)."""
    long_short_ratio: Required[float]
    """Longs divided by shorts, a plain ratio."""
    open_interest: Required[float]
    """Open interest (currency not stated; USD likely)."""
    project_id: str
    """Identifier of the project behind the token, presumably a UUID."""
    symbol: Required[str]
    """Ticker of the token."""
    updated_at: Required[int]
    """When the row was last updated (unit not stated; Unix seconds likely)."""
    volume_24h: Required[float]
    """Futures volume of the last 24 hours (currency not stated; USD likely)."""
    volume_change_24h: Required[float]
    """Change of the 24-hour volume (unit not stated; percent likely, 5 = 5 %)."""


class MarketIndicatorItem(TypedDict, total=False):
    interval: Required[str]
    """Width of the candles that were used."""
    name: Required[str]
    """Name of the indicator."""
    project_id: str
    """Identifier of the project behind the token, presumably a UUID."""
    symbol: Required[str]
    """Ticker of the token."""
    timestamp: int
    """Time of the reading, when given (unit not stated; Unix seconds likely)."""
    updated_at: int
    """When the reading was computed, when given (unit not stated; Unix seconds likely)."""
    value: Required[float]
    """Main value of the indicator; its unit depends on the indicator."""
    values: IndicatorValues
    """Lines of an indicator that has more than one."""


class MarketMetricPoint(TypedDict, total=False):
    exchange: str
    """Exchange or group that the point belongs to, for exchange-flow metrics."""
    exchange_name: str
    """Display name of that exchange, presumably."""
    metric: str
    """Metric that the point belongs to."""
    project_id: str
    """Identifier of the project behind the asset, presumably a UUID."""
    symbol: str
    """Ticker of the asset."""
    timestamp: Required[int]
    """Time of the point (unit not stated; Unix seconds likely)."""
    value: Required[float]
    """Value of the metric; a price in the currency asked for on market/price, otherwise the metric's own unit (not stated)."""


class MarketOptionsItem(TypedDict, total=False):
    exchange: Required[str]
    """Exchange of the options."""
    max_pain_price: float
    """Strike price at which option holders lose most (currency not stated; USD likely)."""
    open_interest: Required[float]
    """Open interest (currency not stated; USD likely)."""
    project_id: str
    """Identifier of the project behind the asset, presumably a UUID."""
    put_call_ratio: float
    """Puts divided by calls, a plain ratio; whether by open interest or volume is not stated."""
    symbol: Required[str]
    """Ticker of the asset."""
    updated_at: Required[int]
    """When the row was last updated (unit not stated; Unix seconds likely)."""
    volume_24h: Required[float]
    """Options volume of the last 24 hours (currency not stated; USD likely)."""


class MarketPriceResponse(TypedDict, total=False):
    data: Required[list[MarketMetricPoint] | None]
    """Points of the series; order not stated."""
    meta: Required[ObjectResponseMeta]
    """Billing facts of the answer."""
    project_id: str
    """Identifier of the project behind the token, presumably a UUID, when given."""
    summary: MarketPriceSummary
    """Figures over the whole window, when given."""
    symbol: str
    """Ticker of the token, when given."""


class MarketPriceSummary(TypedDict, total=False):
    change_abs: Required[float]
    """Last price minus first price, currency asked for."""
    change_pct: Required[float]
    """Price change over the window (unit not stated; percent likely, 5 = 5 %)."""
    first: Required[float]
    """First price of the window, currency asked for."""
    high: Required[float]
    """Highest price of the window, currency asked for."""
    last: Required[float]
    """Last price of the window, currency asked for."""
    latest_dt: Required[int]
    """Time of the last point (unit not stated; Unix seconds likely)."""
    low: Required[float]
    """Lowest price of the window, currency asked for."""
    n_points: Required[int]
    """Number of points in the series."""


class MarketTopCoinItem(TypedDict, total=False):
    ath: float
    """All-time high price (currency not stated; USD likely)."""
    ath_date: int
    """When the all-time high was reached (unit not stated; Unix seconds likely)."""
    atl: float
    """All-time low price (currency not stated; USD likely)."""
    atl_date: int
    """When the all-time low was reached (unit not stated; Unix seconds likely)."""
    change_24h_pct: Required[float]
    """Price change over 24 hours (unit not stated; percent likely, 5 = 5 %)."""
    circulating_supply: float
    """Circulating supply, token units."""
    fdv: float
    """Fully diluted valuation (currency not stated; USD likely)."""
    high_24h: Required[float]
    """Highest price of the last 24 hours (currency not stated; USD likely)."""
    id: str
    """Identifier of the token; whether it is the project UUID is not stated."""
    image: str
    """Address of the token's picture."""
    low_24h: Required[float]
    """Lowest price of the last 24 hours (currency not stated; USD likely)."""
    market_cap_usd: Required[float]
    """Market capitalisation, USD."""
    max_supply: float
    """Greatest supply that can ever exist, token units."""
    name: Required[str]
    """Name of the token."""
    price_usd: Required[float]
    """Price, USD."""
    rank: Required[int]
    """Place in the ranking; by which figure is not stated, market capitalisation likely."""
    slug: str
    """Readable identifier of the token."""
    symbol: Required[str]
    """Ticker of the token."""
    total_supply: float
    """Supply that exists now, token units."""
    volume_24h_usd: Required[float]
    """Value traded in 24 hours, USD."""


class MatchedMarketDailyItem(TypedDict, total=False):
    kalshi_oi_contracts: Required[float]
    """Open interest on Kalshi, contracts."""
    kalshi_volume_contracts: Required[float]
    """Volume of the day on Kalshi, contracts."""
    polymarket_oi_usd: Required[float]
    """Open interest on Polymarket, USD."""
    polymarket_volume_usd: Required[float]
    """Volume of the day on Polymarket, USD."""
    timestamp: Required[int]
    """The day, most likely its start in Unix seconds (unit not stated)."""


class MatchedMarketKalshi(TypedDict, total=False):
    event_ticker: Required[str]
    """Ticker of the event."""
    market_ticker: Required[str]
    """Ticker of the market."""
    open_interest: Required[float]
    """Open interest, most likely contracts (unit not stated)."""
    status: Required[str]
    """Lifecycle status of the market."""
    title: Required[str]
    """Title of the market."""
    volume_contracts: Required[float]
    """Volume, contracts; the period is not stated."""


class MatchedMarketPair(TypedDict, total=False):
    category: Required[str]
    """Curated category of the pair."""
    confidence: Required[int]
    """Confidence of the match, from 0 to 100."""
    kalshi: Required[MatchedMarketKalshi]
    """The Kalshi market of the pair."""
    kalshi_price: float
    """Price on Kalshi, most likely a probability from 0 to 1 (unit not stated)."""
    match_type: Required[str]
    """Kind of match, the same question or a related one."""
    polymarket: Required[MatchedMarketPolymarket]
    """The Polymarket market of the pair."""
    polymarket_price: float
    """Price on Polymarket, most likely a probability from 0 to 1 (unit not stated)."""
    spread_pct: float
    """Price difference between the venues, by its name in percent (5 = 5 %); base and sign are not stated."""


class MatchedMarketPolymarket(TypedDict, total=False):
    condition_id: Required[str]
    """Condition id of the market."""
    event_slug: Required[str]
    """Slug of the event."""
    is_active: Required[bool]
    """Whether the market still trades."""
    outcome_label: str
    """Label of the outcome that is compared."""
    question: Required[str]
    """Question the market asks."""
    token_id: str
    """Outcome token id of that outcome."""
    volume_usd: Required[float]
    """Volume, USD; the period is not stated."""


class MetricValue(TypedDict, total=False):
    applicability_version: str
    """Version of the rules that decide whether the figure applies."""
    formula_version: str
    """Version of the formula the figure was computed with."""
    quality_reason_codes: list[str] | None
    """Codes of reservations about the figure's quality."""
    reason_code: str
    """Opaque code of why there is no figure."""
    source_accessions: list[str] | None
    """Accession numbers of the filings the figure comes from."""
    source_financial_metric_snapshot_ids: list[str] | None
    """Identifiers of the metric snapshots the figure comes from."""
    source_revision_ids: list[str] | None
    """Identifiers of the data revisions the figure comes from."""
    source_statement_ids: list[str] | None
    """Identifiers of the statements the figure comes from."""
    status: Required[Literal["available", "missing", "not_applicable"] | str]
    """Whether there is a figure, none is known, or none makes sense for this company."""
    value: Required[float | None]
    """Exact figure; null when it is missing or does not apply."""
    value_origin: Literal["reported", "derived"] | str
    """Whether the company reported the figure or it was computed."""


class MindshareTagPercentPoint(TypedDict, total=False):
    percent: Required[float]
    """Share within the tag (likely in percent as the name says, so that 5 is 5 %; the scale is not stated)."""
    timestamp: Required[int]
    """Time of the point (unit not stated; likely Unix seconds)."""


class MindshareTopProject(TypedDict, total=False):
    project: MindshareTopProjectInfo
    """The project, when the row is linked to one."""
    rank: Required[int]
    """Position in the ranking, likely with 1 as the most discussed."""
    sentiment: str
    """Kind of sentiment towards the project, such as `positive` or `negative`."""
    sentiment_score: float
    """Sentiment score (scale not stated)."""
    tags: list[str] | None
    """Tags of the project."""
    token: MindshareTopTokenInfo
    """Token of the project, when it has one."""
    trending_short_reason: str
    """Few words on why the project is being talked about."""
    trending_summary: str
    """Longer text on why the project is being talked about."""
    twitter: MindshareTopTwitterInfo
    """X account of the project, when known."""


class MindshareTopProjectInfo(TypedDict, total=False):
    id: Required[str]
    """UUID of the project."""
    name: Required[str]
    """Name of the project."""
    slug: str
    """Short name of the project as used in addresses."""


class MindshareTopTokenInfo(TypedDict, total=False):
    id: str
    """Identifier of the token."""
    image: str
    """Address of the token's picture."""
    name: Required[str]
    """Name of the token."""
    symbol: str
    """Ticker of the token."""


class MindshareTopTwitterInfo(TypedDict, total=False):
    avatar_url: str
    """Address of the profile picture."""
    display_name: Required[str]
    """Display name."""
    twitter_id: Required[str]
    """Numeric account id, as a string."""
    x_handle: Required[str]
    """Name of the account, likely without the leading `@`."""


class MomentumItem(TypedDict, total=False):
    category: Required[str]
    """Curated category of the market."""
    condition_id: Required[str]
    """Polymarket condition id of the market."""
    latest_price: Required[float]
    """Latest price, most likely a probability from 0 to 1 (unit not stated)."""
    oi_change_7d: Required[float]
    """Change of open interest over seven days; whether USD, percent or fraction is not stated."""
    price_change_7d: Required[float]
    """Change of the price over seven days; whether a difference of probabilities, percent or fraction is not stated."""
    price_momentum: Required[str]
    """Momentum state of the market, presumably one of the states counted in the summary (values not stated)."""
    question: Required[str]
    """Question the market asks."""
    smart_money_direction: Required[str]
    """Lean of the smart money wallets; values presumably as in `DiscoverMarketItem`."""
    smart_wallets_involved: Required[int]
    """Number of smart money wallets in the market."""
    subcategory: str
    """Finer category of the market."""
    volume_7d: Required[float]
    """Volume of the last seven days, most likely USD (unit not stated)."""
    volume_direction: Required[str]
    """Whether volume is rising or falling (values not stated)."""
    whale_flow_net_1d: Required[float]
    """Whale buying minus selling over one day, most likely USD (unit not stated)."""
    whale_flow_net_7d: Required[float]
    """Whale buying minus selling over seven days, most likely USD (unit not stated)."""


class MomentumSummary(TypedDict, total=False):
    confirming_down: Required[int]
    """Number of markets whose fall is confirmed."""
    confirming_up: Required[int]
    """Number of markets whose rise is confirmed."""
    diverging_down: Required[int]
    """Number of markets with a downward divergence."""
    diverging_up: Required[int]
    """Number of markets with an upward divergence."""
    neutral: Required[int]
    """Number of markets without clear momentum."""
    total_active: Required[int]
    """Number of active markets counted."""
    volume_decreasing: Required[int]
    """Number of markets with falling volume."""
    volume_increasing: Required[int]
    """Number of markets with rising volume."""


class NewsArticleDetailItem(TypedDict, total=False):
    content: Required[str]
    """Body text of the article; its markup is not stated."""
    id: Required[str]
    """Id of the article."""
    project_id: str
    """Id of the project the article is about."""
    project_name: str
    """Name of the project the article is about."""
    published_at: Required[int]
    """Time of publication (unit not stated; likely Unix seconds)."""
    source: str
    """Publisher of the article."""
    summary: str
    """Short text of the article."""
    title: Required[str]
    """Title of the article."""
    url: str
    """Address of the article."""


class NewsArticleItem(TypedDict, total=False):
    highlights: dict[str, list[str]]
    """Matching passages, keyed by the name of the field they come from (key meaning not stated)."""
    id: Required[str]
    """Id of the article, usable as `id` of news detail."""
    project_id: str
    """Id of the project the article is about."""
    project_name: str
    """Name of the project the article is about."""
    published_at: Required[int]
    """Time of publication (unit not stated; likely Unix seconds)."""
    source: str
    """Publisher of the article."""
    summary: str
    """Short text of the article."""
    title: Required[str]
    """Title of the article."""
    url: str
    """Address of the article."""


class ObjectResponseMeta(TypedDict, total=False):
    cached: Required[bool]
    """Whether the answer came from a cache."""
    credits_used: Required[int]
    """Credits deducted for the call."""
    empty_reason: str
    """Why there is no data, when that is so."""


class OffsetMeta(TypedDict, total=False):
    cached: Required[bool]
    """Whether the answer came from a cache."""
    credits_used: Required[int]
    """Credits deducted for the call."""
    empty_reason: str
    """Why `data` is empty, when that is so."""
    has_more: bool
    """Whether more rows exist beyond this page, when the service says."""
    limit: Required[int]
    """Page size the service applied."""
    offset: Required[int]
    """Number of rows skipped before this page."""
    total: int
    """Number of rows over all pages, when the service says."""
    watermark: int
    """Time up to which the answer was computed, in Unix seconds, on operations served from a warehouse."""


class OnchainGasPriceItem(TypedDict, total=False):
    chain: Required[str]
    """Name of the chain."""
    gas_price: Required[str]
    """Gas price as the node reports it, as text; unit not stated, wei is likely."""
    gas_price_gwei: Required[float]
    """Gas price, gwei."""


class OnchainPhysicalSource(TypedDict, total=False):
    columns: list[OnchainSchemaCol] | None
    """Columns, in table order."""
    database: str
    """Database the table belongs to."""
    engine: str
    """Storage engine of the table."""
    partition_key: str
    """Expression the table is partitioned by."""
    primary_key: str
    """Expression of the primary key."""
    sorting_key: str
    """Expression the rows are stored in order of."""
    table: str
    """Table name without the database."""
    total_bytes: int | None
    """Stored size, bytes."""
    total_rows: int | None
    """Number of stored rows."""


class OnchainSchemaCol(TypedDict, total=False):
    comment: str
    """Remark on the column's meaning."""
    name: Required[str]
    """Column name."""
    type: Required[str]
    """Column type in the ClickHouse notation."""


class OnchainSchemaTable(TypedDict, total=False):
    columns: Required[list[OnchainSchemaCol] | None]
    """Columns, in table order."""
    database: Required[str]
    """Database the table belongs to."""
    engine: str
    """Storage engine of the table."""
    partition_key: str
    """Expression the table is partitioned by."""
    physical_sources: list[OnchainPhysicalSource] | None
    """Stored tables behind this one, for example when it is a view."""
    primary_key: str
    """Expression of the primary key."""
    sorting_key: str
    """Expression the rows are stored in order of."""
    table: Required[str]
    """Table name without the database."""
    total_bytes: int | None
    """Stored size, bytes."""
    total_rows: int | None
    """Number of stored rows."""


OnchainTxItem = TypedDict(
    "OnchainTxItem",
    {
        "accessList": "Required[list[AccessListEntry] | None]",
        "blobVersionedHashes": "list[str] | None",
        "blockHash": "Required[str | None]",
        "blockNumber": "Required[str | None]",
        "chainId": "str",
        "from": "Required[str]",
        "from_label": "WalletLabelItem",
        "gas": "Required[str]",
        "gasPrice": "str",
        "hash": "Required[str]",
        "input": "Required[str]",
        "maxFeePerBlobGas": "str",
        "maxFeePerGas": "str",
        "maxPriorityFeePerGas": "str",
        "nonce": "Required[str]",
        "r": "Required[str]",
        "s": "Required[str]",
        "to": "Required[str | None]",
        "to_label": "WalletLabelItem",
        "transactionIndex": "Required[str | None]",
        "type": "Required[str]",
        "v": "Required[str]",
        "value": "Required[str]",
        "yParity": "str",
    },
    total=False,
)


class PolymarketEvent(TypedDict, total=False):
    category: str
    """Curated category of the event."""
    description: str
    """Text of the event, rules included."""
    end_time: int
    """When the event ends, most likely Unix seconds (unit not stated)."""
    event_slug: Required[str]
    """Slug of the event."""
    image: str
    """Address of the event's picture."""
    market_count: Required[int]
    """Number of markets in the event."""
    markets: Required[list[PolymarketMarketItem] | None]
    """Markets of the event."""
    settlement_sources: str
    """Sources that decide the outcome."""
    start_time: int
    """When the event starts, most likely Unix seconds (unit not stated)."""
    status: Required[str]
    """Lifecycle status of the event."""
    subcategory: str
    """Finer category of the event."""
    tags: list[str] | None
    """Tags the venue gave the event."""
    title: Required[str]
    """Title of the event."""
    volume_total: Required[float]
    """Volume over the life of the event, most likely USD (unit not stated)."""


class PolymarketMarketItem(TypedDict, total=False):
    category: str
    """Curated category of the market."""
    close_time: int
    """When trading closed or will close, most likely Unix seconds (unit not stated)."""
    completed_time: int
    """When the market was completed, most likely Unix seconds (unit not stated)."""
    condition_id: Required[str]
    """Condition id of the market."""
    description: str
    """Text of the market, rules included."""
    end_time: int
    """When the market ends, most likely Unix seconds (unit not stated)."""
    event_slug: str
    """Slug of the event that the market belongs to."""
    game_start_time: int
    """Start of the game in a sports market, most likely Unix seconds (unit not stated)."""
    image: str
    """Address of the market's picture."""
    market_slug: Required[str]
    """Slug of the market."""
    negative_risk_id: str
    """Identifier of the negative-risk group, for markets of which only one can resolve to Yes."""
    polymarket_link: str
    """Link to the market on the venue."""
    resolution_source: str
    """Source that decides the outcome."""
    side_a: PolymarketMarketSide
    """First outcome of the market."""
    side_b: PolymarketMarketSide
    """Second outcome of the market."""
    start_time: int
    """When the market starts, most likely Unix seconds (unit not stated)."""
    status: Required[str]
    """Lifecycle status of the market."""
    subcategory: str
    """Finer category of the market."""
    tags: list[str] | None
    """Tags the venue gave the market."""
    title: Required[str]
    """Title of the market."""
    volume_1_month: Required[float]
    """Volume of the last month, most likely USD (unit not stated)."""
    volume_1_week: Required[float]
    """Volume of the last week, most likely USD (unit not stated)."""
    volume_1_year: Required[float]
    """Volume of the last year, most likely USD (unit not stated)."""
    volume_total: Required[float]
    """Volume over the life of the market, most likely USD (unit not stated)."""
    winning_side: str
    """The side that won; its form (label or id) is not stated."""


class PolymarketMarketSide(TypedDict, total=False):
    id: Required[str]
    """Identifier of the outcome, presumably its token id."""
    label: Required[str]
    """Name of the outcome."""


class PolymarketOiPoint(TypedDict, total=False):
    daily_net_change_usd: Required[float]
    """Net change of open interest on the day, USD."""
    open_interest_usd: Required[float]
    """Open interest, USD."""
    timestamp: Required[int]
    """Time of the point, most likely Unix seconds (unit not stated)."""


class PolymarketPosition(TypedDict, total=False):
    avg_price: Required[float]
    """Average entry price, most likely a probability from 0 to 1 (unit not stated)."""
    cash_pnl: Required[float]
    """Profit or loss in money, most likely USD (unit not stated)."""
    condition_id: Required[str]
    """Condition id of the market."""
    cur_price: Required[float]
    """Current price, most likely a probability from 0 to 1 (unit not stated)."""
    current_value: Required[float]
    """Current value of the position, most likely USD (unit not stated)."""
    outcome_label: Required[str]
    """Label of the outcome held."""
    question: Required[str]
    """Question the market asks."""
    realized_pnl: Required[float]
    """Realised profit or loss, most likely USD (unit not stated)."""
    redeemable: Required[bool]
    """Whether the position can be redeemed."""
    size: Required[float]
    """Size of the position, most likely outcome shares (unit not stated)."""


class PolymarketPricePoint(TypedDict, total=False):
    side_a: PolymarketPriceSide
    """First outcome with its price."""
    side_b: PolymarketPriceSide
    """Second outcome with its price."""
    timestamp: Required[int]
    """Time of the point, most likely Unix seconds (unit not stated)."""


class PolymarketPriceSide(TypedDict, total=False):
    label: Required[str]
    """Name of the outcome."""
    price: Required[float]
    """Price of the outcome, most likely a probability from 0 to 1 (unit not stated)."""
    token_id: Required[str]
    """Token id of the outcome."""


class PolymarketTrade(TypedDict, total=False):
    amount_usd: float
    """Value of the trade, USD."""
    block_number: int
    """Number of the block with the trade."""
    block_time: int
    """Time of that block, most likely Unix seconds (unit not stated)."""
    condition_id: str
    """Condition id of the market."""
    evt_index: int
    """Index of the event log of the trade, presumably within its block."""
    exchange_address: str
    """Address of the exchange contract."""
    fee_usd: float
    """Fee of the trade, USD."""
    maker_address: str
    """Wallet of the maker."""
    neg_risk: bool
    """Whether the market is a negative-risk market, one of a group of which only one can resolve to Yes."""
    outcome_label: str
    """Label of the outcome traded."""
    outcome_token_id: str
    """Token id of the outcome traded."""
    price: float
    """Price of one share, most likely a probability from 0 to 1, equal to USD per share (unit not stated)."""
    question: str
    """Question the market asks."""
    shares: float
    """Number of outcome shares traded."""
    taker_address: str
    """Wallet of the taker."""
    tx_hash: str
    """Hash of the transaction."""


class PolymarketVolumePoint(TypedDict, total=False):
    buy_volume: float
    """Volume of buys, most likely USD (unit not stated)."""
    notional_volume_usd: Required[float]
    """Notional volume of the period, USD."""
    sell_volume: float
    """Volume of sells, most likely USD (unit not stated)."""
    timestamp: Required[int]
    """Time of the point, most likely Unix seconds (unit not stated)."""
    trade_count: Required[int]
    """Number of trades in the period."""


class PortfolioWallet(TypedDict, total=False):
    address: str
    """Address of the wallet (assumed field)."""
    chain: str
    """Name of the chain (assumed field)."""
    label: str
    """Name given to the wallet (assumed field)."""
    usd_value: float
    """Value of the wallet in USD (assumed field)."""


class ProjectContractAddress(TypedDict, total=False):
    address: Required[str]
    """Address of the contract."""
    chain: Required[str]
    """Chain of the contract."""
    label: str
    """Note on what the contract is."""


class ProjectContractsItem(TypedDict, total=False):
    contracts: list[ProjectContractAddress] | None
    """Contracts of the project."""


class ProjectDetail(TypedDict, total=False):
    contracts: ProjectContractsItem
    """Contracts of the project."""
    funding: ProjectFundingItem
    """Funding rounds and sum raised."""
    overview: ProjectOverviewItem
    """Base data of the project."""
    social: ProjectSocialItem
    """Social accounts of the project."""
    team: ProjectTeamItem
    """People of the project."""
    tge_status: ProjectTgeStatusItem
    """State of the token generation event."""
    token_info: ProjectTokenInfoItem
    """Price and market data of the token."""
    tokenomics: ProjectTokenomicsItem
    """Supply and valuation of the token, without allocations or unlock schedule."""


class ProjectEventItem(TypedDict, total=False):
    date: str
    """Date of the event, as text; the date format is not stated."""
    description: str
    """Text about the event."""
    logo_url: str
    """Address of a logo shown with the event."""
    title: Required[str]
    """Title of the event."""
    type: Required[str]
    """Kind of event; the set of values is open."""


class ProjectFundingInvestor(TypedDict, total=False):
    id: str
    """Id of the investor; whether it serves as a fund id is not stated."""
    is_lead: Required[bool]
    """Whether the investor led the round."""
    logo: str
    """Address of the investor logo."""
    name: Required[str]
    """Name of the investor."""
    type: str
    """Kind of investor; the set of values is open."""


class ProjectFundingItem(TypedDict, total=False):
    rounds: list[ProjectFundingRound] | None
    """Funding rounds of the project; their order is not stated."""
    total_raise: float
    """Sum of all raises (unit not stated; likely USD)."""


class ProjectFundingRound(TypedDict, total=False):
    amount: float
    """Sum raised in the round (unit not stated; likely USD)."""
    date: str
    """Date of the round, as text; the date format is not stated."""
    investors: list[ProjectFundingInvestor] | None
    """Investors of the round."""
    round_name: Required[str]
    """Name of the round."""
    valuation: float
    """Valuation of the project at the round (unit not stated; likely USD)."""


class ProjectMetricPoint(TypedDict, total=False):
    timestamp: Required[int]
    """Time of the point (unit not stated; likely Unix seconds)."""
    value: Required[float]
    """Value of the metric (unit not stated; likely USD, or a count for `users`)."""


class ProjectOverviewItem(TypedDict, total=False):
    chains: list[str] | None
    """Chains on which the project is active."""
    description: str
    """Text about the project."""
    exchanges: list[str] | None
    """Exchanges named for the project, presumably where its token is listed."""
    id: Required[str]
    """Id of the project, presumably usable as `id` of the project operations (not stated)."""
    logo_url: str
    """Address of the project logo."""
    name: Required[str]
    """Name of the project."""
    slug: str
    """Short name of the project for use in addresses."""
    tags: list[str] | None
    """Topics of the project."""
    tge_status: str
    """State of the token generation event; the set of values is open."""
    token_symbol: str
    """Ticker of the project token."""
    website: str
    """Address of the project website."""
    x_followers: Required[int]
    """Number of followers on X."""
    x_handle: str
    """X handle of the project."""
    x_id: str
    """X account id of the project."""


class ProjectPulseItem(TypedDict, total=False):
    id: Required[str]
    """Id of the item."""
    signal_type: Required[str]
    """Kind of signal behind the item; the set of values is open."""
    slug: str
    """Short name of the item for use in addresses."""
    source_tweet: PulseSourceTweet
    """Post on X that the item is based on; newer versions of the AI news operation do not send it."""
    sources: list[str] | None
    """Sources of the item, as text; whether these are addresses or names is not stated."""
    subtitle: str
    """Second line of the title."""
    timestamp: Required[int]
    """Time of the item (unit not stated; likely Unix seconds)."""
    title: Required[str]
    """Title of the item."""
    tldr: list[str] | None
    """Summary of the item in short statements."""
    twitter_author: PulseTweetAuthor
    """Author of the post on X; newer versions of the AI news operation do not send it."""


class ProjectSearchItem(TypedDict, total=False):
    chains: list[str] | None
    """Chains on which the project is active."""
    description: str
    """Text about the project."""
    id: Required[str]
    """Id of the project, presumably usable as `id` of the project operations (not stated)."""
    logo_url: str
    """Address of the project logo."""
    name: Required[str]
    """Name of the project."""
    slug: str
    """Short name of the project for use in addresses."""
    symbol: str
    """Ticker of the project token."""
    tags: list[str] | None
    """Topics of the project."""
    tokens: list[TokenSearchItem] | None
    """Tokens of the project."""


class ProjectSocialAccount(TypedDict, total=False):
    followers_count: int
    """Number of followers or members."""
    handle: str
    """Handle of the account."""
    url: str
    """Address of the account."""


class ProjectSocialItem(TypedDict, total=False):
    discord: ProjectSocialAccount
    """Discord server of the project."""
    github: ProjectSocialAccount
    """GitHub account of the project."""
    telegram: ProjectSocialAccount
    """Telegram account of the project."""
    twitter: ProjectSocialAccount
    """X account of the project."""


class ProjectTagMindshareSeries(TypedDict, total=False):
    points: Required[list[MindshareTagPercentPoint] | None]
    """Points of the share series."""
    rank: int
    """Position of the project within the tag, likely with 1 as the best."""
    share_ratio: float
    """Share of the project within the tag over the whole window (unit not stated; likely a fraction, so that 0.05 is 5 %)."""
    tag: Required[str]
    """Tag the series is about."""


class ProjectTeamItem(TypedDict, total=False):
    members: list[ProjectTeamMember] | None
    """People of the project."""


class ProjectTeamMember(TypedDict, total=False):
    id: str
    """Id of the person."""
    image: str
    """Address of a picture of the person."""
    name: Required[str]
    """Name of the person."""
    role: str
    """Role of the person."""
    social_links: dict[str, str]
    """Social links of the person, keyed by network name (keys not stated)."""


class ProjectTgeStatusItem(TypedDict, total=False):
    current_status: str
    """Present state of the token generation event; the set of values is open."""
    exchanges: list[str] | None
    """Exchanges named for the event."""
    last_event_time: int
    """Time of the latest event (unit not stated; likely Unix seconds)."""


class ProjectTokenInfoItem(TypedDict, total=False):
    all_time_high: float
    """Highest price ever (unit not stated; likely USD)."""
    all_time_high_date: int
    """Time of the highest price (unit not stated; likely Unix seconds)."""
    all_time_low: float
    """Lowest price ever (unit not stated; likely USD)."""
    all_time_low_date: int
    """Time of the lowest price (unit not stated; likely Unix seconds)."""
    circulating_supply: float
    """Circulating supply (unit not stated; likely tokens)."""
    fdv: float
    """Fully diluted valuation (unit not stated; likely USD)."""
    high_24h: float
    """Highest price of the last 24 hours (unit not stated; likely USD)."""
    image: str
    """Address of the token logo."""
    low_24h: float
    """Lowest price of the last 24 hours (unit not stated; likely USD)."""
    market_cap_usd: float
    """Market capitalisation, USD."""
    name: Required[str]
    """Name of the token."""
    price_change_24h: float
    """Price change over 24 hours (unit not stated; likely percent, 5 = 5 %)."""
    price_change_30d: float
    """Price change over 30 days (unit not stated; likely percent, 5 = 5 %)."""
    price_change_7d: float
    """Price change over 7 days (unit not stated; likely percent, 5 = 5 %)."""
    price_usd: float
    """Price of the token, USD."""
    symbol: Required[str]
    """Ticker of the token."""
    total_supply: float
    """Total supply (unit not stated; likely tokens)."""
    volume_24h: float
    """Trading volume of the last 24 hours (unit not stated; likely USD)."""


class ProjectTokenomicsItem(TypedDict, total=False):
    circulating_supply: float
    """Circulating supply (unit not stated; likely tokens)."""
    fdv: float
    """Fully diluted valuation (unit not stated; likely USD)."""
    market_cap_usd: float
    """Market capitalisation, USD."""
    total_supply: float
    """Total supply (unit not stated; likely tokens)."""


class ProjectTopRankItem(TypedDict, total=False):
    fees: float
    """Fees paid by users (unit not stated; likely USD)."""
    id: str
    """Id of the project."""
    logo_url: str
    """Address of the project logo."""
    name: Required[str]
    """Name of the project."""
    revenue: float
    """Revenue of the project (unit not stated; likely USD)."""
    slug: str
    """Short name of the project for use in addresses."""
    symbol: str
    """Ticker of the project token."""
    tvl: float
    """Total value locked (unit not stated; likely USD)."""
    users: int
    """Number of users; the time window is not stated."""
    volume: float
    """Trading volume (unit not stated; likely USD)."""


class PublicSaleItem(TypedDict, total=False):
    allocation_of_supply: float
    """Share of the token supply sold in the round (unit not stated; percent likely, 5 = 5 %)."""
    ath_roi: float
    """Return at the all-time high against the sale price; scale not stated, a multiple is likely."""
    crowdsale_end_date: int
    """End of the sale (unit not stated; Unix seconds likely)."""
    crowdsale_price: float
    """Price of one token in the sale (currency not stated; USD likely)."""
    crowdsale_raise: float
    """Amount raised in the sale (currency not stated; USD likely)."""
    crowdsale_start_date: int
    """Start of the sale (unit not stated; Unix seconds likely)."""
    crowdsale_status: str
    """State of the sale; the values are not stated."""
    crowdsale_type: str
    """Kind of the sale; the values are not stated."""
    launchpad_name: str
    """Launchpad that ran the sale."""
    name: str
    """Name of the project."""
    project_id: str
    """Identifier of the project, presumably a UUID."""
    symbol: str
    """Ticker of the project's token."""


class PulseSourceTweet(TypedDict, total=False):
    comment: Required[int]
    """Number of replies."""
    likes: Required[int]
    """Number of likes."""
    post_at: Required[int]
    """Time of the post (unit not stated; likely Unix seconds)."""
    repost: Required[int]
    """Number of reposts."""
    text: Required[str]
    """Text of the post."""
    tweet_id: Required[str]
    """Id of the post."""
    views: Required[int]
    """Number of views."""


class PulseTweetAuthor(TypedDict, total=False):
    avatar_url: str
    """Address of the profile picture."""
    display_name: str
    """Display name of the author."""
    follower_count: Required[int]
    """Number of followers."""
    handle: Required[str]
    """Handle of the author; whether it carries a leading @ is not stated."""
    smart_follower_count: Required[int]
    """Number of followers that the service counts as smart accounts; the rule is not stated."""
    twitter_id: Required[str]
    """X account id of the author."""


class Response(TypedDict, total=False):
    created_at: int
    """When the answer was made, Unix seconds."""
    error: ResponseError | None
    """What went wrong; null on success."""
    id: Required[str]
    """Identifies this answer; a `resp_` prefix has been seen. It can serve as `previous_response_id`."""
    incomplete_details: ResponseIncompleteDetails | None
    """Why the answer is not whole; null when it is."""
    instructions: str | None
    """The guidance that the answer followed, as the request gave it (assumed)."""
    meta: ChatMeta
    """What the call cost, if the service says so."""
    metadata: dict[str, Any]
    """The caller's own data from the request, without removed keys; can be empty."""
    model: str
    """The model that answered."""
    object: str
    """Kind of document, `response`."""
    output: list[ResponseOutputItem]
    """What was produced, item by item."""
    output_text: str
    """The entire answer as plain text."""
    parallel_tool_calls: bool
    """Whether several tools may be called at once (assumed)."""
    status: Required[str]
    """State of the answer; `completed` means success. Other values are not shown (`in_progress` has been observed in streams), so the set is open."""
    tool_choice: Any
    """Which tools the model was free to call, as the request said it (assumed)."""
    tools: list[dict[str, Any]]
    """The tools that were on offer, as the request gave them (assumed)."""
    usage: ResponseUsage
    """Tokens read and written."""


class ResponseContentPart(TypedDict, total=False):
    text: str
    """Text of an `output_text` part."""
    type: Required[str]
    """Kind of part; `output_text` is the one described."""


class ResponseError(TypedDict, total=False):
    code: str
    """What went wrong, for programs (assumed)."""
    message: str
    """What went wrong, for people to read (assumed)."""


class ResponseIncompleteDetails(TypedDict, total=False):
    reason: str
    """The cause, for example that the token cap was reached (assumed)."""


class ResponseOutputItem(TypedDict, total=False):
    content: list[ResponseContentPart]
    """The message, part by part."""
    id: str
    """Identifies the item."""
    role: str
    """Who speaks, `assistant` for a message."""
    status: str
    """State of the item; its values are not shown."""
    type: Required[str]
    """Kind of item; `message` is the one described."""


class ResponseUsage(TypedDict, total=False):
    input_tokens: int
    """Input, in tokens."""
    input_tokens_details: dict[str, Any]
    """Parts of the input, in tokens, such as `cached_tokens`. Its presence is assumed, since common chat clients read it."""
    output_tokens: int
    """Output, in tokens."""
    total_tokens: int
    """Sum of the answer's tokens, presumably input and output together."""


class ResponsesReasoning(TypedDict, total=False):
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | str
    """Depth of thinking, from least to most. Answers take longer with each level, and with `svc-2.0` the price rises too; `none` is priced like leaving it out."""


class SearchTokenItem(TypedDict, total=False):
    address: Required[str]
    """Address of the token contract."""
    chain: Required[str]
    """Chain of the contract."""
    decimals: Required[int]
    """Number of decimals between base units and whole tokens."""
    symbol: Required[str]
    """Ticker of the token."""
    volume_usd: Required[float]
    """Trading volume, USD; the time window is not stated."""


class SentimentData(TypedDict, total=False):
    insufficient_social_data: bool
    """True when there were too few posts for a meaningful score."""
    score: Required[float | None]
    """Sentiment score, null when there is none (scale not stated)."""
    time_range: Required[str]
    """Lookback window the score covers, such as `7d`."""


class SignalCoreState(TypedDict, total=False):
    driver: str
    """What causes the state; values not stated."""
    priority: int
    """Priority of the state; whether a low or a high figure comes first is not stated."""
    reason: str
    """Reason for the state, as text or code."""
    state: str
    """Name of the state; values not stated."""
    state_type: str
    """Kind of the state; values not stated."""
    strength: str
    """Strength of the state as a word; values not stated."""


class SignalDerivativeComponent(TypedDict, total=False):
    metric: str
    """Name of the derivatives metric; values not stated."""
    score: float
    """Score of this part; scale not stated."""
    used: Required[bool]
    """True if the part went into the dimension."""
    weight: float
    """Weight of the part; a fraction is likely, the scale is not stated."""


class SignalDimensions(TypedDict, total=False):
    derivative: float
    """Derivatives dimension; scale not stated."""
    derivative_components: list[SignalDerivativeComponent] | None
    """Parts of the derivatives dimension."""
    flow: float
    """Flow dimension; scale not stated."""
    movement: float
    """Price movement dimension, presumably; scale not stated."""
    social: float
    """Social attention dimension; scale not stated."""


SignalPriceChange = TypedDict(
    "SignalPriceChange",
    {
        "1h": "float",
        "24h": "float",
        "7d": "float",
    },
    total=False,
)


class SignalProject(TypedDict, total=False):
    ai_summary: dict[str, str]
    """Generated summaries by key; the keys are not stated, languages are likely."""
    baseline: float
    """Usual value that `value` is compared with; unit as `metric`, not stated."""
    change_percent: float
    """Change against the baseline, presumably; percent (5 = 5 %) by its name."""
    change_vs_previous_percent: float
    """Change against the previous value, percent (5 = 5 %) by its name."""
    computed_hour: int
    """Hour for which the score was computed; unit not stated, Unix seconds is likely."""
    core_state: Required[SignalCoreState]
    """The leading state of the signal."""
    driver: str
    """What drives the score most; values not stated."""
    evidence_score: float
    """Score for how well the signal is backed by data, presumably; scale not stated."""
    heat_dimensions: Required[SignalDimensions]
    """Dimensions that make up the heat score."""
    heat_score: float
    """Heat score over the window; scale not stated."""
    heat_score_by_range: dict[str, float]
    """Heat score for each window, presumably keyed like `time_range`; scale not stated."""
    heat_score_change_vs_previous_percent_by_range: dict[str, float]
    """Change of the heat score for each window, percent (5 = 5 %) by its name."""
    heat_score_previous_by_range: dict[str, float]
    """Previous heat score for each window; scale not stated."""
    liquidation_long_24h: float
    """Long positions liquidated in 24 hours; unit not stated, USD is likely."""
    liquidation_long_short_ratio_24h: float
    """Liquidated longs divided by liquidated shorts over 24 hours, presumably, as a plain ratio."""
    liquidation_short_24h: float
    """Short positions liquidated in 24 hours; unit not stated, USD is likely."""
    logo: str
    """Address of the project's logo image."""
    market_relevance: float
    """Weight of the project in the market, presumably; scale not stated."""
    metric: str
    """Name of the metric that `value` and `baseline` belong to; values not stated."""
    name: str
    """Name of the project."""
    open_interest: float
    """Open interest of the token's derivatives; unit not stated, USD is likely."""
    points_used: int
    """Number of data points behind the score, presumably."""
    previous_value: float
    """Value of the metric in the period before; unit as `metric`, not stated."""
    price: float
    """Price of the token; unit not stated, USD is likely."""
    price_change_percent: Required[SignalPriceChange]
    """Price change over three windows, percent (5 = 5 %) by its name."""
    project_id: str
    """Identifier of the project, presumably the `id` of the detail operation."""
    project_slug: str
    """Slug of the project, presumably the `project_slug` of the detail operation."""
    rank: int
    """Place in the list, presumably counted from 1."""
    score: float
    """Score of the signal; scale, and how it differs from `heat_score`, not stated."""
    signed_z: float
    """Signed z-score, presumably how many standard deviations `value` lies from the baseline."""
    symbol: str
    """Ticker of the token."""
    time_range: str
    """Window the figures belong to."""
    token_id: str
    """Identifier of the token; its form is not stated."""
    token_signals: dict[str, str]
    """Named signals of the token as text; keys and values are not stated."""
    updated_at: int
    """Time of the last update; unit not stated, Unix seconds is likely."""
    value: float
    """Present value of the metric; unit as `metric`, not stated."""
    volume_24h: float
    """Traded volume over 24 hours; unit not stated, USD is likely."""
    volume_24h_change_percent: float
    """Change of the 24-hour volume, percent (5 = 5 %) by its name."""


class SmartFollowerHistoryPoint(TypedDict, total=False):
    count: Required[int]
    """Number of influential followers."""
    date: Required[str]
    """Date of the count, as a string (format not stated; likely `YYYY-MM-DD`)."""


class SmartFollowerItem(TypedDict, total=False):
    avatar: Required[str]
    """Address of the profile picture."""
    description: str
    """Text the account gives about itself."""
    followers_count: Required[int]
    """Number of accounts that follow this follower."""
    handle: Required[str]
    """Name of the account, likely without the leading `@`."""
    name: Required[str]
    """Display name."""
    rank: Required[int]
    """Position among influential accounts, likely with 1 as the best."""
    score: Required[float]
    """Influence score (scale not stated)."""
    tag: Required[str]
    """Category of the account; the values are not shown."""
    twitter_id: Required[str]
    """Numeric account id, as a string."""


class SmartFollowersData(TypedDict, total=False):
    count: Required[int]
    """Number of influential followers."""
    followers: Required[list[SmartFollowerItem] | None]
    """The influential followers, possibly only the top ones."""


class SocialDetailBody(TypedDict, total=False):
    follower_geo: FollowerGeoData
    """Where the followers live."""
    project_id: str
    """UUID of the project, when the account is linked to one."""
    project_name: str
    """Name of the project, when the account is linked to one."""
    sentiment: SentimentData
    """Sentiment of posts about the project."""
    smart_followers: SmartFollowersData
    """Influential accounts among the followers."""
    twitter_id: Required[str]
    """Numeric id of the project's X account, as a string."""


class SocialMindshareBody(TypedDict, total=False):
    data: Required[list[SocialMindsharePoint] | None]
    """Points of the mindshare series, or null when there are none."""
    meta: Required[OffsetMeta]
    """Paging, caching and credit figures of the answer."""
    tag_percents: list[ProjectTagMindshareSeries]
    """One series per tag of the project, present only when `include_tag_percents` was set."""


class SocialMindsharePoint(TypedDict, total=False):
    timestamp: Required[int]
    """Time of the step (unit not stated; likely Unix seconds at its start)."""
    value: Required[int]
    """Attention measured in the step, as a whole number (unit not stated; likely a count such as views or mentions)."""


class SocialSentimentItem(TypedDict, total=False):
    insufficient_social_data: bool
    """True when there were too few posts for a meaningful score."""
    project_id: Required[str]
    """UUID of the project."""
    project_name: Required[str]
    """Name of the project."""
    sentiment_score: Required[float]
    """Sentiment score (scale and window not stated)."""
    symbol: str
    """Ticker of the project's token, when it has one."""


class SolBalanceItem(TypedDict, total=False):
    address: Required[str]
    """Address of the wallet."""
    sol_balance: Required[str]
    """Amount of SOL, as a decimal string (unit not stated; likely SOL and not lamports)."""


class SolTokenItem(TypedDict, total=False):
    balance: Required[str]
    """Amount held, as a decimal string (unit not stated; may be base units, as `decimals` comes along)."""
    decimals: Required[int]
    """Number of decimals of the token."""
    is_verified: Required[bool]
    """Whether the token is known to be genuine."""
    logo_url: str
    """Address of the token's logo."""
    name: str
    """Name of the token."""
    symbol: Required[str]
    """Ticker of the token."""
    token_address: Required[str]
    """Mint address of the token."""


class SqlJob(TypedDict, total=False):
    cancellation_requested: Required[bool]
    """Whether a cancellation is recorded and waits for the worker to confirm it."""
    created_at: Required[int]
    """Time of submission, Unix seconds."""
    csv_url: str
    """Address of the rows as CSV."""
    elapsed_ms: Required[int]
    """Running time so far, milliseconds."""
    error: SqlJobError
    """Why the job failed."""
    estimated_bytes: int
    """Expected amount to read, bytes."""
    estimated_rows: int
    """Expected rows to read."""
    executed_sql: Required[str]
    """Query as it runs, after the server added its limits on rows and reading."""
    expires_at: Required[int]
    """Time after which the job and its rows are gone, Unix seconds."""
    external_request_id: str
    """Correlation id chosen by the caller."""
    finished_at: int
    """Time the job ended, Unix seconds."""
    job_id: Required[str]
    """Identifier of the job, used to poll, cancel and read it."""
    max_rows: Required[int]
    """Most rows the result may have."""
    parameters: Required[dict[str, str]]
    """Query parameters by name; empty, because jobs take the complete query text."""
    poll_url: str
    """Address at which to poll the job."""
    processed_bytes: Required[int]
    """Amount read so far, bytes."""
    processed_rows: Required[int]
    """Rows read so far."""
    progress_percent: float
    """Progress, percent (5 = 5 %); only when a total could be estimated."""
    query_id: Required[str]
    """Identifier of the query in the database."""
    recommended_action: Required[str]
    """What the service advises the caller to do next."""
    request_id: Required[str]
    """Identifier of the request."""
    result_url: str
    """Address of the rows."""
    retry_after_ms: int
    """How long to wait before the next poll or attempt, milliseconds; which of the two is not stated."""
    retryable: Required[bool]
    """Whether submitting the same query again makes sense."""
    row_count: int
    """Number of rows in the result."""
    sql: Required[str]
    """Query exactly as submitted."""
    started_at: int
    """Time the query began to run, Unix seconds."""
    status: Required[Literal["queued", "running", "succeeded", "failed", "canceled"] | str]
    """State of the job; the last three are final."""


class SqlJobError(TypedDict, total=False):
    code: Required[str]
    """Machine-readable error code."""
    message: Required[str]
    """Text for people."""


class SqlJobResultsResponse(TypedDict, total=False):
    data: Required[Any]
    """Either a list of row objects keyed by column name, or one object with `columns`, `rows` and `row_count`."""
    meta: ObjectResponseMeta
    """Credits and cache information; may be absent."""


class SqlPreflight(TypedDict, total=False):
    accepted: Required[bool]
    """Whether the service would run the query."""
    budget: SqlPreflightBudget
    """Limits the query would run under."""
    estimate: SqlPreflightEstimate
    """What the query is expected to read."""
    executed_sql: str
    """Query as the server would run it, with its own limits added."""
    query_id: str
    """Identifier of this check."""
    request_id: Required[str]
    """Identifier of the request."""
    sql: Required[str]
    """Query as submitted."""
    tables: list[OnchainSchemaTable] | None
    """Tables the query reads."""
    warnings: list[SqlPreflightWarning] | None
    """Remarks that do not stop the query, with advice."""


class SqlPreflightBudget(TypedDict, total=False):
    max_bytes_to_read: Required[int]
    """Most the query may read, bytes."""
    max_execution_time_seconds: Required[float]
    """Longest it may run, seconds."""
    max_rows_to_read: Required[int]
    """Most rows it may read."""


class SqlPreflightEstimate(TypedDict, total=False):
    by_table: list[SqlPreflightTableEstimate] | None
    """The same figures for each table."""
    bytes: Required[int]
    """Amount to read, bytes."""
    marks: Required[int]
    """Index blocks (marks) to read."""
    parts: Required[int]
    """Stored parts to read."""
    rows: Required[int]
    """Rows to read."""


class SqlPreflightTableEstimate(TypedDict, total=False):
    bytes: Required[int]
    """Amount to read, bytes."""
    database: str
    """Database of the table."""
    marks: Required[int]
    """Index blocks (marks) to read."""
    parts: Required[int]
    """Stored parts to read."""
    rows: Required[int]
    """Rows to read."""
    table: str
    """Name of the table."""


class SqlPreflightWarning(TypedDict, total=False):
    code: Required[str]
    """Machine-readable code of the remark."""
    message: Required[str]
    """Text for people."""
    recommended_action: str
    """What to do about it."""
    severity: Required[str]
    """How serious the remark is; `warning` is the one value known."""


class StructuredFilter(TypedDict, total=False):
    field: Required[str]
    """Column to compare."""
    op: Required[Literal["eq", "neq", "gt", "gte", "lt", "lte", "like", "in", "not_in"] | str]
    """Comparison to make."""
    value: Required[Any]
    """Value to compare with: text, number or boolean, and a list of those for `in` and `not_in`."""


class StructuredSort(TypedDict, total=False):
    field: Required[str]
    """Column to sort by."""
    order: Literal["asc", "desc"] | str
    """Direction of this key."""


class TgeItem(TypedDict, total=False):
    current_status: Required[str]
    """Current state of the event; the values are not stated."""
    exchanges: list[str] | None
    """Exchanges involved in the event, presumably those that list the token."""
    last_event_time: int
    """Time of the latest event (unit not stated; Unix seconds likely)."""
    project_id: Required[str]
    """Identifier of the project, presumably a UUID."""
    project_name: str
    """Name of the project."""


class TokenHolderItem(TypedDict, total=False):
    address: Required[str]
    """Address of the holder."""
    balance: Required[str]
    """Amount held, as a decimal string (unit not stated; likely whole tokens after applying the decimals)."""
    entity_name: str
    """Name of the owner of the address, when known."""
    entity_type: str
    """Kind of owner; the values are not shown."""
    label: WalletLabelItem
    """Known owner and labels of the holder, likely only when asked for with `include`."""
    percentage: float
    """Share of the supply held (unit not stated; likely percent, so that 5 is 5 %)."""


class TokenSearchItem(TypedDict, total=False):
    id: Required[str]
    """Id of the token."""
    image: str
    """Address of the token logo."""
    name: Required[str]
    """Name of the token."""
    symbol: Required[str]
    """Ticker of the token."""


class TokenTransferItem(TypedDict, total=False):
    amount: Required[str]
    """Amount transferred, as a decimal string (unit not stated; likely whole tokens after applying the decimals)."""
    amount_usd: float
    """Value of the transfer in USD, missing where it could not be priced."""
    block_number: Required[int]
    """Number of the block."""
    from_address: Required[str]
    """Address of the sender."""
    from_label: WalletLabelItem
    """Known owner and labels of the sender, likely only when asked for with `include`."""
    symbol: str
    """Ticker of the token."""
    timestamp: Required[int]
    """Time of the transfer (unit not stated; likely Unix seconds)."""
    to_address: Required[str]
    """Address of the receiver."""
    to_label: WalletLabelItem
    """Known owner and labels of the receiver, likely only when asked for with `include`."""
    tx_hash: Required[str]
    """Hash of the transaction; one transaction may hold several transfers."""


class TokenUnlockAllocationItem(TypedDict, total=False):
    amount: Required[float]
    """Amount for this allocation (unit not stated; likely tokens)."""
    name: Required[str]
    """Name of the allocation, such as team or investors."""


class TokenUnlockPoint(TypedDict, total=False):
    allocations: list[TokenUnlockAllocationItem] | None
    """Split of the unlock by allocation, when known."""
    cumulative_unlocked_amount: Required[float]
    """Amount unlocked up to and including this point (unit not stated; likely tokens)."""
    timestamp: Required[int]
    """Time of the unlock (unit not stated; likely Unix seconds)."""
    total_supply: float
    """Total supply the percentage refers to (unit not stated; likely tokens)."""
    unlock_amount: Required[float]
    """Amount unlocked at this point (unit not stated; likely tokens)."""
    unlocked_percentage_of_total_supply: float
    """Unlocked part of the total supply (unit not stated; likely percent, so that 5 is 5 %), and not said whether of this point or up to it."""


class TransferCounterpartyItem(TypedDict, total=False):
    amount: Required[str]
    """Amount transferred, as a decimal string (unit not stated; likely whole tokens after applying the decimals)."""
    amount_usd: float
    """Value transferred in USD, missing where it could not be priced."""
    counterparty_address: Required[str]
    """Address of the counterparty."""
    first_transfer_at: Required[int]
    """Time of the first transfer (unit not stated; likely Unix seconds)."""
    label: WalletLabelItem
    """Known owner and labels of the counterparty, likely only when asked for with `include`."""
    last_transfer_at: Required[int]
    """Time of the last transfer (unit not stated; likely Unix seconds)."""
    transfer_count: Required[int]
    """Number of transfers."""


class TransferSeriesPoint(TypedDict, total=False):
    amount: Required[str]
    """Amount transferred, as a decimal string (unit not stated; likely whole tokens after applying the decimals)."""
    amount_usd: float
    """Value transferred in USD, likely over the priced transfers only."""
    date: Required[int]
    """Start of the bucket as an integer (unit not stated; likely Unix seconds)."""
    enriched_ratio: float
    """Part of the bucket's transfers with a USD value (unit not stated; likely a fraction, so that 0.95 is 95 %)."""
    transfer_count: Required[int]
    """Number of transfers."""


class TransferStatsBody(TypedDict, total=False):
    enriched_ratio: float
    """Part of the transfers with a USD value (unit not stated; likely a fraction, so that 0.95 is 95 %)."""
    first_transfer_at: Required[int]
    """Time of the first transfer (unit not stated; likely Unix seconds)."""
    last_transfer_at: Required[int]
    """Time of the last transfer (unit not stated; likely Unix seconds)."""
    series: list[TransferSeriesPoint] | None
    """Totals per time bucket, present only in some answers."""
    total_amount: Required[str]
    """Amount transferred, as a decimal string (unit not stated; likely whole tokens after applying the decimals)."""
    total_amount_usd: float
    """Value transferred in USD, likely over the priced transfers only."""
    total_transfers: Required[int]
    """Number of transfers."""
    unique_receivers: Required[int]
    """Number of distinct receiving addresses."""
    unique_senders: Required[int]
    """Number of distinct sending addresses."""


class TransferStatsMeta(TypedDict, total=False):
    cached: Required[bool]
    """Whether the answer came from a cache."""
    credits_used: Required[int]
    """Credits deducted for the call."""
    empty_reason: str
    """Why there is no data, when that is so."""
    enriched_ratio: float
    """Part of the transfers with a USD value (unit not stated; likely a fraction, so that 0.95 is 95 %)."""


class V2CandlestickData(TypedDict, total=False):
    close: Required[float]
    """Last price of the period, most likely a probability from 0 to 1 (unit not stated)."""
    end_period_ts: Required[int]
    """End of the period, most likely Unix seconds (unit not stated)."""
    high: Required[float]
    """Highest price of the period, most likely a probability from 0 to 1 (unit not stated)."""
    low: Required[float]
    """Lowest price of the period, most likely a probability from 0 to 1 (unit not stated)."""
    open: Required[float]
    """First price of the period, most likely a probability from 0 to 1 (unit not stated)."""
    timestamp: Required[int]
    """Time of the candle, presumably the start of its period in Unix seconds (not stated)."""
    trades_count: Required[int]
    """Number of trades in the period."""
    volume: Required[float]
    """Volume of the period; USD or shares, the source does not tell."""


class V2CandlestickResponse(TypedDict, total=False):
    candles: Required[list[V2CandlestickData] | None]
    """The candles; their order is not stated."""
    condition_id: Required[str]
    """Condition id of the market."""
    interval: Required[int]
    """Length of one candle, most likely in minutes (unit not stated)."""


class V2CursorPagination(TypedDict, total=False):
    count: Required[int]
    """Number of snapshots in this answer."""
    has_more: Required[bool]
    """Whether another page follows."""
    limit: Required[int]
    """Page size that was applied."""
    pagination_key: str
    """Opaque key to send for the next page; absent when there is none."""


class V2KalshiOrderbookLevel(TypedDict, total=False):
    price: Required[int]
    """Price of the level, most likely in whole US cents (unit not stated)."""
    size: Required[int]
    """Size resting at the level, most likely contracts (unit not stated)."""


class V2KalshiOrderbookSnapshot(TypedDict, total=False):
    ask_depth: Required[int]
    """Total size on the ask side, most likely contracts (it could also count levels; not stated)."""
    best_ask: Required[int]
    """Lowest ask for Yes, most likely in whole US cents (unit not stated)."""
    best_bid: Required[int]
    """Highest bid for Yes, most likely in whole US cents (unit not stated)."""
    bid_depth: Required[int]
    """Total size on the bid side, most likely contracts (it could also count levels; not stated)."""
    sequence: Required[int]
    """Sequence number of the snapshot."""
    ticker: Required[str]
    """Ticker of the market."""
    timestamp: Required[int]
    """Time of the snapshot, most likely Unix milliseconds like the parameters of the operation (unit not stated)."""
    yes_asks: Required[list[V2KalshiOrderbookLevel] | None]
    """Ask levels of the Yes side."""
    yes_bids: Required[list[V2KalshiOrderbookLevel] | None]
    """Bid levels of the Yes side."""


class V2KalshiOrderbooksResponse(TypedDict, total=False):
    pagination: Required[V2CursorPagination]
    """Paging state of the answer."""
    snapshots: Required[list[V2KalshiOrderbookSnapshot] | None]
    """Order book snapshots; their order is not stated."""


class V2OrderbookLevel(TypedDict, total=False):
    price: Required[float]
    """Price of the level, most likely a probability from 0 to 1, equal to USD per share (unit not stated)."""
    size: Required[float]
    """Size resting at the level, most likely outcome shares (unit not stated)."""


class V2OrderbookSnapshot(TypedDict, total=False):
    asks: Required[list[V2OrderbookLevel] | None]
    """Ask levels; their order is not stated."""
    assetId: Required[str]
    """Id of the outcome token."""
    bids: Required[list[V2OrderbookLevel] | None]
    """Bid levels; their order is not stated."""
    hash: Required[str]
    """Hash that identifies the state of the book."""
    indexedAt: Required[int]
    """When the snapshot was stored, most likely Unix milliseconds like the parameters of the operation (unit not stated)."""
    market: Required[str]
    """Market that the token belongs to, presumably its condition id."""
    tickSize: Required[str]
    """Smallest price step as decimal text, most likely in probability units."""
    timestamp: Required[int]
    """Time of the snapshot, most likely Unix milliseconds like the parameters of the operation (unit not stated)."""


class V2OrderbooksResponse(TypedDict, total=False):
    pagination: Required[V2CursorPagination]
    """Paging state of the answer."""
    snapshots: Required[list[V2OrderbookSnapshot] | None]
    """Order book snapshots; their order is not stated."""


class V2VolumeChartPoint(TypedDict, total=False):
    no_volume: Required[float]
    """Volume of the No outcome, most likely USD (unit not stated)."""
    timestamp: Required[int]
    """Time of the period, presumably its start in Unix seconds (not stated)."""
    total_volume: Required[float]
    """Volume of both outcomes together, most likely USD (unit not stated)."""
    trades_count: Required[int]
    """Number of trades in the period."""
    yes_volume: Required[float]
    """Volume of the Yes outcome, most likely USD (unit not stated)."""


class V2VolumeChartResponse(TypedDict, total=False):
    condition_id: Required[str]
    """Condition id of the market."""
    data_points: Required[list[V2VolumeChartPoint] | None]
    """The periods with their volumes; their order is not stated."""
    end_time: Required[int]
    """End of the range that was applied, most likely Unix seconds (unit not stated)."""
    granularity: Required[str]
    """Length of one period."""
    start_time: Required[int]
    """Start of the range that was applied, most likely Unix seconds (unit not stated)."""


class WalletApprovalItem(TypedDict, total=False):
    balance: Required[float]
    """Amount of the token the wallet holds (unit not stated; likely whole tokens after applying the decimals)."""
    chain: Required[str]
    """Name of the chain."""
    name: str
    """Name of the token."""
    spenders: Required[list[WalletApprovalSpender] | None]
    """Addresses that may spend the token."""
    symbol: Required[str]
    """Ticker of the token."""
    token_address: Required[str]
    """Contract address of the token."""


class WalletApprovalSpender(TypedDict, total=False):
    allowance: Required[float]
    """Amount the address may spend (unit not stated; likely whole tokens after applying the decimals)."""
    spender_address: Required[str]
    """Address of the spender."""
    spender_name: str
    """Name of the spender, when known."""


class WalletChainItem(TypedDict, total=False):
    chain: Required[str]
    """Name of the chain."""
    chain_id: int
    """Numeric id of the EVM chain, when it has one."""
    usd_value: Required[float]
    """Value on the chain in USD."""


class WalletDetailBody(TypedDict, total=False):
    active_chains: list[WalletChainItem] | None
    """Chains on which the wallet is active, with the value on each."""
    approvals: list[WalletApprovalItem] | None
    """Token allowances the wallet has granted."""
    errors: list[WalletDetailError] | None
    """Sections that could not be filled; the others are still good."""
    evm_balance: EvmBalanceItem
    """Value of the wallet on EVM chains."""
    evm_tokens: list[EvmTokenItem] | None
    """Tokens held on EVM chains."""
    labels: WalletLabelItem
    """Known owner and labels of the wallet."""
    nft: list[WalletNftItem] | None
    """NFTs held by the wallet."""
    sol_balance: SolBalanceItem
    """Balance of the wallet on Solana."""
    sol_tokens: list[SolTokenItem] | None
    """Tokens held on Solana."""


class WalletDetailError(TypedDict, total=False):
    field: Required[str]
    """Name of the section."""
    message: Required[str]
    """What went wrong, for humans."""


class WalletHistoryItem(TypedDict, total=False):
    from_address: Required[str]
    """Address of the sender."""
    from_label: WalletLabelItem
    """Known owner and labels of the sender, likely only when asked for with `include`."""
    timestamp: Required[int]
    """Time of the transaction (unit not stated; likely Unix seconds)."""
    to_address: Required[str]
    """Address of the receiver."""
    to_label: WalletLabelItem
    """Known owner and labels of the receiver, likely only when asked for with `include`."""
    tx_hash: Required[str]
    """Hash of the transaction."""
    tx_type: str
    """Kind of transaction; the values are not shown."""
    value: Required[str]
    """Value transferred, as a decimal string (unit not stated; likely the chain's native coin)."""


class WalletLabelInfo(TypedDict, total=False):
    confidence: float
    """How sure the label is (scale not stated; likely a fraction from 0 to 1)."""
    label: Required[str]
    """Text of the label."""


class WalletLabelItem(TypedDict, total=False):
    address: Required[str]
    """The address."""
    entity_name: str
    """Name of the person or organisation behind the address, when known."""
    entity_type: str
    """Kind of owner, such as an exchange or a fund; the values are not shown."""
    labels: Required[list[WalletLabelInfo] | None]
    """Labels attached to the address."""


class WalletNetWorthPoint(TypedDict, total=False):
    timestamp: Required[int]
    """Time of the point (unit not stated; likely Unix seconds)."""
    usd_value: Required[float]
    """Value of the wallet in USD."""


class WalletNftItem(TypedDict, total=False):
    chain: str
    """Name of the chain."""
    collection_name: str
    """Name of the collection."""
    contract_address: Required[str]
    """Contract address of the collection."""
    image_url: str
    """Address of the picture."""
    name: str
    """Name of the NFT."""
    token_id: Required[str]
    """Id of the NFT within its contract, as a string."""
    usd_price: float
    """Price in USD, when known; the sources do not say of which kind (floor or last sale)."""


class WalletProtocolItem(TypedDict, total=False):
    chain: Required[str]
    """Name of the chain."""
    logo_url: str
    """Address of the protocol's logo."""
    positions: Required[list[WalletProtocolPosition] | None]
    """Positions in the protocol."""
    protocol_name: Required[str]
    """Name of the protocol."""
    site_url: str
    """Address of the protocol's site."""
    total_usd: Required[float]
    """Value of all positions in the protocol in USD; whether debt is subtracted is not stated."""


class WalletProtocolPosition(TypedDict, total=False):
    balance_usd: Required[float]
    """Value of the position in USD; whether debt is subtracted is not stated."""
    borrow_tokens: list[WalletProtocolToken] | None
    """Tokens borrowed."""
    lp_tokens: list[WalletProtocolToken] | None
    """Tokens in a liquidity pool."""
    name: Required[str]
    """Name or kind of the position, such as lending or staking."""
    reward_tokens: list[WalletProtocolToken] | None
    """Tokens earned as rewards, likely not yet claimed."""
    supply_tokens: list[WalletProtocolToken] | None
    """Tokens supplied or deposited."""


class WalletProtocolToken(TypedDict, total=False):
    amount: Required[float]
    """Amount of the token (unit not stated; likely whole tokens after applying the decimals)."""
    chain: Required[str]
    """Name of the chain."""
    name: str
    """Name of the token."""
    price: Required[float]
    """Price of one token (currency not stated; likely USD)."""
    symbol: Required[str]
    """Ticker of the token."""
    token_address: str
    """Contract address of the token."""


class WalletSearchAddress(TypedDict, total=False):
    address: Required[str]
    """The wallet address."""
    chain: Required[str]
    """Chain of the address."""


class WalletSearchItem(TypedDict, total=False):
    address: str
    """Wallet address, when the row stands for one address."""
    addresses: list[WalletSearchAddress] | None
    """Addresses of the entity; the list may be shorter than `num_addresses` (completeness not stated)."""
    chain: str
    """Chain of `address`."""
    entity_name: str
    """Name of the entity that owns the wallet."""
    entity_type: str
    """Kind of entity; the set of values is open."""
    label: str
    """Label of the wallet."""
    num_addresses: int
    """Number of addresses known for the entity."""
    twitter: str
    """X account of the entity, as text; handle or address is not stated."""


class WalletTransferItem(TypedDict, total=False):
    activity_type: str
    """Kind of activity behind the transfer; the values are not shown."""
    amount: Required[str]
    """Amount transferred, as a decimal string (unit not stated; likely whole tokens after applying the decimals)."""
    amount_usd: float
    """Value of the transfer in USD, missing where it could not be priced."""
    flow: str
    """Direction as seen from the wallet, likely `in` or `out`."""
    from_address: Required[str]
    """Address of the sender."""
    from_label: WalletLabelItem
    """Known owner and labels of the sender, likely only when asked for with `include`."""
    timestamp: Required[int]
    """Time of the transfer (unit not stated; likely Unix seconds)."""
    to_address: Required[str]
    """Address of the receiver."""
    to_label: WalletLabelItem
    """Known owner and labels of the receiver, likely only when asked for with `include`."""
    token_address: str
    """Contract address of the token, likely missing for the chain's native coin."""
    token_symbol: str
    """Ticker of the token."""
    tx_hash: Required[str]
    """Hash of the transaction; one transaction may hold several transfers."""


class WebFetchResultItem(TypedDict, total=False):
    content: Required[str]
    """Readable content of the page as text; the format is not stated, Markdown is likely."""
    title: str
    """Title of the page; missing when it has none."""
    url: Required[str]
    """Address of the page; whether redirects are followed into it is not stated."""


class WebSearchResultItem(TypedDict, total=False):
    content: Required[str]
    """Text of the page; presumably empty unless the request sets `include_content=true`."""
    description: Required[str]
    """Short description of the page."""
    title: Required[str]
    """Title of the page."""
    url: Required[str]
    """Address of the page."""


class XAuthor(TypedDict, total=False):
    avatar: str
    """Address of the profile picture."""
    handle: Required[str]
    """Name of the account, likely without the leading `@`."""
    name: Required[str]
    """Display name."""
    user_id: Required[str]
    """Numeric account id, as a string."""


class XMedia(TypedDict, total=False):
    type: Required[str]
    """Kind of attachment, such as a photo or a video; the values are not shown."""
    url: Required[str]
    """Address of the attachment."""


class XStats(TypedDict, total=False):
    likes: Required[int]
    """Number of likes."""
    replies: Required[int]
    """Number of replies."""
    reposts: Required[int]
    """Number of reposts."""
    views: Required[int]
    """Number of views."""


class XTweet(TypedDict, total=False):
    author: Required[XAuthor]
    """Account that wrote the post."""
    cover_image_url: str
    """Address of the cover picture, likely of long-form posts only."""
    created_at: Required[int]
    """Time the post was written (unit not stated; likely Unix seconds)."""
    lang: str
    """Language code of the text."""
    media: list[XMedia] | None
    """Pictures and videos attached to the post."""
    stats: Required[XStats]
    """Counters of reactions to the post."""
    text: Required[str]
    """Text of the post."""
    title: str
    """Title, likely of long-form posts only."""
    tweet_id: Required[str]
    """Id of the post, as a string."""
    type: str
    """Kind of post; the values are not shown."""
    url: Required[str]
    """Address of the post."""


class XUser(TypedDict, total=False):
    avatar: str
    """Address of the profile picture."""
    bio: str
    """Text the account gives about itself."""
    followers_count: Required[int]
    """Number of accounts that follow this one."""
    following_count: Required[int]
    """Number of accounts this one follows."""
    handle: Required[str]
    """Name of the account, without the leading `@`."""
    name: Required[str]
    """Display name."""
    user_id: Required[str]
    """Numeric account id, as a string."""


class YieldRankingItem(TypedDict, total=False):
    apy: Required[float]
    """Annual yield in all; unit not stated, percent (5 = 5 %) is likely."""
    apy_base: Required[float]
    """Part of the yield that comes from fees or interest; unit as for `apy`."""
    apy_reward: Required[float]
    """Part of the yield that comes from reward tokens; unit as for `apy`."""
    pool_address: Required[str]
    """Contract address of the pool."""
    project: Required[str]
    """Name of the protocol."""
    symbol: Required[str]
    """Ticker of the pool or of its tokens."""
    token_address: Required[str]
    """Contract address of the pool's token; which one is not stated."""
    tvl_usd: Required[float]
    """Value locked in the pool, USD."""
    version: Required[str]
    """Version of the protocol."""
