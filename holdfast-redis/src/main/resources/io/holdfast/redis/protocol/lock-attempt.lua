-- Asks for a mutex, or asks again.
--
-- KEYS  record
-- ARGV  claim, notAfter (server µs), lease ms, block, lease + retention + 1 ms, notice and secret (empty: does not wait),
--       and if it matters: floor (every token of a grant is above it), 1 if also those of a claim that holds already
-- →     now                granted for the lease, `now` is the first token of the block
--       1 now left token   granted, `left` µs from now, first token of the block
--       0 now left place   somebody else has it for `left` µs (0: ask again at once); place 0: not in the line
--      -1 now              too late, nothing was done
--      -3 now              free, but behind more dead places than one call passes over: ask again at once
--      -4 now              the server is shut, or another one than before: shake hands

local key, claim, ms, block = KEYS[1], ARGV[1], ARGV[3], ARGV[4]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if now > tonumber(ARGV[2]) then return {-1, now} end
-- include mark.lua
local hold, floor = redis.call('HGET', key, 'hold'), tonumber(ARGV[7] or 0)
-- include top.lua
local free = tonumber(hold or remembered())
if free and free < 9007199254740992 then                              -- and nobody waits
  free = math.max(free, floor)
  local first = free < now and now or free + 1
  redis.call('HSET', key, 'hold', string.format('%d %s %s', first + block - 1, ms, claim))
  redis.call('PEXPIRE', key, ARGV[5])
  remember(first + block - 1)
  if first == now then return now end                                 -- a list would cost a quarter of all this
  return {1, now, ms * 1000, first}
end

-- include mutex.lua
-- include line.lua
ms, block = tonumber(ms), tonumber(block)
if owner and left > lease + 0 then lasts(tonumber(lease)) end         -- the clock was set back
if room == 0 and owner == claim then
  local raised = ARGV[8] and top - block < floor
  if raised then top = floor + block end
  if ms > left then lease = ms end
  if raised or ms > left then store() end
  if ms >= left then lasts(ms) end                                    -- a write in any case: replicas are counted by it
  return {1, now, left * 1000, top - block + 1}
end

local at = ARGV[6] ~= '' and enqueue(claim, ms, block, 1, ARGV[6]) or nil
if room > 0 then
  top = math.max(top, floor)                                          -- before anybody is served, not only this claim
  local first = serve(claim, ms)
  if not first and room > 0 and head >= tail then first = grant(claim, ms, block) end
  if first then return {1, now, left * 1000, first} end
  if room > 0 and not at then return {-3, now} end
end
return {0, now, room > 0 and 0 or math.max(left, 1) * 1000, at and at - head or 0}
