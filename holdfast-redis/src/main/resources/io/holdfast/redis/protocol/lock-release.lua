-- Gives a mutex back and hands it to whoever is next; or leaves the line. Touches nothing of anybody else's.
-- Begins with a write that memory pressure cannot refuse (PEXPIRE, HDEL); what follows may then write too.
--
-- KEYS  record
-- ARGV  claim, until when (server µs) nothing new may be granted, or 0
-- →     1 known and ended, 0 not known; plus 2 when many dead places were passed over and calling again would help

local key, claim = KEYS[1], ARGV[1]
local hold = redis.call('HGET', key, 'hold')
if not hold then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if string.sub(hold, -#claim - 1) == ' ' .. claim then                 -- mine, and nobody waits
  local top = string.match(hold, '^%d+')
  local ahead = top - now                                             -- of the clock, which may have been set back
  redis.call('PEXPIRE', key, ahead > 0 and string.format('%d', RETENTION + math.ceil(ahead / 1000)) or RETENTION)
  redis.call('HSET', key, 'hold', top)
  return 1
end

-- include top.lua
-- include mutex.lua
-- include line.lua
local known
if owner == claim then
  known, owner, room = 1, nil, 1
  redis.call('PEXPIRE', key, keptFor(top))
  store()
else
  known = leave(claim)
end
if room > 0 and head < tail and now >= tonumber(ARGV[2]) then serve() end
return known + (more and 2 or 0)
