-- Gives a share back to its holder after the server forgot it. Only while nothing new is granted.
--
-- KEYS  record
-- ARGV  claim, notAfter (server µs), lease ms, top token of the claim, block, weight, capacity, until when (server µs) nothing new is granted
-- →     now left; now -1: does not fit, or was ended; now -2: too late, nothing was done
--
-- Who put back before may have a greater token than who comes now. So it is not the last token that tells who was ended, but the last
-- that was granted here: the record knew every claim up to that one, and does not know this one any more.

local key, claim, ms, topToken, wanted = KEYS[1], ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if now > tonumber(ARGV[2]) then return {now, -2} end
if now >= tonumber(ARGV[8]) then return {now, -1} end
-- include shares.lua
reap()
local block, weight = tonumber(ARGV[5]), tonumber(ARGV[6])
if redis.call('HEXISTS', key, '=' .. claim) == 1 then
  used, room = used - weight, room + weight
elseif topToken <= (own or token) or string.find(' ' .. (redis.call('HGET', key, 'ended') or ''), ' ' .. claim .. ' ', 1, true) then
  return {now, -1}
elseif capacity ~= wanted or weight > room then
  return {now, -1}
end
if topToken > token then
  if not own then redis.call('HSET', key, 'own', string.format('%d', token)) end
  token = topToken
end
put(claim, ms, block, weight, topToken - block + 1)
return {now, ms * 1000}
