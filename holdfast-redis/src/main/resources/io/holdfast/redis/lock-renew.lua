-- Makes each of many mutexes that is still held last at least as long as asked. Never shortens.
-- Begins with a write that memory pressure cannot refuse (PEXPIRE).
--
-- KEYS  records
-- ARGV  for each record: claim, lease ms, lease + retention ms
-- →     now, then for each record: left µs, or -1: not held by this claim

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local out = {now}
for i, key in ipairs(KEYS) do
  local left = -1
  local hold = redis.call('HGET', key, 'hold')
  local top, till, lease, owner, rest = string.match(hold or '', '^(%d+) (%d+) (%d+) (%S+)(.*)')
  if owner == ARGV[3 * i - 2] then left = till - now end
  if left > 0 then
    local ms = ARGV[3 * i - 1]
    if ms * 1000 > left then
      left = ms * 1000
      redis.call('PEXPIRE', key, ARGV[3 * i])
      redis.call('HSET', key, 'hold', string.format('%s %d %s %s%s', top, now + left, ms, owner, rest))
    end
  else
    left = -1
  end
  out[i + 1] = left
end
return out
