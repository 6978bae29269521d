-- Makes each of many mutexes that is still held last at least as long as asked. Never shortens.
-- Begins with a write that memory pressure cannot refuse (PEXPIRE).
--
-- KEYS  records
-- ARGV  lease ms, lease + retention + 1 ms, client, then for each record: the claim without the client
-- →     for each record that does not last exactly as long as asked: its number, and left ms, or -1: not held by this claim.
--       Never more than the lease: more would be a clock that was set back.

-- A lease that has ended while nobody wanted the mutex begins again: nobody had it in between.

local lease, life, client, out = tonumber(ARGV[1]), ARGV[2], ARGV[3] .. ':', {}
local usual = ' ' .. ARGV[1] .. ' ' .. client
for i, key in ipairs(KEYS) do
  local hold = redis.pcall('HGET', key, 'hold')
  if type(hold) ~= 'string' then hold = '' end
  local mine = usual .. ARGV[i + 3]
  if string.find(hold, mine, -#mine, true) then                       -- mine, as long as before, and nobody waits
    redis.call('PEXPIRE', key, life)
  else
    local was, owner = string.match(hold, '^%d+ (%d+) (%S+)')
    local left = -1
    if owner == client .. ARGV[i + 3] then left = redis.call('PTTL', key) - RETENTION - 1 end
    if left >= 0 and (left < lease or left > was + 0) then
      left = math.max(lease, math.min(left, was + 0))
      redis.call('PEXPIRE', key, string.format('%d', left + RETENTION + 1))
      redis.call('HSET', key, 'hold', (string.gsub(hold, ' %d+ ', string.format(' %d ', left), 1)))
    end
    if left ~= lease then out[#out + 1], out[#out + 2] = i, left end
  end
end
return out
