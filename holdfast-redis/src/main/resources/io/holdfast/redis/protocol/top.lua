-- What a member of a quorum remembers of a mutex whose token is ahead of its own clock, because another member's is: the record may end with its lease, and
-- the next token must not be below. The including script provides key, now.

local function remembered()
  return MARK and redis.call('GET', key .. ':top') or 0
end

local function remember(token)
  local ahead = token - now
  if MARK and ahead > 1000000 then
    redis.call('SET', key .. ':top', string.format('%d', token), 'PX', string.format('%d', RETENTION + math.ceil(ahead / 1000)))
  end
end
