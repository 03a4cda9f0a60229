extension Application {
    static let frameworks = [
        // A fraction of zero is omitted. A UUID has no hyphens. The key of sessions is a credential.
        Application(
            "Django",
            """
            CREATE TABLE "auth_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "password" varchar(128) NOT NULL,
                "last_login" datetime NULL, "is_superuser" bool NOT NULL, "username" varchar(150) NOT NULL UNIQUE);
            CREATE TABLE "django_session" ("session_key" varchar(40) NOT NULL PRIMARY KEY, "session_data" text NOT NULL,
                "expire_date" datetime NOT NULL);
            CREATE TABLE "shop_order" ("id" char(32) NOT NULL PRIMARY KEY, "total" decimal NOT NULL,
                "details" text NOT NULL CHECK ((JSON_VALID("details") OR "details" IS NULL)), "lasts" bigint NOT NULL,
                "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED);
            INSERT INTO auth_user VALUES (1, 'pbkdf2$x', '2024-01-31 12:34:56.123456', 1, 'ada'), (2, '!', NULL, 0, 'bob');
            INSERT INTO django_session VALUES ('k', 'e30', '2024-01-31 12:34:56');
            INSERT INTO shop_order VALUES ('00112233445566778899aabbccddeeff', 19.5, '{"a": null}', 90000000000, 1);
            """,
            types: [
                "auth_user.last_login": "dateTime", "auth_user.password": "hidden", "auth_user.is_superuser": "boolean",
                "django_session.session_key": "hidden", "shop_order.total": "decimal", "shop_order.lasts": "bigInteger",
            ],
            answers: [
                "/authUsers?fields=username,lastLogin,isSuperuser":
                    #"[{"username":"ada","lastLogin":"2024-01-31T12:34:56.123456","isSuperuser":true},{"username":"bob","lastLogin":null,"isSuperuser":false}]"#,
                "/shopOrders/00112233445566778899aabbccddeeff?fields=total,lasts,details&details=user&user.fields=username":
                    #"{"total":"19.5","lasts":"90000000000","details":"{\"a\": null}","user":{"username":"ada"}}"#,
                "/djangoSessions": #"[{"sessionData":"e30","expireDate":"2024-01-31T12:34:56"}]"#,
            ]),
        // Versions are texts of digits, and Booleans of old versions are letters.
        Application(
            "Rails",
            """
            CREATE TABLE "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY);
            CREATE TABLE "users" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "email" varchar,
                "password_digest" varchar, "admin" boolean DEFAULT 'f', "active" boolean DEFAULT 1,
                "created_at" datetime(6) NOT NULL);
            CREATE TABLE "posts" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "user_id" integer NOT NULL,
                "price" decimal(8,2), "published_on" date,
                CONSTRAINT "fk_rails_1" FOREIGN KEY ("user_id") REFERENCES "users" ("id"));
            INSERT INTO schema_migrations VALUES ('20240131123456');
            INSERT INTO users VALUES (1, 'ada@a.example', '$2a$x', 't', 1, '2024-01-31 12:34:56.123456'),
                (2, NULL, NULL, 'f', 0, '2024-01-31 12:34:57.000000');
            INSERT INTO posts VALUES (1, 1, 10, '2024-01-31'), (2, 1, 0.1, NULL);
            """,
            types: [
                "users.admin": "text", "users.active": "boolean", "users.created_at": "dateTime",
                "users.password_digest": "hidden", "posts.price": "decimal", "posts.published_on": "date",
            ],
            answers: [
                "/schemaMigrations": #"[{"version":"20240131123456"}]"#,
                "/users/1/posts?fields=price,publishedOn":
                    #"[{"price":"10.00","publishedOn":"2024-01-31"},{"price":"0.10","publishedOn":null}]"#,
                "/users?admin=t&fields=active,createdAt":
                    #"[{"active":true,"createdAt":"2024-01-31T12:34:56.123456"}]"#,
            ]),
        Application(
            "Laravel",
            """
            CREATE TABLE "users" ("id" integer primary key autoincrement not null, "name" varchar not null,
                "email_verified_at" datetime, "password" varchar not null, "remember_token" varchar,
                "active" tinyint(1) not null default '1', "credit" numeric not null default '0', "created_at" datetime);
            CREATE TABLE "jobs" ("id" integer primary key autoincrement not null, "queue" varchar not null,
                "payload" text not null, "reserved_at" integer, "available_at" integer not null);
            INSERT INTO users VALUES (1, 'Ada', NULL, 'x', NULL, 1, '12.50', '2024-01-31 12:34:56'),
                (2, 'Bob', '2024-01-31 12:34:57', 'x', 'y', 0, 0, NULL);
            INSERT INTO jobs VALUES (1, 'default', '{"uuid":"u"}', NULL, 1706704496);
            """,
            types: [
                "users.created_at": "dateTime", "users.active": "integer", "users.credit": "decimal",
                "users.remember_token": "hidden", "jobs.available_at": "integer → timestamp, stored: unixSeconds",
                "jobs.reserved_at": "integer",
            ],
            answers: [
                "/users/1":
                    #"{"id":1,"name":"Ada","emailVerifiedAt":null,"active":1,"credit":"12.5","createdAt":"2024-01-31T12:34:56"}"#,
                "/users?createdAt.null=true&fields=name": #"[{"name":"Bob"}]"#,
            ]),
        // Dates have seven digits of a fraction, and keys are GUIDs in upper case. Everything is declared TEXT.
        Application(
            "Entity Framework Core",
            """
            CREATE TABLE "__EFMigrationsHistory" ("MigrationId" TEXT NOT NULL CONSTRAINT "PK___EFMigrationsHistory" PRIMARY KEY,
                "ProductVersion" TEXT NOT NULL);
            CREATE TABLE "Blogs" ("Id" TEXT NOT NULL CONSTRAINT "PK_Blogs" PRIMARY KEY, "Price" TEXT NOT NULL,
                "CreatedAt" TEXT NOT NULL, "Modified" TEXT NULL, "Duration" TEXT NULL, "IsPublic" INTEGER NOT NULL);
            CREATE TABLE "Posts" ("Id" INTEGER NOT NULL CONSTRAINT "PK_Posts" PRIMARY KEY AUTOINCREMENT,
                "BlogId" TEXT NOT NULL, CONSTRAINT "FK_Posts_Blogs_BlogId" FOREIGN KEY ("BlogId")
                REFERENCES "Blogs" ("Id") ON DELETE CASCADE);
            INSERT INTO __EFMigrationsHistory VALUES ('20240131123456_Initial', '8.0.1');
            INSERT INTO Blogs VALUES ('0B6F4C1E-0000-4000-8000-00000000000A', '12.50', '2024-01-31 12:34:56.1234567',
                '2024-01-31 12:34:56.1234567+01:00', '00:30:00', 1),
                ('0B6F4C1E-0000-4000-8000-00000000000B', '7.0', '2024-01-31 12:34:56', NULL, NULL, 0);
            INSERT INTO Posts VALUES (1, '0B6F4C1E-0000-4000-8000-00000000000A');
            """,
            types: [
                "Blogs.Id": "text", "Blogs.Price": "text", "Blogs.CreatedAt": "text → dateTime",
                "Blogs.Modified": "text → timestamp, stored: offset", "Blogs.IsPublic": "integer",
            ],
            answers: [
                "/blogs/0B6F4C1E-0000-4000-8000-00000000000A?fields=price,createdAt":
                    #"{"price":"12.50","createdAt":"2024-01-31 12:34:56.1234567"}"#,
                "/efMigrationsHistories": #"[{"migrationId":"20240131123456_Initial","productVersion":"8.0.1"}]"#,
                "{ posts { nodes { blog { id } } } }":
                    #"{"posts":{"nodes":[{"blog":{"id":"0B6F4C1E-0000-4000-8000-00000000000A"}}]}}"#,
            ]),
        // DATETIME columns have milliseconds. A join table has the columns A and B.
        Application(
            "Prisma",
            """
            CREATE TABLE "Post" ("id" TEXT NOT NULL PRIMARY KEY, "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
                "views" BIGINT NOT NULL, "meta" JSONB, "published" BOOLEAN NOT NULL DEFAULT false, "price" DECIMAL);
            CREATE TABLE "Tag" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL);
            CREATE TABLE "_PostToTag" ("A" TEXT NOT NULL, "B" INTEGER NOT NULL,
                CONSTRAINT "_PostToTag_A_fkey" FOREIGN KEY ("A") REFERENCES "Post" ("id") ON DELETE CASCADE,
                CONSTRAINT "_PostToTag_B_fkey" FOREIGN KEY ("B") REFERENCES "Tag" ("id") ON DELETE CASCADE);
            CREATE UNIQUE INDEX "_PostToTag_AB_unique" ON "_PostToTag" ("A", "B");
            INSERT INTO "Post" VALUES ('clp1', 1706704496120, 9007199254740993, '{"a":1}', 1, 9.99),
                ('clp2', 1706704497000, 0, NULL, 0, NULL);
            INSERT INTO "Tag" VALUES (1, 'x'), (2, 'y');
            INSERT INTO "_PostToTag" VALUES ('clp1', 1), ('clp1', 2);
            """,
            types: [
                "Post.createdAt": "timestamp, stored: unixMilliseconds", "Post.views": "bigInteger",
                "Post.meta": "json",
                "Post.published": "boolean", "Post.price": "decimal",
            ],
            answers: [
                "/posts/clp1":
                    #"{"id":"clp1","createdAt":"2024-01-31T12:34:56.12Z","views":"9007199254740993","meta":{"a":1},"published":true,"price":"9.99"}"#,
                "/posts/clp1/tags?sort=-name&fields=name": #"[{"name":"y"},{"name":"x"}]"#,
                "/posts?createdAt.gte=2024-01-31T13:34:57%2B01:00&fields=id": #"[{"id":"clp2"}]"#,
            ]),
        // Times have nine digits of a fraction and an offset, and Booleans are declared numeric.
        Application(
            "GORM",
            """
            CREATE TABLE `users` (`id` integer PRIMARY KEY AUTOINCREMENT, `created_at` datetime, `deleted_at` datetime,
                `name` text, `active` numeric);
            INSERT INTO users VALUES (1, '2024-01-31 12:34:56.123456789+01:00', NULL, 'Ada', 1),
                (2, '2024-01-31 12:34:56+00:00', NULL, '', 0), (3, '2024-01-31 12:34:56.1-05:30', NULL, NULL, NULL);
            """,
            types: [
                "users.created_at": "timestamp, stored: offset", "users.deleted_at": "dateTime",
                "users.active": "decimal",
            ],
            answers: [
                "/users?sort=createdAt&fields=createdAt":
                    #"[{"createdAt":"2024-01-31T11:34:56.123456789Z"},{"createdAt":"2024-01-31T12:34:56Z"},{"createdAt":"2024-01-31T18:04:56.1Z"}]"#,
                "/users?createdAt.gt=2024-01-31T12:34:56Z&fields=id,active": #"[{"id":3,"active":null}]"#,
            ]),
        // Columns have names of SQL's keywords.
        Application(
            "TypeORM",
            """
            CREATE TABLE "migrations" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "timestamp" bigint NOT NULL,
                "name" varchar NOT NULL);
            CREATE TABLE "typeorm_metadata" ("type" varchar NOT NULL, "schema" varchar, "table" varchar, "value" text);
            CREATE TABLE "user" ("id" varchar PRIMARY KEY NOT NULL, "isActive" boolean NOT NULL DEFAULT (1),
                "createdAt" datetime NOT NULL DEFAULT (datetime('now')), "tags" text, "profile" text);
            INSERT INTO migrations VALUES (1, 1706704496120, 'Initial1706704496120');
            INSERT INTO typeorm_metadata VALUES ('VIEW', NULL, 'v', 'SELECT 1');
            INSERT INTO "user" VALUES ('0b6f4c1e-0000-4000-8000-00000000000a', 1, '2024-01-31 12:34:56', 'a,b', '{"n":1}');
            """,
            types: [
                "migrations.timestamp": "bigInteger → timestamp, stored: unixMilliseconds",
                "user.createdAt": "dateTime",
                "user.isActive": "boolean",
            ],
            answers: [
                "/typeormMetadata?table=v": #"[{"type":"VIEW","schema":null,"table":"v","value":"SELECT 1"}]"#,
                "/users?fields=isActive,createdAt,tags":
                    #"[{"isActive":true,"createdAt":"2024-01-31T12:34:56","tags":"a,b"}]"#,
                "/migrations/1?fields=timestamp": #"{"timestamp":"1706704496120"}"#,
            ]),
        // A space precedes the offset.
        Application(
            "Sequelize",
            """
            CREATE TABLE `Users` (`id` UUID PRIMARY KEY, `admin` TINYINT(1) DEFAULT 0, `data` JSON,
                `createdAt` DATETIME NOT NULL, `born` DATE);
            INSERT INTO Users VALUES ('0b6f4c1e-0000-4000-8000-00000000000a', 1, '{"k":[1,2]}',
                '2024-01-31 12:34:56.789 +00:00', '1990-02-28'),
                ('0b6f4c1e-0000-4000-8000-00000000000b', 0, NULL, '2024-01-31 12:34:57.000 +00:00', NULL);
            """,
            types: ["Users.id": "uuid", "Users.createdAt": "timestamp, stored: offset", "Users.born": "date"],
            answers: [
                "/users/0b6f4c1e-0000-4000-8000-00000000000a":
                    #"{"id":"0b6f4c1e-0000-4000-8000-00000000000a","admin":1,"data":{"k":[1,2]},"createdAt":"2024-01-31T12:34:56.789Z","born":"1990-02-28"}"#
            ]),
        // JSON columns have the value null, and times have six digits of a fraction.
        Application(
            "SQLAlchemy",
            """
            CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL,
                CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
            CREATE TABLE item (id INTEGER NOT NULL, price NUMERIC(10, 2), made DATETIME, opens TIME, tags JSON,
                kind VARCHAR(6), lasts DATETIME, pickled BLOB, PRIMARY KEY (id));
            INSERT INTO alembic_version VALUES ('0a1b2c3d4e5f');
            INSERT INTO item VALUES (1, 1.1, '2024-01-31 12:34:56.000000', '08:30:00.000000', 'null', 'SMALL',
                '1970-01-02 00:00:00.000000', x'80049504'),
                (2, NULL, NULL, NULL, '[]', NULL, NULL, NULL);
            """,
            types: [
                "item.made": "dateTime", "item.opens": "time", "item.tags": "json", "item.price": "decimal",
                "item.lasts": "dateTime",
            ],
            answers: [
                "/items/1?fields=price,opens,tags": #"{"price":"1.10","opens":"08:30:00.000000","tags":null}"#,
                "/items/2?fields=price,tags": #"{"price":null,"tags":[]}"#,
            ]),
    ]
}
