extension OddSchema {
    private static let parents =
        "('abc', 'x'), ('é', 'y'), ('Zed', 'z'), ('b ', 'u')"

    /// Schemas with texts that are equal, but have different bytes.
    static let collations: [OddSchema] = [
        .sqlite(
            "keys that ignore case on SQLite",
            """
            CREATE TABLE codes (code TEXT COLLATE NOCASE NOT NULL PRIMARY KEY, name TEXT COLLATE NOCASE);
            INSERT INTO codes VALUES ('abc', 'x'), ('Zed', 'X'), ('m', 'y'), ('É', 'Y'), ('é', NULL);
            CREATE TABLE uses (id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE REFERENCES codes (code), tag TEXT COLLATE RTRIM);
            INSERT INTO uses VALUES (1, 'ABC', 'a'), (2, 'abc', 'a '), (3, 'Abc', 'A'), (4, 'zed', 'b'), (5, 'É', 'b  '), (6, NULL, NULL), (7, 'ZED', 'c'), (8, 'abc', '');
            CREATE TABLE peers (a TEXT COLLATE NOCASE NOT NULL REFERENCES codes (code), b TEXT COLLATE NOCASE NOT NULL REFERENCES codes (code), PRIMARY KEY (a, b)) WITHOUT ROWID;
            INSERT INTO peers VALUES ('ABC', 'ZED'), ('aBc', 'M'), ('zed', 'zED'), ('m', 'abc');
            """),
        .unenforced(
            "references that ignore case to rows that differ in case alone",
            """
            CREATE TABLE tones (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE); INSERT INTO tones VALUES (1, 'a'), (2, 'A'), (3, 'b');
            CREATE TABLE songs (id INTEGER PRIMARY KEY, tone TEXT COLLATE NOCASE REFERENCES tones (code)); INSERT INTO songs VALUES (1, 'a'), (2, 'A'), (3, 'B'), (4, 'b');
            """),
        .mariaDB(
            "keys that ignore case on MariaDB",
            """
            ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
            CREATE TABLE codes (code VARCHAR(9) NOT NULL PRIMARY KEY, name VARCHAR(9)); INSERT INTO codes VALUES \(parents), ('m', 'X');
            CREATE TABLE uses (id INT NOT NULL PRIMARY KEY, code VARCHAR(9), tag CHAR(5), FOREIGN KEY (code) REFERENCES codes (code));
            INSERT INTO uses VALUES (1, 'ABC', 'a'), (2, 'abc', 'a '), (3, 'Abc ', 'A'), (4, 'zed', 'b'), (5, 'E', 'b  '), (6, NULL, NULL), (7, 'ZED', 'ç'), (8, 'abc', ''), (9, 'B', 'c');
            CREATE TABLE peers (a VARCHAR(9) NOT NULL, b VARCHAR(9) NOT NULL, PRIMARY KEY (a, b), FOREIGN KEY (a) REFERENCES codes (code), FOREIGN KEY (b) REFERENCES codes (code));
            INSERT INTO peers VALUES ('ABC', 'ZED'), ('aBc', 'M'), ('zed', 'zED'), ('m', 'abc');
            """),
        .mariaDB(
            "keys with spaces after them and case on MariaDB",
            """
            ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
            CREATE TABLE pads (code VARCHAR(9) NOT NULL PRIMARY KEY, fixed CHAR(9) NOT NULL UNIQUE); INSERT INTO pads VALUES ('a', 'a'), ('A ', 'b'), ('é', ' c');
            CREATE TABLE pad_rows (id INT NOT NULL PRIMARY KEY, code VARCHAR(9), fixed VARCHAR(9), FOREIGN KEY (code) REFERENCES pads (code), FOREIGN KEY (fixed) REFERENCES pads (fixed));
            INSERT INTO pad_rows VALUES (1, 'a ', 'a'), (2, 'A', 'a  '), (3, 'a', 'b '), (4, NULL, NULL), (5, 'a  ', ' c');
            CREATE TABLE mixed (id INT NOT NULL PRIMARY KEY, code VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_swedish_ci UNIQUE); INSERT INTO mixed VALUES (1, 'Zoë'), (2, 'x'), (3, NULL);
            CREATE TABLE mixed_rows (id INT NOT NULL PRIMARY KEY, code VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_swedish_ci, FOREIGN KEY (code) REFERENCES mixed (code)); INSERT INTO mixed_rows VALUES (1, 'zoe'), (2, 'X'), (3, 'ZOË'), (4, NULL);
            """),
        .mariaDB(
            "columns whose character sets lack characters on MariaDB",
            """
            CREATE TABLE narrow (code VARCHAR(10) CHARACTER SET latin1 COLLATE latin1_german2_ci NOT NULL PRIMARY KEY, name VARCHAR(20) CHARACTER SET utf8mb3, a VARCHAR(5) CHARACTER SET ascii, kind ENUM('x','é') CHARACTER SET latin1, tags SET('ü','z') CHARACTER SET latin1);
            INSERT INTO narrow VALUES ('é', 'ü', 'a', 'x', 'ü'), ('z', '日', 'b', 'é', 'ü,z'), ('ä', NULL, NULL, NULL, NULL), ('B', 'ß', '', 'é', '');
            CREATE TABLE narrow_rows (id INT NOT NULL PRIMARY KEY, code VARCHAR(10) CHARACTER SET latin1 COLLATE latin1_german2_ci, FOREIGN KEY (code) REFERENCES narrow (code));
            INSERT INTO narrow_rows VALUES (1, 'É'), (2, 'z'), (3, NULL), (4, 'é');
            """),
        .both(
            "rows that differ in case alone",
            """
            CREATE TABLE twins (name VARCHAR(9) NOT NULL PRIMARY KEY, other VARCHAR(9) REFERENCES twins (name)); INSERT INTO twins VALUES ('a', NULL), ('A', 'a'), ('aa', 'A'), ('aA', 'A'), ('Aa', 'aa');
            """),
    ]
}
