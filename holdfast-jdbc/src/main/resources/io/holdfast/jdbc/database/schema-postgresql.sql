CREATE TABLE IF NOT EXISTS holdfast_lock (
    k          bytea PRIMARY KEY,
    version    bigint NOT NULL,
    last_token bigint NOT NULL,
    free_at    bigint NOT NULL,
    capacity   integer NOT NULL,
    client     varchar(64),
    seq        bigint,
    weight     integer,
    tokens     integer,
    since      bigint,
    lease      bigint,
    label      varchar(255),
    doc        bytea
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS holdfast_client (
    id    varchar(64) PRIMARY KEY,
    host  varchar(255) NOT NULL,
    pid   bigint NOT NULL,
    name  varchar(255) NOT NULL,
    seen  bigint NOT NULL,
    waits bytea
);

CREATE TABLE IF NOT EXISTS holdfast_meta (
    one     integer PRIMARY KEY,
    version integer NOT NULL,
    store   varchar(64) NOT NULL,
    mark    varchar(255),
    shut_until bigint NOT NULL
);
