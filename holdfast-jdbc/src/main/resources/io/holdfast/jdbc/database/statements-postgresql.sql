-- clock
CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint)

-- witnessKey
CAST('!' AS bytea)

-- take: nobody holds and nobody waits; the last token of the block. A new row begins with a version that none before it had
INSERT INTO {lock} AS l (k, version, last_token, free_at, capacity, client, seq, weight, tokens, since, lease, label)
SELECT :key, c.now, GREATEST(c.now, :least) + :tokens - 1, c.now + :lease, :capacity, :client, :seq, :weight, :tokens, c.now, :lease, :label
FROM (SELECT {clock} AS now) c WHERE c.now < :notAfter
ON CONFLICT (k) DO UPDATE SET version = l.version + 1,
       last_token = GREATEST(l.last_token + 1, {clock}, :least) + :tokens - 1, free_at = {clock} + :lease, capacity = :capacity,
       client = :client, seq = :seq, weight = :weight, tokens = :tokens, since = {clock}, lease = :lease, label = :label, doc = NULL
WHERE l.free_at <= {clock} AND l.doc IS NULL AND {clock} < :notAfter
RETURNING last_token

-- swapAndTell: the same as swap, and those who were served hear of it
WITH u AS (UPDATE {lock} SET version = version + 1, last_token = :lastToken, free_at = :freeAt, capacity = :capacity,
       client = :client, seq = :seq, weight = :weight, tokens = :tokens, since = :since, lease = :lease, label = :label, doc = :doc
WHERE k = :key AND version = :version AND {clock} < :notAfter RETURNING 1)
SELECT pg_notify(n.channel, n.payload) FROM u, unnest(:channels, :payloads) AS n(channel, payload)

-- give: nobody waits. A release that a crash loses costs a lease, no safety, so it does not wait for the disk
WITH async AS (SELECT set_config('synchronous_commit', 'off', true))
UPDATE {lock} SET version = version + 1, free_at = 0, client = NULL, label = NULL, since = {clock}
FROM async WHERE k = :key AND client = :client AND seq = :seq AND doc IS NULL AND {clock} < :notAfter

-- clean: of a row that somebody took meanwhile only what stands outside the brackets is looked at again
DELETE FROM {lock} WHERE k IN (SELECT k FROM {lock} WHERE free_at < {clock} - 600000000
  AND COALESCE(since, 0) < {clock} - 600000000 AND last_token < {clock} - 600000000 AND doc IS NULL LIMIT 500)
  AND free_at < {clock} - 600000000
  AND COALESCE(since, 0) < {clock} - 600000000 AND last_token < {clock} - 600000000 AND doc IS NULL

-- identity: another one after a replica took over
SELECT 'server_uuid', s.system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) FROM pg_control_system() s

-- isUnlogged
SELECT relpersistence = 'u' FROM pg_class WHERE oid = to_regclass('{lock}')

-- tell
SELECT pg_notify(:channel, :payload)

-- variables
SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit')
UNION ALL SELECT 'read_only', CASE WHEN pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' THEN 'on' ELSE 'off' END
UNION ALL SELECT 'replicas', CAST(count(*) AS text) FROM pg_stat_replication WHERE sync_state = 'async'
