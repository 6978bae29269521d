CREATE TABLE IF NOT EXISTS holdfast_lock (
    k          VARBINARY(600) PRIMARY KEY,
    version    BIGINT NOT NULL,
    last_token BIGINT NOT NULL,
    free_at    BIGINT NOT NULL,
    capacity   INT NOT NULL,
    client     VARCHAR(64),
    seq        BIGINT,
    weight     INT,
    tokens     INT,
    since      BIGINT,
    lease      BIGINT,
    label      VARCHAR(255),
    doc        MEDIUMBLOB
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS holdfast_client (
    id    VARCHAR(64) PRIMARY KEY,
    host  VARCHAR(255) NOT NULL,
    pid   BIGINT NOT NULL,
    name  VARCHAR(255) NOT NULL,
    seen  BIGINT NOT NULL,
    waits MEDIUMBLOB
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS holdfast_meta (
    one     INT PRIMARY KEY,
    version INT NOT NULL,
    store   VARCHAR(64) NOT NULL,
    mark    VARCHAR(255),
    shut_until BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin;
