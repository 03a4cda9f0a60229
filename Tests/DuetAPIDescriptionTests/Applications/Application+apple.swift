extension Application {
    static let apple = [
        // Times are numbers in TIMESTAMP columns, and some are far in the past or the future. Names are in upper case.
        Application(
            "Core Data",
            """
            CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISDONE INTEGER,
                ZFOLDER INTEGER, ZCREATED TIMESTAMP, ZPRICE DECIMAL, ZRATIO FLOAT, ZTITLE VARCHAR, ZDATA BLOB,
                ZDUE TIMESTAMP);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            INSERT INTO ZNOTE VALUES (1, 1, 3, 0, NULL, 728397296.5, 1.25, 0.5, 'One', NULL, 63113904000),
                (2, 1, 1, 1, 4, 728397297, 3, 2, '', x'00', -1000000000);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 2);
            INSERT INTO Z_METADATA VALUES (1, '0B6F4C1E-0000-4000-8000-000000000001', x'62706c6973743030d0');
            INSERT INTO Z_MODELCACHE VALUES (x'ff');
            """,
            types: [
                "ZNOTE.ZCREATED": "timestamp, stored: cocoaSeconds", "ZNOTE.ZPRICE": "decimal",
                "ZNOTE.ZDUE": "timestamp, stored: cocoaSeconds", "ZNOTE.ZRATIO": "number",
                "Z_METADATA.Z_PLIST": "binary",
            ],
            answers: [
                "/znotes?fields=zPk,zcreated,zprice":
                    #"[{"zPk":1,"zcreated":"2024-01-31T12:34:56.5Z","zprice":"1.25"},{"zPk":2,"zcreated":"2024-01-31T12:34:57Z","zprice":"3"}]"#,
                "/znotes?zcreated.gt=2024-01-31T12:34:56.5Z&fields=ztitle,zdata": #"[{"ztitle":"","zdata":"AA=="}]"#,
                "/znotes?sort=zdue&fields=zdue":
                    #"[{"zdue":"1969-04-24T22:13:20Z"},{"zdue":"4001-01-01T00:00:00Z"}]"#,
                "/zMetadata/1?fields=zPlist": #"{"zPlist":"YnBsaXN0MDDQ"}"#,
            ]),
        // A coordinate of -180 means that there is none. The names of join tables and their columns have digits.
        Application(
            "Apple Photos",
            """
            CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER, ZDATECREATED TIMESTAMP, ZDURATION FLOAT,
                ZLATITUDE FLOAT, ZUUID VARCHAR, ZTRASHEDDATE TIMESTAMP);
            CREATE TABLE Z_26ASSETS (Z_26ALBUMS INTEGER, Z_3ASSETS INTEGER, Z_FOK_3ASSETS INTEGER,
                PRIMARY KEY (Z_26ALBUMS, Z_3ASSETS));
            INSERT INTO ZASSET VALUES (1, 0, 728397296.123456, 0, 48.1375, 'A-1', NULL),
                (2, 1, 728397290, 12.5, -180, 'A-2', NULL);
            INSERT INTO Z_26ASSETS VALUES (5, 1, 2048), (5, 2, 4096);
            """,
            types: [
                "ZASSET.ZDATECREATED": "timestamp, stored: cocoaSeconds", "ZASSET.ZTRASHEDDATE": "dateTime",
                "ZASSET.ZLATITUDE": "number",
            ],
            answers: [
                "/zassets?sort=zdatecreated&fields=zuuid,zdatecreated":
                    #"[{"zuuid":"A-2","zdatecreated":"2024-01-31T12:34:50Z"},{"zuuid":"A-1","zdatecreated":"2024-01-31T12:34:56.123456Z"}]"#,
                "/z26Assets/5,2": #"{"z26Albums":5,"z3Assets":2,"zFok3Assets":4096}"#,
            ]),
        // One wide table for all entities, and compressed bytes.
        Application(
            "Apple Notes",
            """
            CREATE TABLE ZICCLOUDSYNCINGOBJECT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZISPASSWORDPROTECTED INTEGER,
                ZNOTEDATA INTEGER, ZCREATIONDATE1 TIMESTAMP, ZPASSWORDHINT VARCHAR, ZTITLE1 VARCHAR, ZTITLE2 VARCHAR);
            CREATE TABLE ZICNOTEDATA (Z_PK INTEGER PRIMARY KEY, ZNOTE INTEGER, ZCRYPTOTAG BLOB, ZDATA BLOB);
            INSERT INTO ZICCLOUDSYNCINGOBJECT VALUES (1, 9, 0, 1, 728397296.5, NULL, 'List', NULL),
                (2, 11, NULL, NULL, NULL, 'cat', NULL, 'Folder');
            INSERT INTO ZICNOTEDATA VALUES (1, 1, NULL, x'1f8b');
            """,
            types: [
                "ZICCLOUDSYNCINGOBJECT.ZPASSWORDHINT": "hidden",
                "ZICCLOUDSYNCINGOBJECT.ZCREATIONDATE1": "timestamp, stored: cocoaSeconds",
                "ZICNOTEDATA.ZDATA": "binary",
            ],
            answers: [
                "/ziccloudsyncingobjects?zEnt=9&fields=ztitle1,ztitle2,zcreationdate1":
                    #"[{"ztitle1":"List","ztitle2":null,"zcreationdate1":"2024-01-31T12:34:56.5Z"}]"#,
                "/zicnotedata": #"[{"zPk":1,"znote":1,"zcryptotag":null,"zdata":"H4s="}]"#,
            ]),
        // Nanoseconds since 2001 are no time that Duet knows. A text named id beside a key named ROWID.
        Application(
            "iMessage",
            """
            CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, id TEXT NOT NULL, country TEXT,
                service TEXT NOT NULL, UNIQUE (id, service));
            CREATE TABLE message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT,
                attributedBody BLOB, handle_id INTEGER DEFAULT 0, date INTEGER, date_read INTEGER,
                is_from_me INTEGER DEFAULT 0);
            CREATE TABLE chat (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL);
            CREATE TABLE chat_message_join (chat_id INTEGER REFERENCES chat (ROWID) ON DELETE CASCADE,
                message_id INTEGER REFERENCES message (ROWID) ON DELETE CASCADE, message_date INTEGER DEFAULT 0,
                PRIMARY KEY (chat_id, message_id));
            INSERT INTO handle VALUES (1, '+4915100000001', 'de', 'SMS'), (2, '+4915100000001', 'de', 'iMessage');
            INSERT INTO message VALUES (1, 'G1', 'Hi 👋', NULL, 1, 728397296123456789, 0, 0),
                (2, 'G2', NULL, x'040b', 0, 728397297000000000, 728397298000000000, 1);
            INSERT INTO chat VALUES (3, 'iMessage;-;+4915100000001');
            INSERT INTO chat_message_join VALUES (3, 1, 728397296123456789), (3, 2, 728397297000000000);
            """,
            types: [
                "message.date": "bigInteger", "message.date_read": "bigInteger", "message.attributedBody": "binary",
                "chat_message_join.message_date": "bigInteger",
            ],
            answers: [
                "/messages?date.gt=728397296999999999&fields=rowid,text,date":
                    #"[{"rowid":2,"text":null,"date":"728397297000000000"}]"#,
                "/chats/3/chatMessageJoins?sort=-messageDate&first=1&fields=messageDate&details=message&message.fields=guid":
                    #"[{"messageDate":"728397297000000000","message":{"guid":"G2"}}]"#,
                "{ handle(rowid: 2) { id service } }": #"{"handle":{"id":"+4915100000001","service":"iMessage"}}"#,
            ]),
        // Columns named First and Last, and a birthday that is a number in a text.
        Application(
            "Address book of iOS",
            """
            CREATE TABLE ABPerson (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, First TEXT, Last TEXT, Birthday TEXT,
                CreationDate INTEGER, Kind INTEGER);
            CREATE TABLE ABMultiValue (UID INTEGER PRIMARY KEY, record_id INTEGER, property INTEGER, label INTEGER,
                value TEXT);
            INSERT INTO ABPerson VALUES (1, 'Ada', NULL, '-126532800.0', 728397296, 0),
                (2, NULL, 'Curie', NULL, 728397297, 0);
            INSERT INTO ABMultiValue VALUES (1, 1, 3, NULL, '007'), (2, 1, 4, 2, 'ada@a.example');
            """,
            types: [
                "ABPerson.Birthday": "text",
                "ABPerson.CreationDate": "integer → timestamp, stored: cocoaSeconds",
            ],
            answers: [
                "/abPeople?first.eq=Ada&fields=rowid,last,birthday":
                    #"[{"rowid":1,"last":null,"birthday":"-126532800.0"}]"#,
                "/abMultiValues/1": #"{"uid":1,"recordId":1,"property":3,"label":null,"value":"007"}"#,
            ]),
        // The columns have no types. A time is a text or a number of seconds since 2001.
        Application(
            "Lightroom catalogue",
            """
            CREATE TABLE Adobe_images (id_local INTEGER PRIMARY KEY, id_global UNIQUE NOT NULL, captureTime,
                fileWidth, rating, rootFile INTEGER NOT NULL DEFAULT 0, touchTime NOT NULL DEFAULT 0);
            INSERT INTO Adobe_images VALUES (10, 'AAAA-1', '2024-01-31T12:34:56', 6000.0, 5, 1, 728397296.5),
                (11, 'AAAA-2', '2024-01-31T12:34:57', 4000, NULL, 2, 728397297.25);
            """,
            types: [
                "Adobe_images.id_global": "any → text", "Adobe_images.captureTime": "any → dateTime, stored: iso",
                "Adobe_images.touchTime": "any → timestamp, stored: cocoaSeconds",
            ],
            answers: [
                "/adobeImages/10":
                    #"{"idLocal":10,"idGlobal":"AAAA-1","captureTime":"2024-01-31T12:34:56","fileWidth":6000.0,"rating":5,"rootFile":1,"touchTime":728397296.5}"#
            ]),
    ]
}
