import DuetSQLDatabase

/// The column of a field in statements with aggregates and groups, as SQL.
///
/// The values are those that rows show. A value that does not have the type of the field, and a zero date of MariaDB,
/// is NULL if rows show null instead of it. Otherwise it makes the statement fail, or reaches the response, which then
/// fails. Spellings of one value, such as a UUID in upper case, are equal.
///
/// A column without such values and spellings is not changed, so that an index can provide the order of the groups, the
/// least value and the greatest value.
struct AggregatedColumn {
    private let planner: Planner
    private let field: Field
    /// The name of the field in errors: `orders.total`.
    private let name: String
    private let column: String
    /// The column as an operand of a comparison or a term of an order.
    private let ordered: String
    private let columnClass: ComparisonClass?
    /// The maximum length of the values; nil if they are short.
    private let columnLength: Int?

    /// - Parameters:
    ///   - name: The name of the field in errors; nil for the field of the resource.
    ///   - resource: The resource of the rows.
    init(
        _ field: Field, named name: String? = nil, of resource: Resource, _ draft: inout StatementDraft,
        _ planner: Planner
    ) throws {
        self.planner = planner
        self.field = field
        self.name = name ?? "\(resource.name).\(field.name)"
        let table = planner.catalogue.table(of: field, resource)
        columnClass = planner.catalogue.comparisonClasses.of(field.column, in: table)
        columnLength = planner.catalogue.columnLengths.length(field.column, of: table)
        let stored = try draft.expression(of: field)
        guard planner.dialect.dateParts == .function, columnClass?.name == "date", case .dateTime = field.type,
            case .text(let separator, let isUTC) = field.type.storedDateForm
        else {
            column = stored
            ordered = try planner.orderExpression(of: field, &draft)
            return
        }
        // Such a column of SQLite can also have dates without a time, for which rows show the first moment of the day.
        let time = "\(Character(UnicodeScalar(separator)))00:00:00\(isUTC ? "Z" : "")"
        column = "CASE WHEN LENGTH(\(stored)) = 10 THEN \(stored) || '\(time)' ELSE \(stored) END"
        ordered = column
    }

    // MARK: Keys

    /// The expression by which the rows are grouped.
    var key: String {
        guard usesFunctions else { return nullified(ordered) ?? ordered }
        if isTextOfNumber { return orderOfNumber }
        return field.nullifiesMismatches || hasSpellings ? collated(checked("canonical")) : ordered
    }

    /// True if the ``key`` is not the column itself. MariaDB permits only columns and labels in the condition on
    /// groups.
    var needsLabel: Bool { usesFunctions ? key != ordered : key != column }

    /// The value that represents a group; nil for the ``key``, which is the same value in all rows of the group.
    var representative: String? {
        let dialect = planner.dialect
        if usesFunctions, isTextOfNumber || hasSpellings { return dialect.representative(shown) }
        let isBinary = usesFunctions && columnClass?.collation == dialect.defaultCollation
        let text =
            isBinary ? shown : dialect.representative(shown, isStoredAsBytes: field.isStoredAsBytes)
        switch field.type {
        case .choice: return isBinary ? nil : text
        case .text, .identifier: return limited(text)
        default: return nil
        }
    }

    /// The maximum number of characters of a text that is a key.
    static let maximumKeyLength = 255
    /// The text before the name of a field in the error for a longer text.
    static let longKeyMark = "long "

    /// Returns a text that represents a group, or by which rows are ordered. The statement fails if it is longer than a
    /// key can be, because a cursor contains it. Any other value is not changed.
    func limited(_ text: String) -> String {
        switch field.type {
        case .text, .identifier: break
        default: return text
        }
        let name = Self.longKeyMark + name
        guard !usesFunctions else {
            let failure = "duet_stored(\(text), \(StoredValueType.none.code), '\(name)')"
            let characters = field.isStoredAsBytes ? "CAST(\(text) AS TEXT)" : text
            return "CASE WHEN LENGTH(\(characters)) > \(Self.maximumKeyLength) THEN \(failure) ELSE \(text) END"
        }
        guard let length = columnLength, length > Self.maximumKeyLength else { return text }
        let failure = MariaDBAggregates.failure(text, field: name)
        let zero = "IF(CHAR_LENGTH(\(text)) > \(Self.maximumKeyLength), \(failure), 0)"
        return "CONCAT(\(text), REPEAT('', \(zero)))"
    }

