extension OddSchema {
    /// Schemas with every column type of both databases.
    static let types: [OddSchema] = [
        .both(
            "types of both databases",
            """
            CREATE TABLE things (id INTEGER NOT NULL PRIMARY KEY, small SMALLINT, amount DECIMAL(10,2), ratio DOUBLE,
                title VARCHAR(40), code CHAR(4), made DATE, at DATETIME, clock TIME, num YEAR, body BLOB, note TEXT);
            INSERT INTO things VALUES
                (1, -32768, 12.50, 0.5, 'A "quoted" text', 'ab', '2024-02-29', '2024-02-29 23:59:59', '12:34:56', 2024, x'00ff10', 'line 1\u{0A}line 2'),
                (2, 32767, -0.01, -1e300, '', 'abcd', '0001-01-01', '1000-01-01 00:00:00', '00:00:00', 1901, x'', 'é 漢 🙂 %_\\'),
                (3, 0, 99999999.99, 5e-324, 'null', '', '9999-12-31', '9999-12-31 23:59:59', '23:59:59', 2155, x'deadbeef', ''),
                (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                (5, 0, 0, 0, 'null', '', '9999-12-31', '9999-12-31 23:59:59', '23:59:59', 2155, x'deadbeef', ','),
                (6, 7, 0.10, 0.1, 'Z', 'ABCD', '2024-01-01', '2024-01-01 00:00:01', '01:00:00', 2000, x'00', 'a');
            """),
        .both(
            "only NULLs",
            """
            CREATE TABLE voids (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b DECIMAL(5,1), c DOUBLE, d VARCHAR(9), e DATE,
                f DATETIME, g TIME, h BLOB);
            INSERT INTO voids (id) VALUES (1), (2), (3), (4), (5);
            CREATE TABLE vacant (id INTEGER NOT NULL PRIMARY KEY, a INTEGER REFERENCES voids (id));
            """),
        .mariaDB(
            "types of MariaDB",
            """
            CREATE TABLE kinds (id INT UNSIGNED NOT NULL PRIMARY KEY, tiny TINYINT UNSIGNED, medium MEDIUMINT, big BIGINT,
                huge BIGINT UNSIGNED, zero INT(6) ZEROFILL, exact DECIMAL(38,10), wide DECIMAL(65,30), whole DECIMAL(65,0),
                filled DECIMAL(8,2) ZEROFILL, single_ FLOAT, flag BOOLEAN, bit1 BIT(1), bit8 BIT(8), bit64 BIT(64));
            INSERT INTO kinds VALUES
                (1, 255, -8388608, -9223372036854775808, 18446744073709551615, 42, 1234567890123456789012345678.0123456789,
                    -12345678901234567890123456789012345.123456789012345678901234567890, 99999999999999999999999999999999999999999999999999999999999999999,
                    12.5, 0.1, TRUE, b'1', b'10000001', b'1111111111111111111111111111111111111111111111111111111111111111'),
                (2, 0, 8388607, 9223372036854775807, 9223372036854775808, 123456, 0.0000000001, 0, -1, 0, 3.4e38, FALSE, b'0', b'0', b'0'),
                (3, 1, 0, 9007199254740993, 9007199254740993, 0, 9007199254740993, 9007199254740993, 9007199254740993, 999999.99, -1.5, TRUE, b'1', b'1', b'1'),
                (4, 1, 0, 9007199254740992, 9007199254740992, 0, 9007199254740992, 9007199254740992, 9007199254740992, 0.01, 16777217, TRUE, b'1', b'1', b'1000000000000000000000000000000000000000000000000000000000000000'),
                (5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                (6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0.7, FALSE, b'0', b'111', b'111');
            """),
        .mariaDB(
            "times of MariaDB",
            """
            SET time_zone = '+02:00';
            CREATE TABLE moments (id INT NOT NULL PRIMARY KEY, at DATETIME(6), stamp TIMESTAMP NULL, fine TIMESTAMP(3) NULL, clock TIME, span TIME(6), num YEAR);
            INSERT INTO moments VALUES
                (1, '2024-02-29 12:00:00.000001', '2024-01-01 01:00:00', '2024-01-01 01:00:00.125', '-838:59:59', '838:59:59', 1901),
                (2, '2024-02-29 12:00:00', '1970-01-01 02:00:01', '2038-01-19 05:14:07.999', '100:00:00', '-00:00:00.000001', 2155),
                (3, '0001-01-01 00:00:00.999999', '2024-01-01 00:59:59', NULL, '-00:00:01', '00:00:00', 2024),
                (4, NULL, NULL, NULL, NULL, NULL, NULL),
                (5, '9999-12-31 23:59:59.999999', '2037-12-31 00:00:00', '2024-01-01 01:00:00.124', '09:00:00', '10:00:00', 0),
                (6, '2024-02-29 12:00:00.1', '2024-01-01 01:00:00', '2024-01-01 01:00:00.125', '24:00:00', '00:00:00.1', 1999);
            SET time_zone = '+00:00';
            """),
        .mariaDB(
            "texts of MariaDB",
            """
            CREATE TABLE letters (id INT NOT NULL PRIMARY KEY, padded CHAR(6) NOT NULL, latin VARCHAR(20) CHARACTER SET latin1,
                size ENUM('small','LARGE','medium') NOT NULL, mood ENUM('so so','très bien','-'), tags SET('z','b','a'), doc JSON, loose LONGTEXT CHECK (json_valid(loose)),
                guid UUID, four INET4, six INET6, raw BINARY(4), bytes VARBINARY(9), long_text LONGTEXT, twice VARCHAR(40) AS (CONCAT(latin, '!')) STORED, half INT AS (id DIV 2) VIRTUAL);
            INSERT INTO letters (id, padded, latin, size, mood, tags, doc, loose, guid, four, six, raw, bytes, long_text) VALUES
                (1, 'ab  ', 'Zoë', 'small', 'so so', 'z,a', '{ "a" : [1, 2.50, 12345678901234567890123, 1e400, -2E+99999, " \\" x "] }', '[1 , 2]',
                    '123e4567-e89b-12d3-a456-426614174000', '10.0.0.1', '2001:db8::1', x'0102', x'0102', REPEAT('é', 3000)),
                (2, 'AB', 'zoe', 'medium', '-', '', 'null', 'true', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '255.255.255.255', '::', x'00000000', x'', ''),
                (3, '', NULL, 'LARGE', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                (4, 'x', 'ZOE ', 'small', 'très bien', 'b', '"text, with comma"', '0', '00000000-0000-0000-0000-000000000000', '9.9.9.9', '::ffff:1.2.3.4', x'ff', x'ff', 'x'),
                (5, 'y', 'zoe', 'LARGE', 'so so', 'z,b,a', '[]', '{}', '00000000-0000-0000-0000-000000000001', '10.0.0.2', 'fe80::1', x'01', x'01', 'X');
            """),
        .mariaDB(
            "dates of MariaDB that no calendar has",
            """
            SET sql_mode = 'ALLOW_INVALID_DATES';
            CREATE TABLE never (id INT NOT NULL PRIMARY KEY, d DATE, t DATETIME, s TIMESTAMP NULL);
            INSERT INTO never VALUES (1, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00'), (2, '2024-01-31', '2024-01-31 00:00:00', '2024-01-31 00:00:00'), (3, NULL, NULL, NULL);
            """),
        .sqlite(
            "types of SQLite",
            """
            CREATE TABLE flexible (id INTEGER PRIMARY KEY, untyped, b BLOB, flag BOOLEAN, money MONEY, r REAL, n NUMERIC, s STRING, u UUID, j JSON, i8 INT8, ch NCHAR(5), d DATE, t DATETIME, odd "MY OWN TYPE", fp FLOATING POINT);
            INSERT INTO flexible VALUES
                (1, 1, x'00', 1, 12.5, 1, 1, 'abc', '123e4567-e89b-12d3-a456-426614174000', '{ "a": 1 }', 9007199254740991, 'abcde', '2024-01-31', '2024-01-31 12:00:00', 1.5, 2),
                (2, 1.5, x'ff', 0, 3, 2.5, 2.5, '007', 'A23E4567-E89B-12D3-A456-426614174000', '17', -9007199254740991, 'ab', '0001-01-01', '2024-01-31 12:00:01', 'x', 2.5),
                (3, 'text', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                (4, x'0102', x'', 1, -0.5, -1e100, 12345678901, '1e3', NULL, '1.50', 0, '', '9999-12-31', '2024-01-31 12:00:00.123', x'00', 0),
                (5, NULL, x'00ff', 0, 100000000000, 0.1, -3, 'x y', NULL, 'null', 1, 'A', '2024-02-29', '2023-12-31 00:00:00', 7, 1);
            """),
        .sqlite(
            "STRICT and WITHOUT ROWID",
            """
            CREATE TABLE strict_ones (k TEXT PRIMARY KEY, a ANY, i INT, r REAL, b BLOB) STRICT, WITHOUT ROWID;
            INSERT INTO strict_ones VALUES ('a', 1, 1, 1, x'01'), ('b', 'x', 2, 2.5, x''), ('A', 1.0, NULL, NULL, NULL), ('', x'00', 0, 0, x'00');
            CREATE TABLE pairs (a INTEGER, b TEXT, c REAL, PRIMARY KEY (b, a)) WITHOUT ROWID;
            INSERT INTO pairs VALUES (1, 'x', 0.5), (2, 'x', NULL), (1, 'y', 1), (-1, '', 2);
            CREATE TABLE sums (id INTEGER PRIMARY KEY, a INTEGER, twice INTEGER AS (2 * a) VIRTUAL, label TEXT AS ('n' || a) STORED);
            INSERT INTO sums (id, a) VALUES (1, 5), (2, NULL), (3, -7);
            """),
    ]
}
