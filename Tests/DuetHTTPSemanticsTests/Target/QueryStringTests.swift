import DuetHTTPSemantics
import Testing

@Suite struct QueryStringTests {
    static func pairs(_ query: String, limit: Int = 100) throws -> [String] {
        try QueryString(query, limit: limit).parameters.map { "\($0.name)=\($0.value)" }
    }

    @Test(
        "A query string is parsed into pairs of name and value, in order",
        arguments: [
            ("", []), ("a=1", ["a=1"]), ("details=titles&details=salaries", ["details=titles", "details=salaries"]),
            ("api", ["api="]), ("a=", ["a="]), ("=1", ["=1"]), ("=", ["="]), ("a=b=c", ["a=b=c"]), ("&", []),
            ("&&a=1&&b=2&", ["a=1", "b=2"]), ("a;b=1", ["a;b=1"]), ("a=1?b", ["a=1?b"]),
        ])
    func pairs(query: String, expected: [String]) throws {
        #expect(try Self.pairs(query) == expected)
    }

    @Test(
        "Names and values in a query string are percent-decoded",
        arguments: [
            ("name=Geo%2A", "name=Geo*"), ("a+b=c+d", "a b=c d"), ("a%3Db=%26%2b", "a=b=&+"), ("a=%e2%82%AC", "a=€"),
            ("a=ü", "a=ü"), ("%F0%9F%90%98=", "🐘="), ("a=%00", "a=\0"), ("a=%25", "a=%"),
        ])
    func decoding(query: String, expected: String) throws {
        #expect(try Self.pairs(query) == [expected])
    }

    @Test("A missing query string has no parameters")
    func none() throws {
        #expect(try QueryString(nil).parameters.isEmpty)
        #expect(QueryString().parameters.isEmpty)
    }

    @Test("A lookup by name returns the first value or all values of a parameter")
    func lookup() throws {
        let query = try QueryString("a=1&b=2&a=3")
        #expect(query["a"] == "1")
        #expect(query["c"] == nil)
        #expect(query.values(for: "a") == ["1", "3"])
        #expect(query.values(for: "c") == [])
    }

    @Test(
        "An incomplete percent escape in a query string is an error that names the parameter",
        arguments: [("a=%", "a"), ("b=1&a=%2", "a"), ("a=%2&b", "a"), ("a=%zz", "a"), ("a=%+1", "a"), ("x%2=1", "x%2")])
    func malformed(query: String, parameter: String) {
        #expect(throws: QueryStringError.malformedPercentEncoding(parameter: parameter)) { try QueryString(query) }
    }

    @Test(
        "Bytes in a query string that are not UTF-8 are an error that names the parameter",
        arguments: [("a=%FF", "a"), ("a%20b=%C3", "a b"), ("a=%ED%A0%80", "a"), ("%C3=1", "%C3"), ("a=%C0%80", "a")])
    func invalidUTF8(query: String, parameter: String) {
        #expect(throws: QueryStringError.invalidUTF8(parameter: parameter)) { try QueryString(query) }
    }

    @Test("The number of pairs in a query string is limited. Empty parts do not count toward the limit")
    func limit() throws {
        #expect(try Self.pairs("a&b&&c", limit: 3).count == 3)
        #expect(throws: QueryStringError.tooManyParameters(limit: 2)) { try QueryString("a&b&c", limit: 2) }
        let many = String(repeating: "a&", count: 100_000)
        #expect(throws: QueryStringError.tooManyParameters(limit: 100)) { try QueryString(many) }
    }
}