    /// Returns the expression of a part of a date.
    func part(
        _ part: DatePart, in zone: TimeZoneTable, of resource: Resource, _ scope: inout StatementScope
    ) throws -> DatePartExpression {
        let treatment: InvalidDates =
            field.nullifiesMismatches ? .areNull : showsZeroDatesAsNull ? .areErrorsExceptZeroDates : .areErrors
        return try planner.datePart(
            part, of: field, column, in: zone, of: resource, &scope, named: name, invalidDates: treatment)
    }

    // MARK: Aggregates

    /// Returns the expression of an aggregate.
    func aggregate(_ function: AggregateFunction, _ number: AggregateNumber?) throws -> String {
        let dialect = planner.dialect
        switch function {
        case .count: return try count
        case .countDistinct: return try countOfDistinct
        case .min, .max: return least(function == .min ? "MIN" : "MAX")
        case .sum where field.type == .boolean: return dialect.countOfTrue(shown, field: name)
        case .sum, .avg:
            guard let number else { throw CatalogueError("the values of \(field.name) are not numbers") }
            return function == .sum
                ? dialect.sum(shown, number, field: name) : dialect.average(shown, number, field: name)
        }
    }

    private var count: String {
        get throws {
            if usesFunctions { return "COUNT(\(field.nullifiesMismatches ? shown : checked("stored")))" }
            guard let condition = try check else { return "COUNT(\(nullified(column) ?? column))" }
            return "COUNT(\(condition))"
        }
    }

    private var countOfDistinct: String {
        get throws {
            guard !usesFunctions else {
                if isTextOfNumber { return "COUNT(DISTINCT \(orderOfNumber))" }
                // The collation of the column is not known.
                if isCollated, columnClass?.collation == nil { return "COUNT(DISTINCT \(ordered))" }
                return "COUNT(DISTINCT \(collated(checked("canonical"))))"
            }
            let value = nullified(ordered) ?? ordered
            guard let condition = try check else { return "COUNT(DISTINCT \(value))" }
            return "COUNT(DISTINCT \(value), \(condition))"
        }
    }

    private func least(_ function: String) -> String {
        guard usesFunctions else {
            // Valid dates are greater than a zero date, so an index provides the greatest date.
            if showsZeroDatesAsNull, !field.nullifiesMismatches, function == "MAX" {
                return "NULLIF(MAX(\(column)), '0000-00-00')"
            }
            return "\(function)(\(nullified(ordered) ?? ordered))"
        }
        guard !isTextOfNumber else {
            return "duet_\(function == "MIN" ? "least" : "greatest")_number(\(checked("stored")))"
        }
        let extreme = "\(function)(\(field.nullifiesMismatches ? collated(shown) : ordered))"
        // A comparison of decimal numbers fails for any other value, and would not name the field.
        guard case .decimal = field.type, !field.nullifiesMismatches else { return extreme }
        return checked("stored", extreme)
    }

    // MARK: Comparisons

    /// The collation of the column, which the least and the greatest value do not have; nil if the comparison of these
    /// values needs none.
    var collation: String? {
        guard usesFunctions, isCollated, let collation = columnClass?.collation,
            collation != planner.dialect.defaultCollation
        else { return nil }
        return collation
    }

    /// Returns an operand of an equation with the least or the greatest value, whose spelling does not matter. Both
    /// operands need this form.
    func anySpelling(_ operand: String) -> String? {
        guard usesFunctions, hasSpellings, let storedType else { return nil }
        return "duet_canonical(\(operand), \(storedType.code), NULL)"
    }

    // MARK: Values

    /// The values that rows show.
    private var shown: String {
        guard usesFunctions else { return nullified(column) ?? column }
        return field.nullifiesMismatches ? checked("stored") : column
    }

