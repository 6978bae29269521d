-- Gives a share back, or leaves the line, and serves whoever fits now. Touches nothing of anybody else's.
-- Begins with a write that memory pressure cannot refuse (HDEL); what follows may then write too.
--
-- KEYS  record
-- ARGV  claim, until when (server µs) nothing new may be granted, or 0, latch (1 or 0)
-- →     1 known and ended, 0 not known; plus 2 when there may be more to serve and calling again would help

local key, claim = KEYS[1], ARGV[1]
if redis.call('EXISTS', key) == 0 then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local wanted, latch = 0, ARGV[3] == '1'
-- include shares.lua
-- include line.lua
local known
local weight, first, block = string.match(redis.call('HGET', key, '=' .. claim) or '', '^%d+ (%d+) (%d+) (%d+)')
if weight then
  known, used, room = 1, used - weight, room + weight
  redis.call('HDEL', key, '=' .. claim)
  if own and first + block - 1 > own then                             -- it was put back, and must not be once more
    redis.call('HSET', key, 'ended', (redis.call('HGET', key, 'ended') or '') .. claim .. ' ')
  end
  if used == 0 and head >= tail and not latch then                    -- nobody is left
    soonest = 0
    redis.call('PEXPIRE', key, life(0))
  end
  store()
else
  known = leave(claim)
end
if head < tail and now >= tonumber(ARGV[2]) then
  reap()
  serve()
end
return known + (more and 2 or 0)
