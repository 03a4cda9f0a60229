import DuetJSON

/// The values of one response with aggregates: of all rows, or of groups of rows. A style that reads the rows computes
/// the same values from them.
///
/// In JSON, it is an object:
///
/// - `group`: The keys of the groups, as in the parameter of REST. A key is a path to a value of a row, or to a date
///   with the part `year`, `month` or `day`. If a path leads to a list, it continues with the first element.
/// - `aggregate`: The aggregates, as in the parameter of REST: `count`, or a path and a function.
/// - `of`: The name of a member with related rows. The aggregates are then those of all related rows. A path begins in
///   the related row or, if this has no such member, in the row itself.
struct AggregatePick: Sendable {
    private let member: String?
    private let keys: [[String]]
    private let aggregates: [(function: AggregateTotal.Function, path: [String])]

    /// - Throws: ``Pick/PickError`` if the JSON does not have this form.
    init(_ json: JSONValue) throws {
        guard case .object(let object) = json,
            object.members.allSatisfy({ ["of", "group", "aggregate"].contains($0.key) })
        else { throw Pick.PickError() }
        func paths(_ name: String) throws -> [[String]] {
            guard let value = object[name] else { return [] }
            guard case .array(let elements) = value else { throw Pick.PickError() }
            return try elements.map { element in
                guard case .string(let text) = element, !text.isEmpty else { throw Pick.PickError() }
                return text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            }
        }
        member =
            switch object["of"] {
            case nil: nil
            case .string(let name)?: name
            default: throw Pick.PickError()
            }
        keys = try paths("group")
        aggregates = try paths("aggregate").map { path in
            guard let function = path.last.flatMap(AggregateTotal.Function.init(rawValue:)),
                path.count > 1 || function == .count
            else { throw Pick.PickError() }
            return (function, Array(path.dropLast()))
        }
        guard !aggregates.isEmpty else { throw Pick.PickError() }
    }

    /// Returns the values of a response with aggregates. They have the order of `group` and `aggregate`.
    /// - Parameter response: An object, or an array with an object for each group.
    /// - Returns: An array of groups. Each group is an array of its values.
    /// - Throws: ``UnexpectedAnswer`` if a group has another number of values.
    func values(of response: JSONValue) throws -> JSONValue {
        let groups = if case .array(let groups) = response { groups } else { [response] }
        return Self.sorted(
            try groups.map { group in
                let values = group.leafValues
                guard values.count == keys.count + aggregates.count else {
                    throw UnexpectedAnswer(
                        "a group has \(values.count) values instead of \(keys.count + aggregates.count)")
                }
                return values
            })
    }

    /// Computes the values from rows.
    /// - Throws: ``UnexpectedAnswer`` if a row has no value at a path, or if a value does not fit a function.
    func values(ofRows rows: [JSONValue]) throws -> JSONValue {
        let empty = aggregates.map { AggregateTotal($0.function) }
        // The aggregates of all rows exist even if there are no rows.
        var groups: [[JSONValue]: [AggregateTotal]] = keys.isEmpty ? [[]: empty] : [:]
        for row in rows {
            for scope in try scopes(of: row) {
                let key = try keys.map { try Self.key($0, scope) }
                for (index, aggregate) in aggregates.enumerated() {
                    let value = try aggregate.path.isEmpty ? true : Self.required(aggregate.path, scope)
                    try groups[key, default: empty][index].add(value)
                }
            }
        }
        return Self.sorted(try groups.map { key, totals in key + (try totals.map { try $0.value() }) })
    }

    /// The databases sort texts in different ways, so the order of the groups is not compared.
    private static func sorted(_ groups: [[JSONValue]]) -> JSONValue {
        .array(groups.map { JSONValue.array($0) }.sorted { $0.compactText < $1.compactText })
    }

    /// Returns the objects in which the paths begin: the row, or each related row followed by the row.
    private func scopes(of row: JSONValue) throws -> [[JSONValue]] {
        guard let member else { return [[row]] }
        switch try row.member(member) {
        case .null: return []
        case .array(let related): return related.map { [$0, row] }
        case let related: return [[related, row]]
        }
    }

    private static func key(_ path: [String], _ scope: [JSONValue]) throws -> JSONValue {
        if let value = value(path, scope) { return value }
        guard let name = path.last, let part = DatePart(rawValue: name),
            let date = value(Array(path.dropLast()), scope)
        else { throw missing(path) }
        return try part.value(of: date)
    }

    private static func required(_ path: [String], _ scope: [JSONValue]) throws -> JSONValue {
        guard let value = value(path, scope) else { throw missing(path) }
        return value
    }

    private static func missing(_ path: [String]) -> UnexpectedAnswer {
        UnexpectedAnswer("there is no member \(path.joined(separator: ".")) in a row")
    }

    /// Returns the value at a path; nil if there is no such member. Below null and in an empty list, the value is null.
    private static func value(_ path: [String], _ scope: [JSONValue]) -> JSONValue? {
        scope.lazy.compactMap { object in
            path.reduce(object as JSONValue?) { value, name in
                guard case .array(let elements)? = value else { return value == .null ? .null : value?[name] }
                guard let first = elements.first, first != .null else { return .null }
                return first[name]
            }
        }.first
    }

    /// A part of a date. The raw value is its name.
    private enum DatePart: String {
        case year, month, day

        /// - Parameter date: A text that begins with the date, or the milliseconds of its first moment in a time zone
        ///   that differs from UTC by at most 12 hours. Twelve hours later, it is this date in UTC.
        func value(of date: JSONValue) throws -> JSONValue {
            let text: String
            switch date {
            case .null: return .null
            case .string(let date): text = date
            case .integer(let milliseconds): text = Self.text(milliseconds + 43_200_000)
            default: throw UnexpectedAnswer("\(date.typeName) is not a date")
            }
            switch self {
            case .year:
                guard let year = Int64(text.prefix(4)) else { throw UnexpectedAnswer("\(text) is not a date") }
                return .integer(year)
            case .month: return .string(String(text.prefix(7)))
            case .day: return .string(String(text.prefix(10)))
            }
        }

        /// Returns the date of a time in UTC: `1995-12-01`.
        private static func text(_ milliseconds: Int64) -> String {
            // The years of this algorithm begin in March, so that a leap day is the last day of a year.
            let day = Int64((Double(milliseconds) / 86_400_000).rounded(.down)) + 719_468
            let era = Int64((Double(day) / 146_097).rounded(.down))
            let dayOfEra = day - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let month = (5 * dayOfYear + 2) / 153
            let civilMonth = month < 10 ? month + 3 : month - 9
            let year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0)
            func padded(_ number: Int64, _ width: Int) -> String {
                let digits = String(number)
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            return [padded(year, 4), padded(civilMonth, 2), padded(dayOfYear - (153 * month + 2) / 5 + 1, 2)]
                .joined(separator: "-")
        }
    }
}

extension JSONValue {
    /// The contained values that are neither arrays nor objects, in their order.
    fileprivate var leafValues: [JSONValue] {
        switch self {
        case .array(let elements): elements.flatMap(\.leafValues)
        case .object(let object): object.members.flatMap(\.value.leafValues)
        default: [self]
        }
    }
}
