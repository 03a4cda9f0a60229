extension Application {
    /// Sample databases, formats of geographic data, and imports.
    static let collections = [
        // Tables without a key, and bytes. The rows of a text are names and values.
        Application(
            "MBTiles",
            """
            CREATE TABLE metadata (name text, value text);
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
            INSERT INTO metadata VALUES ('name', 'Köln'), ('bounds', '6.7,50.8,7.2,51.1'), ('maxzoom', '14');
            INSERT INTO tiles VALUES (0, 0, 0, x'1f8b'), (1, 0, 1, x''), (1, 1, 1, x'89504e47');
            """,
            types: ["tiles.tile_data": "binary", "metadata.value": "text"],
            answers: [
                "/metadata?name=maxzoom": #"[{"name":"maxzoom","value":"14"}]"#,
                "/tiles?zoomLevel=0": #"[{"zoomLevel":0,"tileColumn":0,"tileRow":0,"tileData":"H4s="}]"#,
                "{ tiles(filter: {tileColumn: {eq: 1}}) { nodes { tileData } totalCount } }":
                    #"{"tiles":{"nodes":[{"tileData":"iVBORw=="}],"totalCount":1}}"#,
            ]),
        // A spatial index is a virtual table. A trigger has functions that SQLite does not have.
        Application(
            "GeoPackage",
            """
            CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY,
                organization TEXT NOT NULL, definition TEXT NOT NULL);
            CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL,
                identifier TEXT UNIQUE, last_change DATETIME NOT NULL, min_x DOUBLE, srs_id INTEGER,
                CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
            CREATE TABLE trees (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POINT, name TEXT(50), planted DATE,
                height MEDIUMINT, sick BOOLEAN);
            CREATE VIRTUAL TABLE rtree_trees_geom USING rtree(id, minx, maxx, miny, maxy);
            INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 'GEOGCS[x]'), ('none', -1, 'NONE', 'undefined');
            INSERT INTO gpkg_contents VALUES ('trees', 'features', 'Trees', '2024-01-31T12:34:56.789Z', 6.5, 4326);
            INSERT INTO trees VALUES (1, x'47500001e6100000', 'Ash', '2016-07-04', 12, 0), (2, NULL, NULL, NULL, NULL, NULL);
            INSERT INTO rtree_trees_geom VALUES (1, 6.5, 6.5, 50.75, 50.75);
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_schema VALUES ('trigger', 'rtree_trees_geom_insert', 'trees', 0,
                'CREATE TRIGGER rtree_trees_geom_insert AFTER INSERT ON trees WHEN NOT ST_IsEmpty(NEW.geom) BEGIN
                INSERT INTO rtree_trees_geom VALUES (NEW.fid, ST_MinX(NEW.geom), 0, 0, 0); END');
            PRAGMA writable_schema = RESET;
            """,
            types: [
                "gpkg_contents.last_change": "timestamp, stored: utc", "trees.geom": "any → binary",
                "trees.planted": "date",
                "trees.sick": "boolean", "trees.height": "integer",
            ],
            answers: [
                "/gpkgContents/trees?fields=lastChange,minX&details=srs&srs.fields=srsName":
                    #"{"lastChange":"2024-01-31T12:34:56.789Z","minX":6.5,"srs":{"srsName":"WGS 84"}}"#,
                "/trees/1":
                    #"{"fid":1,"geom":"R1AAAeYQAAA=","name":"Ash","planted":"2016-07-04","height":12,"sick":false}"#,
                "/rtreeTreesGeoms": #"[{"id":1,"minx":6.5,"maxx":6.5,"miny":50.75,"maxy":50.75}]"#,
            ]),
        // The shadow tables of a full-text index are not served. Its columns have no types.
        Application(
            "FTS5",
            """
            CREATE TABLE documents (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
            CREATE VIRTUAL TABLE documents_fts USING fts5(title, body, content='documents', content_rowid='id');
            CREATE VIRTUAL TABLE notes USING fts5(body, tag UNINDEXED, tokenize = 'porter unicode61');
            INSERT INTO documents VALUES (1, 'One', 'Blue trees'), (2, 'Two', NULL);
            INSERT INTO documents_fts (rowid, title, body) SELECT id, title, body FROM documents;
            INSERT INTO notes VALUES ('running', 7), ('', 'x');
            """,
            types: [
                "documents_fts.title": "any → text", "notes.tag": "any", "notes_data.block": "no table",
                "documents_fts_idx.term": "no table",
            ],
            answers: [
                "/documentsFts": #"[{"title":"One","body":"Blue trees"},{"title":"Two","body":null}]"#,
                "/notes": #"[{"body":"running","tag":7},{"body":"","tag":"x"}]"#,
            ]),
        // Names in camel case, and a price with two digits.
        Application(
            "Chinook",
            """
            CREATE TABLE [Artist] ([ArtistId] INTEGER NOT NULL, [Name] NVARCHAR(120),
                CONSTRAINT [PK_Artist] PRIMARY KEY ([ArtistId]));
            CREATE TABLE [Album] ([AlbumId] INTEGER NOT NULL, [Title] NVARCHAR(160) NOT NULL, [ArtistId] INTEGER NOT NULL,
                CONSTRAINT [PK_Album] PRIMARY KEY ([AlbumId]),
                FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
            CREATE TABLE [Invoice] ([InvoiceId] INTEGER NOT NULL, [InvoiceDate] DATETIME NOT NULL,
                [BillingState] NVARCHAR(40), [Total] NUMERIC(10,2) NOT NULL, CONSTRAINT [PK_Invoice] PRIMARY KEY ([InvoiceId]));
            INSERT INTO Artist VALUES (1, 'AC/DC'), (2, NULL);
            INSERT INTO Album VALUES (1, 'For Those About To Rock We Salute You', 1), (4, 'Let There Be Rock', 1);
            INSERT INTO Invoice VALUES (1, '2009-01-01 00:00:00', NULL, 1.98), (2, '2009-01-02 00:00:00', 'CA', 4);
            """,
            types: ["Invoice.InvoiceDate": "dateTime", "Invoice.Total": "decimal", "Album.Title": "text"],
            answers: [
                "/artists/1/albums?fields=albumId,title&sort=-title":
                    #"[{"albumId":4,"title":"Let There Be Rock"},{"albumId":1,"title":"For Those About To Rock We Salute You"}]"#,
                "/invoices?total.gt=1.98":
                    #"[{"invoiceId":2,"invoiceDate":"2009-01-02T00:00:00","billingState":"CA","total":"4.00"}]"#,
                "{ artists(filter: {albums: {none: {albumId: {null: false}}}}) { nodes { artistId name } } }":
                    #"{"artists":{"nodes":[{"artistId":2,"name":null}]}}"#,
            ]),
        // Dates in a DATETIME column, keys of letters, pictures, and a name with a space.
        Application(
            "Northwind",
            """
            CREATE TABLE [Customers] ([CustomerID] TEXT, [CompanyName] TEXT, PRIMARY KEY (`CustomerID`));
            CREATE TABLE [Orders] ([OrderID] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [CustomerID] TEXT,
                [OrderDate] DATETIME, [ShippedDate] DATETIME, [Freight] NUMERIC DEFAULT 0,
                FOREIGN KEY ([CustomerID]) REFERENCES [Customers] ([CustomerID]));
            CREATE TABLE [Order Details] ([OrderID] INTEGER NOT NULL, [ProductID] INTEGER NOT NULL,
                [UnitPrice] NUMERIC NOT NULL DEFAULT 0, [Discount] REAL NOT NULL DEFAULT 0,
                PRIMARY KEY ("OrderID", "ProductID"), CHECK ([Discount] >= (0) AND [Discount] <= (1)),
                FOREIGN KEY ([OrderID]) REFERENCES [Orders] ([OrderID]));
            CREATE TABLE [Categories] ([CategoryID] INTEGER PRIMARY KEY AUTOINCREMENT, [CategoryName] TEXT, [Picture] BLOB);
            INSERT INTO Customers VALUES ('ALFKI', 'Alfreds Futterkiste'), ('PARIS', 'Paris spécialités');
            INSERT INTO Orders VALUES (10248, 'ALFKI', '1996-07-04', '1996-07-16', 32.38), (10249, NULL, '1996-07-05', NULL, 11);
            INSERT INTO [Order Details] VALUES (10248, 11, 14, 0.0), (10248, 42, 9.8, 0.15);
            INSERT INTO Categories VALUES (1, 'Beverages', x'ffd8ff'), (2, 'Condiments', NULL);
            """,
            types: [
                "Orders.OrderDate": "date", "Orders.Freight": "decimal", "Categories.Picture": "binary",
                "Order Details.Discount": "number",
            ],
            answers: [
                "/orders?orderDate.lte=1996-07-04&fields=orderId,orderDate,freight&details=customer":
                    #"[{"orderId":10248,"orderDate":"1996-07-04","freight":"32.38","customer":{"customerId":"ALFKI","companyName":"Alfreds Futterkiste"}}]"#,
                "/orderDetails/10248,42": #"{"orderId":10248,"productId":42,"unitPrice":"9.8","discount":0.15}"#,
                "/categories?picture.null=false": #"[{"categoryId":1,"categoryName":"Beverages","picture":"/9j/"}]"#,
            ]),
        // A key declared numeric, to which an integer column refers.
        Application(
            "Sakila",
            """
            CREATE TABLE actor (actor_id numeric NOT NULL, first_name VARCHAR(45) NOT NULL, last_update TIMESTAMP NOT NULL,
                PRIMARY KEY (actor_id));
            CREATE TABLE film (film_id int NOT NULL, title VARCHAR(255) NOT NULL, release_year VARCHAR(4) DEFAULT NULL,
                rental_rate DECIMAL(4,2) DEFAULT 4.99 NOT NULL, rating VARCHAR(10) DEFAULT 'G', PRIMARY KEY (film_id));
            CREATE TABLE film_actor (actor_id INT NOT NULL, film_id INT NOT NULL, last_update TIMESTAMP NOT NULL,
                PRIMARY KEY (actor_id, film_id),
                CONSTRAINT fk_film_actor_actor FOREIGN KEY (actor_id) REFERENCES actor (actor_id),
                CONSTRAINT fk_film_actor_film FOREIGN KEY (film_id) REFERENCES film (film_id));
            INSERT INTO actor VALUES (1, 'PENELOPE', '2020-12-23 07:12:29'), (2, 'NICK', '2020-12-23 07:12:30');
            INSERT INTO film VALUES (1, 'ACADEMY DINOSAUR', '2006', 0.99, 'PG'), (2, 'ACE GOLDFINGER', NULL, 5, NULL);
            INSERT INTO film_actor VALUES (1, 1, '2020-12-23 07:13:31'), (2, 1, '2020-12-23 07:13:32');
            """,
            types: ["actor.actor_id": "decimal", "actor.last_update": "dateTime", "film.release_year": "text"],
            answers: [
                "/actors/1": #"{"actorId":"1","firstName":"PENELOPE","lastUpdate":"2020-12-23T07:12:29"}"#,
                "/films/1/filmActors?fields=actorId&details=actor&actor.fields=firstName":
                    #"[{"actorId":1,"actor":{"firstName":"PENELOPE"}},{"actorId":2,"actor":{"firstName":"NICK"}}]"#,
                "/films?rentalRate.gt=1&fields=title,rentalRate": #"[{"title":"ACE GOLDFINGER","rentalRate":"5.00"}]"#,
            ]),
        // Empty texts instead of NULL in columns declared INTEGER, and times after midnight of the next day.
        Application(
            "GTFS import",
            """
            CREATE TABLE stops (stop_id TEXT PRIMARY KEY, stop_name TEXT, stop_lat REAL, location_type INTEGER,
                wheelchair_boarding INTEGER);
            CREATE TABLE stop_times (trip_id TEXT, arrival_time TEXT, stop_id TEXT, stop_sequence INTEGER, pickup_type INTEGER);
            CREATE TABLE calendar_dates (service_id TEXT, date TEXT, exception_type INTEGER);
            INSERT INTO stops VALUES ('de:1', 'Dom/Hbf', '50.9430', '', ''), ('007', 'Zoo, West', '', '1', '');
            INSERT INTO stop_times VALUES ('t1', '25:10:00', '007', '1', ''), ('t1', '25:12:00', 'de:1', 2, '');
            INSERT INTO calendar_dates VALUES ('s', '20240131', 1);
            """,
            types: [
                "stops.stop_lat": "any → number, mismatch: null",
                "stops.location_type": "any → integer, mismatch: null", "stops.wheelchair_boarding": "text",
                "stop_times.pickup_type": "text", "stop_times.stop_sequence": "integer", "calendar_dates.date": "text",
            ],
            answers: [
                "/stops/007":
                    #"{"stopId":"007","stopName":"Zoo, West","stopLat":"","locationType":1,"wheelchairBoarding":""}"#,
                "/stops?stopName.like=Dom*&fields=stopLat,locationType": #"[{"stopLat":50.943,"locationType":""}]"#,
                "/stopTimes?stopSequence=1&fields=arrivalTime,pickupType":
                    #"[{"arrivalTime":"25:10:00","pickupType":""}]"#,
            ]),
        // A table named nodes, as in GraphQL, identifiers beyond 32 bits, and tags with colons.
        Application(
            "OpenStreetMap import",
            """
            CREATE TABLE nodes (id INTEGER PRIMARY KEY NOT NULL, lat REAL, lon REAL, user TEXT, version INTEGER,
                timestamp TEXT);
            CREATE TABLE nodes_tags (id INTEGER, key TEXT, value TEXT, type TEXT, FOREIGN KEY (id) REFERENCES nodes (id));
            CREATE TABLE ways_nodes (id INTEGER NOT NULL, node_id INTEGER NOT NULL, position INTEGER NOT NULL,
                FOREIGN KEY (node_id) REFERENCES nodes (id));
            INSERT INTO nodes VALUES (11000000001, '50.9412784', 6.9582814, 'ada', '3', '2024-01-31T12:34:56Z'),
                (240109189, 50, -0.0000001, '', 1, '2009-01-31T12:34:56Z');
            INSERT INTO nodes_tags VALUES (240109189, 'opening_hours', 'Mo-Fr 08:00-18:00; PH off', 'regular'),
                (240109189, 'housenumber', '12', 'addr');
            INSERT INTO ways_nodes VALUES (5, 240109189, 0), (5, 11000000001, 1), (5, 240109189, 2);
            """,
            types: [
                "nodes.timestamp": "text → timestamp, stored: utc", "nodes.lat": "number", "nodes_tags.value": "text",
            ],
            answers: [
                "/nodes/11000000001?fields=lat,version,timestamp":
                    #"{"lat":50.9412784,"version":3,"timestamp":"2024-01-31T12:34:56Z"}"#,
                "/nodes/240109189/nodesTags?type=addr&fields=key,value": #"[{"key":"housenumber","value":"12"}]"#,
                "{ nodes(first: 1, filter: {lon: {lt: 0}}) { nodes { id lat } totalCount } }":
                    #"{"nodes":{"nodes":[{"id":240109189,"lat":50.0}],"totalCount":1}}"#,
            ]),
        // No types, no keys, and names that are sentences, numbers or empty. The type ANY has numeric affinity.
        Application(
            "CSV import",
            """
            CREATE TABLE "sales 2024.csv" ("Order ID", "Amount (EUR)", "%", "2nd", "");
            CREATE TABLE people ("Name" ANY, "name_2" ANY, "Geburtsdatum" TEXT);
            INSERT INTO "sales 2024.csv" VALUES ('1', '1.234,50', '19', 'a,"b"', ''), ('2', '', NULL, ' x', 'z');
            INSERT INTO people VALUES ('Ada', '007', '31.12.1815'), ('Ada', '7a', '31.12.1815');
            """,
            types: [
                "sales 2024.csv.Order ID": "any → text", "people.name_2": "any", "people.Geburtsdatum": "text",
            ],
            answers: [
                "/people":
                    #"[{"name":"Ada","name2":7,"geburtsdatum":"31.12.1815"},{"name":"Ada","name2":"7a","geburtsdatum":"31.12.1815"}]"#
            ]),
        // A column named index, NaN as NULL, and times with and without a fraction.
        Application(
            "pandas",
            """
            CREATE TABLE "df" ("index" INTEGER, "time" TIMESTAMP, "day" DATE, "value" REAL, "flag" INTEGER, "name" TEXT);
            CREATE INDEX "ix_df_index" ON "df" ("index");
            INSERT INTO df VALUES (0, '2024-01-31 12:34:56', '2024-01-31', 1.5, 1, 'a'),
                (1, '2024-01-31 12:34:56.000100', NULL, NULL, 0, NULL), (2, NULL, '2024-02-01', 1e300, 1, 'nan');
            """,
            types: ["df.time": "dateTime", "df.value": "number", "df.day": "date", "df.flag": "integer"],
            answers: [
                "/dfs?index=1":
                    #"[{"index":1,"time":"2024-01-31T12:34:56.000100","day":null,"value":null,"flag":0,"name":null}]"#,
                "/dfs?value.gt=2&fields=index,value": #"[{"index":2,"value":1e+300}]"#,
            ]),
    ]
}
