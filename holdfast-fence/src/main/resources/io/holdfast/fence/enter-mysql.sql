-- Advances the row of a name, or leaves it as it is; either way the row is locked until the transaction ends.
-- Assignments take effect from left to right, so the token comes last.
--
-- ?  name, token, holder
-- →  says nothing: drivers count rows in their own ways. Read the row; accepted when it has this token and this holder.
INSERT INTO holdfast_fence (name, token, holder, entered_at)
VALUES (?, ?, ?, UTC_TIMESTAMP(6))
ON DUPLICATE KEY UPDATE
    entered_at = IF(token < VALUES(token), VALUES(entered_at), entered_at),
    holder = IF(token < VALUES(token), VALUES(holder), holder),
    token = IF(token < VALUES(token), VALUES(token), token)
