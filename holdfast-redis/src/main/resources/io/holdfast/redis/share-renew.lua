-- Makes each of many shares that is still held last at least as long as asked. Never shortens.
-- Begins with a write that memory pressure cannot refuse (PEXPIRE).
--
-- KEYS  records
-- ARGV  for each record: claim, lease ms, lease + retention ms
-- →     now, then for each record: left µs, or -1: not held by this claim

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local out = {now}
for i, key in ipairs(KEYS) do
  local field, ms, left = '=' .. ARGV[3 * i - 2], tonumber(ARGV[3 * i - 1]), -1
  local till, rest = string.match(redis.call('HGET', key, field) or '', '^(%d+) (%d+ %d+ %d+) ')
  if till and till - now > 0 then
    left = till - now
    if ms * 1000 > left then
      left = ms * 1000
      if redis.call('PTTL', key) < tonumber(ARGV[3 * i]) then redis.call('PEXPIRE', key, ARGV[3 * i]) end
      redis.call('HSET', key, field, string.format('%d %s %d', now + left, rest, ms))
    end
  end
  out[i + 1] = left
end
return out
