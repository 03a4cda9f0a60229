extension OddSchema {
    private static let long = String(repeating: "a_very_long_name_", count: 4).prefix(54)
    private static let longest = String(repeating: "漢", count: 58)

    /// Schemas with unusual names of tables and columns.
    static let names: [OddSchema] = [
        .both(
            "reserved words",
            """
            CREATE TABLE `select` (`from` INTEGER NOT NULL PRIMARY KEY, `where` VARCHAR(9), `order` INTEGER, `group` INTEGER, `id` INTEGER, `first` INTEGER, `after` INTEGER, `filter` INTEGER, `sort` INTEGER, `details` INTEGER, `fields` INTEGER, `and` INTEGER, `null` INTEGER, `in` INTEGER, `limit` INTEGER, `api` INTEGER);
            INSERT INTO `select` VALUES (1, 'a', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            CREATE TABLE `graphql` (`id` INTEGER NOT NULL PRIMARY KEY, `key` INTEGER REFERENCES `select` (`from`), `__typename` INTEGER, `Query` INTEGER, `nodes` INTEGER, `cursor` INTEGER);
            INSERT INTO `graphql` VALUES (1, 1, 2, 3, 4, 5), (2, 1, NULL, NULL, NULL, NULL), (3, NULL, 0, 0, 0, 0);
            CREATE TABLE `query` (`id` INTEGER NOT NULL PRIMARY KEY, `graphql` INTEGER REFERENCES `graphql` (`id`));
            INSERT INTO `query` VALUES (1, 1), (2, 3);
            CREATE TABLE `int` (`id` INTEGER NOT NULL PRIMARY KEY);
            INSERT INTO `int` VALUES (1);
            """),
        .both(
            "quotes, spaces, colons and question marks in names",
            """
            CREATE TABLE `a ``b"c'd` (`x:id` INTEGER NOT NULL, `y?` INTEGER NOT NULL, `z -- c` VARCHAR(9), `/* w */` INTEGER, `;` INTEGER, `:first` INTEGER, PRIMARY KEY (`x:id`, `y?`));
            INSERT INTO `a ``b"c'd` VALUES (1, 1, 'a', 1, 1, 1), (1, 2, 'b', 2, 2, 2), (2, 1, NULL, NULL, NULL, NULL);
            CREATE TABLE `: id` (`:id` INTEGER NOT NULL PRIMARY KEY, `a:xId` INTEGER, `b:xid` INTEGER, FOREIGN KEY (`a:xId`, `b:xid`) REFERENCES `a ``b"c'd` (`x:id`, `y?`));
            INSERT INTO `: id` VALUES (1, 1, 1), (2, 1, 2), (3, 1, 2), (4, NULL, 1), (5, 2, 1);
            """, isSame: false),
        .both(
            "colons before the names of keys",
            """
            CREATE TABLE heads (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(9));
            INSERT INTO heads VALUES (1, 'a'), (2, 'b'), (3, 'c');
            CREATE TABLE tails (n INTEGER NOT NULL PRIMARY KEY, `:id` INTEGER NOT NULL, `x:id` INTEGER, FOREIGN KEY (`:id`) REFERENCES heads (id));
            INSERT INTO tails VALUES (1, 1, 5), (2, 1, 6), (3, 2, NULL);
            """),
        .both(
            "names that are not ASCII, long, or the same without their signs",
            """
            CREATE TABLE `größe` (`straße` INTEGER NOT NULL PRIMARY KEY, `漢字` VARCHAR(9), `é` INTEGER, `e` INTEGER, `E_` INTEGER, `1st` INTEGER, `_` INTEGER, `$` INTEGER, `🙂x` INTEGER);
            INSERT INTO `größe` VALUES (1, 'x', 1, 2, 3, 4, 5, 6, 7), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            CREATE TABLE `\(long)` (`\(long)` INTEGER NOT NULL PRIMARY KEY, `größe` INTEGER REFERENCES `größe` (`straße`));
            INSERT INTO `\(long)` VALUES (1, 1), (2, NULL), (3, 1);
            CREATE TABLE `漢` (`漢` INTEGER NOT NULL PRIMARY KEY, `ñ` INTEGER REFERENCES `漢` (`漢`));
            INSERT INTO `漢` VALUES (1, NULL), (2, 1), (3, 1);
            """.replacing("🙂x", with: "ßx"), isSame: false),
        .both(
            "hidden columns that relations go by",
            """
            CREATE TABLE accounts (id INTEGER NOT NULL PRIMARY KEY, token VARCHAR(20) NOT NULL UNIQUE, `\(longest)token` INTEGER NOT NULL UNIQUE, pin INTEGER, name VARCHAR(9));
            INSERT INTO accounts VALUES (1, 'x', 10, 1, 'a'), (2, 'y', 20, 2, 'b'), (3, 'z', 30, NULL, 'c');
            CREATE TABLE sessions (id INTEGER NOT NULL PRIMARY KEY, `token` VARCHAR(20), `7061737370686173655f6c696d6974` INTEGER, `passphrase_limit` INTEGER, `passphrase limit` INTEGER, label VARCHAR(9),
                FOREIGN KEY (token) REFERENCES accounts (token), FOREIGN KEY (`passphrase limit`) REFERENCES accounts (`\(longest)token`), FOREIGN KEY (`7061737370686173655f6c696d6974`) REFERENCES accounts (id), FOREIGN KEY (`passphrase_limit`) REFERENCES accounts (id));
            INSERT INTO sessions VALUES (1, 'x', 1, 2, 10, 'a'), (2, 'x', 2, 1, 20, 'b'), (3, 'z', 3, 3, NULL, 'c'), (4, NULL, NULL, NULL, 30, 'd');
            """),
        .both(
            "names that are the same in the API",
            """
            CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY, first_name VARCHAR(9), firstname VARCHAR(9), first__name VARCHAR(9), `FIRST-NAME` VARCHAR(9), i_d INTEGER, person INTEGER);
            INSERT INTO people VALUES (1, 'a', 'b', 'c', 'd', 1, 2), (2, NULL, NULL, NULL, NULL, NULL, NULL);
            CREATE TABLE person (id INTEGER NOT NULL PRIMARY KEY, people INTEGER REFERENCES people (id), person_id INTEGER REFERENCES person (id), `person` INTEGER);
            INSERT INTO person VALUES (1, 1, NULL, 1), (2, 1, 1, NULL), (3, NULL, 1, 0);
            CREATE TABLE persons (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(9));
            INSERT INTO persons VALUES (1, 'x');
            CREATE TABLE sheep (id INTEGER NOT NULL PRIMARY KEY); INSERT INTO sheep VALUES (1);
            """),
    ]
}
