-- Makes each of many shares that is still held last at least as long as asked. Never shortens.
-- Begins with a write that memory pressure cannot refuse (PEXPIRE).
--
-- KEYS  records
-- ARGV  lease ms, lease + retention + 1 ms, client, then for each record: the claim without the client
-- →     for each record that does not last exactly as long as asked: its number, and left ms, or -1: not held by this claim.
--       Never more than the lease: more would be a clock that was set back.

local lease, life, client = tonumber(ARGV[1]), tonumber(ARGV[2]), '=' .. ARGV[3] .. ':'
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local out = {}
for i, key in ipairs(KEYS) do
  local field, left = client .. ARGV[i + 3], -1
  local held = redis.pcall('HGET', key, field)
  local till, rest, was = string.match(type(held) == 'string' and held or '', '^(%d+) (%d+ %d+ %d+) (%d+)')
  if till and till - now > 0 then
    left = math.floor((till - now) / 1000)
    if left < lease or left > was + 0 then
      left = math.max(lease, math.min(left, was + 0))
      redis.call('PEXPIRE', key, string.format('%d', math.max(redis.call('PTTL', key), life)))
      redis.call('HSET', key, field, string.format('%d %s %d', now + left * 1000, rest, left))
    end
  end
  if left ~= lease then out[#out + 1], out[#out + 2] = i, left end
end
return out
