-- The table of JdbcFence on H2.
-- name: UTF-8 bytes, compared byte by byte; to read them, UTF8TOSTRING(name).
CREATE TABLE IF NOT EXISTS holdfast_fence (
    name       VARBINARY(512) NOT NULL PRIMARY KEY,
    token      BIGINT         NOT NULL,
    holder     VARCHAR(255)   NOT NULL,
    entered_at TIMESTAMP(6) WITH TIME ZONE NOT NULL
)
