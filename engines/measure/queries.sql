SELECT count(*) AS fills FROM fills
SELECT symbol, count(*) AS fills, sum(CAST(size AS DECIMAL(20, 3))) AS size FROM fills GROUP BY symbol ORDER BY symbol
SELECT side, min(price) AS low, max(price) AS high, count(DISTINCT symbol) AS symbols FROM fills GROUP BY side ORDER BY side
SELECT date_trunc('day', time) AS day, count(*) AS fills FROM fills GROUP BY 1 ORDER BY fills DESC, day LIMIT 10
SELECT fill_id, symbol, price FROM fills ORDER BY price DESC, fill_id LIMIT 20
SELECT count(*) AS fills, max(fee) AS fee FROM fills WHERE symbol = 'BTC' AND crossed AND price > 50000
SELECT tx_index, count(*) AS fills, sum(CAST(closed_pnl AS DECIMAL(20, 2))) AS pnl FROM fills GROUP BY tx_index ORDER BY fills DESC, tx_index LIMIT 10
SELECT f.symbol, count(*) AS fills FROM fills f JOIN (SELECT symbol, max(price) AS top FROM fills GROUP BY symbol) m ON f.symbol = m.symbol AND f.price > m.top * 0.999 GROUP BY f.symbol ORDER BY f.symbol
SELECT symbol, price, fill_id FROM (SELECT symbol, price, fill_id, row_number() OVER (PARTITION BY symbol ORDER BY price DESC, fill_id) AS place FROM fills) WHERE place <= 3 ORDER BY symbol, price DESC, fill_id
SELECT direction, date_part('hour', time) AS hour, count(*) AS fills FROM fills WHERE NOT is_internal GROUP BY 1, 2 ORDER BY 1, 2
