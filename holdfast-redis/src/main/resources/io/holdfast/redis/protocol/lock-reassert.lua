-- Gives a mutex back to its holder after the server forgot it. Only while nothing new is granted.
--
-- KEYS  record
-- ARGV  claim, notAfter (server µs), lease ms, top token of the claim, until when (server µs) nothing new is granted
-- →     now left; now -1: somebody has or had it with a greater token, or may have had it; now -2: too late, nothing was done

local key, claim, ms, token = KEYS[1], ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if now > tonumber(ARGV[2]) then return {now, -2} end
if now >= tonumber(ARGV[5]) then return {now, -1} end
-- include top.lua
local hold = redis.call('HGET', key, 'hold') or string.format('%d', remembered())
-- include mutex.lua
if owner ~= claim and top >= token then return {now, -1} end
top, lease, owner = math.max(top, token), ms, claim
store()
lasts(ms)
return {now, left * 1000}
