import Testing

@testable import DuetEmployees

@Suite("Reading a dump")
struct ImportDumpReaderTests {
    /// Returns all rows of a text that is read in small chunks.
    private func rows(_ text: String, chunkSize: Int = 4096) throws -> [[DumpLiteral]] {
        var rest = Array(text.utf8)[...]
        let bytes = ByteReader(file: "test.dump") {
            defer { rest = rest.dropFirst(chunkSize) }
            return Array(rest.prefix(chunkSize))
        }
        var reader = DumpReader(bytes)
        var rows: [[DumpLiteral]] = []
        while try reader.nextInsert() != nil {
            while let row = try reader.nextRow() { rows.append(row) }
        }
        return rows
    }

    @Test("The reader finds rows across blank lines, comments, and several statements", arguments: [1, 2, 7, 4096])
    func forms(chunkSize: Int) throws {
        let text = """
            -- a comment; with a semicolon
            # another one
            /*!40000 ALTER TABLE `t` DISABLE KEYS */;
            LOCK TABLES `t` WRITE;
            INSERT INTO `t` VALUES (1,'a') , -- here too

            ( 2 ,\t'b' );;
            insert into t (x, `y`) values (-3,NULL);
            UNLOCK TABLES;
            """
        #expect(
            try rows(text, chunkSize: chunkSize) == [
                [.integer(1), .text("a")], [.integer(2), .text("b")], [.integer(-3), .null],
            ])
    }

    @Test(
        "The reader resolves quotes and escapes as MySQL does",
        arguments: [
            (#"'O''Brien'"#, "O'Brien"), (#"'O\'Brien'"#, "O'Brien"), (#""say ""hi""""#, #"say "hi""#), ("''", ""),
            (#"'a\\b'"#, #"a\b"#), (#"'\n\t\r'"#, "\n\t\r"), (#"'\0\b\Z'"#, "\0\u{8}\u{1A}"), (#"'\%\_\q'"#, "%_q"),
            ("'Zoë; (x), y'", "Zoë; (x), y"), ("'two\nlines'", "two\nlines"), (#"'-- no comment'"#, "-- no comment"),
        ])
    func strings(literal: String, value: String) throws {
        for chunkSize in [1, 3, 4096] {
            #expect(try rows("INSERT INTO t VALUES (\(literal));", chunkSize: chunkSize) == [[.text(value)]])
        }
    }

    @Test("The reader reports the line on which each row begins")
    func lines() throws {
        var rest: [[UInt8]] = [Array("\n\nINSERT INTO t VALUES\n('a\nb'),\n\n\n(2\n);".utf8)]
        var reader = DumpReader(ByteReader(file: "test.dump") { rest.popLast() ?? [] })
        #expect(try reader.nextInsert()?.table == "t")
        #expect(reader.line == 3)
        #expect(try reader.nextRow() == [.text("a\nb")])
        #expect(reader.line == 4)
        #expect(try reader.nextRow() == [.integer(2)])
        #expect(reader.location == .init(file: "test.dump", line: 8))
        #expect(try reader.nextRow() == nil)
        #expect(try reader.nextInsert() == nil)
    }

    @Test(
        "The reader rejects invalid syntax with the line and the expected token",
        arguments: [
            ("\nDROP TABLE t;", 2, "expected INSERT INTO"),
            ("(1);", 1, "expected INSERT INTO"),
            ("INSERT t VALUES (1);", 1, "expected INTO"),
            ("INSERT INTO 5 VALUES (1);", 1, "expected a table's name"),
            ("INSERT INTO t\nSELECT 1;", 2, "expected VALUES"),
            ("INSERT INTO t (a VALUES (1);", 1, "expected ',' or ')'"),
            ("INSERT INTO t VALUES\n;", 2, "expected a row that begins with '('"),
            ("INSERT INTO t VALUES (1),;", 1, "expected a row that begins with '('"),
            ("INSERT INTO t VALUES (1)\n(2);", 2, "expected ',' or ';'"),
            ("INSERT INTO t VALUES (1\n'a');", 2, "expected ',' or ')'"),
            ("INSERT INTO t VALUES (1,\n\n,2);", 3, "expected a value"),
            ("INSERT INTO t VALUES ();", 1, "expected a value"),
            ("INSERT INTO t VALUES (now());", 1, "expected a value"),
            ("INSERT INTO t VALUES (1.5);", 1, "expected a whole number"),
            ("INSERT INTO t VALUES (1e5);", 1, "expected a whole number"),
            ("INSERT INTO t VALUES (9223372036854775808);", 1, "too large"),
            ("INSERT INTO t VALUES (1),\n(2", 2, "the end of the file"),
            ("INSERT INTO t VALUES (1)", 1, "the end of the file"),
            ("INSERT INTO t VALUES (1),\n(2,'a);\n\n", 2, "expected a closing '''"),
            ("\n/* INSERT INTO t", 2, "expected */"),
            ("SET x = 1\n", 2, "expected ';'"),
            ("\0\0\0\0", 1, "0x0"),
        ])
    func malformed(text: String, line: Int, message: String) throws {
        let error = #expect(throws: LoadError.self) { try rows(text) }
        #expect(error?.code == .malformedFile)
        #expect(error?.location == .init(file: "test.dump", line: line))
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test(
        "The reader stops at an unterminated token without reading all of it into memory", arguments: ["'", "`", "x"])
    func endless(quote: String) throws {
        var chunks = 0
        let bytes = ByteReader(file: "test.dump") {
            chunks += 1
            return chunks == 1 ? Array("INSERT INTO t VALUES (1,\n\(quote)".utf8) : Array(repeating: 0x61, count: 4096)
        }
        var reader = DumpReader(bytes)
        let error = #expect(throws: LoadError.self) {
            _ = try reader.nextInsert()
            _ = try reader.nextRow()
        }
        #expect(error?.location?.line == 2)
        #expect(error?.message.contains("longer than 65,536 bytes") == true)
        #expect(chunks < 20)
    }

    @Test("The reader rejects text that is not UTF-8")
    func encoding() throws {
        var rest: [[UInt8]] = [Array("INSERT INTO t VALUES ('".utf8) + [0xE9] + Array("');".utf8)]
        var reader = DumpReader(ByteReader(file: "test.dump") { rest.popLast() ?? [] })
        let error = #expect(throws: LoadError.self) {
            _ = try reader.nextInsert()
            _ = try reader.nextRow()
        }
        #expect(error?.message.contains("not valid UTF-8") == true)
    }

    @Test("If a file cannot be read, the reader reports the cause")
    func unreadable() throws {
        struct Failure: Error {}
        var reader = DumpReader(ByteReader(file: "test.dump") { throw Failure() })
        let error = #expect(throws: LoadError.self) { try reader.nextInsert() }
        #expect(error?.code == .unreadableFile)
        #expect(error?.underlying is Failure)
    }
}
