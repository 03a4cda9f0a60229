import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import Testing

@Suite("Values in filters") struct ValueTests {
    /// A field and one of its values in several notations: as the text of a query parameter, in JSON, in a GraphQL
    /// document, and as the SQL value that is compared with the column.
    struct Example: Sendable, CustomTestStringConvertible {
        let field: String
        let text: String
        let json: String
        let graphQL: String
        let value: SQLValue

        init(_ field: String, _ text: String, _ json: String, graphQL: String? = nil, _ value: SQLValue) {
            (self.field, self.text, self.json, self.graphQL, self.value) = (field, text, json, graphQL ?? json, value)
        }

        var testDescription: String { "\(field)=\(text)" }
    }

    private static func date(_ text: String) -> SQLValue { CalendarDate(iso: text).map { .date($0) } ?? .null }

    static let examples = [
        Example("small", "7", "7", .integer(7)), Example("small", "-5", "-5", .integer(-5)),
        Example("small", "007", "7", .integer(7)), Example("small", "100", "1e2", graphQL: "100", .integer(100)),
        Example("safe", "-9007199254740991", "-9007199254740991", .integer(-9_007_199_254_740_991)),
        Example("big", "-9223372036854775808", #""-9223372036854775808""#, .integer(.min)),
        Example("big", "9223372036854775807", "9223372036854775807", .integer(.max)),
        Example(
            "natural", "18446744073709551615", #""18446744073709551615""#, graphQL: "18446744073709551615",
            .unsigned(.max)),
        Example("natural", "0", "0", .integer(0)), Example("ratio", "1.5", "1.5", .double(1.5)),
        Example("ratio", "2", "2", .double(2)), Example("ratio", "-1e3", "-1e3", .double(-1000)),
        Example("single", "0.1", "0.1", .double(Double(Float(0.1)))),
        Example("amount", "12.50", #""12.50""#, graphQL: "12.50", .decimal("12.50")),
        Example("amount", "-0.1", #""-0.1""#, .decimal("-0.1")), Example("yes", "true", "true", .integer(1)),
        Example("yes", "false", "false", .integer(0)), Example("name", "", #""""#, .text("")),
        Example("name", "Zoë", #""Zo\u00eb""#, .text("Zoë")), Example("name", "'; --", #""'; --""#, .text("'; --")),
        Example("day", "2024-02-29", #""2024-02-29""#, date("2024-02-29")),
        Example("day", "0000-01-01", #""0000-01-01""#, date("0000-01-01")),
        Example("moment", "2024-01-31T12:34:56Z", #""2024-01-31T12:34:56Z""#, .text("2024-01-31 12:34:56")),
        Example("moment", "2024-01-01T00:30+01:00", #""2024-01-01T00:30+01:00""#, .text("2023-12-31 23:30:00")),
        Example(
            "moment", "2024-02-28T23:30:01.5-00:45", #""2024-02-28T23:30:01.5-00:45""#,
            .text("2024-02-29 00:15:01.5")),
        Example("local", "2024-01-31 12:34:56", #""2024-01-31T12:34:56""#, .text("2024-01-31T12:34:56")),
        Example("clock", "12:34", #""12:34""#, .text("12:34")),
        Example("clock", "-838:59:59.5", #""-838:59:59.5""#, .text("-838:59:59.5")),
        Example("bytes", "AAH/", #""AAH/""#, .blob([0, 1, 255])), Example("bytes", "AA==", #""AA==""#, .blob([0])),
        Example(
            "tag", "123e4567-e89b-12d3-a456-426614174000", #""123e4567-e89b-12d3-a456-426614174000""#,
            .text("123e4567-e89b-12d3-a456-426614174000")),
        Example("word", "aZ09", #""aZ09""#, .text("aZ09")),
        Example("color", "BLUE", #""BLUE""#, graphQL: "BLUE", .text("BLUE")),
    ]

    @Test(
        "A value is parsed to the same filter in a query parameter, a JSON filter and a GraphQL argument",
        arguments: examples)
    func values(_ example: Example) async throws {
        let expected = Filter.compare(example.field, .equal, [.value(example.value)])
        let graphQL = try await GraphQLQuestions(Samples.catalogue()).question(
            "{ samples(filter: {\(example.field): {eq: \(example.graphQL)}}) { nodes { code } } }")
        #expect(Self.filter(graphQL) == expected)
        try await Samples.withService { service async throws in
            let field = example.field
            #expect(Self.filter(try service.restQuestion("samples?\(field)=\(example.text)")) == expected)
            #expect(Self.filter(try service.restQuestion("samples?\(field).eq=\(example.text)")) == expected)
            let json = try service.restQuestion(#"samples?filter={"\#(field)":{"eq":\#(example.json)}}"#)
            #expect(Self.filter(json) == expected)
        }
    }

    private static func filter(_ question: Question) -> Filter? {
        if case .list(_, let window) = question.subject { window.filter } else { nil }
    }

    /// Fields with texts that are not valid values, and the description of the valid values in the error.
    static let wrongTexts: [(field: String, texts: [String], requirement: String)] = [
        (
            "small", ["-6", "101", "1.0", "+1", "1e1", "", " 1", "1 ", "0x1", "٣", "99999999999999999999"],
            "a whole number from -5 to 100"
        ),
        ("safe", ["9007199254740992"], "a whole number from -9007199254740991 to 9007199254740991"),
        ("big", ["9223372036854775808", "1.5", "a", ""], "a 64-bit whole number"),
        ("natural", ["-1", "18446744073709551616"], "a whole number from 0 to 18446744073709551615"),
        ("ratio", ["", "a", "nan", "inf", "1e999", "1,5", "0x10", " 1"], "a number"),
        (
            "amount", ["1e3", ".5", "5.", "1,5", ""],
            "a decimal number, as in 12.50; in JSON, a string of its digits or a whole number"
        ),
        ("yes", ["1", "TRUE", "yes", ""], "true or false"),
        ("name", ["a\0b"], "a text without the character U+0000"),
        ("day", ["2023-02-29", "2024-1-1", "10000-01-01", "20240101", ""], "a date, as in 1995-12-01"),
        (
            "moment",
            [
                "2024-01-31T12:34:56", "2024-01-31", "2024-13-01T00:00Z", "2024-01-31T24:00Z", "2024-01-31T12:60Z",
                "2024-01-31T12:34:60Z", "2024-01-31T12:34+24:00", "9999-12-31T23:59-00:01", "0000-01-01T00:00+00:01",
            ], "a date with a time and an offset from UTC, as in 1995-12-01T12:34:56Z"
        ),
        (
            "local", ["2024-01-31T12:34:56Z", "2024-02-30T00:00"],
            "a date with a time and without an offset, as in 1995-12-01T12:34:56"
        ),
        ("clock", ["1:00", "12:60", "12", "1000:00"], "a time, as in 12:34:56"),
        ("bytes", ["A", "AA", "!", "AA-_"], "bytes in base64"),
        ("tag", ["1", "123e4567e89b12d3a456426614174000"], "a UUID, as in 123e4567-e89b-12d3-a456-426614174000"),
        ("word", ["", "abcde", "a-b", "é"], "up to 4 letters and digits"),
        ("color", ["red", "GREEN", ""], "one of RED, BLUE"),
    ]

    @Test("A text that is not a value of the field is an error that describes the valid values", arguments: wrongTexts)
    func wrongText(_ wrong: (field: String, texts: [String], requirement: String)) async throws {
        try await Samples.withService { service async throws in
            for text in wrong.texts {
                for name in [wrong.field, "\(wrong.field).ne"] {
                    let error = #expect(throws: ServiceError.self, "\(name)=\(text)") {
                        try service.restQuestion("samples?\(name)=\(text)")
                    }
                    #expect(error?.code == .invalidParameter)
                    #expect(error?.parameter == name)
                    #expect(error?.detail == "\(name) must be \(wrong.requirement)")
                }
            }
        }
    }

    static let wrongJSON: [(field: String, values: [String])] = [
        ("small", [#""7""#, "7.5", "101", "true", "[7]", "{}"]), ("safe", ["9007199254740992"]),
        ("big", ["1.5", "true", #""a""#]), ("natural", ["-1", #""-1""#]), ("ratio", [#""1.5""#]),
        ("amount", ["12.5", "true"]), ("yes", ["1", #""true""#]), ("name", ["1", #""a\u0000""#]),
        ("day", ["20240101", #""2023-02-29""#]), ("moment", ["0"]), ("clock", ["12"]), ("bytes", ["[0]"]),
        ("tag", ["1"]), ("word", ["1"]), ("color", [#""GREEN""#, "0"]),
    ]

    @Test("A JSON value that is invalid for the field is an error with the path of the member", arguments: wrongJSON)
    func wrongValue(_ wrong: (field: String, values: [String])) async throws {
        let requirement = try #require(Self.wrongTexts.first { $0.field == wrong.field }).requirement
        try await Samples.withService { service async throws in
            for value in wrong.values {
                for (comparison, json) in [("ne", value), ("in", "[\(value)]")]
                where comparison == "ne" || wrong.field != "yes" {
                    let target = #"samples?filter={"not":{"\#(wrong.field)":{"\#(comparison)":\#(json)}}}"#
                    let error = #expect(throws: ServiceError.self, "\(target)") { try service.restQuestion(target) }
                    let place = "filter.not.\(wrong.field).\(comparison)"
                    #expect(error?.code == .invalidParameter)
                    #expect(error?.parameter == place)
                    #expect(error?.detail == "\(place) must be \(requirement)")
                }
            }
        }
    }

    @Test("The error for an invalid choice or an invalid Boolean contains the valid values")
    func allowed() async throws {
        try await Samples.withService { service async throws in
            for (target, allowed) in [
                ("color=GREEN", ["RED", "BLUE"]), ("yes=1", ["true", "false"]), ("known=1", ["true", "false"]),
                ("day.null=1", ["true", "false"]),
            ] {
                let error = #expect(throws: ServiceError.self) { try service.restQuestion("samples?\(target)") }
                #expect(error?.allowed == allowed, "\(target)")
            }
        }
    }

    @Test("The error for a comma in a value of the operator `in` suggests that the client repeat the parameter")
    func commas() async throws {
        try await Samples.withService { service async throws in
            let error = #expect(throws: ServiceError.self) { try service.restQuestion("samples?small.in=1,2,3") }
            #expect(
                error?.detail.hasSuffix("repeat the parameter for several values, as in small.in=1&small.in=2") == true)
            // A comma can be part of a text.
            #expect(
                Self.filter(try service.restQuestion("samples?name.in=a,b&name.in=c"))
                    == .compare("name", .in, [.text("a,b"), .text("c")]))
        }
    }

    @Test("A date in a JSON filter can be a number only if responses contain dates as numbers")
    func dateNumbers() async throws {
        let newYork = try #require(TimeZone(identifier: "America/New_York"))
        let day = Filter.compare("day", .equal, [.value(Self.date("1995-12-01"))])
        let number = #"samples?filter={"day":{"eq":817794000000}}"#
        let text = #"samples?filter={"day":{"eq":"1995-12-01"}}"#
        try await Samples.withService(dates: .epochMilliseconds(in: newYork)) { service async throws in
            for target in [number, text, "samples?day=1995-12-01"] {
                #expect(Self.filter(try service.restQuestion(target)) == day, "\(target)")
            }
            // A number that is not the start of a day, and a number in a parameter, are not dates.
            for target in [number.replacing("000}", with: "001}"), "samples?day=817794000000"] {
                #expect(throws: ServiceError.self, "\(target)") { try service.restQuestion(target) }
            }
        }
        try await Samples.withService { service async throws in
            #expect(Self.filter(try service.restQuestion(text)) == day)
            #expect(throws: ServiceError.self) { try service.restQuestion(number) }
        }
    }
}
