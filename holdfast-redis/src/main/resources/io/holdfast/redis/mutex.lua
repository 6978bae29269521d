-- The state of a mutex.
--
--   hold         'top until lease claim': who holds it. `top` is the last token of its block, `until` (server µs) the end of
--                its lease of `lease` ms. 'top' alone: nobody. With ' +' at the end while anybody is in the line, so that
--                one look tells whether there is anything else to look at.
--
-- The including script provides key, hold, now.

local top, till, lease, owner = string.match(hold, '^(%d+) (%d+) (%d+) (%S+)')
top = tonumber(top or string.match(hold, '^%d+'))
if not top then return redis.error_reply('HOLDFAST the record ' .. key .. ' is broken: ' .. hold) end
till = tonumber(till or 0)
local head, tail = string.match(redis.call('HGET', key, 'line') or '0 0', '(%d+) (%d+)')
head, tail = tonumber(head), tonumber(tail)
local room, latch = till > now and 0 or 1, false

local function store()
  local text = owner and string.format('%d %d %s %s', top, till, lease, owner) or string.format('%d', top)
  redis.call('HSET', key, 'hold', head < tail and text .. ' +' or text, 'line', head .. ' ' .. tail)
end

local function grant(who, ms, block)
  local first = top < now and now or top + 1
  top, till, lease, owner, room = first + block - 1, now + ms * 1000, ms, who, 0
  store()
  redis.call('PEXPIRE', key, string.format('%d', ms + RETENTION))
  return first
end
