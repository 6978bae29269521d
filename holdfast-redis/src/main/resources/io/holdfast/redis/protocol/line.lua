-- The line of a record, first come first served. Included where somebody may have to wait or to be served.
--
--   line         'head tail': the numbers of the last place that was served and of the last that was taken; they never go back
--   q<n>         'claim until grant block weight notice secret': one place. `until` (server µs) ends the place unless its claim asks
--                again, `grant` (ms) and `block` are what the claim gets when it is served while it waits, and `notice` is
--                how it is told (with the secret, which the message repeats):
--                                     p  PUBLISH, if somebody subscribes      s<tag>  SPUBLISH, likewise
--                                     u  PUBLISH, nobody can tell who listens -       not at all, it asks often
--   @<claim>     'n since': the place of a claim, and when (server µs) it came into the line, for people who look
--
-- The including script provides key, now, head, tail, room (how much is free), latch, store() which writes the state with
-- head and tail, and grant(claim, ms, block, weight) which stores a grant and returns its first token.

local more = false

local function placeOf(claim)
  return tonumber(string.match(redis.call('HGET', key, '@' .. claim) or '', '^%d+'))
end

local function enqueue(claim, ms, block, weight, notice)
  local entry = string.format('%s %d %d %d %d %s', claim, now + PLACE * 1000, math.min(ms, GRANT), block, weight, notice)
  local at = placeOf(claim) or 0
  if at > head then
    redis.call('HSET', key, 'q' .. at, entry)
    return at
  end
  for _ = 1, 2 do                                                     -- who died in a line that does not move
    local who, seen = string.match(redis.call('HGET', key, 'q' .. head + 1) or '', '^(%S+) (%d+)')
    if not who or tonumber(seen) > now then break end
    redis.call('HDEL', key, 'q' .. head + 1, '@' .. who)
    head = head + 1
  end
  local first = head == tail
  tail = tail + 1
  redis.call('HSET', key, 'line', head .. ' ' .. tail, '@' .. claim, string.format('%d %d', tail, now), 'q' .. tail, entry)
  if first then store() end
  return tail
end

-- Gives a place up. Whoever is first then is counted as first.  → 1, or 0 if there was none
local function leave(claim)
  local at = placeOf(claim)
  if not at then return 0 end
  redis.call('HDEL', key, 'q' .. at, '@' .. claim)
  local from = head
  while head < tail and head < from + 128 and redis.call('HEXISTS', key, 'q' .. head + 1) == 0 do head = head + 1 end
  if head > from then store() end
  return 1
end

-- Whether somebody listens. Asked before the grant: a message that nobody heard cannot be called back. Once for each client and call.
local listeners = {}
local function listens(notice, channel)
  if notice ~= 'p' and notice ~= 's' then return true end
  if listeners[channel] == nil then
    local count = redis.pcall('PUBSUB', notice == 'p' and 'NUMSUB' or 'SHARDNUMSUB', channel)
    listeners[channel] = count.err ~= nil or count[2] > 0
  end
  return listeners[channel]
end

-- The place n, or '' if somebody left it. The further a call gets, the more places it reads at once.
local read, from, width = {}, 1, 1
local function placeAt(n)
  if n >= from + #read then
    local fields = {}
    for at = n, math.min(n + width - 1, tail) do fields[#fields + 1] = 'q' .. at end
    read, from, width = redis.call('HMGET', key, unpack(fields)), n, math.min(4 * width, 128)
  end
  return read[n - from + 1] or ''
end

local gone = {}
local function drop()
  if #gone > 0 then redis.call('HDEL', key, unpack(gone)) end
  gone = {}
end

-- Serves the line in order. Stops at the first who is alive and does not fit: nobody overtakes. The message comes last, when
-- what it says is stored. `mine` is the claim that asks right now: it gets its whole lease, and its token is the result.
-- A call does so much and no more, a few milliseconds; `more` tells that there may be more to do.
local function serve(mine, lease)
  local token
  local dirty, work = false, 512
  while head < tail and (room > 0 or latch) do
    more = work <= 0
    if more then break end
    local who, client, seen, ms, block, weight, notice, tag, secret =
      string.match(placeAt(head + 1), '^(([^:]+):%S+) (%d+) (%d+) (%d+) (%d+) (.)(%S*) ?(%S*)')
    if who then                                                       -- else somebody left
      weight = tonumber(weight)
      local alive = who == mine or tonumber(seen) > now and listens(notice, PREFIX .. tag .. client)
      if alive and (weight > room or weight == 0 and room > 0) then break end
      gone[#gone + 1], gone[#gone + 2] = 'q' .. head + 1, '@' .. who
      if not alive then who = nil end
    end
    head, work, dirty = head + 1, work - (who and 4 or 1), not who
    if who or #gone >= 256 then drop() end
    if who then
      if who == mine then ms = lease end
      local first = grant(who, tonumber(ms), tonumber(block), weight)
      if who == mine then
        token = first
      elseif notice ~= '-' then
        redis.pcall(notice == 's' and 'SPUBLISH' or 'PUBLISH', PREFIX .. tag .. client,
          string.format('%s %d %d %s %s %s', who, first, now, ms, NODE, secret))
      end
    end
  end
  drop()
  if dirty then store() end
  return token
end
