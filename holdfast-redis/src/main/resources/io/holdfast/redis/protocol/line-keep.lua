-- Keeps many places of one line alive, as if each of the claims had asked again. Grants nothing and serves nobody.
--
-- KEYS  record
-- ARGV  client, then for each of its claims: the claim without the client
-- →     now, left, and for each claim: its place, or 0 if it is not in the line.
--       `left` µs until a lease ends that those in the line wait for; 0: there may be room, one of them has to ask

local key, client = KEYS[1], '@' .. ARGV[1] .. ':'
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local s = redis.call('HMGET', key, 'line', 'hold', 'used', 'capacity', 'soonest')
local head = tonumber(string.match(s[1] or '0 0', '^%d+'))
if not head then return redis.error_reply('HOLDFAST the line of ' .. key .. ' is broken') end
local left = 0
if s[2] then                                                          -- a mutex: its lease ends when only the retention is left
  if string.find(s[2], '^%d+ %d+ %S') then left = math.max(redis.call('PTTL', key) - RETENTION - 1, 0) * 1000 end
elseif s[3] then
  if tonumber(s[3]) >= tonumber(s[4]) then left = math.max(tonumber(s[5]) - now, 0) end
  if redis.call('PTTL', key) < PLACE + RETENTION then redis.call('PEXPIRE', key, PLACE + RETENTION) end
end

local names, numbers = {}, {}
for i = 2, #ARGV do names[i - 1] = client .. ARGV[i] end
local at = redis.call('HMGET', key, unpack(names))
for i = 1, #names do numbers[i] = 'q' .. (at[i] or 0) end
local entries = redis.call('HMGET', key, unpack(numbers))
local till, kept, out = string.format(' %d ', now + PLACE * 1000), {}, {now, left}
for i = 1, #names do
  local place = (at[i] or 0) - head
  if place > 0 and entries[i] then
    kept[#kept + 1], kept[#kept + 2] = numbers[i], (string.gsub(entries[i], ' %d+ ', till, 1))
    out[i + 2] = place
  else
    out[i + 2] = 0
  end
end
if #kept > 0 then redis.call('HSET', key, unpack(kept)) end
return out
