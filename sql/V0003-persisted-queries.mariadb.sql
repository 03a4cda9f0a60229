-- GraphQL documents that clients have registered, by the SHA-256 of their text. Times are milliseconds since 1970 of the
-- clocks of the servers. The index is the order in which rows go when there are too many: those never looked up since they
-- came first, and within each kind the least recently used; with the sizes in it, the totals need no row.

CREATE TABLE IF NOT EXISTS duet_persisted_queries (
    hash        BINARY(32)      NOT NULL,
    document    MEDIUMTEXT      NOT NULL,
    bytes       INT             NOT NULL,
    used_at     BIGINT          NOT NULL,
    is_reused   TINYINT         NOT NULL,
    PRIMARY KEY (hash)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE INDEX IF NOT EXISTS duet_persisted_queries_order ON duet_persisted_queries (is_reused, used_at, bytes);
