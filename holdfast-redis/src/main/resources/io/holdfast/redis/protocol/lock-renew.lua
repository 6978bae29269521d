-- Makes each of many mutexes that is still held last at least as long as asked. Never shortens.
-- Begins with a write that memory pressure cannot refuse (PEXPIRE).
--
-- KEYS  records
-- ARGV  lease ms, lease + retention + 1 ms, then for each record: claim
-- →     for each record: left ms, or -1: not held by this claim. Never more than the lease: more would be a clock that was set back.

-- A lease that has ended while nobody wanted the mutex begins again: nobody had it in between.

local lease, life, usual = tonumber(ARGV[1]), ARGV[2], ' ' .. ARGV[1] .. ' '
local out = {}
for i, key in ipairs(KEYS) do
  local claim, left = ARGV[i + 2], -1
  local hold = redis.pcall('HGET', key, 'hold')
  if type(hold) ~= 'string' then hold = '' end
  local _, last = string.find(hold, usual .. claim, 1, true)
  if last and last == #hold then                                      -- mine, as long as before, and nobody waits
    left = lease
    redis.call('PEXPIRE', key, life)
  else
    local was, owner = string.match(hold, '^%d+ (%d+) (%S+)')
    if owner == claim then left = redis.call('PTTL', key) - RETENTION - 1 end
    if left >= 0 and (left < lease or left > was + 0) then
      left = math.max(lease, math.min(left, was + 0))
      redis.call('PEXPIRE', key, string.format('%d', left + RETENTION + 1))
      redis.call('HSET', key, 'hold', (string.gsub(hold, ' %d+ ', string.format(' %d ', left), 1)))
    end
  end
  out[i] = left
end
return out
