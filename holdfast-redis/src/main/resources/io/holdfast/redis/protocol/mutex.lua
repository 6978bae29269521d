-- The state of a mutex.
--
--   hold         'top lease claim': who holds it, with `top` the last token of its block and a lease of `lease` ms that ends when the
--                record has no more than the retention to live, so that a renewal is one PEXPIRE. 'top' alone: nobody holds it. With
--                ' +' at the end while anybody is in the line, so that one look tells whether there is anything else to
--                look at.
--
-- The including script provides key, hold, now and remember(token).

local top, lease, owner = string.match(hold, '^(%d+) (%d+) (%S+)')
top = tonumber(top or string.match(hold, '^%d+'))
if not top or top >= 9007199254740992 then return redis.error_reply('HOLDFAST the record ' .. key .. ' is broken: ' .. hold) end
local head, tail = string.match(redis.call('HGET', key, 'line') or '0 0', '(%d+) (%d+)')
if not head then return redis.error_reply('HOLDFAST the line of ' .. key .. ' is broken') end
head, tail = tonumber(head), tonumber(tail)
local life = owner and redis.call('PTTL', key) - RETENTION or 0       -- in whole ms, so up to one too long
local left, room, latch = math.max(life - 1, 0), life > 0 and 0 or 1, false

local function store()
  remember(top)
  local text = owner and string.format('%d %s %s', top, lease, owner) or string.format('%d', top)
  redis.call('HSET', key, 'hold', head < tail and text .. ' +' or text, 'line', head .. ' ' .. tail)
end

local function lasts(ms)
  left = ms
  redis.call('PEXPIRE', key, string.format('%d', ms + RETENTION + 1))
end

-- How long a record is kept that is free: until its token is behind the clock too, which may have been set back.
local function keptFor(token)
  return string.format('%d', RETENTION + math.max(0, math.ceil((token - now) / 1000)))
end

local function grant(who, ms, block)
  local first = top < now and now or top + 1
  top, lease, owner, room = first + block - 1, ms, who, 0
  store()
  lasts(ms)
  return first
end
