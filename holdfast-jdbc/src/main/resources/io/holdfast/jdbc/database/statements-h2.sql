-- clock
CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)

-- witnessKey
X'21'

-- take: nobody holds and nobody waits; the last token of the block
SELECT last_token FROM FINAL TABLE (UPDATE {lock} SET version = version + 1,
       last_token = GREATEST(last_token + 1, {clock}, :least) + :tokens - 1, free_at = {clock} + :lease, capacity = :capacity,
       client = :client, seq = :seq, weight = :weight, tokens = :tokens, since = {clock}, lease = :lease, label = :label,
       doc = NULL
WHERE k = :key AND free_at <= {clock} AND doc IS NULL AND {clock} < :notAfter)

-- clean
DELETE FROM {lock} WHERE free_at < {clock} - 600000000
  AND COALESCE(since, 0) < {clock} - 600000000 AND last_token < {clock} - 600000000 AND doc IS NULL FETCH FIRST 500 ROWS ONLY

-- identity: it has no replicas
SELECT 'server_uuid', 'h2'

-- variables
SELECT 'read_only', CASE WHEN READONLY() THEN 'on' ELSE 'off' END
