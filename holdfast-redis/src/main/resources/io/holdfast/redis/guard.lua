-- Reads the mark of a server, and marks one that is new or came back as another.
--
-- KEYS  mark
-- ARGV  id of the server, longest lease ms, how long a server that may have forgotten stays shut beyond the longest lease ms,
--       'new': nobody holds anything, 'old': up for long enough, 'young': may have forgotten, how long the mark lives ms, of how many
--       members it is one, or 0
-- →     now, until (server µs) when nothing new is granted, longest lease ms that the mark was made with, the id that it had, of how many
--       members it was one
--
-- The mark is 'id until longest members'. It is made again by whoever looks, and outlives every lease: without a mark, and up for
-- longer than that, a server has nothing to remember. Whoever believes in another longest lease changes nothing. A mark of another
-- id says that somebody may hold something, whatever else is said.

local key, id, longest, extra = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local mark = redis.call('GET', key)
local known, till, lease, members = string.match(mark or '', '^(%S+) (%d+) (%d+) (%d+)$')
till, lease, members = tonumber(till or 0), tonumber(lease or longest), tonumber(members or ARGV[6])
local moved = members ~= tonumber(ARGV[6])                              -- to a quorum of another size
if lease ~= longest or moved and ARGV[4] ~= 'new' then return {now, till, lease, known, members} end
local most = now + (longest + extra) * 1000
local function write()
  redis.call('SET', key, string.format('%s %d %d %s', id, till, longest, ARGV[6]), 'PX', ARGV[5])
end
if known == id and not moved then
  redis.call('PEXPIRE', key, ARGV[5])                                   -- a write that memory pressure cannot refuse
  if till > 0 and (till <= now or till > most) then                     -- over, or met by a clock that was set back
    till = till <= now and 0 or most
    write()
  end
  return {now, till, longest, known, members}
end
local shut = mark or ARGV[4] == 'young'
till = shut and most or 0
write()
return {now, till, longest, known or '', tonumber(ARGV[6])}
