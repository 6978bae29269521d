-- The state of what several may hold at once: read-write lock, semaphore, latch.
--
--   capacity     how much there is
--   used         how much is held
--   token        the last token of the last block
--   soonest      not later than the end of any lease (server µs), 0 when nobody holds; so a look at all is rare
--   longest      not shorter than any lease that is held, in ms
--   =<claim>     'until weight first block lease': a holder
--   own          the last token that was granted here, if holders have put back later ones since; without it, that is `token`
--   ended        of those that were put back: the claims that were ended since, each with a space behind it
--
-- The including script provides key, now, wanted (the capacity that its caller believes in) and latch.

local s = redis.call('HMGET', key, 'capacity', 'used', 'token', 'soonest', 'longest', 'line', 'own')
local capacity, used, token = tonumber(s[1] or wanted), tonumber(s[2] or 0), tonumber(s[3] or 0)
local soonest, longest = tonumber(s[4] or 0), tonumber(s[5] or 0)
local head, tail = string.match(s[6] or '0 0', '^(%d+) (%d+)$')
if not (capacity and used and token and soonest and longest and head) then
  return redis.error_reply('HOLDFAST the record ' .. key .. ' is broken: its counters cannot be read')
end
head, tail = tonumber(head), tonumber(tail)
local room, own = capacity - used, tonumber(s[7])

local function store()
  redis.call('HSET', key, 'capacity', capacity, 'used', used, 'token', string.format('%d', token),
    'soonest', string.format('%d', soonest), 'longest', longest, 'line', head .. ' ' .. tail)
end

-- The record outlives whoever has something in it, and its token until that is behind the clock, which may have been set back.
local function life(ms)
  return string.format('%d', math.max(ms, math.ceil((token - now) / 1000)) + RETENTION)
end

local function keep(ms)
  if redis.call('PTTL', key) < tonumber(life(ms)) then redis.call('PEXPIRE', key, life(ms)) end
end

local function put(who, ms, block, weight, first)
  local till = now + ms * 1000
  redis.call('HSET', key, '=' .. who, string.format('%d %d %d %d %d', till, weight, first, block, ms))
  used, room = used + weight, room - weight
  soonest = soonest == 0 and till or math.min(soonest, till)
  longest = math.max(longest, ms)
  store()
  keep(ms)
  return first
end

local function grant(who, ms, block, weight)
  if own then                                                         -- open again: whoever has not come back is over
    redis.call('HDEL', key, 'own', 'ended')
    own = nil
  end
  local first = token < now and now or token + 1
  token = first + block - 1
  return put(who, ms, block, weight, first)
end

-- Ends what is over. A lease that seems to end later than it could has met a clock that was set back.
local function reap()
  if soonest == 0 or now < soonest and soonest - now <= longest * 1000 then return end
  soonest, longest, used = 0, 0, 0
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    if string.byte(all[i]) == 61 then                                 -- =
      local till, weight, rest, ms = string.match(all[i + 1], '^(%d+) (%d+) (%d+ %d+ (%d+))')
      till, ms = tonumber(till or 0), tonumber(ms)
      if till <= now then                                             -- or unreadable
        redis.call('HDEL', key, all[i])
      else
        if till - now > ms * 1000 then
          till = now + ms * 1000
          redis.call('HSET', key, all[i], string.format('%d %d %s', till, weight, rest))
        end
        used = used + weight
        soonest = soonest == 0 and till or math.min(soonest, till)
        longest = math.max(longest, ms)
      end
    end
  end
  room = capacity - used
  store()
end
