-- Statements that every database understands. {clock} is its clock now, in microseconds since 1970; {lock}, {client} and {meta} are the tables.

-- read: one row, whatever is there
SELECT {clock}, l.k, l.version, l.last_token, l.free_at, l.capacity,
       l.client, l.seq, l.weight, l.tokens, l.since, l.lease, l.label, l.doc
FROM (SELECT 1 AS one) o LEFT JOIN {lock} l ON l.k = :key

-- readSome
SELECT {clock}, l.k, l.version, l.last_token, l.free_at, l.capacity,
       l.client, l.seq, l.weight, l.tokens, l.since, l.lease, l.label, l.doc
FROM {lock} l WHERE l.k IN ({keys})

-- list
SELECT {clock}, l.k, l.version, l.last_token, l.free_at, l.capacity,
       l.client, l.seq, l.weight, l.tokens, l.since, l.lease, l.label, l.doc
FROM {lock} l WHERE l.k > :after AND l.k < :end AND l.free_at > {clock} ORDER BY l.k LIMIT 500

-- abandoned: several holders or a line, in use by nobody for ten minutes
SELECT {clock}, l.k, l.version, l.last_token, l.free_at, l.capacity,
       l.client, l.seq, l.weight, l.tokens, l.since, l.lease, l.label, l.doc
FROM {lock} l WHERE l.doc IS NOT NULL AND l.free_at < {clock} - 600000000
  AND COALESCE(l.since, 0) < {clock} - 600000000 AND l.last_token < {clock} - 600000000 LIMIT 500

-- forget: unless somebody was faster
DELETE FROM {lock} WHERE k = :key AND version = :version

-- give: nobody waits
UPDATE {lock} SET version = version + 1, free_at = 0, client = NULL, label = NULL, since = {clock}
WHERE k = :key AND client = :client AND seq = :seq AND doc IS NULL AND {clock} < :notAfter

-- swap: unless somebody was faster
UPDATE {lock} SET version = version + 1, last_token = :lastToken, free_at = :freeAt, capacity = :capacity,
       client = :client, seq = :seq, weight = :weight, tokens = :tokens, since = :since, lease = :lease, label = :label, doc = :doc
WHERE k = :key AND version = :version AND {clock} < :notAfter

-- insert: a name that has no row. It may have had one, whose versions must not come again
INSERT INTO {lock} (k, version, last_token, free_at, capacity, client, seq, weight, tokens, since, lease, label, doc)
SELECT :key, {clock}, :lastToken, :freeAt, :capacity, :client, :seq, :weight, :tokens, :since, :lease, :label, :doc
FROM (SELECT 1 AS one) o WHERE {clock} < :notAfter

-- renew: those that hold alone
UPDATE {lock} SET version = version + 1, free_at = GREATEST(free_at, {clock} + :lease), lease = GREATEST(lease, :lease)
WHERE k IN ({keys}) AND (k, seq) IN ({claims}) AND client = :client
  AND doc IS NULL AND free_at > {clock} AND {clock} < :notAfter

-- introduceUpdate
UPDATE {client} SET host = :host, pid = :pid, name = :name, seen = {clock}, waits = :lines WHERE id = :client

-- introduceInsert
INSERT INTO {client} (id, host, pid, name, seen, waits) SELECT :client, :host, :pid, :name, {clock}, :lines FROM (SELECT 1 AS one) o

-- whoIs
SELECT host, pid, name, waits FROM {client} WHERE id = :client AND seen > {clock} - 60000000

-- clients: not what they say of who waits in them, nor which claims were revoked, which are rows of their own
SELECT id FROM {client} WHERE id NOT LIKE 'waits:%' AND id NOT LIKE 'revoked:%' AND seen > {clock} - 60000000

-- waitsOf: what a client has said in the last seconds of who waits in it
SELECT waits FROM {client} WHERE id = :client AND seen > {clock} - 5000000

-- forgetClient
DELETE FROM {client} WHERE id = :client

-- forgetClients: that have not been seen for an hour
DELETE FROM {client} WHERE seen < {clock} - 3600000000

-- now
SELECT {clock}

-- meta: which store it is, and until when it grants nothing new
SELECT {clock}, version, store, mark, shut_until FROM {meta}

-- shut: another server answers than the one that was marked
UPDATE {meta} SET mark = :mark, shut_until = CASE WHEN :shut = 0 THEN 0 ELSE {clock} + :shut END WHERE COALESCE(mark, 'unused') = :old

-- reopen: what is over must not begin again when the clock is set back
UPDATE {meta} SET shut_until = 0 WHERE shut_until <= {clock}

-- shorten: the clock was set back since
UPDATE {meta} SET shut_until = {clock} + :shut WHERE shut_until > {clock} + :shut

-- witness: gone when the locks were emptied
SELECT last_token FROM {lock} WHERE k = {witness}

-- witnessInsert
INSERT INTO {lock} (k, version, last_token, free_at, capacity, since)
SELECT {witness}, 1, {clock}, 9223372036854775807, 1, {clock} FROM (SELECT 1 AS one) o
