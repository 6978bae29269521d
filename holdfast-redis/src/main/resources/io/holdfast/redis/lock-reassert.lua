-- Gives a mutex back to its holder after the server forgot it. Only while nothing new is granted.
--
-- KEYS  record
-- ARGV  claim, notAfter (server µs), lease ms, top token of the claim
-- →     now left, or now -1: somebody else has it or had it since, or too late

local key, claim, ms, token = KEYS[1], ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if now > tonumber(ARGV[2]) then return {now, -1} end
local hold = redis.call('HGET', key, 'hold') or '0'
-- include mutex.lua
if room == 0 and owner ~= claim or owner ~= claim and top > token then return {now, -1} end
top, lease, owner = math.max(top, token), math.max(ms, left), claim
store()
last(lease)
return {now, left * 1000}
