-- Advances a fence and then does the caller's work, or does nothing at all. The work is a function, put before this text.
-- Tokens are compared as the decimal digits that they are: a Lua number has no room for all of them.
--
-- KEYS  fence, the keys of the work
-- ARGV  token, holder, for how many ms an unused fence is kept or 0 for ever, the arguments of the work
-- →     {1, what the work returned}, or {0, stored token, stored holder} when refused

local fence, token, holder, retention = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local stored = redis.call('HMGET', fence, 'token', 'holder')
local last, by = stored[1], stored[2]
if last then
  local newer = #token > #last or #token == #last and token > last
  if not newer and not (token == last and holder == by) then return {0, last, by} end
end
redis.call('HSET', fence, 'token', token, 'holder', holder)
if retention == '0' then redis.call('PERSIST', fence) else redis.call('PEXPIRE', fence, retention) end

local function from(list, first)
  local rest = {}
  for i = first, #list do rest[i - first + 1] = list[i] end
  return rest
end
local result = work(from(KEYS, 2), from(ARGV, 4))
if type(result) == 'table' and result.err then return result end
return {1, result}
