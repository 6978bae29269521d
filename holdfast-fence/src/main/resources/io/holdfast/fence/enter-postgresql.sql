-- Advances the row of a name, or leaves it as it is; either way the row is locked until the transaction ends.
--
-- ?  name, token, holder
-- →  1 row when accepted, 0 when refused
INSERT INTO holdfast_fence AS stored (name, token, holder, entered_at)
VALUES (?, ?, ?, CURRENT_TIMESTAMP)
ON CONFLICT (name) DO UPDATE
SET token = excluded.token, holder = excluded.holder, entered_at = excluded.entered_at
WHERE stored.token < excluded.token
   OR stored.token = excluded.token AND stored.holder = excluded.holder
