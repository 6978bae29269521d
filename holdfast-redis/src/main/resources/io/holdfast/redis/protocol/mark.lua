-- Looks at the mark of a server that must have one, on every attempt: a server that was emptied is the same process, and knows its scripts.
-- The including script provides now.

if MARK then
  local id, till = string.match(redis.call('GET', MARK) or '', '^(%S+) (%d+)')
  if id ~= NODE or till + 0 > now then return {-4, now} end
end
