-- Reads the mark of a server, and marks one that is new or came back as another.
--
-- KEYS  mark
-- ARGV  id of the server, longest lease ms, how long a server that may have forgotten stays shut ms,
--       'new': nobody holds anything, 'old': up for long enough, 'young': may have forgotten
-- →     now, until (server µs) when nothing new is granted, longest lease ms that the mark was made with
--
-- The mark is 'id until longest'. It is made again by whoever looks, and outlives every lease: without a mark, and up for
-- longer than that, a server has nothing to remember.

local key, id, longest = KEYS[1], ARGV[1], ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local known, till, lease = string.match(redis.call('GET', key) or '', '^(%S+) (%d+) (%d+)$')
if known ~= id then
  local shut = ARGV[4] == 'young' or known and ARGV[4] ~= 'new'
  till = shut and now + ARGV[3] * 1000 or 0
  lease = longest
end
till = tonumber(till)
redis.call('SET', key, string.format('%s %d %s', id, till, lease), 'PX', ARGV[3])
return {now, till, tonumber(lease)}
