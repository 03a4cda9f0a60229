import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport

/// A catalog with one resource. The resource has a field of each type, and its key is a text.
enum Samples {
    static func catalogue() throws -> Catalogue {
        try Catalogue([samples], description: "Samples.")
    }

    /// Calls a closure with a service of the samples. The table has only the column of the key.
    /// - Parameters:
    ///   - keys: The keys of the rows.
    ///   - dates: The format of dates.
    static func withService(
        _ backend: TestBackend = .sqlite, keys: [String] = [], dates: DateEncoding = .iso,
        _ body: (ResourceService) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { connection in
                try connection.execute("CREATE TABLE samples (code VARCHAR(40) NOT NULL PRIMARY KEY)")
                for key in keys { try connection.execute("INSERT INTO samples VALUES (:key)", ["key": .text(key)]) }
            }
            try await body(
                ResourceService(try catalogue(), database: database, encoding: ValueEncoding(dates: dates)))
        }
    }

    static let color = Choice("Color", "A color.", [.init("RED", "Red."), .init("BLUE", "Blue.")])

    private static let samples = Resource(
        "samples", singular: "sample", type: "Sample", table: "samples", description: "A sample.",
        fields: [
            Field("code", .text(maximumLength: 40), column: "code", description: "The key."),
            field("small", .integer(-5...100)), field("safe", .integer(FieldType.safeNumbers)),
            field("big", .bigInteger()), field("natural", .bigInteger(isUnsigned: true, .number)),
            field("ratio", .number), field("amount", .decimal(scale: 2)), field("yes", .boolean),
            field("name", .text(maximumLength: 10)), field("day", .date), field("moment", .dateTime(isUTC: true)),
            field("local", .dateTime(isUTC: false, .iso)), field("clock", .time), field("bytes", .binary),
            field("tag", .uuid), field("word", .identifier(maximumLength: 4)), field("color", .choice(color)),
            field("extra", .json), field("loose", .any),
            Field("single", .number, column: "single", isNullable: true, isSingle: true, description: "32 bits."),
        ],
        key: ["code"],
        filters: [
            NamedFilter("about", .compare(["code", "name"], .like), description: "The code or the name."),
            NamedFilter("least", .compare(["small"], .greaterOrEqual), description: "The smallest number."),
            NamedFilter(
                "known", .flag(whenTrue: .isNull("day", false), whenFalse: .isNull("day", true)),
                description: "True: the day is known."),
        ])

    private static func field(_ name: String, _ type: FieldType) -> Field {
        Field(name, type, column: name, isNullable: true, description: "A value.")
    }
}
