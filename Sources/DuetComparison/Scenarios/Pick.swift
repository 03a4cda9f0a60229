import DuetJSON

/// The values that a task needs from a response: the members of an object and, if the value of a member is an object or
/// a list of objects, the members of these objects.
///
/// In JSON, it is an array such as `["id", {"orders": ["id"]}]`. A string is the name of a member. An object has the
/// name of a member as its only key, and the value of this key is the pick for the nested objects.
///
/// A pick with further properties is an object with the array as its member `pick`:
///
/// - `within`: The name of the member that contains the values, if the response has this member. The payload of a
///   mutation has a member with the row, and the response of REST is the row.
/// - `current`: The name of a date. Rows in which this date is before the year 9999 are omitted.
struct Pick: Sendable {
    private let members: [(name: String, below: Pick?)]
    private let within: String?
    private let current: String?

    /// - Throws: ``PickError`` if the JSON does not have this form.
    init(_ json: JSONValue) throws {
        var list = json
        if case .object(let object) = json {
            guard let pick = object["pick"],
                object.members.allSatisfy({ ["pick", "within", "current"].contains($0.key) })
            else { throw PickError() }
            list = pick
        }
        within = try Self.name(json["within"])
        current = try Self.name(json["current"])
        guard case .array(let elements) = list, !elements.isEmpty else { throw PickError() }
        members = try elements.map { element in
            switch element {
            case .string(let name): return (name, nil)
            case .object(let object):
                guard let member = object.members.first, object.members.count == 1 else { throw PickError() }
                return (member.key, try Pick(member.value))
            default: throw PickError()
            }
        }
    }

    private static func name(_ value: JSONValue?) throws -> String? {
        switch value {
        case nil: nil
        case .string(let name)?: name
        default: throw PickError()
        }
    }

    /// Returns the values of a response.
    /// - Throws: ``UnexpectedAnswer`` if a value is missing.
    func values(of response: JSONValue) throws -> JSONValue {
        try picked(within.flatMap { response[$0] } ?? response)
    }

    /// Returns the picked values of an object, or of each object of a list. Null is returned unchanged.
    private func picked(_ value: JSONValue) throws -> JSONValue {
        switch value {
        case .null: return .null
        case .array(let elements): return .array(try elements.filter(isIncluded).map(picked))
        default:
            var object = JSONObject()
            for (name, below) in members {
                let member = try value.member(name)
                object[name] = try below.map { try $0.values(of: member) } ?? member
            }
            return .object(object)
        }
    }

    /// Returns false for a row whose period has ended. The end is a date or a number of milliseconds. A row without an
    /// end is included, because the server has already selected it.
    private func isIncluded(_ row: JSONValue) -> Bool {
        switch current.flatMap({ row[$0] }) {
        case .string(let day)?: day.hasPrefix("9999-")
        case .integer(let milliseconds)?: milliseconds > 253_370_000_000_000
        default: true
        }
    }

    /// The error for a value of `pick` that is not a list of members.
    struct PickError: Error {}
}

/// The values that a task needs from all its responses. They should be equal in all styles.
enum Picks: Sendable {
    /// The values of the last response. If it is a list, the rows of all responses.
    case combined(Pick)
    /// The values of each response.
    case each([Pick])
    /// The aggregates of the rows of all responses. In a style with aggregates, the values of each response.
    case aggregates([AggregatePick])

    /// Returns the values.
    /// - Parameter responses: One response for each REST round, each page of a list, and each GraphQL operation. Each
    ///   GraphQL connection is replaced by the array of its nodes. In a style with aggregates, one response for each
    ///   REST request and each root field of GraphQL.
    /// - Throws: ``UnexpectedAnswer`` if a value is missing.
    func values(of responses: [JSONValue], in style: Style) throws -> JSONValue {
        switch self {
        case .combined(let pick):
            guard let last = responses.last else { throw UnexpectedAnswer("there is no response") }
            guard case .array = last else { return try pick.values(of: last) }
            return .array(try responses.flatMap { try pick.values(of: $0).elements() })
        case .each(let picks):
            guard responses.count == picks.count else {
                throw UnexpectedAnswer("there are \(responses.count) responses, not \(picks.count)")
            }
            return .array(try zip(picks, responses).map { try $0.values(of: $1) })
        case .aggregates(let picks):
            guard style.readsAggregates else {
                let rows = try responses.flatMap { try $0.elements() }
                return .array(try picks.map { try $0.values(ofRows: rows) })
            }
            guard responses.count == picks.count else {
                throw UnexpectedAnswer("there are \(responses.count) values with aggregates, not \(picks.count)")
            }
            return .array(try zip(picks, responses).map { try $0.values(of: $1) })
        }
    }
}
