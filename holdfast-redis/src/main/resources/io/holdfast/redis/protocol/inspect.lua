-- Shows a record as it is now, and changes nothing.
--
-- KEYS  record
-- →     now (server µs), how long the record lives (ms, -2: there is none), its fields and values

local time = redis.call('TIME')
return {time[1] * 1000000 + time[2], redis.call('PTTL', KEYS[1]), redis.call('HGETALL', KEYS[1])}
