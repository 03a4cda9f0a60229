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
    private(set) var zeros = 0
    /// The forms of times in which at least one number can only be.
    private var provenForms: Set<DateTimeForm> = []
    /// The number of bytes of the texts; nil if there are texts of different lengths.
    private var length: Int?
    private var hasMixedLengths = false
    /// The number of values that JSON cannot represent: infinite numbers, and texts that are not UTF-8.
    private(set) var unrepresentable = 0
    /// True if all values are bytes that are texts in UTF-8 without control characters.
    private var hasOnlyEncodedTexts = true
    /// The types that the column can have, from the declared type to wider ones. The values so far fit all of them.
    private var types: [Candidate]
    /// The types that fit all values except empty texts, from the declared type to wider ones.
    private var typesOfOthers: [Candidate]
    private var emptyTexts = 0
    /// The types of times and dates that fit the values, although the declared type does not suggest them.
    private var suggestions: [Candidate]
    /// The types of numbers, texts and bytes that fit the values of a column without a usable declared type.
    private var plainTypes: [Candidate]

    /// A type, and the condition on the values.
    private struct Candidate: Sendable {
        let type: FieldType
        let format: ValueFormat
        /// True for a column of Core Data.
        private let isCoreData: Bool

        init(_ type: FieldType, isCoreData: Bool) {
            self.type = type
            self.isCoreData = isCoreData
            format = type.format
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
                (integer == 0 || form.isPlausible(Double(integer))) && format.accepts(value)
            case (.dateTime(_, let form), .double(let double)) where form.isNumber:
                (double == 0 || form.isPlausible(double)) && format.accepts(value)
            default: format.accepts(value)
            }
        }
    }

    /// - Parameters:
    ///   - declared: The type of the field that the declared type of the column suggests.
    ///   - isText: True for a column such as `STRING`, which is declared as text, but stores digits as numbers.
    ///   - isCoreData: True for a table of Core Data, whose times are numbers of seconds since 2001.
    init(declared: FieldType, isText: Bool = false, isCoreData: Bool) {
        if isCoreData { provenForms = [.cocoaSeconds] }
        types = Self.types(from: isText ? .text() : declared).map { Candidate($0, isCoreData: isCoreData) }
        if isText { types.removeAll { $0.type == .binary } }
        suggestions = Self.suggestions(for: declared).map { Candidate($0, isCoreData: false) }
        typesOfOthers = (Self.types(from: declared) + Self.suggestions(for: declared)).filter(\.canReplaceEmptyTexts)
            .map { Candidate($0, isCoreData: isCoreData) }
        plainTypes = (declared == .any ? Self.numbers + [.text(), .binary] : []).map {
            Candidate($0, isCoreData: false)
        }
        if isCoreData {
            types.removeAll { candidate in
                if case .dateTime(_, let form) = candidate.type {
                    form.isNumber && form != .cocoaSeconds
                } else {
                    false
                }
            }
        }
    }

    /// Adds a value.
    mutating func add(_ value: ColumnValue) {
        switch value {
        case .null:
            nulls += 1
            return
        case .integer(let integer):
            integers += 1
            note(number: Double(integer))
        case .unsigned: integers += 1
        case .double(let double):
            reals += 1
            note(number: double)
            if !double.isFinite { unrepresentable += 1 }
        case .text(let bytes):
            texts += 1
            if bytes.isEmpty {
                emptyTexts += 1
            } else {
                if length == nil { length = bytes.count }
                if length != bytes.count { hasMixedLengths = true }
            }
        case .date: texts += 1
        case .blob(let bytes):
            blobs += 1
            if hasOnlyEncodedTexts { hasOnlyEncodedTexts = ValueFormat.canBeText(bytes) }
        }
        guard ValueFormat.any.accepts(value) else {
            if case .text = value { unrepresentable += 1 }
            return
        }
        types.removeAll { !$0.accepts(value) }
        if !suggestions.isEmpty { suggestions.removeAll { !$0.accepts(value) } }
        if !plainTypes.isEmpty { plainTypes.removeAll { !$0.accepts(value) } }
        if case .text(let bytes) = value, bytes.isEmpty { return }
        if !typesOfOthers.isEmpty { typesOfOthers.removeAll { !$0.accepts(value) } }
    }

    private mutating func note(number: Double) {
        if number == 0 { zeros += 1 }
        if let form = DateTimeForm.likely(number) { provenForms.insert(form) }
    }

    /// The number of values that are not NULL.
    var values: Int { integers + reals + texts + blobs }

    /// The narrowest type that fits all values.
    var type: FieldType { narrowest(types) ?? .any }

    private func narrowest(_ candidates: [Candidate]) -> FieldType? {
        candidates.first { candidate in
            switch candidate.type {
            case .dateTime(_, let form) where form.isNumber: values > zeros && provenForms.contains(form)
            // Texts with fractions of different lengths do not have the order of the times, because `.` precedes `Z`.
            case .dateTime(_, .utc): !hasMixedLengths
            default: true
            }
        }?.type
    }

    /// True if all values are bytes that can be texts.
    var areEncodedTexts: Bool { blobs > 0 && blobs == values && hasOnlyEncodedTexts }

    /// Returns true if all values have a type that introspection can choose or suggest for the column.
    func fit(_ field: Field) -> Bool {
        if field.isStoredAsBytes { return areEncodedTexts }
        return values > 0 && types.contains { $0.type == field.type }
    }

    /// The types of dates and times that fit all values, except ``type``. For numbers that can be times in several
    /// forms, there are several types.
    var suggestedTypes: [FieldType] {
        guard values > 0 else { return [] }
        if let type = narrowest(suggestions) { return type == self.type ? [] : [type] }
        guard values > zeros else { return [] }
        return suggestions.map(\.type).filter(\.isNumberOfTime)
    }

    /// The number of empty texts, and the narrowest type that fits all other values; nil if there is no empty text, or
    /// no such type. If `canBeTimes`, the other values are numbers that can be times in several forms.
    var typeWithoutEmptyTexts: (count: Int, type: FieldType, canBeTimes: Bool)? {
        guard emptyTexts > 0, values > emptyTexts, let type = narrowest(typesOfOthers) else { return nil }
        let forms = typesOfOthers.filter(\.type.isNumberOfTime).count
        return (emptyTexts, type, forms > 1 && values > zeros + emptyTexts && !type.isNumberOfTime)
    }

    /// The narrowest type of numbers, texts or bytes that fits all values; nil if there is none, or if ``type`` is not
    /// `any` by declaration.
    var plainType: FieldType? { values > 0 ? plainTypes.first?.type : nil }

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
        case .any, .date, .dateTime: [.date] + textTimes + numberTimes
        default: []
        }
    }
}

extension FieldType {
    /// True for a type without the empty text.
    fileprivate var canReplaceEmptyTexts: Bool {
        switch self {
        case .text, .identifier, .choice, .binary, .any: false
        default: true
        }
    }

    /// True for a point in time that is stored as a number.
    fileprivate var isNumberOfTime: Bool {
        if case .dateTime(_, let form) = self { form.isNumber } else { false }
    }
}
