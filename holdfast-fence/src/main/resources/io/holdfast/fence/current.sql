-- Who entered last.
--
-- ?  name
-- →  token, holder; no row when nobody ever has
SELECT token, holder FROM holdfast_fence WHERE name = ?
