import DuetJSON

/// An aggregate that a client computes from the values of rows. Sums and averages are those of whole numbers.
struct AggregateTotal: Sendable {
    /// A function with the name that it has in REST.
    enum Function: String, Sendable {
        case count, countDistinct, sum, avg, min, max
    }

    private let function: Function
    private var count: Int64 = 0
    private var sum: Int64 = 0
    private var distinct: Set<JSONValue> = []
    /// The smallest or the greatest value.
    private var extreme: JSONValue = .null

    init(_ function: Function) {
        self.function = function
    }

    /// Adds the value of a row. Null is ignored.
    /// - Throws: ``UnexpectedAnswer`` if the value does not fit the function.
    mutating func add(_ value: JSONValue) throws {
        guard value != .null else { return }
        count += 1
        switch function {
        case .count: break
        case .countDistinct: distinct.insert(value)
        case .sum, .avg:
            guard case .integer(let number) = value else {
                throw UnexpectedAnswer(
                    "\(value.typeName) has no \(function.rawValue), because it is not a whole number")
            }
            let (total, isOverflow) = sum.addingReportingOverflow(number)
            guard !isOverflow else { throw UnexpectedAnswer("the sum of a column exceeds 64 bits") }
            sum = total
        case .min: if extreme == .null || Self.isLess(value, extreme) { extreme = value }
        case .max: if extreme == .null || Self.isLess(extreme, value) { extreme = value }
        }
    }

    /// Returns the value of the aggregate, as in a response of the server.
    func value() throws -> JSONValue {
        switch function {
        case .count: .integer(count)
        case .countDistinct: .integer(Int64(distinct.count))
        case .sum: count == 0 ? .null : .integer(sum)
        case .avg: try count == 0 ? .null : average()
        case .min, .max: extreme
        }
    }

    private static func isLess(_ one: JSONValue, _ other: JSONValue) -> Bool {
        switch (one, other) {
        case (.integer(let one), .integer(let other)): one < other
        case (.string(let one), .string(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        default: false
        }
    }

    /// Returns the average with at most four digits after the decimal point, rounded half away from zero.
    private func average() throws -> JSONValue {
        let scale: Int64 = 10_000
        let (scaled, isOverflow) = sum.magnitude.multipliedReportingOverflow(by: UInt64(2 * scale))
        guard !isOverflow else { throw UnexpectedAnswer("the sum of a column is too large for its average") }
        let rounded = Int64((scaled + UInt64(count)) / UInt64(2 * count))
        let digits = String(rounded % scale)
        let fraction = String(repeating: "0", count: 4 - digits.count) + digits
        return try JSONValue(parsing: "\(sum < 0 ? "-" : "")\(rounded / scale).\(fraction)".utf8).withoutFraction
    }
}

extension JSONValue {
    /// The number as an integer, if it has no fraction. The server omits zeros at the end of a fraction.
    fileprivate var withoutFraction: JSONValue { integerValue.map { .integer($0) } ?? self }
}
