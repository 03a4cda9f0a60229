import DuetGraphQL
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import Foundation
import NIOCore
import TestSupport
import Testing

@Suite("Cursors") struct CursorTests {
    /// Returns the elements of a cursor: a number that identifies the list, and the values by which the last row is
    /// ordered.
    private static func elements(_ cursor: String) throws -> [JSONValue] {
        var base64 = cursor.replacing("-", with: "+").replacing("_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard case .array(let elements) = try JSONValue(parsing: try #require(Data(base64Encoded: base64))) else {
            Issue.record("not an array")
            return []
        }
        return elements
    }

    private static func cursor(_ elements: [JSONValue]) -> String {
        Data(JSONValue.array(elements).compactBytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func next(_ service: ResourceService, _ target: String) async throws -> String {
        try #require(try await service.answer(service.restQuestion(target)).next)
    }

    private static func expectInvalid(_ service: ResourceService, _ target: String, _ recorder: StatementRecorder) async
    {
        recorder.take()
        let error = await #expect(throws: ServiceError.self, "\(target)") {
            try await service.answer(service.restQuestion(target))
        }
        #expect(error?.code == .invalidCursor, "\(target)")
        #expect(error?.parameter == "after")
        #expect(error?.detail.contains("use the cursor of the previous page of the same list") == true)
        #expect(recorder.take().isEmpty)
    }

    @Test("A cursor contains only characters that need no encoding in a URL", arguments: TestBackend.available)
    func characters(_ backend: TestBackend) async throws {
        // The standard base64 encoding of these names contains + or /.
        let more = "INSERT INTO authors VALUES (5, '~~~~???>>>ÿÿÿ', NULL, NULL), (6, '~', NULL, NULL)"
        try await Library.withService(backend, more: more) { service async throws in
            let target = "authors?authorNumber.gte=5&sort=-name&first=1&fields=authorNumber"
            let next = try await Self.next(service, target)
            let standard = Data(JSONValue.array(try Self.elements(next)).compactBytes).base64EncodedString()
            #expect(standard.contains("/") || standard.contains("+"))
            #expect(next.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
            #expect(try await service.restBody("\(target)&after=\(next)") == #"[{"authorNumber":6}]"#)
        }
    }

    @Test("A malformed cursor is an error, and no statement runs")
    func malformed() async throws {
        let recorder = StatementRecorder()
        try await Library.withService(.sqlite, observer: recorder.observer) { service async throws in
            let target = "books?sort=published&first=1"
            let valid = try await Self.next(service, target)
            let elements = try Self.elements(valid)
            #expect(elements.count == 3 && Self.cursor(elements) == valid)
            let list = elements[0]
            for cursor in [
                "", "x", "!", "null", "ÿ", valid + "x", String(valid.dropLast(2)), valid + valid,
                String(repeating: "A", count: 8_193), Self.cursor([]), Self.cursor([list]),
                Self.cursor([list, 1999]), Self.cursor([list, 1999, "b1", "b1"]), Self.cursor([1, 1999, "b1"]),
                Self.cursor(["1", 1999, "b1"]), Self.cursor([list, "1999", "b1"]),
                Self.cursor([list, 1999.5, "b1"]), Self.cursor([list, true, "b1"]), Self.cursor([list, 1999, 1]),
                // A value of the key cannot be null.
                Self.cursor([list, 1999, nil]), Self.cursor([list, [1999], "b1"]),
                Self.cursor([list, ["integer": 1999], "b1"]), Self.cursor([list, ["integer": "a"], "b1"]),
                Self.cursor([list, ["text": "a", "blob": ""], "b1"]), Self.cursor([list, [:], "b1"]),
                Self.cursor([list, ["other": "a"], "b1"]),
                // A cursor has at most 8,192 characters.
                Self.cursor([list, 1999, .string(String(repeating: "b", count: 6_200))]),
            ] { await Self.expectInvalid(service, "\(target)&after=\(cursor)", recorder) }
            #expect(throws: Never.self) {
                let cursor = Self.cursor([list, 1999, .string(String(repeating: "b", count: 6_000))])
                return try service.plan(service.restQuestion("\(target)&after=\(cursor)"))
            }
            let forged = Self.cursor([list, nil, "b1"])
            #expect(try await service.restBody("\(target)&fields=isbn&after=\(forged)").hasPrefix(#"[{"isbn":"b2"}]"#))
        }
    }

    @Test("A cursor is valid only for the list, the filter and the order that it was created for")
    func otherLists() async throws {
        let recorder = StatementRecorder()
        try await Library.withService(.sqlite, observer: recorder.observer) { service async throws in
            let valid = try await Self.next(service, "authors?sort=name&first=1&authorNumber.gt=1")
            for query in [
                "authors?sort=name&authorNumber.gt=2", "authors?sort=name", "authors?sort=-name&authorNumber.gt=1",
                "authors?sort=born&authorNumber.gt=1", "authors?authorNumber.gt=1",
                "authors?sort=name,born&authorNumber.gt=1",
                "authors?sort=name&authorNumber.gte=1", "authors?sort=name&authorNumber.gt=1&name.ne=x",
                "subjects?name=x",
            ] { await Self.expectInvalid(service, "\(query)&first=1&after=\(valid)", recorder) }
            // The page size and the requested members do not change the list.
            for query in [
                "authors?sort=name&authorNumber.gt=1&first=3&fields=born", "authors?authorNumber.gt=1&sort=name,-name",
                "authors?sort=name&authorNumber.gt=1&details=books&count=true",
            ] {
                #expect(throws: Never.self, "\(query)") {
                    try service.plan(service.restQuestion("\(query)&after=\(valid)"))
                }
            }
        }
    }

    @Test("REST and GraphQL have equal cursors for the same list", arguments: TestBackend.available)
    func styles(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let style = try GraphQLStyle(service)
            func page(_ arguments: String) async throws -> String {
                let response = try await style.schema.execute(
                    "{ books(first: 2, orderBy: {field: PRICE}\(arguments)) { nodes { isbn } pageInfo { endCursor } } }",
                    userContext: ())
                return String(buffer: response.body)
            }
            let rest = try await Self.next(service, "books?sort=price&first=2&fields=isbn")
            let first = try await page("")
            #expect(first.contains("\"endCursor\":\"\(rest)\""))
            #expect(try await page(", after: \"\(rest)\"").contains(#""nodes":[{"isbn":"b1"},{"isbn":"b4"}]"#))
            #expect(try await page(", after: \"\(rest)x\"").contains(#""code":"INVALID_CURSOR""#))
        }
    }

    @Test("The page after the cursor of a deleted row begins with the next row", arguments: TestBackend.available)
    func deletedRow(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let target = "books?sort=-published&fields=isbn&first=2"
            #expect(try await service.restBody(target).hasPrefix(#"[{"isbn":"b3"},{"isbn":"b4"}]"#))
            let next = try await Self.next(service, target)
            try await service.database.write { connection in
                try connection.executeScript(
                    """
                    DELETE FROM books WHERE isbn = 'b4';
                    INSERT INTO books VALUES ('b5', 'New', 2024, NULL, 'EN', 1, NULL), ('b0', 'Old', 1999, NULL, 'EN', 1, NULL);
                    """)
            }
            #expect(try await service.restBody("\(target)&after=\(next)").hasPrefix(#"[{"isbn":"b1"},{"isbn":"b0"}]"#))
        }
    }
}
