extension Application {
    static let servers = [
        // Zero dates are texts, and other programs join tables without foreign keys.
        Application(
            "WordPress",
            """
            CREATE TABLE `wp_posts` (`ID` integer PRIMARY KEY AUTOINCREMENT NOT NULL, `post_author` integer NOT NULL DEFAULT 0,
                `post_date` text NOT NULL DEFAULT '0000-00-00 00:00:00' COLLATE NOCASE,
                `post_date_gmt` text NOT NULL DEFAULT '0000-00-00 00:00:00' COLLATE NOCASE,
                `post_title` text NOT NULL COLLATE NOCASE, `post_password` text NOT NULL DEFAULT '' COLLATE NOCASE);
            CREATE TABLE `_mysql_data_types_cache` (`table` TEXT NOT NULL, `column_or_index` TEXT NOT NULL,
                `mysql_type` TEXT NOT NULL, PRIMARY KEY(`table`, `column_or_index`));
            INSERT INTO wp_posts VALUES (1, 1, '2024-01-31 12:34:56', '2024-01-31 11:34:56', 'Hello', ''),
                (2, 1, '2024-01-31 12:34:57', '0000-00-00 00:00:00', 'Draft', 'x');
            INSERT INTO _mysql_data_types_cache VALUES ('wp_posts', 'ID', 'bigint(20) unsigned');
            """,
            types: [
                "wp_posts.post_date": "text → dateTime", "wp_posts.post_date_gmt": "text",
                "wp_posts.post_password": "hidden",
            ],
            answers: [
                "/wpPosts?postTitle=DRAFT&fields=id,postDateGmt": #"[{"id":2,"postDateGmt":"0000-00-00 00:00:00"}]"#,
                "/mysqlDataTypesCaches/wp_posts,ID?fields=mysqlType": #"{"mysqlType":"bigint(20) unsigned"}"#,
            ]),
        // Texts and times of digits are in columns declared BLOB.
        Application(
            "MediaWiki",
            """
            CREATE TABLE page (page_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, page_namespace INTEGER NOT NULL,
                page_title BLOB NOT NULL, page_is_new SMALLINT UNSIGNED DEFAULT 0 NOT NULL,
                page_random DOUBLE PRECISION NOT NULL, page_touched BLOB NOT NULL, page_content_model BLOB DEFAULT NULL);
            CREATE UNIQUE INDEX page_name_title ON page (page_namespace, page_title);
            CREATE TABLE text (old_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, old_text BLOB NOT NULL,
                old_flags BLOB NOT NULL);
            CREATE TABLE user (user_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, user_name BLOB DEFAULT '' NOT NULL,
                user_password BLOB NOT NULL, user_newpass_time BLOB DEFAULT NULL);
            INSERT INTO page VALUES (1, 0, 'Käse', 1, 0.25, '20240131123456', NULL),
                (2, -1, 'Main_Page', 0, 0.5, '20240131123457', 'wikitext');
            INSERT INTO text VALUES (1, 'plain', 'utf-8'), (2, x'cb48', 'gzip');
            INSERT INTO user VALUES (1, 'Ada', ':pbkdf2:x', NULL);
            """,
            types: [
                "page.page_title": "text", "page.page_touched": "text", "text.old_text": "any",
                "text.old_flags": "text",
                "user.user_password": "hidden",
            ],
            answers: [
                "/pages?pageTitle=K%C3%A4se":
                    #"[{"pageId":1,"pageNamespace":0,"pageTitle":"Käse","pageIsNew":1,"pageRandom":0.25,"pageTouched":"20240131123456","pageContentModel":null}]"#,
                "/texts":
                    #"[{"oldId":1,"oldText":"plain","oldFlags":"utf-8"},{"oldId":2,"oldText":"y0g=","oldFlags":"gzip"}]"#,
            ]),
        // Almost all integers are declared BIGINT, so that they are texts in JSON.
        Application(
            "Nextcloud",
            """
            CREATE TABLE oc_filecache (fileid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, storage BIGINT DEFAULT 0 NOT NULL,
                path VARCHAR(4000) DEFAULT NULL COLLATE "BINARY", size BIGINT DEFAULT 0 NOT NULL,
                mtime BIGINT DEFAULT 0 NOT NULL, encrypted INTEGER DEFAULT 0 NOT NULL);
            CREATE TABLE oc_preferences (userid VARCHAR(64) DEFAULT '' NOT NULL COLLATE "BINARY",
                appid VARCHAR(32) DEFAULT '' NOT NULL COLLATE "BINARY",
                configkey VARCHAR(64) DEFAULT '' NOT NULL COLLATE "BINARY", configvalue CLOB DEFAULT NULL,
                PRIMARY KEY (userid, appid, configkey));
            INSERT INTO oc_filecache VALUES (1, 1, '', -1, 1706704496, 0), (2, 1, 'files/ä.txt', 9007199254740993, 1706704497, 0);
            INSERT INTO oc_preferences VALUES ('ada', 'core', 'lang', 'de'), ('ada', 'login', 'last/Login', '1706704496');
            """,
            types: [
                "oc_filecache.size": "bigInteger", "oc_filecache.mtime": "bigInteger → timestamp, stored: unixSeconds",
                "oc_preferences.configvalue": "text",
            ],
            answers: [
                "/ocFilecaches?size.lt=0&fields=fileid,path,size": #"[{"fileid":1,"path":"","size":"-1"}]"#,
                "/ocFilecaches/2?fields=size": #"{"size":"9007199254740993"}"#,
                "/ocPreferences/ada,login,last%2FLogin?fields=configvalue": #"{"configvalue":"1706704496"}"#,
            ]),
        Application(
            "Gitea",
            """
            CREATE TABLE `user` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `lower_name` TEXT NOT NULL,
                `passwd` TEXT NOT NULL, `rands` TEXT NULL, `salt` TEXT NULL, `is_active` INTEGER NULL,
                `created_unix` INTEGER NULL);
            CREATE UNIQUE INDEX `UQE_user_lower_name` ON `user` (`lower_name`);
            CREATE TABLE `access_token` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `uid` INTEGER NULL,
                `token_hash` TEXT NULL, `token_salt` TEXT NULL, `scope` TEXT NULL);
            INSERT INTO user VALUES (1, 'ada', 'x', 'r', 's', 1, 1706704496), (2, 'ghost', '', NULL, NULL, 0, NULL);
            INSERT INTO access_token VALUES (1, 1, 'h', 's', 'all');
            """,
            types: [
                "user.passwd": "hidden", "user.salt": "hidden", "access_token.token_hash": "hidden",
                "access_token.token_salt": "hidden", "user.created_unix": "integer → timestamp, stored: unixSeconds",
            ],
            answers: [
                "/users?lowerName=ghost&fields=id,isActive,createdUnix": #"[{"id":2,"isActive":0,"createdUnix":null}]"#,
                "/accessTokens": #"[{"id":1,"uid":1,"scope":"all"}]"#,
            ]),
        // One table has times with a space, and one has times with a T and a Z.
        Application(
            "Grafana",
            """
            CREATE TABLE `dashboard` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `version` INTEGER NOT NULL,
                `slug` TEXT NOT NULL, `data` TEXT NOT NULL, `created` DATETIME NOT NULL, `is_folder` INTEGER NOT NULL DEFAULT 0);
            CREATE TABLE `migration_log` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `success` INTEGER NOT NULL,
                `error` TEXT NOT NULL, `timestamp` DATETIME NOT NULL);
            CREATE TABLE `annotation` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `epoch` INTEGER NOT NULL,
                `text` TEXT NOT NULL);
            INSERT INTO dashboard VALUES (1, 3, 'home', '{"panels":[]}', '2024-01-31 12:34:56', 0);
            INSERT INTO migration_log VALUES (1, 1, '', '2024-01-31T12:34:56Z'), (2, 0, 'no table', '2024-01-31T12:34:57Z');
            INSERT INTO annotation VALUES (1, 1706704496120, 'x');
            """,
            types: [
                "dashboard.created": "dateTime", "migration_log.timestamp": "timestamp, stored: utc",
                "annotation.epoch": "integer",
            ],
            answers: [
                "/dashboards/1?fields=created,data": #"{"created":"2024-01-31T12:34:56","data":"{\"panels\":[]}"}"#,
                "/migrationLogs?timestamp.gt=2024-01-31T12:34:56Z&fields=error,timestamp":
                    #"[{"error":"no table","timestamp":"2024-01-31T12:34:57Z"}]"#,
            ]),
        // Seconds with microseconds as floating-point numbers, and columns of the type CHAR(0) that are empty.
        Application(
            "Home Assistant",
            """
            CREATE TABLE state_attributes (attributes_id INTEGER NOT NULL, hash BIGINT, shared_attrs TEXT,
                PRIMARY KEY (attributes_id));
            CREATE TABLE states (state_id INTEGER NOT NULL, entity_id CHAR(0), state VARCHAR(255),
                last_updated_ts FLOAT, last_changed_ts FLOAT, old_state_id INTEGER, attributes_id INTEGER,
                context_id_bin BLOB, PRIMARY KEY (state_id),
                FOREIGN KEY(old_state_id) REFERENCES states (state_id),
                FOREIGN KEY(attributes_id) REFERENCES state_attributes (attributes_id));
            CREATE TABLE recorder_runs (run_id INTEGER NOT NULL, start DATETIME NOT NULL, "end" DATETIME,
                closed_incorrect BOOLEAN NOT NULL, PRIMARY KEY (run_id));
            INSERT INTO state_attributes VALUES (1, 4242424242, '{"unit":"°C"}');
            INSERT INTO states VALUES (1, NULL, '21.5', 1706704496.123456, NULL, NULL, 1, x'00ff'),
                (2, NULL, 'unavailable', 1706704497.0, 1706704496.5, 1, NULL, NULL);
            INSERT INTO recorder_runs VALUES (1, '2024-01-31 12:34:56.789012', NULL, 0);
            """,
            types: [
                "states.last_updated_ts": "number → timestamp, stored: unixSeconds", "states.entity_id": "text",
                "state_attributes.hash": "hidden", "recorder_runs.start": "dateTime",
                "recorder_runs.closed_incorrect": "boolean",
            ],
            answers: [
                "/states?fields=state,lastUpdatedTs,contextIdBin&details=oldState&oldState.fields=state":
                    #"[{"state":"21.5","lastUpdatedTs":1706704496.123456,"contextIdBin":"AP8=","oldState":null},{"state":"unavailable","lastUpdatedTs":1706704497.0,"contextIdBin":null,"oldState":{"state":"21.5"}}]"#,
                "/recorderRuns":
                    #"[{"runId":1,"start":"2024-01-31T12:34:56.789012","end":null,"closedIncorrect":false}]"#,
            ]),
        // GUIDs are bytes, times have seven digits of a fraction and a Z, and JSON is in a column declared BLOB.
        Application(
            "Jellyfin",
            """
            CREATE TABLE TypedBaseItems (guid GUID PRIMARY KEY NOT NULL, type TEXT NOT NULL, data BLOB NULL,
                ParentId GUID NULL, StartDate DATETIME NULL, IsMovie BIT NULL, CommunityRating FLOAT NULL,
                RunTimeTicks BIGINT NULL, DateCreated DATETIME NULL);
            INSERT INTO TypedBaseItems VALUES (x'00112233445566778899aabbccddeeff', 'Movie', '{"Name":"M"}', NULL, NULL, 1,
                7.5, 72000000000, '2024-01-31 12:34:56.1234567Z'),
                (x'00112233445566778899aabbccddee00', 'Folder', NULL, x'00112233445566778899aabbccddeeff', NULL, NULL,
                NULL, NULL, '2024-01-31 12:34:57Z');
            """,
            types: [
                "TypedBaseItems.guid": "binary", "TypedBaseItems.data": "text", "TypedBaseItems.IsMovie": "boolean",
                "TypedBaseItems.DateCreated": "timestamp, stored: offset", "TypedBaseItems.RunTimeTicks": "bigInteger",
            ],
            answers: [
                "/typedBaseItems?isMovie=true&fields=guid,data,runTimeTicks,dateCreated":
                    #"[{"guid":"ABEiM0RVZneImaq7zN3u/w==","data":"{\"Name\":\"M\"}","runTimeTicks":"72000000000","dateCreated":"2024-01-31T12:34:56.1234567Z"}]"#
            ]),
        // Columns are numbered, and dates are texts.
        Application(
            "Kodi",
            """
            CREATE TABLE files (idFile INTEGER PRIMARY KEY, idPath INTEGER, strFilename TEXT, playCount INTEGER,
                lastPlayed TEXT, dateAdded TEXT);
            CREATE TABLE movie (idMovie INTEGER PRIMARY KEY, idFile INTEGER, c00 TEXT, c05 TEXT, premiered TEXT);
            CREATE TABLE rating (rating_id INTEGER PRIMARY KEY, media_id INTEGER, rating_type TEXT, rating FLOAT);
            CREATE VIEW movie_view AS SELECT movie.*, files.playCount AS playCount FROM movie
                JOIN files ON files.idFile = movie.idFile;
            INSERT INTO files VALUES (1, 1, 'a.mkv', NULL, NULL, '2024-01-31 12:34:56'),
                (2, 1, 'b.mkv', 2, '2024-01-31 12:34:57', '2024-01-31 12:34:58');
            INSERT INTO movie VALUES (1, 2, 'Metropolis', '9', '1927-01-10'), (2, 1, '', NULL, NULL);
            INSERT INTO rating VALUES (1, 1, 'default', 8.300000190734863);
            """,
            types: [
                "files.lastPlayed": "text → dateTime", "movie.premiered": "text → date", "rating.rating": "number",
                "movie_view.playCount": "integer",
            ],
            answers: [
                "/movieViews?playCount=2":
                    #"[{"idMovie":1,"idFile":2,"c00":"Metropolis","c05":"9","premiered":"1927-01-10","playCount":2}]"#,
                "/ratings/1?fields=rating": #"{"rating":8.300000190734863}"#,
                "/files/1?fields=playCount,lastPlayed": #"{"playCount":null,"lastPlayed":null}"#,
            ]),
        // Unknown types that contain INT, times before 1970, and an unknown tokenizer.
        Application(
            "Plex",
            """
            CREATE TABLE 'library_sections' ('id' INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, 'name' varchar(255));
            CREATE TABLE 'metadata_items' ('id' INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, 'library_section_id' integer,
                'guid' varchar(255), 'title' varchar(255), 'rating' float, 'originally_available_at' dt_integer(8),
                'added_at' dt_integer(8), 'duration' integer, 'hash' varchar(255));
            INSERT INTO library_sections VALUES (1, 'Films');
            INSERT INTO metadata_items VALUES (1, 1, 'plex://m/1', 'M', 8.3, -1230768000, 1706704496, 6660000, 'x'),
                (2, 1, 'local://2', NULL, NULL, NULL, 1706704497, NULL, NULL);
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema VALUES ('table', 'fts4_titles', 'fts4_titles', 0,
                'CREATE VIRTUAL TABLE fts4_titles USING fts4(content=''metadata_items'', title, tokenize=collating)');
            PRAGMA writable_schema = RESET;
            """,
            types: [
                "metadata_items.added_at": "integer → timestamp, stored: unixSeconds",
                "metadata_items.originally_available_at": "integer", "metadata_items.hash": "hidden",
                "fts4_titles.title": "no table",
            ],
            answers: [
                "/metadataItems/1?fields=rating,originallyAvailableAt,duration":
                    #"{"rating":8.3,"originallyAvailableAt":-1230768000,"duration":6660000}"#,
                "/metadataItems?title.null=true&fields=id,addedAt": #"[{"id":2,"addedAt":1706704497}]"#,
            ]),
        // Times have nine digits of a fraction. A column named fields is also a parameter of REST.
        Application(
            "Vaultwarden",
            """
            CREATE TABLE users (uuid CHAR(36) NOT NULL PRIMARY KEY, created_at DATETIME NOT NULL, email TEXT NOT NULL UNIQUE,
                password_hash BLOB NOT NULL, salt BLOB NOT NULL, password_hint TEXT, private_key TEXT,
                equivalent_domains TEXT NOT NULL);
            CREATE TABLE ciphers (uuid CHAR(36) NOT NULL PRIMARY KEY, user_uuid CHAR(36) REFERENCES users(uuid),
                atype INTEGER NOT NULL, name TEXT NOT NULL, fields TEXT, password_history TEXT, deleted_at DATETIME);
            INSERT INTO users VALUES ('0b6f4c1e-0000-4000-8000-00000000000a', '2024-01-31 12:34:56.123456789',
                'ada@a.example', x'00', x'01', NULL, NULL, '[]');
            INSERT INTO ciphers VALUES ('0b6f4c1e-0000-4000-8000-0000000000c1', '0b6f4c1e-0000-4000-8000-00000000000a', 1,
                '2.x|y', '[]', NULL, NULL), ('0b6f4c1e-0000-4000-8000-0000000000c2', NULL, 2, '', NULL, NULL,
                '2024-01-31 12:34:57.123456780');
            """,
            types: [
                "users.password_hash": "hidden", "users.salt": "hidden", "users.private_key": "hidden",
                "users.password_hint": "hidden", "ciphers.password_history": "hidden", "users.created_at": "dateTime",
            ],
            answers: [
                "/users":
                    #"[{"uuid":"0b6f4c1e-0000-4000-8000-00000000000a","createdAt":"2024-01-31T12:34:56.123456789","email":"ada@a.example","equivalentDomains":"[]"}]"#,
                "/ciphers?deletedAt=2024-01-31T12:34:57.123456780&fields=atype,userUuid":
                    #"[{"atype":2,"userUuid":null}]"#,
                "/ciphers?fields.eq=[]&fields=name&details=user&user.fields=email":
                    #"[{"name":"2.x|y","user":{"email":"ada@a.example"}}]"#,
            ]),
    ]
}
