-- The table of JdbcFence on PostgreSQL.
-- name: UTF-8 bytes, compared byte by byte; to read them, convert_from(name, 'UTF8').
CREATE TABLE IF NOT EXISTS holdfast_fence (
    name       BYTEA        NOT NULL PRIMARY KEY,
    token      BIGINT       NOT NULL,
    holder     VARCHAR(255) NOT NULL COLLATE "C",
    entered_at TIMESTAMPTZ  NOT NULL
)
