-- Gives a share back to its holder after the server forgot it. Only while nothing new is granted.
--
-- KEYS  record
-- ARGV  claim, notAfter (server µs), lease ms, top token of the claim, block, weight, capacity
-- →     now left, or now -1: does not fit, or too late

local key, claim, ms, last, wanted = KEYS[1], ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if now > tonumber(ARGV[2]) then return {now, -1} end
local latch = false
-- include shares.lua
reap()
local till = string.match(redis.call('HGET', key, '=' .. claim) or '', '^%d+')
if till and till - now >= ms * 1000 then return {now, till - now} end
local block, weight = tonumber(ARGV[5]), tonumber(ARGV[6])
if till then
  used, room = used - weight, room + weight
elseif capacity ~= wanted or weight > room then
  return {now, -1}
end
token = math.max(token, last)
hold(claim, ms, block, weight, last - block + 1)
return {now, ms * 1000}
