-- clock
CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)

-- witnessKey
X'21'

-- take: nobody holds and nobody waits; the last token of the block is the generated key
UPDATE {lock} SET version = version + 1,
       last_token = LAST_INSERT_ID(GREATEST(last_token + 1, {clock}, :least) + :tokens - 1), free_at = {clock} + :lease,
       capacity = :capacity, client = :client, seq = :seq, weight = :weight, tokens = :tokens, since = {clock}, lease = :lease, label = :label,
       doc = NULL
WHERE k = :key AND free_at <= {clock} AND doc IS NULL AND {clock} < :notAfter

-- clean
DELETE FROM {lock} WHERE free_at < {clock} - 600000000
  AND COALESCE(since, 0) < {clock} - 600000000 AND last_token < {clock} - 600000000 AND doc IS NULL LIMIT 500

-- identity: MySQL has the first, MariaDB the others
SHOW GLOBAL VARIABLES WHERE variable_name IN ('server_uuid', 'server_id', 'hostname', 'port')

-- engine
SELECT engine FROM information_schema.tables
WHERE table_name = SUBSTRING_INDEX('{lock}', '.', -1)
  AND table_schema = IF(LOCATE('.', '{lock}') > 0, SUBSTRING_INDEX('{lock}', '.', 1), DATABASE())

-- clockTwice: about a millisecond apart. SLEEP would wait for a clock that was set forward
SELECT {clock}, BENCHMARK(2000, SHA2(RAND(), 256)), {clock}

-- variables
SHOW GLOBAL VARIABLES WHERE variable_name IN
  ('read_only', 'innodb_flush_log_at_trx_commit', 'binlog_format', 'log_bin', 'sync_binlog', 'wsrep_on',
   'group_replication_group_name')
