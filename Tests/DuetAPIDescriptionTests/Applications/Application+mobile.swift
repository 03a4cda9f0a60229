extension Application {
    static let mobile = [
        // Columns begin with an underscore. Numbers of recipients are a text.
        Application(
            "Messages of Android",
            """
            CREATE TABLE android_metadata (locale TEXT);
            CREATE TABLE threads (_id INTEGER PRIMARY KEY AUTOINCREMENT, date INTEGER DEFAULT 0, recipient_ids TEXT,
                snippet TEXT);
            CREATE TABLE sms (_id INTEGER PRIMARY KEY, thread_id INTEGER, address TEXT, date INTEGER,
                date_sent INTEGER DEFAULT 0, protocol INTEGER, status INTEGER DEFAULT -1, type INTEGER, body TEXT);
            INSERT INTO android_metadata VALUES ('de_DE');
            INSERT INTO threads VALUES (1, 1706704496120, '1 2', 'Hi');
            INSERT INTO sms VALUES (1, 1, '+4915100000001', 1706704496120, 1706704496000, 0, -1, 1, 'Line 1
            2'), (2, 1, '0110', 1706704497000, 0, NULL, -1, 2, NULL);
            """,
            types: [
                "sms.date": "integer → timestamp, stored: unixMilliseconds",
                "sms.date_sent": "integer → timestamp, stored: unixMilliseconds", "sms.address": "text",
            ],
            answers: [
                "/sms?address=0110&fields=id,date,protocol,status":
                    #"[{"id":2,"date":1706704497000,"protocol":null,"status":-1}]"#,
                "/sms/1?fields=body": #"{"body":"Line 1\n2"}"#,
                "/threads/1?fields=recipientIds": #"{"recipientIds":"1 2"}"#,
            ]),
        // Pictures are in a column declared TEXT. A view joins tables.
        Application(
            "Contacts of Android",
            """
            CREATE TABLE accounts (_id INTEGER PRIMARY KEY AUTOINCREMENT, account_name TEXT, account_type TEXT);
            CREATE TABLE raw_contacts (_id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER REFERENCES accounts(_id),
                sourceid TEXT, deleted INTEGER NOT NULL DEFAULT 0, display_name TEXT,
                phonetic_name TEXT COLLATE NOCASE);
            CREATE TABLE data (_id INTEGER PRIMARY KEY AUTOINCREMENT, mimetype_id INTEGER NOT NULL,
                raw_contact_id INTEGER REFERENCES raw_contacts(_id) NOT NULL, data1 TEXT, data2 TEXT, data15 TEXT);
            CREATE VIEW view_data AS SELECT data._id AS _id, display_name, data1 FROM data
                JOIN raw_contacts ON (data.raw_contact_id = raw_contacts._id);
            INSERT INTO accounts VALUES (1, NULL, NULL), (2, 'ada@a.example', 'com.example');
            INSERT INTO raw_contacts VALUES (1, 2, '1f', 0, 'Ada', 'ada'), (2, 1, NULL, 1, NULL, 'ADA');
            INSERT INTO data VALUES (1, 5, 1, '+49 151 1', '2', NULL), (2, 10, 1, NULL, NULL, x'ffd8ff');
            """,
            types: ["data.data1": "text", "data.data15": "binary", "view_data._id": "integer"],
            answers: [
                "/rawContacts/1/data?fields=id,data15": #"[{"id":1,"data15":null},{"id":2,"data15":"/9j/"}]"#,
                "/rawContacts?phoneticName=Ada&fields=id,sourceid":
                    #"[{"id":1,"sourceid":"1f"},{"id":2,"sourceid":null}]"#,
                "/viewData?displayName=Ada&data1.null=false":
                    #"[{"id":1,"displayName":"Ada","data1":"+49 151 1"}]"#,
            ]),
        // Colours are negative integers, and durations are texts.
        Application(
            "Calendar of Android",
            """
            CREATE TABLE Calendars (_id INTEGER PRIMARY KEY, account_name TEXT, name TEXT, calendar_color INTEGER);
            CREATE TABLE Events (_id INTEGER PRIMARY KEY AUTOINCREMENT, calendar_id INTEGER NOT NULL, title TEXT,
                dtstart INTEGER, dtend INTEGER, eventTimezone TEXT, duration TEXT, allDay INTEGER NOT NULL DEFAULT 0,
                rrule TEXT, lastDate INTEGER);
            INSERT INTO Calendars VALUES (1, 'ada@a.example', 'Home', -14069085);
            INSERT INTO Events VALUES (1, 1, 'Tea', 1706704200000, 1706707800000, 'Europe/Berlin', NULL, 0, NULL,
                1706707800000), (2, 1, 'Leap', -58060800000, NULL, 'UTC', 'P1D', 1, 'FREQ=YEARLY;BYDAY=1MO', NULL);
            """,
            types: [
                "Events.dtstart": "integer", "Events.lastDate": "integer → timestamp, stored: unixMilliseconds",
                "Calendars.calendar_color": "integer",
            ],
            answers: [
                "/events?dtstart.lt=0&fields=duration,rrule":
                    #"[{"duration":"P1D","rrule":"FREQ=YEARLY;BYDAY=1MO"}]"#,
                "/calendars/1": #"{"id":1,"accountName":"ada@a.example","name":"Home","calendarColor":-14069085}"#,
            ]),
        Application(
            "Room",
            """
            CREATE TABLE room_master_table (id INTEGER PRIMARY KEY, identity_hash TEXT);
            CREATE TABLE `tasks` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `title` TEXT NOT NULL,
                `due_at` INTEGER, `done` INTEGER NOT NULL, `amount` REAL NOT NULL);
            INSERT INTO room_master_table VALUES (42, '0123456789abcdef0123456789abcdef');
            INSERT INTO `tasks` VALUES (1, 'Pay', 1706704496000, 0, 12.0), (2, 'Rest', NULL, 1, 0.1);
            """,
            types: ["tasks.due_at": "integer → timestamp, stored: unixMilliseconds", "tasks.amount": "number"],
            answers: [
                "/tasks?done=1": #"[{"id":2,"title":"Rest","dueAt":null,"done":1,"amount":0.1}]"#,
                "/tasks/1?fields=amount": #"{"amount":12.0}"#,
            ]),
        // Times of zero and references without foreign keys.
        Application(
            "WhatsApp",
            """
            CREATE TABLE jid (_id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, server TEXT NOT NULL,
                device INTEGER, raw_string TEXT);
            CREATE UNIQUE INDEX jid_raw_string_index ON jid (raw_string);
            CREATE TABLE message (_id INTEGER PRIMARY KEY AUTOINCREMENT, chat_row_id INTEGER NOT NULL,
                from_me INTEGER NOT NULL, key_id TEXT NOT NULL, sender_jid_row_id INTEGER, timestamp INTEGER,
                received_timestamp INTEGER, text_data TEXT, UNIQUE (chat_row_id, from_me, key_id, sender_jid_row_id));
            INSERT INTO jid VALUES (1, '4915100000001', 's.whatsapp.net', 0, '4915100000001@s.whatsapp.net'),
                (2, 'status', 'broadcast', NULL, 'status@broadcast');
            INSERT INTO message VALUES (1, 2, 1, '3EB0', 0, 1706704496000, 0, 'ok 👍🏽'),
                (2, 2, 0, '3EB1', 1, 1706704497000, 1706704497500, NULL);
            """,
            types: [
                "message.timestamp": "integer → timestamp, stored: unixMilliseconds",
                "message.received_timestamp": "integer → timestamp, stored: unixMilliseconds", "jid.user": "text",
            ],
            answers: [
                "/messages?fromMe=1&fields=textData,receivedTimestamp":
                    #"[{"textData":"ok 👍🏽","receivedTimestamp":0}]"#,
                "/jids?user=4915100000001&fields=server": #"[{"server":"s.whatsapp.net"}]"#,
            ]),
        // The type STRING has numeric affinity, so that a telephone number becomes an integer.
        Application(
            "Signal",
            """
            CREATE TABLE conversations (id STRING PRIMARY KEY ASC, json TEXT, active_at INTEGER, type STRING, name TEXT);
            CREATE TABLE messages (rowid INTEGER PRIMARY KEY ASC, id STRING UNIQUE, json TEXT, sent_at INTEGER,
                conversationId STRING, source STRING, body TEXT);
            INSERT INTO conversations VALUES ('c-1', '{"a":1}', 1706704496000, 'private', 'Ada');
            INSERT INTO messages VALUES (1, 'm-1', '{"body":"Hi"}', 1706704496000, 'c-1', '+4915100000001', 'Hi'),
                (2, 'm-2', '{}', 1706704497000, 'c-1', NULL, NULL);
            """,
            types: [
                "messages.source": "any → integer", "conversations.id": "text", "messages.id": "text",
                "messages.conversationId": "text",
                "messages.sent_at": "integer → timestamp, stored: unixMilliseconds", "messages.json": "text",
            ],
            answers: [
                "/messages/1":
                    #"{"rowid":1,"id":"m-1","json":"{\"body\":\"Hi\"}","sentAt":1706704496000,"conversationId":"c-1","source":4915100000001,"body":"Hi"}"#,
                "/conversations?name=Ada&fields=id,type": #"[{"id":"c-1","type":"private"}]"#,
                "/conversations/c-1?fields=name": #"{"name":"Ada"}"#,
                "/messages?conversationId=c-1&sort=-sentAt&fields=id": #"[{"id":"m-2"},{"id":"m-1"}]"#,
            ]),
        // Keys with negative integers beyond 32 bits, in a table whose name ends in a version.
        Application(
            "Telegram",
            """
            CREATE TABLE users (uid INTEGER PRIMARY KEY, name TEXT, status INTEGER, data BLOB);
            CREATE TABLE messages_v2 (mid INTEGER, uid INTEGER, read_state INTEGER, date INTEGER, data BLOB, out INTEGER,
                PRIMARY KEY (mid, uid));
            INSERT INTO users VALUES (777000, 'telegram;;;', -100, x'0001'), (5, 'ada;;;ada', 1706704496, NULL);
            INSERT INTO messages_v2 VALUES (7, -1001234567890, 3, 1706704496, x'fffe', 1),
                (7, 5, 2, 1706704497, x'00', 0), (-210000, 5, 0, 1706704498, NULL, 1);
            """,
            types: ["users.status": "integer", "messages_v2.date": "integer → timestamp, stored: unixSeconds"],
            answers: [
                "/messagesV2/7,-1001234567890?fields=data,out": #"{"data":"//4=","out":1}"#,
                "/messagesV2?fields=mid,uid":
                    #"[{"mid":-210000,"uid":5},{"mid":7,"uid":-1001234567890},{"mid":7,"uid":5}]"#,
            ]),
    ]
}
