import DuetGraphQL
import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import Testing

@testable import DuetResourceService

@Suite("Inputs of writes") struct InputTests {
    /// Returns a write whose input has all fields of the samples.
    private static func write(_ service: ResourceService) throws -> Write {
        let samples = try #require(service.catalogue["samples"])
        return Write(
            "createSample", .insert, on: "samples", at: .list,
            input: samples.fields.map { Write.Input($0, required: false, $0.description) },
            description: "Creates a sample.")
    }

    /// Returns the values of an input as the body of a REST request, and as an argument in GraphQL.
    private static func read(
        _ service: ResourceService, _ input: JSONValue
    ) throws -> (body: RowValues, argument: RowValues) {
        let (reader, write) = (ChangeReader(service), try write(service))
        return (try reader.values(of: input, for: write), try reader.values(of: Value(input), for: write))
    }

    /// Expects an input to be invalid in both styles.
    /// - Returns: The error, which is the same in both styles.
    private static func error(_ service: ResourceService, _ input: JSONValue) throws -> ServiceError? {
        let (reader, write) = (ChangeReader(service), try write(service))
        let body = #expect(throws: ServiceError.self, "\(input)") { try reader.values(of: input, for: write) }
        let argument = #expect(throws: ServiceError.self) { try reader.values(of: Value(input), for: write) }
        #expect(body == argument)
        #expect(body?.code == .validationFailed)
        return body
    }

    static let values: [(field: String, json: JSONValue, value: SQLValue)] = [
        ("code", "a", .text("a")), ("code", "a/b,c", .text("a/b,c")), ("small", 100, .integer(100)),
        ("small", 7.0, .integer(7)), ("safe", -9_007_199_254_740_991, .integer(-9_007_199_254_740_991)),
        ("big", "9223372036854775807", .integer(.max)), ("big", -1, .integer(-1)),
        ("natural", "18446744073709551615", .unsigned(.max)), ("ratio", 1, .double(1)), ("ratio", 1.5, .double(1.5)),
        ("amount", "12.50", .decimal("12.50")), ("amount", 12, .integer(12)), ("yes", true, .integer(1)),
        ("yes", false, .integer(0)), ("name", "0123456789", .text("0123456789")), ("name", "Zoë 👩‍🚀", .text("Zoë 👩‍🚀")),
        ("day", "1000-01-01", CalendarDate(iso: "1000-01-01").map { .date($0) } ?? .null),
        ("moment", "2024-01-01T00:30:00+01:00", .text("2023-12-31 23:30:00")),
        ("local", "2024-01-31T12:34", .text("2024-01-31T12:34:00")), ("clock", "12:34:56", .text("12:34:56")),
        ("bytes", "AAH/", .blob([0, 1, 255])),
        ("tag", "123e4567-e89b-12d3-a456-426614174000", .text("123e4567-e89b-12d3-a456-426614174000")),
        ("word", "aZ09", .text("aZ09")), ("color", "RED", .text("RED")),
    ]

    @Test("A valid member is converted to the SQL value of its field")
    func members() async throws {
        try await Samples.withService { service async throws in
            for (field, json, value) in Self.values {
                let (body, argument) = try Self.read(service, [field: json])
                #expect(body.names == [field])
                #expect(body[field] == value, "\(field)")
                #expect(argument == body)
            }
            #expect(try Self.read(service, [:]).body.isEmpty)
        }
    }

    static let wrong: [(field: String, values: [JSONValue], message: String)] = [
        ("code", [""], "must have 1 to 40 characters, not 0"), ("code", [nil], "must be a string, not null"),
        ("small", [-6, 101, 1.5, "1", nil, true], "must be a whole number from -5 to 100"),
        ("big", ["9223372036854775808", 1.5, "", "1a", nil], "must be a 64-bit whole number"),
        ("natural", [-1, "-1", "18446744073709551616"], "must be a whole number from 0 to 18446744073709551615"),
        ("ratio", ["1.5"], "must be a number, not a string"),
        (
            "amount", ["", "1e3", 1.5],
            "must be a decimal number, as in 12.50; in JSON, a string of its digits or a whole number"
        ),
        ("yes", [1, "true", nil], "must be true or false"),
        ("name", ["01234567890"], "must have 1 to 10 characters, not 11"),
        ("name", ["  ", "\u{A0}"], "must not be blank"),
        ("name", ["a\0", "a\u{85}"], "must not contain control characters"),
        (
            "day", ["0999-12-31", "2023-02-29", 20_240_101, "1/2/2024"],
            "must be a date in the year 1000 or later, such as \"1995-12-01\""
        ),
        ("clock", ["1:00"], "must be a time, as in 12:34:56"), ("bytes", ["!"], "must be bytes in base64"),
        ("word", ["abcde"], "must have 1 to 4 characters, not 5"),
        ("word", ["a-b"], "must be up to 4 letters and digits"),
        ("color", ["red", nil], "must be one of RED, BLUE"),
    ]

    @Test("A member with an invalid value is an error that describes the valid values")
    func wrongMembers() async throws {
        try await Samples.withService { service async throws in
            for (field, values, message) in Self.wrong {
                for value in values {
                    let error = try Self.error(service, [field: value])
                    #expect(error?.fields == [.init(field: field, message: message)])
                }
            }
        }
    }

    @Test("If responses contain dates as numbers, a number is a valid date, and the error of an invalid date says so")
    func numericDates() async throws {
        let newYork = try #require(TimeZone(identifier: "America/New_York"))
        try await Samples.withService(dates: .epochMilliseconds(in: newYork)) { service async throws in
            let values = try Self.read(service, ["day": 817_794_000_000])
            #expect(values.body.date("day") == CalendarDate(iso: "1995-12-01"))
            #expect(values.argument == values.body)
            let error = try Self.error(service, ["day": 817_794_000_001])
            let message =
                "must be a date in the year 1000 or later, such as \"1995-12-01\", or the number that represents it in responses"
            #expect(error?.fields == [.init(field: "day", message: message)])
        }
    }

    @Test("A member is unknown if its name is not exactly the name of a field")
    func unknownMembers() async throws {
        try await Samples.withService { service async throws in
            for name in ["Code", "code ", "", "co\u{308}de"] {
                let error = try Self.error(service, [name: "a"])
                #expect(error?.fields.map(\.field) == [name])
                #expect(
                    error?.fields.first?.message.hasPrefix("is unknown; valid members are amount, big, bytes,") == true)
            }
        }
    }
}
