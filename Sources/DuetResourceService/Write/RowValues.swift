public import DuetSQLDatabase

/// The values of a row in a ``Change``, by the names of the fields. A field without a value differs from a field whose
/// value is NULL: in a new row, it gets the default value of the database, and an update does not change it.
public struct RowValues: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The names of the fields that have a value, in the order of their addition.
    public private(set) var names: [String] = []
    private var values: [SQLValue] = []

    /// Creates a row without values.
    public init() {}

    /// Creates a row. If a name occurs twice, the last value is used.
    public init(dictionaryLiteral elements: (String, SQLValue)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a field; nil if the row has no value for the field.
    public subscript(name: String) -> SQLValue? {
        get { names.firstIndex(of: name).map { values[$0] } }
        set {
            switch (names.firstIndex(of: name), newValue) {
            case (let index?, let value?): values[index] = value
            case (nil, let value?):
                names.append(name)
                values.append(value)
            case (let index?, nil):
                names.remove(at: index)
                values.remove(at: index)
            case (nil, nil): break
            }
        }
    }

    /// True if the row has no values.
    public var isEmpty: Bool { names.isEmpty }

    /// The names with their values.
    var elements: Zip2Sequence<[String], [SQLValue]> { zip(names, values) }

    /// Returns the date of a field; nil if the row has no value for the field, or the value is not a date.
    public func date(_ name: String) -> CalendarDate? {
        if case .date(let date)? = self[name] { date } else { nil }
    }

    /// Returns the row with the values of another row. If both rows have a value for a field, the result has the value
    /// of the other row.
    public func merging(_ other: RowValues) -> RowValues {
        var row = self
        for (name, value) in other.elements { row[name] = value }
        return row
    }

    /// Returns the values of the fields with the given names; nil if the row lacks one of them, or if it is NULL.
    func values(of names: [String]) -> [SQLValue]? {
        let known = names.compactMap { self[$0] }.filter { $0 != .null }
        return known.count == names.count ? known : nil
    }
}
