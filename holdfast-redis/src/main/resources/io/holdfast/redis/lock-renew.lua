-- Makes each of many mutexes that is still held last at least as long as asked. Never shortens.
-- Begins with a write that memory pressure cannot refuse (PEXPIRE).
--
-- KEYS  records
-- ARGV  lease ms, lease + retention ms, then for each record: claim
-- →     for each record: left ms, or -1: not held by this claim

local lease, life = tonumber(ARGV[1]), ARGV[2]
local out = {}
for i, key in ipairs(KEYS) do
  local top, was, owner, rest = string.match(redis.call('HGET', key, 'hold') or '', '^(%d+) (%d+) (%S+)(.*)')
  local left = owner == ARGV[i + 2] and redis.call('PTTL', key) - RETENTION or -1
  if left > 0 and left < lease then
    left = lease
    redis.call('PEXPIRE', key, life)
    if was ~= ARGV[1] then redis.call('HSET', key, 'hold', string.format('%s %d %s%s', top, lease, owner, rest)) end
  end
  out[i] = left
end
return out
