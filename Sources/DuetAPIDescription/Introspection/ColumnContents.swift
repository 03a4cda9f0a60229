import DuetDatabaseSchema
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase

/// The values that rows have in a column of SQLite: their number by storage class, and the types that fit all of them.
struct ColumnContents: Sendable {
    /// The number of values of each storage class (sqlite.org/datatype3.html).
    private(set) var nulls = 0
    private(set) var integers = 0
    private(set) var reals = 0
    private(set) var texts = 0
    private(set) var blobs = 0
    /// The number of zeros. Zero can mean that there is no time.
    private var zeros = 0
    /// The number of values that JSON cannot represent: infinite numbers, and texts that are not UTF-8.
    private(set) var unrepresentable = 0
    /// The types that the column can have, from the declared type to wider ones. The values so far fit all of them.
    private var types: [Candidate]
    /// The types of times and dates that fit the values, although the declared type does not suggest them.
    private var suggestions: [Candidate]

    /// A type, and the condition on the values.
    private struct Candidate: Sendable {
        let type: FieldType
        let format: ValueFormat
        /// True for a column of Core Data.
        let isCoreData: Bool

        init(_ type: FieldType, isCoreData: Bool = false) {
            self.type = type
            self.isCoreData = isCoreData
            format = Field("", type, column: "", description: "").format
        }

        func accepts(_ value: ColumnValue) -> Bool {
            switch (type, value) {
            // A floating-point number of a client cannot represent a greater integer exactly.
            case (.number, .integer(let integer)): integer.magnitude < 1 << 53
            // SQLite compares a date and a date with a time as texts, so that no filter would find the date.
            case (.dateTime, .date): false
            case (.integer(let range), .integer(let integer)): range.contains(integer)
            case (.dateTime(_, .cocoaSeconds), _) where isCoreData: format.accepts(value)
            case (.dateTime(_, let form), .integer(let integer)) where form.isNumber:
                integer == 0 || Self.isLikely(Double(integer), form)
            case (.dateTime(_, let form), .double(let double)) where form.isNumber:
                double == 0 || Self.isLikely(double, form) && format.accepts(value)
            default: format.accepts(value)
            }
        }

        /// Returns true if a number represents a time between 1990 and 2040, or between 2004 and 2040 for seconds
        /// since 2001. The same number of seconds can be a time of both epochs.
        private static func isLikely(_ number: Double, _ form: DateTimeForm) -> Bool {
            form == .cocoaSeconds && (1e8..<1_230_681_600).contains(number) || DateTimeForm.likely(number) == form
        }
    }

    /// - Parameters:
    ///   - declared: The type of the field that the declared type of the column suggests.
    ///   - isCoreData: True for a column of Core Data, which stores all times as seconds since 2001.
    init(declared: FieldType, isCoreData: Bool = false) {
        types = Self.types(from: declared).map { Candidate($0, isCoreData: isCoreData) }
        if isCoreData { types.removeAll { $0.type.isNumberOfTime && $0.format.dateTimeForm != .cocoaSeconds } }
        suggestions = Self.suggestions(for: declared).map { Candidate($0) }
    }

    /// Adds a value.
    mutating func add(_ value: ColumnValue) {
        switch value {
        case .null:
            nulls += 1
            return
        case .integer(let integer):
            integers += 1
            if integer == 0 { zeros += 1 }
        case .unsigned: integers += 1
        case .double(let double):
            reals += 1
            if double == 0 { zeros += 1 }
            if !double.isFinite { unrepresentable += 1 }
        case .text, .date: texts += 1
        case .blob: blobs += 1
        }
        guard ValueFormat.any.accepts(value) else {
            if case .text = value { unrepresentable += 1 }
            return
        }
        types.removeAll { !$0.accepts(value) }
        if !suggestions.isEmpty { suggestions.removeAll { !$0.accepts(value) } }
    }

    /// The number of values that are not NULL.
    var values: Int { integers + reals + texts + blobs }

    /// The narrowest type that fits all values.
    var type: FieldType { narrowest(types) ?? .any }

    private func narrowest(_ candidates: [Candidate]) -> FieldType? {
        let isKnown = values > zeros && !Self.isAmbiguous(candidates)
        return candidates.first { isKnown || !$0.type.isNumberOfTime }?.type
    }

    /// True if all values can be seconds since 1970, in the years 1990 to 2009, and seconds since 2001, in the years
    /// 2021 to 2040.
    var hasTimesOfUnknownEpoch: Bool {
        values > zeros && (Self.isAmbiguous(types) || Self.isAmbiguous(suggestions))
    }

    private static func isAmbiguous(_ candidates: [Candidate]) -> Bool {
        [DateTimeForm.unixSeconds, .cocoaSeconds].allSatisfy { form in
            candidates.contains { $0.type.isNumberOfTime && $0.format.dateTimeForm == form }
        }
    }

    /// A type of times or dates that fits all values, and that is better than the type of the field for clients; nil if
    /// there is none.
    var suggestion: FieldType? {
        guard values > 0, let type = narrowest(suggestions) else { return nil }
        return type == self.type ? nil : type
    }

    /// The storage classes, for comments: `3 texts and 1201 integers`.
    var classes: String {
        let counts = [
            (integers, "integer"), (reals, "floating-point number"), (texts, "text"), (blobs, "blob"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        guard let last = counts.last, counts.count > 1 else { return counts.first ?? "no values" }
        return counts.dropLast().joined(separator: ", ") + " and " + last
    }

    // MARK: Types

    private static let numbers: [FieldType] = [.integer(FieldType.safeNumbers), .bigInteger(), .number]
    private static let textTimes: [FieldType] = [
        .dateTime(isUTC: false, .sql), .dateTime(isUTC: false, .iso), .dateTime(isUTC: true, .utc),
        .dateTime(isUTC: true, .offset),
    ]
    private static let numberTimes: [FieldType] = DateTimeForm.allCases.filter(\.isNumber).map {
        .dateTime(isUTC: true, $0)
    }

    /// Returns the declared type, and the wider types in the order in which they are tried.
    private static func types(from declared: FieldType) -> [FieldType] {
        let wider: [FieldType] =
            switch declared {
            case .any: []
            case .boolean, .integer, .bigInteger, .number: numbers + [.date] + textTimes + [.text(), .binary]
            case .decimal: [.date] + textTimes + [.text(), .binary]
            case .date, .dateTime: [.date] + textTimes + numberTimes + numbers + [.text(), .binary]
            case .time, .uuid, .json: [.text(), .binary] + numbers
            case .text, .identifier, .choice: [.binary]
            case .binary: [.text()]
            }
        var types = [declared]
        for type in wider + [.any] where !types.contains(type) { types.append(type) }
        return types
    }

    private static func suggestions(for declared: FieldType) -> [FieldType] {
        switch declared {
        case .text: [.date] + textTimes
        case .integer, .bigInteger, .number: numberTimes
        case .any: [.date] + textTimes + numberTimes
        default: []
        }
    }
}

extension FieldType {
    /// True for a point in time that is stored as a number.
    fileprivate var isNumberOfTime: Bool {
        if case .dateTime(_, let form) = self { form.isNumber } else { false }
    }
}
