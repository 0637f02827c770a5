// Twenty calls of a program that knows the service by its OpenAPI document alone.
import createClient from "openapi-fetch";
import type { paths } from "./service.js";

const { URL: baseUrl, KEY: key } = process.env;
const { GET, POST } = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

type Outcome = { data?: unknown; error?: unknown; response: Response };
let calls = 0;

function succeeded(outcome: Outcome): void {
  if (!outcome.response.ok || outcome.data === undefined) {
    throw new Error(`${outcome.response.url}: ${outcome.response.status} ${JSON.stringify(outcome.error)}`);
  }
  calls += 1;
}

const price = await GET("/gateway/v1/market/price", { params: { query: { symbol: "BTC", time_range: "7d" } } });
succeeded(price);
// The fields of a record have types.
const first: number | undefined = price.data?.data?.[0]?.value;
if (typeof first !== "number") throw new Error("no price");

succeeded(await GET("/gateway/v1/market/ranking", { params: { query: { limit: 5 } } }));
succeeded(await GET("/gateway/v1/market/fear-greed", {}));
succeeded(await GET("/gateway/v1/market/futures", { params: { query: {} } }));
succeeded(await GET("/gateway/v1/exchange/markets", { params: { query: { exchange: "binance" } } }));
succeeded(await GET("/gateway/v1/exchange/price", { params: { query: { pair: "BTC/USDT" } } }));
succeeded(await GET("/gateway/v1/exchange/depth", { params: { query: { pair: "BTC/USDT" } } }));
succeeded(await GET("/gateway/v1/search/project", { params: { query: { q: "bitcoin" } } }));
succeeded(await GET("/gateway/v1/search/fund", { params: { query: { q: "capital" } } }));
succeeded(await GET("/gateway/v1/search/news", { params: { query: { q: "bitcoin" } } }));
succeeded(await GET("/gateway/v1/news/feed", { params: { query: {} } }));
succeeded(await GET("/gateway/v1/fund/ranking", { params: { query: { metric: "tier" } } }));
succeeded(await GET("/gateway/v1/project/detail", { params: { query: { q: "bitcoin" } } }));
succeeded(await GET("/gateway/v1/onchain/gas-price", { params: { query: { chain: "ethereum" } } }));
succeeded(await GET("/gateway/v1/equity/profile", { params: { query: { symbol: "AAPL" } } }));
succeeded(await GET("/gateway/v1/equity/income-statement", { params: { query: { symbol: "AAPL" } } }));
succeeded(await GET("/gateway/v1/hyperliquid/leaderboard", { params: { query: {} } }));
succeeded(await GET("/gateway/v1/social/user", { params: { query: { handle: "bitcoin" } } }));
succeeded(await GET("/gateway/v1/onchain/schema", {}));
succeeded(await POST("/gateway/v1/onchain/sql", { body: { sql: "SELECT 1 AS one" } }));

console.log(`TypeScript: ${calls} calls`);
