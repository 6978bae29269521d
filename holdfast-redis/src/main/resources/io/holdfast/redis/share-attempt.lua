-- Asks for a share, or asks again.
--
-- KEYS  record
-- ARGV  claim, notAfter (server µs), lease ms, block, ear (empty: does not wait), weight, capacity, latch (1 or 0),
--       and if the clock was set back: floor (the time as if it had not been, µs)
-- →     1 now left token   granted, `left` µs from now, first token of the block
--       0 now left place   does not fit; something may change in `left` µs (0: ask again at once); place 0: not in the line
--      -1 now              too late, nothing was done
--      -2 now capacity     in use with another capacity
--      -3 now              may be free, but behind more dead places than one call passes over: ask again at once

local key, claim = KEYS[1], ARGV[1]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if now > tonumber(ARGV[2]) then return {-1, now} end
local ms, block, ear, weight, wanted = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local latch, floor = ARGV[8] == '1', ARGV[9]
-- include shares.lua
-- include line.lua
if capacity ~= wanted then soonest = math.min(soonest, 1) end           -- count exactly
reap()
if capacity ~= wanted then
  serve()
  if soonest > 0 or head < tail then return {-2, now, capacity} end
  capacity, room = wanted, wanted
end

local till, first, was = string.match(redis.call('HGET', key, '=' .. claim) or '', '^(%d+) %d+ (%d+) %d+ (%d+)')
if till then
  till = math.min(till, now + was * 1000)                             -- no longer than its lease: the clock may have been set back
  if now + ms * 1000 > till then
    till = now + ms * 1000
    redis.call('HSET', key, '=' .. claim, string.format('%d %d %s %d %d', till, weight, first, block, ms))
    if ms > longest then
      longest = ms
      store()
    end
    keep(ms)
  end
  if head < tail then serve() end
  return {1, now, till - now, tonumber(first)}
end

local arrival = latch and weight > 0                                  -- does not wait, and nobody waits for the same
local at = head < tail and not arrival and redis.call('HGET', key, '@' .. claim)
if at and ear ~= '' then enqueue(claim, ms, block, weight, ear) end
local mine = head < tail and serve(at and claim, ms)
local function fits() return weight <= room and (weight > 0 or room == 0) end
if not mine and not at and fits() and (head >= tail or arrival) then
  mine = grant(claim, ms, block, weight)
  if head < tail then serve() end                                     -- the last arrival opens the latch
end
if mine then return {1, now, ms * 1000, mine} end
if ear == '' and more then return {-3, now} end
if ear == '' or arrival then
  if at then leave(claim) end
  at = head
else
  at = at or enqueue(claim, ms, block, weight, ear)
  keep(PLACE)
end
local left = more and 0 or soonest == 0 and PLACE * 1000 or math.max(soonest - now, 0)
return {0, now, left, at - head}
