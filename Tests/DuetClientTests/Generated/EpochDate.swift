import DuetClient

/// A day in the server's default format: the number of milliseconds from 1970 to the start of the day.
struct EpochDate: ScalarDecodable, InputValue, Encodable, Hashable {
    let milliseconds: Int64

    init?(json: JSONValue) {
        guard let milliseconds = Int64(json: json) else { return nil }
        self.milliseconds = milliseconds
    }

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    static let placeholders = (EpochDate(milliseconds: 0), EpochDate(milliseconds: 1))

    var inputValue: JSONValue { .integer(milliseconds) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
