extension OddSchema {
    /// Schemas with keys of every type, of one or several columns.
    static let keys: [OddSchema] = [
        .both(
            "keys of several columns with all separators",
            """
            CREATE TABLE places (a VARCHAR(40) NOT NULL, b VARCHAR(40) NOT NULL, c INTEGER NOT NULL, label VARCHAR(9), PRIMARY KEY (a, b, c));
            INSERT INTO places VALUES ('a,b', 'c/d', 1, 'x'), ('', '', 0, NULL), ('.', '..', -1, 'y'), ('%2C', '%', 2, 'z'), (',', ',', 3, ''),
                ('é漢🙂', '?#&=+ ', 4, 'w'), ('\\', '"''`', 5, 'v'), ('a', 'b,c', 1, 'u'), ('a,b', 'c', 1, 't'), ('null', 'NULL', 6, 's');
            CREATE TABLE visits (id INTEGER NOT NULL PRIMARY KEY, pa VARCHAR(40), pb VARCHAR(40), pc INTEGER, FOREIGN KEY (pa, pb, pc) REFERENCES places (a, b, c));
            INSERT INTO visits VALUES (1, 'a,b', 'c/d', 1), (2, '', '', 0), (3, NULL, '', 0), (4, ',', ',', 3), (5, 'é漢🙂', '?#&=+ ', 4), (6, 'a,b', 'c/d', 1), (7, NULL, NULL, NULL), (8, 'a', 'b,c', 1);
            """),
        .both(
            "text keys that a path would change",
            """
            CREATE TABLE words (word VARCHAR(60) NOT NULL PRIMARY KEY, next VARCHAR(60) REFERENCES words (word));
            INSERT INTO words VALUES ('', NULL), ('.', ''), ('..', '.'), (',', '..'), ('.,', ','), ('%2E', '.,'), ('/', '%2E'), ('a/b', '/'), ('a%2Fb', 'a/b'), (' ', 'a%2Fb'), ('~', ' '), ('e', '~'), ('é', 'e'), ('E', 'é'), ('\u{65}\u{301}', 'E');
            """),
        .both(
            "text keys with control characters and of any length",
            sqlite: """
                CREATE TABLE words (word TEXT NOT NULL PRIMARY KEY, n INTEGER);
                INSERT INTO words VALUES ('a\u{0A}b', 1), ('a\u{09}b', 2), ('\u{01}', 3), ('\u{7F}', 4), ('\u{0A}', 5), (replace(hex(zeroblob(600)), '00', 'kk'), 6);
                """,
            mariaDB: """
                CREATE TABLE words (word VARCHAR(1500) CHARACTER SET latin1 COLLATE latin1_nopad_bin NOT NULL PRIMARY KEY, n INTEGER);
                INSERT INTO words VALUES ('a\u{0A}b', 1), ('a\u{09}b', 2), ('\u{01}', 3), ('\u{7F}', 4), ('\u{0A}', 5), (REPEAT('k', 1200), 6);
                """, isSame: false),
        .both(
            "decimal keys",
            """
            CREATE TABLE prices (price DECIMAL(12,2) NOT NULL PRIMARY KEY, name VARCHAR(9));
            INSERT INTO prices VALUES (1.00, 'a'), (1.50, 'b'), (-3.25, 'c'), (0, 'd'), (9999999.99, 'e');
            CREATE TABLE offers (id INTEGER NOT NULL PRIMARY KEY, price DECIMAL(12,2) REFERENCES prices (price));
            INSERT INTO offers VALUES (1, 1), (2, 1.5), (3, NULL), (4, 1.00), (5, 0.00), (6, 9999999.99);
            """),
        .mariaDB(
            "keys of enumerations and sets",
            """
            CREATE TABLE grades (grade ENUM('small','LARGE','medium') NOT NULL PRIMARY KEY, n INT);
            INSERT INTO grades VALUES ('small', 1), ('LARGE', 2), ('medium', 3);
            CREATE TABLE sizes (size ENUM('z z','a a','m m','-') NOT NULL, tags SET('z','b','a') NOT NULL, n INT, PRIMARY KEY (size, tags));
            INSERT INTO sizes VALUES ('z z', 'z,a', 1), ('z z', '', 2), ('z z', 'a', 3), ('a a', 'z', 4), ('a a', 'b', 5), ('m m', 'z,b,a', 6), ('-', 'z', 7);
            CREATE TABLE stock (id INT NOT NULL PRIMARY KEY, size ENUM('z z','a a','m m','-'), mood ENUM('so so','!') NOT NULL);
            INSERT INTO stock VALUES (1, 'z z', '!'), (2, 'a a', 'so so'), (3, NULL, '!'), (4, 'm m', 'so so'), (5, '-', '!'), (6, 'a a', '!');
            """),
        .mariaDB(
            "keys of many digits",
            """
            CREATE TABLE exact_keys (k DECIMAL(38,10) NOT NULL PRIMARY KEY, name VARCHAR(9));
            INSERT INTO exact_keys VALUES (9007199254740992, 'a'), (9007199254740993, 'b'), (1234567890123456789012345678.0123456789, 'c'), (1234567890123456789012345678.0123456788, 'd'), (-0.0000000001, 'e');
            CREATE TABLE exact_rows (id INT NOT NULL PRIMARY KEY, k DECIMAL(38,10), FOREIGN KEY (k) REFERENCES exact_keys (k));
            INSERT INTO exact_rows VALUES (1, 9007199254740992), (2, 9007199254740993), (3, 9007199254740993), (4, 1234567890123456789012345678.0123456789), (5, NULL), (6, 9007199254740992), (7, 9007199254740992);
            CREATE TABLE big_keys (k BIGINT UNSIGNED NOT NULL PRIMARY KEY, up BIGINT UNSIGNED, FOREIGN KEY (up) REFERENCES big_keys (k));
            INSERT INTO big_keys VALUES (18446744073709551615, NULL), (18446744073709551614, 18446744073709551615), (9223372036854775808, 18446744073709551615), (0, 9223372036854775808), (9223372036854775807, 0);
            """),
        .mariaDB(
            "foreign keys of every type",
            """
            CREATE TABLE parents (id INT NOT NULL PRIMARY KEY, k0 FLOAT UNIQUE, k1 DOUBLE UNIQUE, k2 BIT(9) UNIQUE, k3 BIT(64) UNIQUE, k4 YEAR UNIQUE, k5 INT(6) ZEROFILL UNIQUE, k6 DECIMAL(8,2) ZEROFILL UNIQUE, k7 CHAR(6) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci UNIQUE, k8 CHAR(6) CHARACTER SET latin1 UNIQUE, k9 CHAR(6) COLLATE utf8mb4_nopad_bin UNIQUE, k10 VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci UNIQUE, k11 ENUM('b','a','2') UNIQUE, k12 SET('x','y') UNIQUE, k13 TIME(3) UNIQUE, k14 DATETIME(6) UNIQUE, k15 TIMESTAMP(2) NULL UNIQUE, k16 DATE UNIQUE, k17 BINARY(3) UNIQUE, k18 VARBINARY(9) UNIQUE, k19 INET6 UNIQUE, k20 UUID UNIQUE, k21 TINYINT(1) UNIQUE, k22 BIGINT UNSIGNED UNIQUE);
            INSERT INTO parents VALUES (0, 0.1, 0.1, 0, 0, 1901, 0, 0, 'a', 'a', 'a', 'a ', 'b', '', '-10:00:00', '2024-01-01', '2024-01-01 00:00:00.25', '2024-02-29', 'a', 'a', '::1', '123e4567-e89b-12d3-a456-426614174000', 1, 0), (1, -0.0, 0, 256, 18446744073709551615, 2024, 42, 1.5, 'é b', 'é', 'A', 'Straße', '2', 'x,y', '10:00:00.5', '2024-01-01 00:00:00.000001', NULL, NULL, '', 'a ', NULL, NULL, 2, 18446744073709551615), (2, 16777216, 1e300, 511, NULL, 0, NULL, 42, '', NULL, ' ', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (3, 16777218, 9007199254740994, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (4, 1e-38, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            CREATE TABLE children (id INT NOT NULL PRIMARY KEY, k0 FLOAT, FOREIGN KEY (k0) REFERENCES parents (k0), k1 DOUBLE, FOREIGN KEY (k1) REFERENCES parents (k1), k2 BIT(9), FOREIGN KEY (k2) REFERENCES parents (k2), k3 BIT(64), FOREIGN KEY (k3) REFERENCES parents (k3), k4 YEAR, FOREIGN KEY (k4) REFERENCES parents (k4), k5 INT(6) ZEROFILL, FOREIGN KEY (k5) REFERENCES parents (k5), k6 DECIMAL(8,2) ZEROFILL, FOREIGN KEY (k6) REFERENCES parents (k6), k7 CHAR(6) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, FOREIGN KEY (k7) REFERENCES parents (k7), k8 CHAR(6) CHARACTER SET latin1, FOREIGN KEY (k8) REFERENCES parents (k8), k9 CHAR(6) COLLATE utf8mb4_nopad_bin, FOREIGN KEY (k9) REFERENCES parents (k9), k10 VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci, FOREIGN KEY (k10) REFERENCES parents (k10), k11 ENUM('b','a','2'), FOREIGN KEY (k11) REFERENCES parents (k11), k12 SET('x','y'), FOREIGN KEY (k12) REFERENCES parents (k12), k13 TIME(3), FOREIGN KEY (k13) REFERENCES parents (k13), k14 DATETIME(6), FOREIGN KEY (k14) REFERENCES parents (k14), k15 TIMESTAMP(2) NULL, FOREIGN KEY (k15) REFERENCES parents (k15), k16 DATE, FOREIGN KEY (k16) REFERENCES parents (k16), k17 BINARY(3), FOREIGN KEY (k17) REFERENCES parents (k17), k18 VARBINARY(9), FOREIGN KEY (k18) REFERENCES parents (k18), k19 INET6, FOREIGN KEY (k19) REFERENCES parents (k19), k20 UUID, FOREIGN KEY (k20) REFERENCES parents (k20), k21 TINYINT(1), FOREIGN KEY (k21) REFERENCES parents (k21), k22 BIGINT UNSIGNED, FOREIGN KEY (k22) REFERENCES parents (k22));
            INSERT INTO children VALUES (0, 0.1, 0.1, 0, 0, 1901, 0, 0, 'a', 'a', 'a', 'a ', 'b', '', '-10:00:00', '2024-01-01', '2024-01-01 00:00:00.25', '2024-02-29', 'a', 'a', '::1', '123e4567-e89b-12d3-a456-426614174000', 1, 0), (1, -0.0, 0, 256, 18446744073709551615, 2024, 42, 1.5, 'é b', 'é', 'A', 'Straße', '2', 'x,y', '10:00:00.5', '2024-01-01 00:00:00.000001', '2024-01-01 00:00:00.25', '2024-02-29', '', 'a ', '::1', '123e4567-e89b-12d3-a456-426614174000', 2, 18446744073709551615), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (10, -0.0, 0, 256, 18446744073709551615, 2024, 42, 1.5, 'é b', 'é', 'A', 'Straße', '2', 'x,y', '10:00:00.5', '2024-01-01 00:00:00.000001', '2024-01-01 00:00:00.25', '2024-02-29', '', 'a ', '::1', '123e4567-e89b-12d3-a456-426614174000', 2, 18446744073709551615), (11, 16777216, 1e300, 511, 0, 0, 0, 42, '', 'a', ' ', '', 'b', '', '-10:00:00', '2024-01-01', '2024-01-01 00:00:00.25', '2024-02-29', 'a', 'a', '::1', '123e4567-e89b-12d3-a456-426614174000', 1, 0), (12, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (20, 16777216, 1e300, 511, 0, 0, 0, 42, '', 'a', ' ', '', 'b', '', '-10:00:00', '2024-01-01', '2024-01-01 00:00:00.25', '2024-02-29', 'a', 'a', '::1', '123e4567-e89b-12d3-a456-426614174000', 1, 0), (21, 16777218, 9007199254740994, 0, 18446744073709551615, 1901, 42, 0, 'a', 'é', 'a', 'a ', '2', 'x,y', '10:00:00.5', '2024-01-01 00:00:00.000001', '2024-01-01 00:00:00.25', '2024-02-29', '', 'a ', '::1', '123e4567-e89b-12d3-a456-426614174000', 2, 18446744073709551615), (22, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (30, 16777218, 9007199254740994, 0, 18446744073709551615, 1901, 42, 0, 'a', 'é', 'a', 'a ', '2', 'x,y', '10:00:00.5', '2024-01-01 00:00:00.000001', '2024-01-01 00:00:00.25', '2024-02-29', '', 'a ', '::1', '123e4567-e89b-12d3-a456-426614174000', 2, 18446744073709551615), (31, 1e-38, 0.1, 256, 0, 2024, 0, 1.5, 'é b', 'a', 'A', 'Straße', 'b', '', '-10:00:00', '2024-01-01', '2024-01-01 00:00:00.25', '2024-02-29', 'a', 'a', '::1', '123e4567-e89b-12d3-a456-426614174000', 1, 0), (32, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            """),
        .mariaDB(
            "keys of single precision",
            """
            CREATE TABLE pfls (k FLOAT NOT NULL PRIMARY KEY, up FLOAT, FOREIGN KEY (up) REFERENCES pfls (k));
            INSERT INTO pfls VALUES (0.1, NULL), (16777216, 0.1), (16777218, 16777216), (-0.5, 0.1);
            CREATE TABLE cfls (id INT NOT NULL PRIMARY KEY, k FLOAT, n FLOAT NOT NULL, FOREIGN KEY (k) REFERENCES pfls (k), UNIQUE (k, n));
            INSERT INTO cfls VALUES (1, 0.1, 0.1), (2, 16777216, 0.1), (3, 16777218, 0.2), (4, NULL, 0.1), (5, 0.1, 0.3);
            CREATE TABLE gfls (id INT NOT NULL PRIMARY KEY, k FLOAT, n FLOAT, FOREIGN KEY (k, n) REFERENCES cfls (k, n));
            INSERT INTO gfls VALUES (1, 0.1, 0.1), (2, 16777216, 0.1), (3, 16777218, 0.2), (4, 0.1, NULL), (5, 0.1, 0.3);
            """),
        .both(
            "date and date-time keys",
            """
            CREATE TABLE days (day DATE NOT NULL PRIMARY KEY, name VARCHAR(9));
            INSERT INTO days VALUES ('2024-02-29', 'a'), ('0001-01-01', 'b'), ('9999-12-31', 'c'), ('1970-01-01', 'd');
            CREATE TABLE instants (at DATETIME NOT NULL, day DATE REFERENCES days (day), seq INTEGER NOT NULL, PRIMARY KEY (at, seq));
            INSERT INTO instants VALUES ('2024-02-29 00:00:00', '2024-02-29', 1), ('2024-02-29 00:00:00', NULL, 2), ('2024-02-29 00:00:01', '2024-02-29', 1), ('1000-01-01 00:00:00', '9999-12-31', 1);
            CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, at DATETIME, seq INTEGER, FOREIGN KEY (at, seq) REFERENCES instants (at, seq));
            INSERT INTO notes VALUES (1, '2024-02-29 00:00:00', 1), (2, '2024-02-29 00:00:00', 2), (3, '2024-02-29 00:00:01', 1), (4, NULL, 1), (5, '1000-01-01 00:00:00', 1);
            """),
        .mariaDB(
            "keys of fractions of a second, times, sets and enumerations",
            """
            CREATE TABLE ticks (at DATETIME(6) NOT NULL PRIMARY KEY, name VARCHAR(9));
            INSERT INTO ticks VALUES ('2024-01-01 00:00:00', 'a'), ('2024-01-01 00:00:00.000001', 'b'), ('2024-01-01 00:00:00.5', 'c');
            CREATE TABLE tick_rows (id INT NOT NULL PRIMARY KEY, at DATETIME(6), FOREIGN KEY (at) REFERENCES ticks (at));
            INSERT INTO tick_rows VALUES (1, '2024-01-01 00:00:00'), (2, '2024-01-01 00:00:00.5'), (3, NULL), (4, '2024-01-01 00:00:00.000001');
            CREATE TABLE stamps (at TIMESTAMP NOT NULL PRIMARY KEY, clock TIME NOT NULL UNIQUE);
            INSERT INTO stamps VALUES ('2024-01-01 00:00:00', '-10:00:00'), ('2024-01-01 00:00:01', '100:00:00'), ('1999-01-01 00:00:00', '09:00:00');
            CREATE TABLE clocks (id INT NOT NULL PRIMARY KEY, clock TIME, FOREIGN KEY (clock) REFERENCES stamps (clock));
            INSERT INTO clocks VALUES (1, '-10:00:00'), (2, '100:00:00'), (3, NULL), (4, '09:00:00'), (5, '09:00:00');
            CREATE TABLE sizes (size ENUM('S','M','L') NOT NULL, tone ENUM('so so','-') NOT NULL, n INT NOT NULL, PRIMARY KEY (size, n), UNIQUE (tone, n));
            INSERT INTO sizes VALUES ('S', 'so so', 1), ('M', '-', 1), ('L', 'so so', 2), ('S', '-', 2), ('S', 'so so', 3);
            """),
        .both(
            "binary keys",
            sqlite: """
                CREATE TABLE blobs (k BLOB NOT NULL PRIMARY KEY, up BLOB REFERENCES blobs (k));
                INSERT INTO blobs VALUES (x'00', NULL), (x'', x'00'), (x'fbefbefbefbe', x''), (x'ffffffffffffffffffffffffffffffff', x'fbefbefbefbe'), (x'2f', x'00');
                """,
            mariaDB: """
                CREATE TABLE blobs (k VARBINARY(16) NOT NULL PRIMARY KEY, up VARBINARY(16), FOREIGN KEY (up) REFERENCES blobs (k));
                INSERT INTO blobs VALUES (x'00', NULL), (x'', x'00'), (x'fbefbefbefbe', x''), (x'ffffffffffffffffffffffffffffffff', x'fbefbefbefbe'), (x'2f', x'00');
                """),
        .mariaDB(
            "UUID and BINARY(16) keys",
            """
            CREATE TABLE guids (id UUID NOT NULL PRIMARY KEY, raw BINARY(16) NOT NULL UNIQUE);
            INSERT INTO guids VALUES ('123e4567-e89b-12d3-a456-426614174000', x'00112233445566778899aabbccddeeff'), ('023e4567-e89b-12d3-a456-426614174001', x'01'), ('ffffffff-ffff-ffff-ffff-ffffffffffff', x'01000000000000000000000000000001');
            CREATE TABLE guid_rows (n INT NOT NULL PRIMARY KEY, guid UUID, raw BINARY(16), FOREIGN KEY (guid) REFERENCES guids (id), FOREIGN KEY (raw) REFERENCES guids (raw));
            INSERT INTO guid_rows VALUES (1, '123E4567-E89B-12D3-A456-426614174000', x'01'), (2, 'ffffffff-ffff-ffff-ffff-ffffffffffff', x'00112233445566778899aabbccddeeff'), (3, NULL, NULL), (4, '123e4567-e89b-12d3-a456-426614174000', x'01');
            """),
        .both(
            "keys of one field beside another field called id",
            """
            CREATE TABLE codes (code VARCHAR(9) NOT NULL PRIMARY KEY, id INTEGER);
            INSERT INTO codes VALUES ('a', 2), ('b', 1), ('c', NULL), ('1', 3);
            CREATE TABLE uses (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(9) REFERENCES codes (code));
            INSERT INTO uses VALUES (1, 'a'), (2, '1'), (3, NULL);
            CREATE TABLE levels (level INTEGER NOT NULL PRIMARY KEY, id VARCHAR(9) NOT NULL);
            INSERT INTO levels VALUES (1, '2'), (2, '1');
            """),
        .both(
            "keys without a primary key",
            """
            CREATE TABLE candidates (a INTEGER, b INTEGER NOT NULL, c VARCHAR(9) NOT NULL, UNIQUE (a), UNIQUE (b, c));
            INSERT INTO candidates VALUES (1, 1, 'x'), (NULL, 1, 'y'), (NULL, 2, 'x');
            CREATE TABLE keyless (n INTEGER, t VARCHAR(9));
            INSERT INTO keyless VALUES (1, 'a'), (1, 'a'), (NULL, NULL), (2, 'b');
            """),
    ]
}
