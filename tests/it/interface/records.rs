//! Record fields that appear in the service's prose documentation, grouped by the Rust type that decodes them.
//!
//! A name without a prefix is a required field, and `?name` is an optional field. For `~name`, the documentation
//! does not state whether the field is required.

use crypto_intel_api::generated::{
    account, chat, equity, fund, hyperliquid, market, onchain, prediction_market, project, search,
    shared, token,
};
use crypto_intel_core::{Record, RecordField};

/// Name of a record, its fields in the generated code, and its fields in the prose documentation.
pub(crate) type Stated = (&'static str, &'static [RecordField], &'static str);

macro_rules! records {
    ($($module:ident::$record:ident: $fields:literal;)*) => {
        &[$((stringify!($record), <$module::$record as Record>::FIELDS, $fields)),*]
    };
}

/// Names of records. The string after each name lists the fields that the prose documentation of the service describes.
pub(crate) const RECORDS: &[Stated] = records! {
    account::CreditBalance: "?balance";
    chat::ChatCompletion: "~id ~object ~created ~model ~choices ~usage";
    chat::ChatChoice: "~index ~finish_reason ~message";
    chat::ChatChoiceMessage: "~role ~content ?reasoning";
    chat::ChatUsage: "~prompt_tokens ~completion_tokens ~total_tokens";
    chat::ChatMessage: "role content";
    chat::ChatTool: "type function";
    chat::ChatToolFunction: "name ?description ?parameters";
    chat::Response: "~id ~object ~created_at ~status ~model ~output ~output_text ~usage ~metadata ~error \
        ~incomplete_details";
    chat::ResponseOutputItem: "~id ~type ~status ~role ~content";
    chat::ResponseContentPart: "~type ~text";
    chat::ResponseUsage: "~input_tokens ~output_tokens ~total_tokens";
    chat::ResponsesReasoning: "~effort";
    shared::OffsetMeta: "~cached ~credits_used ~limit ~offset ~total";
    shared::CursorMeta: "~has_more ~limit ~credits_used ~cached ?next_cursor ?empty_reason ?watermark";
    onchain::AccessListEntry: "address storageKeys";
    onchain::BridgeRankingItem: "project volume_usd tx_count";
    onchain::SqlJob: "request_id job_id query_id status sql executed_sql parameters max_rows created_at expires_at \
        elapsed_ms processed_rows processed_bytes retryable cancellation_requested recommended_action ?csv_url \
        ?poll_url ?result_url ?error ?estimated_bytes ?estimated_rows ?finished_at ?started_at ?row_count \
        ?retry_after_ms ?external_request_id ?progress_percent";
    onchain::SqlJobError: "~code ~message";
    search::AirdropSearchItem: "project_name status total_raise xscore followers_count reward_date \
        last_status_update ?coin_symbol ?logo_url ?project_id ?reward_type ?task_summary ?tasks";
    search::AirdropTaskSummary: "total open types";
    search::AirdropTaskItem: "title type status is_exclusive cost time_minutes open_date close_date ?blockchains \
        ?external_link";
    search::AirdropActivityItem: "id coin_name status reward reward_type created_at updated_at ?coin_symbol \
        ?followers_count ?reward_date ?total_raise ?xscore";
    search::FundraisingSearchItem: "id title summary source event_at published_at source_count ?importance";
    search::FundraisingSearchSource: "type ?name ?url";
    prediction_market::CategoryDailyPoint: "timestamp source volume_usd open_interest_usd market_count";
    prediction_market::AnalyticsBody: "category_trends top_markets momentum_summary momentum_markets";
    prediction_market::CorrelationItem: "market_a_condition_id market_b_condition_id category correlation \
        overlapping_days ?market_a_question ?market_b_question";
    prediction_market::PolymarketTrade: "~amount_usd ~fee_usd ~price ~shares ~block_number ~block_time ~evt_index \
        ~condition_id ~exchange_address ~maker_address ~taker_address ~outcome_label ~outcome_token_id ~question \
        ~tx_hash ~neg_risk";
    shared::DiscoverMarketItem: "platform question category status volume_1d volume_7d volume_30d trade_count_7d \
        open_interest_usd ?days_to_resolution ?event_group_slug ?event_slug ?event_ticker ?event_title \
        ?latest_price ?market_link ?market_slug ?market_ticker ?matched_counterpart ?outcome_label \
        ?smart_money_direction ?subcategory ?token_id ?condition_id";
    token::DexTradeItem: "block_time project version token_pair token_bought_symbol token_sold_symbol \
        token_bought_amount token_sold_amount amount_usd taker tx_hash ?taker_label ?token_bought_address \
        ?token_sold_address";
    market::EtfTickerFlow: "ticker flow_usd";
    // A later OpenAPI document lacks the three optional fields.
    market::MarketPriceResponse: "~data ?summary ?symbol ?project_id";
    equity::EquityBalanceSheetItem: "symbol report_period fiscal_period period currency ~period_start ~fiscal_year \
        ~fiscal_quarter ~duration_days ~duration_months ~calculated_at ~source_updated_at ~formula_version \
        accumulated_oci cash_and_equivalents current_assets current_debt current_investments current_liabilities \
        deferred_revenue deposit_liabilities goodwill_and_intangible_assets inventory liabilities_and_equity \
        net_debt non_current_assets non_current_debt non_current_investments non_current_liabilities \
        other_current_liabilities other_non_current_assets other_non_current_liabilities outstanding_shares \
        payables property_plant_and_equipment receivables retained_earnings shareholders_equity tax_assets \
        tax_liabilities total_assets total_debt total_liabilities working_capital";
    equity::EquityCashFlowItem: "symbol report_period fiscal_period period currency ~period_start ~fiscal_year \
        ~fiscal_quarter ~duration_days ~duration_months ~calculated_at ~source_updated_at ~formula_version \
        beginning_cash business_acquisitions_and_disposals capital_expenditure change_in_cash \
        debt_issuance_repayment depreciation_and_amortization dividends_and_distributions ending_cash \
        equity_issuance_purchase financing_cash_flow free_cash_flow fx_effect investing_cash_flow \
        investment_acquisitions_and_disposals net_income operating_cash_flow share_based_compensation";
    equity::EquityIncomeStatementItem: "symbol report_period fiscal_period period currency ~period_start \
        ~fiscal_year ~fiscal_quarter ~duration_days ~duration_months ~calculated_at ~source_updated_at \
        ~formula_version cost_of_revenue dividends_per_common_share ebit ebitda eps_basic eps_diluted gross_profit \
        income_tax_expense interest_expense net_income net_income_common_stock net_income_discontinued_operations \
        net_income_non_controlling_interests net_income_yoy operating_expense operating_income operating_income_yoy \
        research_and_development revenue revenue_yoy sga_expense total_operating_costs weighted_average_shares \
        weighted_average_shares_diluted ?eps_calculation_method";
    equity::EquityFinancialMetricsItem: "symbol report_period fiscal_period period currency ~period_start \
        ~fiscal_year ~fiscal_quarter ~duration_days ~duration_months ~calculated_at ~source_updated_at \
        ~formula_version ~asset_turnover ~book_value_growth ~book_value_per_share ~cash_ratio \
        ~change_in_cash_per_share ~current_ratio ~days_sales_outstanding ~debt_to_assets ~debt_to_equity \
        ~earnings_growth ~earnings_per_share ~earnings_per_share_growth ~ebit_margin ~ebitda ~ebitda_growth \
        ~ebitda_margin ~enterprise_value ~enterprise_value_to_ebitda_ratio ~enterprise_value_to_revenue_ratio \
        ~free_cash_flow_growth ~free_cash_flow_margin ~free_cash_flow_per_share ~free_cash_flow_yield ~gross_margin \
        ~interest_coverage ~inventory_turnover ~liabilities_to_assets ~market_cap ~net_debt ~net_margin \
        ~operating_cash_flow_per_share ~operating_cash_flow_ratio ~operating_cycle ~operating_income_growth \
        ~operating_margin ~payout_ratio ~peg_ratio ~price_to_book_ratio ~price_to_earnings_ratio \
        ~price_to_sales_ratio ~quick_ratio ~receivables_turnover ~return_on_assets ~return_on_equity \
        ~return_on_invested_capital ~revenue_growth ~working_capital_turnover";
    equity::EquityCandle: "timestamp open high low close volume";
    equity::EquityLatestPrice: "price timestamp ?day_change ?day_change_percent";
    equity::EquityCandlesResponse: "symbol interval interval_multiplier candles latest_price ?start_date ?end_date";
    equity::EquityMeta: "symbol name logo_url price currency price_timestamp ?day_change ?day_change_percent \
        ?tokenized";
    equity::EquityCompanyProfile: "symbol company_name exchange is_active ?cik ?description ?employee_count \
        ?industry ?listing_date ?location ?sec_filings_url ?sector ?sic_code ?sic_industry ?sic_sector \
        ?source_updated_at ?website_url";
    equity::EquityFiling: "accession form_type filed_on sec_url report_periods statement_types \
        normalized_statement_field_count financial_metric_count source_statement_ids source_revision_ids \
        ?accepted_at ?source_observed_at";
    equity::EquityLatestFilingItem: "symbol company_name logo_url form_type report_period filed_on sec_url \
        coverage_fields financial_metric_count ?accepted_at";
    equity::EquityLatestFinancialsItem: "symbol company_name logo_url report_period filed_on revenue_growth \
        gross_margin operating_margin return_on_equity pe_ttm free_cash_flow ?period_start ?duration_days \
        ?duration_months ?source_updated_at";
    equity::EquityListing: "listing_symbol_id listing_id security_id security_type stock_type is_primary \
        listing_lifecycle_status ticker is_current symbol_identity_status issuer_company_id issuer_cik \
        issuer_legal_name financial_serving_status ?financial_serving_reason ?listing_currency \
        ?listing_exchange_code ?reporting_series_display_name ?reporting_series_id ?security_name ?share_class \
        ?symbol_exchange_code ?valid_from ?valid_to";
    equity::EquityEtfHoldingsResponse: "~symbol ~available_periods ~snapshots";
    equity::EquityEtfPeriod: "~year ~quarter ~as_of";
    equity::EquityEtfFund: "~name ~cik ~asset_class ~as_of ~filing_date ~source ~total_net_assets ~total_holdings \
        ~returned ~offset";
    equity::EquityEtfHolding: "~ticker ~name ~logo_url ~cusip ~isin ~weight ~market_value ~shares ~asset_class";
    equity::EquityOverviewItem: "~company_name ~exchange ~currency ~cash_and_equivalents ~current_ratio \
        ~debt_to_equity ~ebit ~ebit_margin ~ebitda ~ebitda_margin ~eps_basic ~eps_diluted ~free_cash_flow \
        ~gross_margin ~gross_profit";
    shared::FundSearchItem: "id name tier invested_projects_count top_projects ?image ?type";
    shared::FundPortfolioItem: "project_id project_name is_lead ?project_logo ?project_slug ?recent_raise \
        ?total_raise";
    fund::FundResearchItem: "id title url published_at";
    fund::FundXAccountItem: "id handle followers_count ?display_name ?profile_image";
    project::ProjectDetail: "?contracts ?funding ?overview ?social ?team ?tge_status ?token_info ?tokenomics";
    hyperliquid::HyperliquidAccount: "address as_of unpriced_token_count ?errors ?perp ?spot ?staking ?vaults \
        ?total_value_usd";
    hyperliquid::HyperliquidPerpSummary: "account_value withdrawable total_margin_used open_position_count";
    hyperliquid::HyperliquidSpotBalance: "symbol token_id total hold available entry_notional ?withdrawable";
    hyperliquid::HyperliquidStaking: "delegated_hype undelegated_hype total_pending_withdrawal_hype \
        pending_withdrawal_count";
    hyperliquid::HyperliquidVaults: "~positions ~total_equity";
    hyperliquid::HyperliquidVaultPosition: "~vault_address ~equity ?locked_until";
    hyperliquid::HyperliquidPosition: "symbol size side leverage_type leverage_value max_leverage entry_price \
        mark_price position_value unrealized_pnl return_on_equity margin_used cum_funding ?liquidation_price \
        ?distance_to_liquidation";
    hyperliquid::HyperliquidCumFunding: "~all_time ~since_open ~since_change";
    hyperliquid::HyperliquidPositions: "address account_value total_notional_pos total_raw_usd total_margin_used \
        cross_maintenance_margin_used margin_ratio withdrawable timestamp positions";
    hyperliquid::HyperliquidFill: "symbol side direction price size start_position closed_pnl fee fee_token crossed \
        is_internal time time_ms fill_id tx_index hash";
    hyperliquid::HyperliquidCandle: "symbol interval open_time close_time open high low close volume quote trades \
        closed";
    hyperliquid::HyperliquidEpisode: "symbol direction open_time close_time opened_sz entry_px exit_px gross_pnl \
        net_pnl fees funding_pnl funding_status is_win hold_seconds source notional_usd ?episode_id ?leverage \
        ?leverage_type ?leverage_semantics ?reported_leverage ?reported_leverage_type";
    hyperliquid::HyperliquidTradeContext: "funding_status ?funding_pnl ?leverage ?leverage_type \
        ?leverage_semantics ?reported_leverage ?reported_leverage_type";
    hyperliquid::HyperliquidTradeGroup: "key trade_count gross_pnl net_pnl fees funding_pnl funding_status win_rate \
        volume_usd ?avg_win ?avg_loss";
    hyperliquid::HyperliquidTrader: "rank address total_pnl win_rate total_trades volume_traded total_fees \
        total_funding days_active traded_pairs human_score ?account_age_days";
    hyperliquid::HyperliquidOpenOrder: "~symbol ~market_type ~order_id ~side ~limit_price ~size ~original_size \
        ~order_type ~trigger_condition ~trigger_price ~is_trigger ~is_position_tpsl ~reduce_only ~timestamp";
    hyperliquid::HyperliquidHistoricalOrder: "~symbol ~market_type ~order_id ~side ~limit_price ~size \
        ~original_size ~order_type ~trigger_condition ~trigger_price ~is_trigger ~is_position_tpsl ~reduce_only \
        ~status ~status_time ~placed_time";
    hyperliquid::HyperliquidOrders: "address as_of open open_total historical historical_total ?errors";
    hyperliquid::HyperliquidPerformanceView: "address open_positions traded_pairs watermark partial ?account_value \
        ?total_unrealized_pnl ?performance ?errors";
    shared::XTweet: "~author ~created_at ~stats ~text ~tweet_id ~url ~media";
    shared::XAuthor: "~handle ~name ~user_id ~avatar";
    shared::XStats: "~likes ~replies ~reposts ~views";
    shared::XMedia: "~type ~url";
};
