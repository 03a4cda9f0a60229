extension Application {
    static let desktop = [
        // A column declared integer has texts and, where a text consists of digits, integers. Fields of a note are
        // separated by a control character.
        Application(
            "Anki",
            """
            CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
                tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT NULL, data text NOT NULL);
            CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, ease integer NOT NULL,
                ivl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL);
            INSERT INTO notes VALUES (1706704496123, 'k:$#2', 1342697561419, 1706704496, ' a b ',
                'Haus' || char(31) || 'house', 'Haus', 3456789012, ''),
                (1706704496124, 'k:$#3', 1342697561419, 1706704497, '', '1984' || char(31) || 'Orwell', '1984', 7, '');
            INSERT INTO revlog VALUES (1706704497000, 1706704496125, 3, -600, 2500, 4211);
            """,
            types: [
                "notes.sfld": "any", "notes.mod": "integer → timestamp, stored: unixSeconds", "notes.flds": "text",
                "revlog.id": "integer",
            ],
            answers: [
                "/notes?fields=sfld,tags,csum":
                    #"[{"sfld":"Haus","tags":" a b ","csum":3456789012},{"sfld":1984,"tags":"","csum":7}]"#,
                "/notes/1706704496123?fields=flds": #"{"flds":"Haus\u001fhouse"}"#,
                "{ revlog(id: 1706704497000) { ivl time } }": #"{"revlog":{"ivl":-600,"time":4211}}"#,
            ]),
        // Times have an offset from UTC, and the year 101 means that there is no date. A column named sort is also a
        // parameter of REST.
        Application(
            "Calibre",
            """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, sort TEXT COLLATE NOCASE,
                UNIQUE (name));
            CREATE TABLE books (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL DEFAULT 'Unknown' COLLATE NOCASE,
                timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, pubdate TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
                series_index REAL NOT NULL DEFAULT 1.0, has_cover BOOL DEFAULT 0,
                last_modified TIMESTAMP NOT NULL DEFAULT '2000-01-01 00:00:00+00:00');
            CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, author INTEGER NOT NULL,
                UNIQUE (book, author));
            INSERT INTO authors VALUES (1, 'Ada Lovelace', 'Lovelace, Ada');
            INSERT INTO books VALUES
                (1, 'Notes', '2011-09-06 06:00:00+00:00', '0101-01-01 00:00:00+00:00', 1.0, 1,
                    '2024-01-31 12:34:56.123456+00:00'),
                (2, 'more', '2011-09-06 06:00:00.5+02:00', '1843-09-30 22:00:00+00:00', 1.5, 0,
                    '2024-01-31 12:34:57+00:00');
            INSERT INTO books_authors_link VALUES (1, 1, 1), (2, 2, 1);
            """,
            types: [
                "books.timestamp": "timestamp, stored: offset", "books.pubdate": "timestamp, stored: offset",
                "books.has_cover": "boolean", "books.series_index": "number",
            ],
            answers: [
                "/books?sort=timestamp&fields=id,timestamp":
                    #"[{"id":2,"timestamp":"2011-09-06T04:00:00.5Z"},{"id":1,"timestamp":"2011-09-06T06:00:00Z"}]"#,
                "/books?pubdate.lt=1000-01-01T00:00:00Z&fields=pubdate,seriesIndex":
                    #"[{"pubdate":"0101-01-01T00:00:00Z","seriesIndex":1.0}]"#,
                "/authors?sort.eq=LOVELACE,%20ADA&fields=name": #"[{"name":"Ada Lovelace"}]"#,
            ]),
        // A column without a type, whose values are texts and numbers. A key that is not the primary key.
        Application(
            "Zotero",
            """
            CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL,
                dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT NOT NULL, key TEXT NOT NULL,
                synced INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key));
            CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
            CREATE TABLE itemData (itemID INT, fieldID INT, valueID INT, PRIMARY KEY (itemID, fieldID),
                FOREIGN KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE,
                FOREIGN KEY (valueID) REFERENCES itemDataValues(valueID));
            INSERT INTO items VALUES (1, 2, '2024-01-31 12:34:56', 1, 'ABCD2345', 0);
            INSERT INTO itemDataValues VALUES (10, 'On Computable Numbers'), (11, 1936), (12, '1936-11-12 Nov 12, 1936');
            INSERT INTO itemData VALUES (1, 110, 10), (1, 14, 12);
            """,
            types: ["itemDataValues.value": "any", "items.dateAdded": "dateTime"],
            answers: [
                "/itemDataValues?fields=value":
                    #"[{"value":"On Computable Numbers"},{"value":1936},{"value":"1936-11-12 Nov 12, 1936"}]"#,
                "/items/1/itemData?fields=fieldId&details=value&value.fields=value":
                    #"[{"fieldId":14,"value":{"value":"1936-11-12 Nov 12, 1936"}},{"fieldId":110,"value":{"value":"On Computable Numbers"}}]"#,
                "{ item(id: 1) { dateAdded } }": #"{"item":{"dateAdded":"2024-01-31T12:34:56"}}"#,
            ]),
        // Milliseconds in INT columns, and coordinates that were texts.
        Application(
            "Joplin",
            """
            CREATE TABLE notes (id TEXT PRIMARY KEY, parent_id TEXT NOT NULL DEFAULT "", title TEXT NOT NULL DEFAULT "",
                created_time INT NOT NULL, is_conflict INT NOT NULL DEFAULT 0, latitude NUMERIC NOT NULL DEFAULT 0,
                todo_due INT NOT NULL DEFAULT 0);
            CREATE VIRTUAL TABLE notes_fts USING fts4(content="notes", notindexed="id", id, title);
            INSERT INTO notes VALUES ('0a1b', '', 'Häuser', 1706704496120, 0, '48.13743000', 0),
                ('0a1c', '0a1b', '', 1706704496121, 1, 0, 1706704497000);
            INSERT INTO notes_fts (docid, id, title) SELECT rowid, id, title FROM notes;
            """,
            types: [
                "notes.created_time": "integer → timestamp, stored: unixMilliseconds", "notes.latitude": "decimal",
                "notes.todo_due": "integer", "notes_fts.title": "any → text",
            ],
            answers: [
                "/notes/0a1b?fields=latitude,title": #"{"latitude":"48.13743","title":"Häuser"}"#,
                "/notes?parentId=0a1b&fields=id,isConflict": #"[{"id":"0a1c","isConflict":1}]"#,
            ]),
        // A key that allows NULL is no key. Texts are in a column declared BLOB.
        Application(
            "Visual Studio Code",
            """
            CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
            INSERT INTO ItemTable VALUES ('editor.state', '{"a":[1,2]}'), ('empty', ''), ('colour', '"grün"');
            """,
            types: ["ItemTable.value": "text"],
            answers: [
                "/itemTables?key=editor.state": #"[{"key":"editor.state","value":"{\"a\":[1,2]}"}]"#,
                "/itemTables?key.like=c*&fields=value": #"[{"value":"\"grün\""}]"#,
            ]),
        // Julian days in a column declared DATETIME. A password is in a column named pw.
        Application(
            "Fossil",
            """
            CREATE TABLE blob (rid INTEGER PRIMARY KEY, rcvid INTEGER, size INTEGER, uuid TEXT UNIQUE NOT NULL,
                content BLOB, CHECK (length(uuid) >= 40 AND rid > 0));
            CREATE TABLE event (type TEXT, mtime DATETIME, objid INTEGER PRIMARY KEY, user TEXT, comment TEXT);
            CREATE TABLE user (uid INTEGER PRIMARY KEY, login TEXT UNIQUE, pw TEXT, cap TEXT, mtime DATE);
            INSERT INTO blob VALUES (1, 1, 3, '0123456789012345678901234567890123456789', x'00000003'),
                (2, 1, -1, '0123456789012345678901234567890123456780', NULL);
            INSERT INTO event VALUES ('ci', 2460341.0, 1, 'ada', 'First'), ('w', 2460341.25, 2, NULL, NULL);
            INSERT INTO user VALUES (1, 'ada', 'x', 's', 1706704496);
            """,
            types: [
                "event.mtime": "timestamp, stored: julianDays", "user.pw": "hidden",
                "user.mtime": "timestamp, stored: unixSeconds", "blob.uuid": "text",
            ],
            answers: [
                "/events?fields=type,mtime":
                    #"[{"type":"ci","mtime":"2024-01-31T12:00:00Z"},{"type":"w","mtime":"2024-01-31T18:00:00Z"}]"#,
                "/users/1": #"{"uid":1,"login":"ada","cap":"s","mtime":"2024-01-31T12:34:56Z"}"#,
                "/blobs?size=-1&fields=uuid,content":
                    #"[{"uuid":"0123456789012345678901234567890123456780","content":null}]"#,
            ]),
        // Times with a T and milliseconds.
        Application(
            "digiKam",
            """
            CREATE TABLE Images (id INTEGER PRIMARY KEY, album INTEGER, name TEXT NOT NULL, status INTEGER NOT NULL,
                modificationDate DATETIME, fileSize INTEGER, uniqueHash TEXT, UNIQUE (album, name));
            CREATE TABLE ImageInformation (imageid INTEGER PRIMARY KEY, rating INTEGER, creationDate DATETIME);
            INSERT INTO Images VALUES (1, 4, 'a.jpg', 1, '2024-01-31T12:34:56.789', 5000000000, 'ff'),
                (2, NULL, 'b.jpg', 3, '2024-01-31T12:34:56', 0, '');
            INSERT INTO ImageInformation VALUES (1, -1, '2024-01-31T12:34:56.000');
            """,
            types: [
                "Images.modificationDate": "dateTime, stored: iso",
                "ImageInformation.creationDate": "dateTime, stored: iso",
            ],
            answers: [
                "/images?modificationDate=2024-01-31T12:34:56&fields=id,album": #"[{"id":2,"album":null}]"#,
                "/images/1?fields=modificationDate,fileSize":
                    #"{"modificationDate":"2024-01-31T12:34:56.789","fileSize":5000000000}"#,
            ]),
        // Nanoseconds since 1970 are no time that Duet knows.
        Application(
            "Atuin",
            """
            CREATE TABLE history (id text PRIMARY KEY, timestamp integer NOT NULL, duration integer NOT NULL,
                exit integer NOT NULL, command text NOT NULL, cwd text NOT NULL, deleted_at integer,
                UNIQUE (timestamp, cwd, command));
            INSERT INTO history VALUES ('018d', 1706704496123456789, 1500000000, 0, 'echo "a\\b"', '/', NULL),
                ('018e', 1706704497000000000, -1, -1, '', '/tmp', 1706704498000000000);
            """,
            types: [
                "history.timestamp": "bigInteger", "history.duration": "integer", "history.deleted_at": "bigInteger",
            ],
            answers: [
                "/histories/018d?fields=timestamp,command":
                    #"{"timestamp":"1706704496123456789","command":"echo \"a\\b\""}"#,
                "/histories?timestamp.gt=1706704496123456789&fields=id,exit": #"[{"id":"018e","exit":-1}]"#,
            ]),
        // Keys are GUIDs as bytes, and a time of zero means that there is none.
        Application(
            "Windows Timeline",
            """
            CREATE TABLE Activity (Id GUID PRIMARY KEY NOT NULL, AppId TEXT NOT NULL, ActivityType INT NOT NULL,
                StartTime DATETIME, EndTime DATETIME, ExpirationTime DATETIME, Payload BLOB, ETag INT NOT NULL);
            INSERT INTO Activity VALUES (x'00112233445566778899aabbccddeeff', '[{"platform":"x"}]', 5, 1706704496,
                1706704497, 1709296496, '{"displayText":"a"}', 7),
                (x'00112233445566778899aabbccddeef0', '', 6, 1706704497, 0, NULL, x'ff', 8);
            """,
            types: [
                "Activity.Id": "binary", "Activity.StartTime": "timestamp, stored: unixSeconds",
                "Activity.EndTime": "timestamp, stored: unixSeconds", "Activity.Payload": "any",
            ],
            answers: [
                "/activities?eTag=8&fields=id,startTime,endTime,payload":
                    #"[{"id":"ABEiM0RVZneImaq7zN3u8A==","startTime":"2024-01-31T12:34:57Z","endTime":"1970-01-01T00:00:00Z","payload":"/w=="}]"#,
                "/activities?startTime=2024-01-31T12:34:56Z&fields=payload":
                    #"[{"payload":"{\"displayText\":\"a\"}"}]"#,
            ]),
        // The table of full texts has an unknown tokenizer, so that it cannot be read.
        Application(
            "Thunderbird",
            """
            CREATE TABLE conversations (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, oldestMessageDate INTEGER);
            CREATE TABLE messages (id INTEGER PRIMARY KEY, folderID INTEGER,
                conversationID INTEGER NOT NULL REFERENCES conversations(id), date INTEGER, headerMessageID TEXT,
                deleted INTEGER NOT NULL DEFAULT 0, jsonAttributes TEXT);
            INSERT INTO conversations VALUES (1, 'Re: ärger', 1706704496000000);
            INSERT INTO messages VALUES (1, 3, 1, 1706704496000000, '<a@b.example>', 0, '{"43":[1,"ada"]}'),
                (2, NULL, 1, NULL, 'ghost@b.example', 0, NULL);
            CREATE TABLE messagesText_content (docid INTEGER PRIMARY KEY, c0subject, c1body);
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema VALUES ('table', 'messagesText', 'messagesText', 0,
                'CREATE VIRTUAL TABLE messagesText USING fts3(tokenize mozporter, subject TEXT, body TEXT)');
            PRAGMA writable_schema = RESET;
            """,
            types: [
                "messages.date": "integer → timestamp, stored: unixMicroseconds", "messages.jsonAttributes": "text",
                "messagesText.body": "no table",
            ],
            answers: [
                "/conversations/1/messages?folderId.null=true&fields=id,headerMessageId":
                    #"[{"id":2,"headerMessageId":"ghost@b.example"}]"#,
                "/messages/1?fields=jsonAttributes": #"{"jsonAttributes":"{\"43\":[1,\"ada\"]}"}"#,
            ]),
    ]
}