    /// True if the column of a nullable field can have zero dates, for which rows show null.
    private var showsZeroDatesAsNull: Bool {
        guard planner.dialect.hasZeroDates, field.isNullable else { return false }
        return switch field.type {
        case .date, .dateTime(_, .sql): true
        default: false
        }
    }

    /// Returns a value of MariaDB that is NULL if rows show null; nil if the column has no such values.
    private func nullified(_ value: String) -> String? {
        if field.nullifiesMismatches, let condition = isValid { return "CASE WHEN \(condition) THEN \(value) END" }
        guard showsZeroDatesAsNull else { return nil }
        return "CASE WHEN \(MariaDBValue.isNotZeroDate(column)) THEN \(value) END"
    }

    /// The condition that a value of MariaDB has the type of the field; nil if all values of the column have it.
    private var isValid: String? { try? MariaDBValue.isValid(column, field, columnClass) }

    /// An expression of MariaDB that is not NULL for a value with the type of the field, and fails for any other value;
    /// nil if such a value does not occur, or is NULL.
    private var check: String? {
        get throws {
            guard !field.nullifiesMismatches else { return nil }
            // The check would prevent that an index finds the different values. The columns of such fields usually have
            // only numbers of 32 bits.
            if case .integer(FieldType.wholeNumbers) = field.type { return nil }
            guard let condition = try MariaDBValue.isValid(column, field, columnClass) else { return nil }
            // For a zero date in a column that is NOT NULL, IS NULL is true.
            let isOther =
                showsZeroDatesAsNull ? MariaDBValue.isNotZeroDate(column) : "NOT (\(column) <=> NULL)"
            return
                "CASE WHEN \(condition) THEN 1 WHEN \(isOther) THEN \(MariaDBAggregates.failure(column, field: name)) END"
        }
    }

    // MARK: SQLite

    /// True if functions of this package check the values, and know their spellings.
    private var usesFunctions: Bool { planner.dialect.dateParts == .function }

    private var storedType: StoredValueType? {
        if field.isStoredAsBytes { return .bytesOfText }
        switch field.type {
        case .integer: return .integer(isSafe: true)
        case .bigInteger: return .integer(isSafe: false)
        case .number: return .number
        case .decimal: return .decimal
        case .boolean: return .boolean
        case .text, .identifier, .choice: return .text
        case .uuid: return .uuid
        case .time: return .time
        case .date: return .date(.date)
        case .dateTime: return .date(field.type.storedDateForm)
        case .binary, .json, .any: return nil
        }
    }

    /// True if one value has several spellings.
    private var hasSpellings: Bool {
        switch field.type {
        case .uuid, .time: true
        case .dateTime(_, let form): form.unit == nil
        default: false
        }
    }

    /// True for decimal numbers in a column of texts, whose order is not that of the numbers.
    private var isTextOfNumber: Bool {
        guard case .decimal = field.type, let columnClass else { return false }
        return !["numeric", "real"].contains(columnClass.name)
    }

    private var orderOfNumber: String { "duet_order(\(checked("stored")))" }

    /// Returns the call of a function of SQLite that checks the values.
    /// - Parameter value: The checked expression; nil for the column.
    private func checked(_ function: String, _ value: String? = nil) -> String {
        let column = value ?? column
        let failure = field.nullifiesMismatches ? "NULL" : "'\(name)'"
        guard let type = storedType else { return column }
        let call = "duet_\(function)(\(column), \(type.code), \(failure))"
        guard case .choice(let choice) = field.type else { return call }
        let texts = choice.values.map { field.isStoredAsBytes ? "CAST('\($0.name)' AS BLOB)" : "'\($0.name)'" }
        let invalid = "duet_stored(\(column), \(StoredValueType.none.code), \(failure))"
        return "CASE WHEN \(call) IN (\(texts.joined(separator: ", "))) THEN \(call) ELSE \(invalid) END"
    }

    /// True for texts with a collation.
    private var isCollated: Bool {
        switch field.type {
        case .text, .identifier, .choice: !field.isStoredAsBytes
        default: false
        }
    }

    /// Returns an expression with the collation of the column. The results of functions have none.
    private func collated(_ expression: String) -> String {
        collation.map { "\(expression) COLLATE \($0)" } ?? expression
    }
}
