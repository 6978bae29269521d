-- The table of JdbcFence on MySQL and MariaDB.
-- name: UTF-8 bytes, compared byte by byte; to read them, CONVERT(name USING utf8mb4).
-- entered_at: in UTC.
CREATE TABLE IF NOT EXISTS holdfast_fence (
    name       VARBINARY(512) NOT NULL PRIMARY KEY,
    token      BIGINT         NOT NULL,
    holder     VARCHAR(255)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    entered_at DATETIME(6)    NOT NULL
) ENGINE = InnoDB
