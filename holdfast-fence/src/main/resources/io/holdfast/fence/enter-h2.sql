-- Advances the row of a name, or leaves it as it is.
--
-- ?  name, token, holder
-- →  1 row when accepted, 0 when refused; a duplicate key when somebody else was first at the same instant: then once more
MERGE INTO holdfast_fence AS stored
USING (VALUES (CAST(? AS VARBINARY), CAST(? AS BIGINT), CAST(? AS VARCHAR))) AS entering (name, token, holder)
ON stored.name = entering.name
WHEN MATCHED AND (stored.token < entering.token
              OR stored.token = entering.token AND stored.holder = entering.holder)
    THEN UPDATE SET token = entering.token, holder = entering.holder, entered_at = CURRENT_TIMESTAMP
WHEN NOT MATCHED
    THEN INSERT (name, token, holder, entered_at)
    VALUES (entering.name, entering.token, entering.holder, CURRENT_TIMESTAMP)
