import DuetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@testable import DuetResourceService

@Suite("Keys in paths") struct KeySegmentTests {
    static let segments: [(parts: [String], text: String)] = [
        (["a"], "a"), (["b1", "1"], "b1,1"), (["AZaz09-._~"], "AZaz09-._~"), (["a b"], "a%20b"), (["a+b"], "a%2Bb"),
        (["a/b"], "a%2Fb"), (["a,b"], "a%2Cb"), (["a,b", "c"], "a%2Cb,c"), (["100%"], "100%25"), (["%2F"], "%252F"),
        (["a?b#c"], "a%3Fb%23c"), (["a;b=c&d"], "a%3Bb%3Dc%26d"), (["é"], "%C3%A9"),
        (["👩‍🚀"], "%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80"),
        // A path cannot contain an empty segment, or one of the segments `.` and `..`.
        ([""], ","), (["."], ".,"), ([".."], "..,"), (["..."], "..."), ([","], "%2C"), ([".,"], ".%2C"),
        (["", ""], ","), (["", "1"], ",1"), ([".", ".."], ".,.."), (["a", "", "c"], "a,,c"), (["\\"], "%5C"),
        (["'"], "%27"), (["\n"], "%0A"),
    ]

    @Test("The values of a key are encoded as one path segment, and can be decoded again", arguments: segments)
    func segment(_ row: (parts: [String], text: String)) {
        #expect(KeySegment.text(row.parts) == row.text)
        #expect(KeySegment.parts(of: row.text, count: row.parts.count) == row.parts)
    }

    @Test(
        "A segment can contain unencoded characters, unnecessary encodings and lower-case digits",
        arguments: [
            ("a+b", "a+b"), ("%c3%A9", "é"), ("%61", "a"), ("a:b@c", "a:b@c"), ("a,b", "a,b"), ("%2e", "."),
            ("%2C,", ",,"),
        ])
    func spelling(text: String, value: String) {
        #expect(KeySegment.parts(of: text, count: 1) == [value])
    }

    @Test(
        "A segment with the wrong number of values or with an invalid encoding has no key",
        arguments: [
            ("a", 2), ("a,b", 3), ("a,b,c", 2), ("%", 1), ("%2", 1), ("%zz", 1), ("%FF", 1), ("%C3", 1), ("a,%C3", 2),
            ("%ED%A0%80", 1),
        ])
    func malformed(text: String, count: Int) {
        #expect(KeySegment.parts(of: text, count: count) == nil)
    }

    @Test("A path with an invalid key is an error that names the path parameter")
    func errors() async throws {
        try await Library.withService(.sqlite) { service async throws in
            for (target, parameter, detail) in [
                (
                    "copies/b1", "isbn,copyNumber",
                    "the path identifies one copy by isbn,copyNumber: 2 values, percent-encoded and separated by commas"
                ),
                (
                    "copies/b1,1,1", "isbn,copyNumber",
                    "the path identifies one copy by isbn,copyNumber: 2 values, percent-encoded and separated by commas"
                ),
                (
                    "authors/%FF", "authorNumber",
                    "the path identifies one author by authorNumber: 1 values, percent-encoded and separated by commas"
                ),
                ("authors/one", "authorNumber", "authorNumber must be a whole number from 1 to 2147483647"),
                ("authors/1,", "authorNumber", "authorNumber must be a whole number from 1 to 2147483647"),
                ("copies/b-1,1", "isbn", "isbn must be up to 13 letters and digits"),
                ("loans/b1,1,2021-02-29", "lentOn", "lentOn must be a date, as in 1995-12-01"),
            ] {
                let error = #expect(throws: ServiceError.self, "\(target)") { try service.restQuestion(target) }
                #expect(error?.code == .invalidParameter)
                #expect(error?.parameter == parameter)
                #expect(error?.detail == detail)
            }
        }
    }

    /// Keys that both databases distinguish.
    static let keys = [
        "a b", "a/b", "a,b", "a%2Fb", "..", ".", "a?b", "a#b", "'; DROP TABLE samples; --", "\"q\"", "`q`", "\\", "é",
        "日本", "👩‍🚀", ":code", "?", "%", "_",
    ]

    @Test("A row is found by a key with any characters", arguments: TestBackend.available)
    func rows(_ backend: TestBackend) async throws {
        try await Samples.withService(backend, keys: Self.keys) { service async throws in
            let operation = try #require(service.catalogue.operations.first { $0.path == "/samples/{code}" })
            let style = RESTStyle(service)
            for key in Self.keys {
                let path = try style.path(operation) { _ in KeySegment.text([key]) }
                #expect(path.key == [.text(key)])
                let plan = try style.plan(operation, "fields=code", segment: { _ in KeySegment.text([key]) }) {
                    [("fields", "code")]
                }
                let answer = try await service.answer(plan, namesEntities: true)
                #expect(answer.tags.names == ["Sample:" + KeySegment.encoded(key)])
                #expect(try Self.code(answer) == key)
            }
        }
    }

    private static func code(_ answer: Answer) throws -> String? {
        guard case .string(let text)? = try JSONValue(parsing: answer.body.readableBytesView)["code"] else {
            return nil
        }
        return text
    }
}
