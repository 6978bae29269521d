-- Asks for a share, or asks again.
--
-- KEYS  record
-- ARGV  claim, notAfter (server µs), lease ms, block, notice and secret (empty: does not wait), weight, capacity, latch (1 or 0),
--       and if it matters: floor (every token of a grant is above it), 1 if also those of a claim that holds already
-- →     1 now left token   granted, `left` µs from now, first token of the block
--       0 now left place   does not fit; something may change in `left` µs (0: ask again at once); place 0: not in the line
--      -1 now              too late, nothing was done
--      -2 now capacity     in use with another capacity
--      -3 now              may be free, but behind more dead places than one call passes over: ask again at once
--      -4 now              the server is shut, or another one than before: shake hands

local key, claim = KEYS[1], ARGV[1]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if now > tonumber(ARGV[2]) then return {-1, now} end
-- include mark.lua
local ms, block, notice, weight, wanted = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local latch, floor = ARGV[8] == '1', tonumber(ARGV[9] or 0)
-- include shares.lua
-- include line.lua
if capacity ~= wanted then soonest = math.min(soonest, 1) end           -- count exactly
reap()
if capacity ~= wanted then
  token = math.max(token, floor)                                      -- before anybody is served, not only this claim
  serve()
  if soonest > 0 or head < tail then return {-2, now, capacity} end
  capacity, room = wanted, wanted
end

local till, first, was = string.match(redis.call('HGET', key, '=' .. claim) or '', '^(%d+) %d+ (%d+) %d+ (%d+)')
if till then
  first = tonumber(first)
  local before, last = math.min(till, now + was * 1000), first + block - 1 -- no longer than its lease: the clock may have been set back
  till = math.max(before, now + ms * 1000)
  if ARGV[10] and first <= floor then first = last == token and floor + 1 or math.max(token, floor) + 1 end
  if till > before or first + block - 1 > last then
    token, longest = math.max(token, first + block - 1), math.max(longest, ms)
    redis.call('HSET', key, '=' .. claim, string.format('%d %d %d %d %d', till, weight, first, block, till > before and ms or was))
    store()
    keep(ms)
  end
  token = math.max(token, floor)
  if head < tail then serve() end
  return {1, now, till - now, first}
end
token = math.max(token, floor)

local arrival = latch and weight > 0                                  -- does not wait, and nobody waits for the same
local at = head < tail and not arrival and placeOf(claim)
if at and notice ~= '' then enqueue(claim, ms, block, weight, notice) end
local mine = head < tail and serve(at and claim, ms)
local function fits() return weight <= room and (weight > 0 or room == 0) end
if not mine and not at and fits() and (head >= tail or arrival) then
  mine = grant(claim, ms, block, weight)
  if head < tail then serve() end                                     -- the last arrival opens the latch
end
if mine then return {1, now, ms * 1000, mine} end
if notice == '' and more then return {-3, now} end
if notice == '' or arrival then
  if at then leave(claim) end
  at = head
else
  at = at or enqueue(claim, ms, block, weight, notice)
  keep(PLACE)
end
local left = more and 0 or soonest == 0 and PLACE * 1000 or math.max(soonest - now, 1)
return {0, now, left, at - head}
