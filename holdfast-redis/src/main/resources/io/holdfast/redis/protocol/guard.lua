-- Reads the mark of a server, and marks one that is new or came back as another.
--
-- KEYS  mark
-- ARGV  id of the server, longest lease ms, how long a server that may have forgotten stays shut beyond the longest lease ms,
--       'new': nobody holds anything, else '', how long the mark lives ms, of how many members it is one, or 0, how long the server is still
--       shut by the count of who asks ms; less than zero if it has not seen it shut, which slots it has: 'from-to,…', or ''
-- →     now, until (server µs) when nothing new is granted, longest lease ms that the mark was made with, the id that it had, of how many
--       members it was one, for which slots it answers: 'from-to@until,…'
--
-- The mark is 'id until longest members slots'. It is made again by whoever looks, and outlives every lease by far: a server without one may have
-- forgotten it. Whoever believes in another longest lease changes nothing. A mark of another id says that somebody may hold something,
-- whatever else is said.
--
-- A slot that the mark does not name came from another shard, which may have forgotten what was held there: nothing new is granted in it for as long as
-- in a server that may have forgotten. A slot that the server does not have any more leaves the mark.
--
-- The clock may be set while the server is shut. So whoever has counted on a clock of its own says what is left, and the end is put off until then;
-- and whoever has not leaves those who have the time to say so. (Of members of a quorum, some may have such a clock.) That time is in the mark too, as an
-- end that is odd: if nobody has objected by then, the server is open for all who come later, however short they stay.

local OBJECTION, ECHO = 5000, 500
local key, id, longest, extra, still = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] - time[2] % 2                     -- even, and so is every end but that of an objection
local mark = redis.call('GET', key)
local known, till, lease, members, slots = string.match(mark or '', '^(%S+) (%d+) (%d+) (%d+) ?(%S*)$')
till, lease, members = tonumber(till or 0), tonumber(lease or longest), tonumber(members or ARGV[6])
local moved = members ~= tonumber(ARGV[6])                              -- to a quorum of another size
if lease ~= longest or moved and ARGV[4] ~= 'new' then return {now, till, lease, known, members, ''} end
local most = now + (longest + extra) * 1000
local function write()
  local text = string.format('%s %d %d %s', id, till, longest, ARGV[6])
  redis.call('SET', key, slots == '' and text or text .. ' ' .. slots, 'PX', ARGV[5])
end
local whole = string.gsub(ARGV[8], '%d+%-%d+', '%0@0')                   -- all of them, open
local function each(text, what)
  for from, to, ends in string.gmatch(text, '(%d+)%-(%d+)@(%d+)') do
    for slot = tonumber(from), tonumber(to) do what(slot, tonumber(ends)) end
  end
end
local function taken()
  local before, out, from, last, ends = {}, {}, nil, nil, nil
  local function flush()
    if from then out[#out + 1] = string.format('%d-%d@%d', from, last, ends) end
  end
  each(slots, function(slot, to) before[slot] = to > now and math.min(to, most) or 0 end)
  each(whole, function(slot)
    local to = before[slot] or ARGV[4] ~= 'new' and most or 0
    if from and slot == last + 1 and to == ends then
      last = slot
    else
      flush()
      from, last, ends = slot, slot, to
    end
  end)
  flush()
  return table.concat(out, ',')
end
if known == id and not moved then
  redis.call('PEXPIRE', key, ARGV[5])                                   -- a write that memory pressure cannot refuse
  local was, had = till, slots
  if slots ~= whole then slots = taken() end
  local objection = till % 2 == 1
  if now + still * 1000 > till + (objection and ECHO * 1000 or 0) and still > 0 then till = now + still * 1000 end
  if still == 0 and till <= now then till = 0 end
  local newcomer = still < 0 and members == 0
  if newcomer and till > 0 and till <= now then till = objection and 0 or now + OBJECTION * 1000 + 1 end
  till = math.min(till, most)                                           -- more was met by a clock that was set back
  if till ~= was or slots ~= had then write() end
  if newcomer and till > 0 and till % 2 == 0 then till = math.max(till, now + OBJECTION * 1000) end
  return {now, till, longest, known, members, slots}
end
slots = whole
till = (mark or ARGV[4] ~= 'new') and most or 0
write()
return {now, till, longest, known or '', tonumber(ARGV[6]), slots}
