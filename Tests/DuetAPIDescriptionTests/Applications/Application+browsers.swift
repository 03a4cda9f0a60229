extension Application {
    static let browsers = [
        // Times in microseconds since 1970, hashes of 48 bits, a nullable unique index.
        Application(
            "Firefox places",
            """
            CREATE TABLE moz_origins (id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL,
                frecency INTEGER NOT NULL, UNIQUE (prefix, host));
            CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR,
                visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL,
                last_visit_date INTEGER, guid TEXT, url_hash INTEGER DEFAULT 0 NOT NULL,
                origin_id INTEGER REFERENCES moz_origins(id));
            CREATE UNIQUE INDEX moz_places_guid_uniqueindex ON moz_places (guid);
            CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER,
                visit_date INTEGER, visit_type INTEGER);
            INSERT INTO moz_origins VALUES (1, 'https://', 'swift.example', 250);
            INSERT INTO moz_places VALUES
                (1, 'https://swift.example/a', 'Swift', 'elpmaxe.tfiws.', 2, 0, 250, 1706704496123456, 'aaaaaaaaaaaa',
                    47358032558425, 1),
                (2, 'place:sort=8', NULL, NULL, 0, 1, -1, NULL, 'bbbbbbbbbbbb', 0, NULL);
            INSERT INTO moz_historyvisits VALUES (1, 0, 1, 1706704495000000, 1), (2, 1, 1, 1706704496123456, 6);
            """,
            types: [
                "moz_places.url": "text", "moz_places.url_hash": "integer",
                "moz_places.last_visit_date": "integer → timestamp, stored: unixMicroseconds",
                "moz_historyvisits.visit_date": "integer → timestamp, stored: unixMicroseconds",
            ],
            answers: [
                "/mozPlaces?lastVisitDate.null=true&fields=id,url,frecency":
                    #"[{"id":2,"url":"place:sort=8","frecency":-1}]"#,
                "/mozPlaces/1?fields=urlHash,lastVisitDate&details=origin&origin.fields=host":
                    #"{"urlHash":47358032558425,"lastVisitDate":1706704496123456,"origin":{"host":"swift.example"}}"#,
                "{ mozHistoryvisits(filter: {visitType: {eq: 6}}) { nodes { id fromVisit placeId } } }":
                    #"{"mozHistoryvisits":{"nodes":[{"id":2,"fromVisit":1,"placeId":1}]}}"#,
            ]),
        // Seconds and microseconds in one table, texts that are empty or begin with a caret.
        Application(
            "Firefox cookies",
            """
            CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '', name TEXT,
                value TEXT, host TEXT, path TEXT, expiry INTEGER, lastAccessed INTEGER, creationTime INTEGER,
                isSecure INTEGER, isHttpOnly INTEGER, sameSite INTEGER DEFAULT 0,
                CONSTRAINT moz_uniqueid UNIQUE (name, host, path, originAttributes));
            INSERT INTO moz_cookies VALUES
                (1, '', 'lang', 'de', '.shop.example', '/', 1738240496, 1706704496000001, 1706704495000000, 1, 0, 0),
                (2, '^userContextId=1', 'lang', '', '.shop.example', '/', 1738240497, 1706704496000002,
                    1706704495000001, 0, 1, 256);
            """,
            types: [
                "moz_cookies.expiry": "integer → timestamp, stored: unixSeconds",
                "moz_cookies.creationTime": "integer → timestamp, stored: unixMicroseconds",
            ],
            answers: [
                "/mozCookies?originAttributes=&fields=id,value": #"[{"id":1,"value":"de"}]"#,
                "/mozCookies?sort=-creationTime&fields=originAttributes,expiry":
                    #"[{"originAttributes":"^userContextId=1","expiry":1738240497},{"originAttributes":"","expiry":1738240496}]"#,
            ]),
        // A join table WITHOUT ROWID with a column of its own, and pictures.
        Application(
            "Firefox favicons",
            """
            CREATE TABLE moz_icons (id INTEGER PRIMARY KEY, icon_url TEXT NOT NULL, width INTEGER NOT NULL DEFAULT 0,
                color INTEGER, expire_ms INTEGER NOT NULL DEFAULT 0, data BLOB);
            CREATE TABLE moz_pages_w_icons (id INTEGER PRIMARY KEY, page_url TEXT NOT NULL,
                page_url_hash INTEGER NOT NULL);
            CREATE TABLE moz_icons_to_pages (page_id INTEGER NOT NULL, icon_id INTEGER NOT NULL,
                expire_ms INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (page_id, icon_id),
                FOREIGN KEY (page_id) REFERENCES moz_pages_w_icons ON DELETE CASCADE,
                FOREIGN KEY (icon_id) REFERENCES moz_icons ON DELETE CASCADE) WITHOUT ROWID;
            INSERT INTO moz_icons VALUES (1, 'https://a.example/i.png', 16, 4286611584, 1706704496000, x'89504e47'),
                (2, 'https://a.example/i.svg', 65535, NULL, 0, NULL);
            INSERT INTO moz_pages_w_icons VALUES (7, 'https://a.example/', 47356411089529);
            INSERT INTO moz_icons_to_pages VALUES (7, 1, 0), (7, 2, 1706704496000);
            """,
            types: ["moz_icons.data": "binary", "moz_icons.expire_ms": "integer"],
            answers: [
                "/mozIcons/1?fields=color,data": #"{"color":4286611584,"data":"iVBORw=="}"#,
                "/mozPagesWIcons/7/mozIconsToPages?fields=iconId&details=icon&icon.fields=width":
                    #"[{"iconId":1,"icon":{"width":16}},{"iconId":2,"icon":{"width":65535}}]"#,
            ]),
        // Microseconds since 1601 need more than 53 bits. A column named url is a reference without a foreign key.
        Application(
            "Chrome History",
            """
            CREATE TABLE meta (key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
            CREATE TABLE urls (id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR, title LONGVARCHAR,
                visit_count INTEGER DEFAULT 0 NOT NULL, last_visit_time INTEGER NOT NULL,
                hidden INTEGER DEFAULT 0 NOT NULL);
            CREATE TABLE visits (id INTEGER PRIMARY KEY AUTOINCREMENT, url INTEGER NOT NULL,
                visit_time INTEGER NOT NULL, from_visit INTEGER, transition INTEGER DEFAULT 0 NOT NULL,
                visit_duration INTEGER DEFAULT 0 NOT NULL);
            INSERT INTO meta VALUES ('mmap_status', -1), ('version', 65);
            INSERT INTO urls VALUES (1, 'https://a.example/?q=1,2', '', 3, 13351178096000000, 0),
                (2, 'file:///tmp/ä b', 'Ä', 1, 0, 0);
            INSERT INTO visits VALUES (1, 1, 13351178095123456, 0, 805306368, 1500000),
                (2, 1, 13351178096000000, 1, -2147483647, 0);
            """,
            types: [
                "meta.value": "text", "urls.last_visit_time": "bigInteger → timestamp, stored: webKitMicroseconds",
                "visits.visit_time": "bigInteger → timestamp, stored: webKitMicroseconds",
                "visits.visit_duration": "integer",
            ],
            answers: [
                "/metas/mmap_status": #"{"key":"mmap_status","value":"-1"}"#,
                "/visits?visitTime.lt=13351178096000000&fields=visitTime,transition":
                    #"[{"visitTime":"13351178095123456","transition":805306368}]"#,
                "{ urls(filter: {lastVisitTime: {eq: \"0\"}}) { nodes { url title } } }":
                    #"{"urls":{"nodes":[{"url":"file:///tmp/ä b","title":"Ä"}]}}"#,
            ]),
        // The only unique key is an index of several columns. Encrypted values are bytes.
        Application(
            "Chrome Cookies",
            """
            CREATE TABLE cookies (creation_utc INTEGER NOT NULL, host_key TEXT NOT NULL,
                top_frame_site_key TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
                encrypted_value BLOB NOT NULL, path TEXT NOT NULL, expires_utc INTEGER NOT NULL,
                is_secure INTEGER NOT NULL, source_port INTEGER NOT NULL);
            CREATE UNIQUE INDEX cookies_unique_index ON cookies (host_key, top_frame_site_key, name, path, source_port);
            INSERT INTO cookies VALUES
                (13351178096000000, '.a.example', '', 'id', '', x'763130ab', '/', 13382714096000000, 1, 443),
                (13351178096000001, '.a.example', '', 'session', 'on', x'', '/x', 0, 0, -1);
            """,
            types: [
                "cookies.creation_utc": "bigInteger → timestamp, stored: webKitMicroseconds",
                "cookies.expires_utc": "bigInteger → timestamp, stored: webKitMicroseconds",
                "cookies.encrypted_value": "binary",
            ],
            answers: [
                "/cookies/.a.example,,id,%2F,443?fields=encryptedValue,expiresUtc":
                    #"{"encryptedValue":"djEwqw==","expiresUtc":"13382714096000000"}"#,
                "/cookies?sourcePort.lt=0&fields=name,value,encryptedValue":
                    #"[{"name":"session","value":"on","encryptedValue":""}]"#,
            ]),
        // Passwords are hidden, although they are encrypted.
        Application(
            "Chrome Login Data",
            """
            CREATE TABLE logins (origin_url VARCHAR NOT NULL, action_url VARCHAR, username_element VARCHAR,
                username_value VARCHAR, password_element VARCHAR, password_value BLOB, signon_realm VARCHAR NOT NULL,
                date_created INTEGER NOT NULL, blacklisted_by_user INTEGER NOT NULL,
                id INTEGER PRIMARY KEY AUTOINCREMENT, date_last_used INTEGER NOT NULL DEFAULT 0,
                UNIQUE (origin_url, username_element, username_value, password_element, signon_realm));
            INSERT INTO logins VALUES
                ('https://a.example/', '', 'user', 'ada', 'pass', x'763130', 'https://a.example/', 13351178096000000, 0,
                    1, 13351178097000000),
                ('https://b.example/', NULL, '', '', '', x'', 'https://b.example/', 13351178096000001, 1, 2, 0);
            """,
            types: [
                "logins.password_element": "hidden", "logins.password_value": "hidden",
                "logins.date_created": "bigInteger → timestamp, stored: webKitMicroseconds",
            ],
            answers: [
                "/logins/1":
                    #"{"originUrl":"https://a.example/","actionUrl":"","usernameElement":"user","usernameValue":"ada","signonRealm":"https://a.example/","dateCreated":"13351178096000000","blacklistedByUser":0,"id":1,"dateLastUsed":"13351178097000000"}"#,
                "/logins?blacklistedByUser=1&fields=id,actionUrl": #"[{"id":2,"actionUrl":null}]"#,
            ]),
        // A column named count is also a parameter of REST.
        Application(
            "Chrome Web Data",
            """
            CREATE TABLE autofill (name VARCHAR, value VARCHAR, value_lower VARCHAR, date_created INTEGER DEFAULT 0,
                date_last_used INTEGER DEFAULT 0, count INTEGER DEFAULT 1, PRIMARY KEY (name, value));
            CREATE TABLE keywords (id INTEGER PRIMARY KEY, short_name VARCHAR NOT NULL, keyword VARCHAR NOT NULL,
                url VARCHAR NOT NULL, date_created INTEGER DEFAULT 0, sync_guid VARCHAR);
            INSERT INTO autofill VALUES ('city', 'Köln', 'köln', 1706704496, 1706704497, 3),
                ('city', '', '', 1706704496, 1706704496, 1);
            INSERT INTO keywords VALUES (2, 'Search', 's', '{google:baseURL}search?q={searchTerms}', 0, 'x-1');
            """,
            types: [
                "autofill.date_created": "integer → timestamp, stored: unixSeconds", "keywords.date_created": "integer",
            ],
            answers: [
                "/autofills?count.eq=3&fields=name,value,count": #"[{"name":"city","value":"Köln","count":3}]"#,
                "/autofills/city,?fields=valueLower": #"{"valueLower":""}"#,
                "/keywords?fields=url": #"[{"url":"{google:baseURL}search?q={searchTerms}"}]"#,
            ]),
        // Seconds since 2001 in a REAL column, and references of a table to itself.
        Application(
            "Safari History",
            """
            CREATE TABLE history_items (id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL UNIQUE,
                domain_expansion TEXT NULL, visit_count INTEGER NOT NULL, daily_visit_counts BLOB NOT NULL,
                weekly_visit_counts BLOB NULL);
            CREATE TABLE history_visits (id INTEGER PRIMARY KEY AUTOINCREMENT,
                history_item INTEGER NOT NULL REFERENCES history_items(id) ON DELETE CASCADE,
                visit_time REAL NOT NULL, title TEXT NULL, load_successful BOOLEAN NOT NULL DEFAULT 1,
                redirect_source INTEGER NULL UNIQUE REFERENCES history_visits(id) ON DELETE CASCADE,
                redirect_destination INTEGER NULL UNIQUE REFERENCES history_visits(id) ON DELETE CASCADE);
            INSERT INTO history_items VALUES (1, 'https://a.example/', 'a', 2, x'02000000', NULL);
            INSERT INTO history_visits VALUES (1, 1, 728397296.25, 'A', 1, NULL, NULL),
                (2, 1, 728397297, NULL, 0, 1, NULL);
            """,
            types: [
                "history_visits.visit_time": "number → timestamp, stored: cocoaSeconds",
                "history_visits.load_successful": "boolean",
            ],
            answers: [
                "/historyVisits?loadSuccessful=false&fields=id,redirectSource": #"[{"id":2,"redirectSource":1}]"#,
                "/historyVisits/1?fields=visitTime&details=historyItemRow&historyItemRow.fields=dailyVisitCounts":
                    #"{"visitTime":728397296.25,"historyItemRow":{"dailyVisitCounts":"AgAAAA=="}}"#,
            ]),
    ]
}
