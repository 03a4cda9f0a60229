extension OddSchema {
    /// Schemas with relations of every kind.
    static let relations: [OddSchema] = [
        .both(
            "a tree, and two references to one table",
            """
            CREATE TABLE staff (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(9) NOT NULL, boss_id INTEGER REFERENCES staff (id), mentor_id INTEGER REFERENCES staff (id));
            INSERT INTO staff VALUES (1, 'a', NULL, NULL), (2, 'b', 1, 1), (3, 'c', 1, 2), (4, 'd', 2, 4), (5, 'e', 2, 1), (6, 'f', 1, NULL);
            CREATE TABLE games (id INTEGER NOT NULL PRIMARY KEY, home INTEGER NOT NULL REFERENCES staff (id), guest INTEGER REFERENCES staff (id));
            INSERT INTO games VALUES (1, 1, 2), (2, 2, 1), (3, 1, 1), (4, 3, NULL);
            """),
        .both(
            "a join table that is named after both tables",
            """
            CREATE TABLE student (id INTEGER NOT NULL PRIMARY KEY);
            CREATE TABLE course (id INTEGER NOT NULL PRIMARY KEY);
            CREATE TABLE student_course (student_id INTEGER NOT NULL, course_id INTEGER NOT NULL, PRIMARY KEY (student_id, course_id), FOREIGN KEY (student_id) REFERENCES student (id), FOREIGN KEY (course_id) REFERENCES course (id));
            INSERT INTO student VALUES (1), (2);
            INSERT INTO course VALUES (1), (2), (3);
            INSERT INTO student_course VALUES (1, 1), (1, 3), (2, 3);
            """),
        .both(
            "many to many, with and without repeated pairs",
            """
            CREATE TABLE students (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(9)); INSERT INTO students VALUES (1, 'a'), (2, 'b'), (3, 'c');
            CREATE TABLE courses (code VARCHAR(9) NOT NULL PRIMARY KEY, size INTEGER); INSERT INTO courses VALUES ('x', 1), ('y', 2), ('z', NULL), ('w', 4);
            CREATE TABLE enrolments (student_id INTEGER NOT NULL, course VARCHAR(9) NOT NULL, PRIMARY KEY (course, student_id), FOREIGN KEY (student_id) REFERENCES students (id), FOREIGN KEY (course) REFERENCES courses (code));
            INSERT INTO enrolments VALUES (1, 'x'), (1, 'y'), (1, 'z'), (2, 'x'), (2, 'w');
            CREATE TABLE wishes (student_id INTEGER, course VARCHAR(9), FOREIGN KEY (student_id) REFERENCES students (id), FOREIGN KEY (course) REFERENCES courses (code));
            INSERT INTO wishes VALUES (1, 'x'), (1, 'x'), (2, 'y'), (NULL, 'x'), (2, NULL), (3, 'w');
            CREATE TABLE friends (a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b), FOREIGN KEY (a) REFERENCES students (id), FOREIGN KEY (b) REFERENCES students (id));
            INSERT INTO friends VALUES (1, 2), (1, 3), (2, 1), (3, 3);
            """),
        .both(
            "references by two columns and to a unique key",
            """
            CREATE TABLE rooms (id INTEGER NOT NULL PRIMARY KEY, house VARCHAR(9) NOT NULL, no INTEGER NOT NULL, badge VARCHAR(9) UNIQUE, UNIQUE (house, no));
            INSERT INTO rooms VALUES (1, 'a', 1, 'p'), (2, 'a', 2, NULL), (3, 'b', 1, 'q');
            CREATE TABLE beds (id INTEGER NOT NULL PRIMARY KEY, house VARCHAR(9), no INTEGER, badge VARCHAR(9), FOREIGN KEY (house, no) REFERENCES rooms (house, no), FOREIGN KEY (badge) REFERENCES rooms (badge));
            INSERT INTO beds VALUES (1, 'a', 1, 'p'), (2, 'a', 1, 'p'), (3, 'a', 1, NULL), (4, 'b', 1, 'q'), (5, NULL, 1, NULL), (6, 'a', NULL, NULL);
            CREATE TABLE doors (house VARCHAR(9) NOT NULL, no INTEGER NOT NULL, colour VARCHAR(9), PRIMARY KEY (house, no), FOREIGN KEY (house, no) REFERENCES rooms (house, no));
            INSERT INTO doors VALUES ('a', 1, 'red'), ('b', 1, NULL);
            """),
        .both(
            "a reference from a table without a key, and a reference to a table without a primary key",
            """
            CREATE TABLE hubs (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(9) UNIQUE); INSERT INTO hubs VALUES (1, 'x'), (2, NULL), (3, 'z');
            CREATE TABLE spokes (hub_id INTEGER, n INTEGER, FOREIGN KEY (hub_id) REFERENCES hubs (id)); INSERT INTO spokes VALUES (1, 1), (1, 1), (1, 2), (NULL, 3), (3, NULL), (1, 7);
            CREATE TABLE rims (code VARCHAR(9) UNIQUE, n INTEGER); INSERT INTO rims VALUES ('x', 1), (NULL, 2), (NULL, 3), ('y', 4);
            CREATE TABLE tyres (id INTEGER NOT NULL PRIMARY KEY, rim VARCHAR(9), FOREIGN KEY (rim) REFERENCES rims (code)); INSERT INTO tyres VALUES (1, 'x'), (2, 'x'), (3, NULL), (4, 'y');
            """),
        .both(
            "views, and views over views",
            """
            CREATE TABLE sales (id INTEGER NOT NULL PRIMARY KEY, amount DECIMAL(8,2) NOT NULL, sold DATE NOT NULL, shop VARCHAR(9));
            INSERT INTO sales VALUES (1, 10.50, '2024-01-01', 'a'), (2, 0.25, '2024-01-02', 'a'), (3, 7, '2024-01-03', NULL);
            CREATE VIEW cheap AS SELECT id, amount, sold, shop FROM sales WHERE amount < 10;
            CREATE VIEW cheapest AS SELECT id AS sale_number, shop FROM cheap;
            CREATE VIEW `named shops` AS SELECT shop FROM cheapest WHERE shop IS NOT NULL;
            """),
        .both(
            "views over expressions",
            sqlite: """
                CREATE TABLE facts (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, t TEXT); INSERT INTO facts VALUES (1, 1, 'x'), (2, 2, NULL), (3, NULL, 'y');
                CREATE VIEW totals AS SELECT COUNT(*) AS n, SUM(a) AS total, AVG(a) AS mean, MAX(t) AS last, a + 1 AS more, 'k' || a AS label FROM facts GROUP BY a;
                """,
            mariaDB: """
                CREATE TABLE facts (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, t TEXT); INSERT INTO facts VALUES (1, 1, 'x'), (2, 2, NULL), (3, NULL, 'y');
                CREATE VIEW totals AS SELECT COUNT(*) AS n, SUM(a) AS total, AVG(a) AS mean, MAX(t) AS last, a + 1 AS more, CONCAT('k', a) AS label, NOW() > '2000-01-01' AS flag, CAST('12:00:00' AS TIME) AS clock FROM facts GROUP BY a;
                """, isSame: false),
        .unenforced(
            "references that SQLite does not enforce",
            """
            CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO owners VALUES (1, 'a'), (2, 'b');
            CREATE TABLE dogs (id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES owners); INSERT INTO dogs VALUES (1, 1), (2, 9), (3, 2);
            CREATE TABLE owner_dogs (owner_id INTEGER NOT NULL REFERENCES owners, dog_id INTEGER NOT NULL REFERENCES dogs, PRIMARY KEY (owner_id, dog_id));
            INSERT INTO owner_dogs VALUES (1, 1), (1, 9), (2, 3), (9, 1), (2, 8);
            CREATE TABLE lost (id INTEGER PRIMARY KEY, gone INTEGER REFERENCES nowhere (id)); INSERT INTO lost VALUES (1, 1);
            """),
        .unenforced(
            "references between columns of different collations",
            """
            CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE);
            CREATE TABLE post (id INTEGER PRIMARY KEY, tag TEXT REFERENCES tag (name));
            CREATE TABLE label (post_id INTEGER NOT NULL REFERENCES post (id), tag_name TEXT NOT NULL REFERENCES tag (name), PRIMARY KEY (post_id, tag_name));
            INSERT INTO tag VALUES ('Swift'), ('go');
            INSERT INTO post VALUES (1, 'swift'), (2, 'Swift'), (3, 'GO'), (4, NULL), (5, 'c');
            INSERT INTO label VALUES (1, 'SWIFT'), (1, 'go'), (2, 'Go');
            """),
        .unenforced(
            "references between columns of different types",
            """
            CREATE TABLE roots (id INTEGER PRIMARY KEY, code TEXT UNIQUE, r REAL UNIQUE, a UNIQUE, d DECIMAL(9,2) UNIQUE);
            INSERT INTO roots VALUES (1, '1', 1, 1, 1.50), (2, '2', 2.5, 'x', 2), (3, '03', -1, '1', 3.25), (4, 'four', 4, 1.5, NULL);
            CREATE TABLE leaves (id INTEGER PRIMARY KEY, root_id TEXT REFERENCES roots (id), code INTEGER REFERENCES roots (code), r INTEGER REFERENCES roots (r), a REAL REFERENCES roots (a), d TEXT REFERENCES roots (d));
            INSERT INTO leaves VALUES (1, '1', 1, 1, 1, '1.5'), (2, '01', 2, 4, 1.5, '1.50'), (3, 'x', 3, -1, NULL, '2.0'), (4, NULL, NULL, NULL, 1, '3.25'), (5, '2', 1, 1, 7, NULL), (6, '1.0', 4, 5, 1.5, '2');
            """),
    ]
}
