public import DuetSQLDatabase
import NIOCore

/// The name of an attached member, and the form of its value. A string literal is the name of a member whose value is a
/// list.
public struct AttachedMember: Sendable, ExpressibleByStringLiteral {
    /// The form of a member's value.
    public enum Form: Sendable {
        /// An array of all rows as objects.
        case list
        /// The first row as an object; `null` if there is no row.
        case object
        /// An object that describes a page of the rows.
        case page(PageForm)

        var isList: Bool { if case .list = self { true } else { false } }
    }

    /// The member's name.
    public let name: String
    /// The form of the member's value.
    public let form: Form
    /// For the form ``Form/object``: the name of the parent rows' table or resource if each parent row must have an
    /// attached row; nil if the object can be `null`. If the name is not nil, a parent row without an attached row is
    /// an error. The property has no effect on lists and pages.
    public var requiredBy: String?
    /// The bytes before the rows: `,"name":[` for a list, and `,"name":` for an object or a page.
    let prefix: [UInt8]
    /// The prefix with an opening brace instead of the comma, for the first member of an object.
    let openingPrefix: [UInt8]

    /// Creates a member.
    /// - Parameters:
    ///   - name: The member's name.
    ///   - form: The form of the member's value.
    public init(_ name: String, form: Form = .list) {
        self.name = name
        self.form = form
        let bracket = form.isList ? [UInt8(ascii: "[")] : []
        prefix = JSONKey.prefix(name, opensObject: false) + bracket
        openingPrefix = JSONKey.prefix(name, opensObject: true) + bracket
    }

    /// Creates a list with this name.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

/// A query whose rows become a member of other rows, the parent rows. A *key* consists of the values of one or more
/// columns. It assigns each attached row to a parent row. An attachment can be created once and used in any number of
/// requests.
public final class Attachment: Sendable {
    /// The form of the query's condition, and the way in which the query is run for several keys.
    public enum KeyAccess: Sendable {
        /// The query has the condition `IN (:key)` and is run once for all keys. Its first columns are the columns in
        /// the condition.
        case together
        /// The query has the condition `= :key`. Its first columns are the columns in the condition. For several keys,
        /// one statement repeats the query with `UNION ALL`, so that the order and the limit apply to each key.
        case repeated
        /// The query has the condition `= :key` and is repeated as in ``repeated``. Instead of the key columns, it
        /// selects the parameter ``rowParameter`` once for each column of the key. The value of the parameter is the
        /// index of the key. The index, not the key, assigns a row to its parent row. Therefore the stored key may
        /// differ from the argument, for example in letter case.
        case repeatedWithPositions
        /// The query has a `VALUES` clause with ``keyList``. Each row of the clause contains the index of a key in the
        /// list and the columns of the key. Instead of the key columns, the query selects the index once for each
        /// column of the key.
        case listed
    }

    let member: AttachedMember
    let sql: String
    /// The way in which the query is run for several keys.
    let keyAccess: KeyAccess
    /// True if the query can return rows of other keys than the given ones.
    let returnsOtherKeys: Bool
    let arguments: Arguments
    /// The columns of the parent rows whose values are the key.
    let keys: [String]
    /// The name of the query's list parameter, for ``KeyAccess/together``: the label of the key column, or the labels
    /// of all key columns joined by underscores.
    let parameter: String
    /// The columns of the attached rows whose keys a ``KeyRecorder`` records.
    let recordedKeys: [KeyColumns]
    /// The members of the attached objects. If it is nil, the members are all columns except the key, under their
    /// labels.
    let shape: ObjectShape?
    /// The name of the table or resource of the attached rows, for errors.
    private let source: String?
    /// The queries that are attached to the attached rows: one array for each shape of the rows. Only a page has
    /// several shapes; see ``PageShape/Member/rows(name:_:)``.
    let attachments: [[Attachment]]
    /// The name of the parameter whose value is the index of a key, for ``KeyAccess/repeatedWithPositions``.
    public static let rowParameter = "_row"
    /// The placeholder in a query, for ``KeyAccess/listed``. The adapter replaces it by a list of rows, one for each
    /// key.
    public static let keyList = ":_keys"
    /// The indices in ``keys`` of the columns that contain exact decimal numbers.
    private let decimalKeys: Set<Int>
    /// The indices in ``keys`` of the columns that contain numbers of 32 bits.
    private let singleKeys: Set<Int>

    /// Creates an attachment.
    /// - Parameters:
    ///   - member: The member's name and form.
    ///   - keys: The labels of the columns of the parent result set whose values are the key. For
    ///     ``KeyAccess/together``, the name of the query's list parameter is the label of the column, or the labels of
    ///     all columns joined by underscores.
    ///   - sql: For ``KeyAccess/together``, a query with the condition `column IN (:key)`, or `(a, b) IN (:a_b)` for a
    ///     key of two columns. The query first selects the columns on the left of `IN`, and its rows are ordered by
    ///     these columns. For the other queries, see ``KeyAccess``.
    ///   - arguments: The query's other arguments.
    ///   - source: The name of the table or resource of the attached rows, for errors. A caller that generates the
    ///     query sets it. The adapter then does not search the query for a limit, and prepares it only if a parent row
    ///     has a key.
    ///   - shape: The members of the attached objects; by default all columns except the key, under their labels. A
    ///     page defines the shapes of its rows.
    ///   - recordedKeys: The columns of the query whose keys a ``KeyRecorder`` records.
    ///   - keyAccess: The form of the query's condition, and the way in which the query is run for several keys.
    ///   - returnsOtherKeys: True if the query can return rows of other keys than the given ones, because the database
    ///     treats them as equal. The adapter omits these rows. For ``KeyAccess/together`` only.
    ///   - decimalKeys: The indices in `keys` of the columns that contain exact decimal numbers. A result set returns
    ///     such a value as a text. The adapter passes it to the query as `SQLValue.decimal`.
    ///   - singleKeys: The indices in `keys` of the columns that contain numbers of 32 bits, `FLOAT` of MariaDB. A
    ///     result set returns the shortest decimal number. The adapter passes the number of 32 bits to the query.
    ///   - attachments: The queries that are attached to the attached rows: one array for each shape of the rows. Only
    ///     a page has several shapes; see ``PageShape/Member/rows(name:_:)``.
    public init(
        _ member: AttachedMember, for keys: [String], _ sql: String, _ arguments: Arguments = [:],
        source: String? = nil, shape: ObjectShape? = nil, recordedKeys: [KeyColumns] = [],
        keyAccess: KeyAccess = .together, returnsOtherKeys: Bool = false,
        decimalKeys: Set<Int> = [], singleKeys: Set<Int> = [], attachments: [[Attachment]] = [[]]
    ) {
        self.member = member
        self.keys = keys
        parameter = keys.count == 1 ? keys[0] : keys.joined(separator: "_")
        self.recordedKeys = recordedKeys
        self.sql = sql
        self.keyAccess = keyAccess
        self.returnsOtherKeys = returnsOtherKeys
        self.decimalKeys = decimalKeys
        self.singleKeys = singleKeys
        self.arguments = arguments
        self.shape = shape
        self.source = source
        self.attachments = attachments.isEmpty ? [[]] : attachments
    }

    /// Creates an attachment whose key is one column.
    /// - Parameters:
    ///   - member: The member's name and form.
    ///   - key: The label of the column of the parent result set whose values are the key. The query's list parameter
    ///     has this name.
    ///   - sql: A query with the condition `column IN (:key)`. The query first selects this column, and its rows are
    ///     ordered by the column.
    ///   - arguments: The query's other arguments.
    ///   - shape: The members of the attached objects; by default all columns except the first, under their labels.
    ///   - attachments: The queries that are attached to the attached rows.
    public convenience init(
        _ member: AttachedMember, for key: String, _ sql: String, _ arguments: Arguments = [:],
        shape: ObjectShape? = nil, attachments: [Attachment] = []
    ) {
        self.init(member, for: [key], sql, arguments, shape: shape, attachments: [attachments])
    }

    /// Returns the keys as an argument of the query. Exact decimal numbers are converted from texts to
    /// `SQLValue.decimal`, and numbers of 32 bits from the shortest decimal number.
    func argument(_ keys: Arguments.Argument) -> Arguments.Argument {
        guard !decimalKeys.isEmpty || !singleKeys.isEmpty else { return keys }
        func exact(_ row: [SQLValue]) -> [SQLValue] {
            row.enumerated().map { position, value in
                switch value {
                case .text(let digits) where decimalKeys.contains(position): .decimal(digits)
                case .double(let number) where singleKeys.contains(position): .double(Double(Float(number)))
                default: value
                }
            }
        }
        return switch keys {
        case .value(let value): .value(exact([value])[0])
        case .list(let values): .list(values.flatMap { exact([$0]) })
        case .rows(let rows): .rows(rows.map(exact))
        }
    }

    /// Runs a closure that reads the rows. If the closure throws a database error, the function adds the name of the
    /// rows' table or resource to the error.
    func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw error.reading(source)
        }
    }

    /// Returns an error about this attachment. The message contains the name of the member.
    /// - Parameter statement: The text of the statement; by default the query of the attachment.
    func error(_ message: String, _ statement: String? = nil) -> DatabaseError {
        DatabaseError(.failed, "the attached member \(member.name): \(message)", statement: statement ?? sql)
            .reading(source)
    }

    /// Returns the writer for the rows of the query.
    /// - Throws: `DatabaseError` for a shape that does not match the columns. The message contains the name of the
    ///   member.
    func rowWriter(of resultSet: ResultSet) throws -> RowWriter {
        do {
            if let page { return try RowWriter.of(resultSet, page: page.shape, keyCount: keys.count) }
            return try RowWriter.of(resultSet, shape: shape, keyCount: keys.count)
        } catch let error as DatabaseError {
            throw self.error(error.message)
        }
    }

    /// Checks the arguments and the key.
    /// - Throws: `DatabaseError` for an argument with the name of a key parameter, and for a key without columns.
    func check() throws {
        guard !keys.isEmpty else { throw error("its key has no columns; specify at least one column") }
        let reserved = keyAccess == .together ? [parameter] : keys
        if let name = reserved.first(where: { arguments[$0] != nil }) {
            throw error("its argument \(name) has the name of the key's parameter; give the argument another name")
        }
    }

    /// Returns the indices of the key's columns in the parent rows.
    /// - Parameter start: The number of columns at the beginning that are ignored.
    /// - Throws: `DatabaseError` if a column does not exist or two columns have its label. The message contains the
    ///   existing columns or the label.
    func keyColumns(in rows: ResultSet, from start: Int = 0) throws -> [Int] {
        try keys.map { name in
            let columns = rows.columns.dropFirst(start)
            guard let index = columns.firstIndex(where: { $0.name == name }) else {
                rows.discardStatement()
                let names = columns.map(\.name).joined(separator: ", ")
                throw error("the parent rows have no column \(name) for the key; their columns are \(names)")
            }
            guard !columns[(index + 1)...].contains(where: { $0.name == name }) else {
                throw error(
                    "two columns of the parent rows have the label \(name) of the key; "
                        + "give one of them a different label with AS")
            }
            return index
        }
    }

    /// Checks the attachment, its text and the texts of its own attachments, without the database. A text that has been
    /// checked on the connection is not checked again.
    /// - Parameter parents: The parent rows; nil if their columns are not known, or do not contain the key.
    /// - Throws: `DatabaseError`, for example for an argument without a parameter, or a wrong first column. The columns
    ///   of `*` are not checked.
    func checkText(_ parents: ResultSet?, _ connection: Connection) throws {
        try check()
        if let parents { _ = try keyColumns(in: parents) }
        for attachment in attachments.joined() { try attachment.checkText(nil, connection) }
        guard keyAccess == .together else { return }
        do {
            let (parameters, checkedKey) = try connection.parsed(sql)
            if checkedKey == parameter { return }
            var arguments = arguments
            arguments[parameter] = noKey
            _ = try parameters.render(arguments, connection.dialect)
        } catch let error as DatabaseError {
            throw explained(error)
        }
        try checkCondition(labels: nil)
    }

    /// Checks that a query with the rows of several keys has no limit, and checks its own attachments in the same way.
    /// - Throws: `DatabaseError`.
    func checkLimit() throws {
        if isWritten, keyAccess == .together, KeyCondition.hasLimit(sql) {
            throw error(
                "its LIMIT or FETCH would apply to the rows of all keys together; number the rows of each key with "
                    + "ROW_NUMBER() OVER (PARTITION BY …) in a subquery, and compare the number with the limit")
        }
        for attachment in attachments.joined() { try attachment.checkLimit() }
    }

    /// True if the caller has written the text of the query. A caller that generates the texts sets the source.
    var isWritten: Bool { source == nil }

    /// A key that matches no row: NULL in each column.
    var noKey: Arguments.Argument { keys.count == 1 ? .list([.null]) : .rows([keys.map { _ in .null }]) }

    /// Checks that a query first selects the columns of its key condition. ``KeyCondition`` determines these columns
    /// from the text of the query and the labels, and not for every query. Each text is checked once on a connection.
    /// - Parameter countQuery: The text of the query if it counts the rows of a page; nil for the query of the
    ///   attachment.
    /// - Throws: `DatabaseError` that names the columns that must be first.
    func checkFirstColumns(of resultSet: ResultSet, _ countQuery: String? = nil) throws {
        guard keyAccess == .together || countQuery != nil, resultSet.checkedKey != parameter else { return }
        try checkCondition(labels: resultSet.columns.prefix(keys.count).map(\.name), countQuery)
        resultSet.checkedKey = parameter
    }

    private func checkCondition(labels: [String]?, _ countQuery: String? = nil) throws {
        if let difference = KeyCondition.difference(
            in: countQuery ?? sql, parameter: parameter, keys: keys.count, labels: labels)
        {
            throw error(
                (countQuery == nil ? "its rows" : "the rows of its count query")
                    + " must begin with the key: \(difference.compared) is compared with :\(parameter), but the "
                    + "query selects \(difference.selected) first; select \(difference.compared) first, "
                    + "then the other columns",
                countQuery)
        }
    }

    /// The error of a statement without a parameter for the keys.
    private var missingParameter: DatabaseError {
        let condition = keys.count == 1 ? "column" : "(column, …)"
        return error("its query has no parameter for the key; it needs the condition \(condition) IN (:\(parameter))")
    }

    /// Converts an error about the text of the statement or its parameters to an error whose message contains the name
    /// of the member, and whose statement is the text of the attachment.
    func explained(_ error: DatabaseError) -> DatabaseError {
        if keyAccess == .together, let names = try? Parameters(parsing: sql).names, !names.contains(parameter) {
            return missingParameter
        }
        var explained = error
        explained.message = "the attached member \(member.name): \(error.message)"
        explained.statement = sql
        return explained
    }

    /// Returns true if an error is about the text of the statement.
    func explains(_ error: DatabaseError) -> Bool {
        switch error.code {
        case .parameter: true
        case .syntax, .missingTable, .missingColumn: isWritten
        default: false
        }
    }

    /// Returns the error for rows that do not begin with the key.
    func foreignKey(in resultSet: ResultSet) -> DatabaseError {
        let labels = resultSet.columns.prefix(keys.count).map(\.name).joined(separator: ", ")
        return error(
            numbersKeys
                ? "its rows must begin with the index of the key, but a row has a different value in \(labels)"
                : "its rows must begin with the key, but a row has a value in \(labels) that is not the key of a parent row; "
                    + "first select the columns that are compared with :\(parameter), and CAST them to the type of the key if their type differs"
        )
    }

    /// Returns the error for a row whose key differs from the key of each parent row, although the database may compare
    /// them as equal.
    /// - Parameter countQuery: The text of the query if it counts the rows of a page; nil for the query of the
    ///   attachment.
    func otherSpelling(_ key: RowKey, _ countQuery: String? = nil) -> DatabaseError {
        error(
            "a row \(countQuery == nil ? "" : "of its count query ")has the key \(key.description), but no parent row has "
                + "a key with the same text; first select the columns that are compared with :\(parameter); if the "
                + "database compares texts without regard to case or accents, join the table of the parent rows, and "
                + "select and compare its column",
            countQuery)
    }

    /// Returns the error for a query in which the rows of one key are not consecutive.
    func scattered(in resultSet: ResultSet) -> DatabaseError {
        let labels = resultSet.columns.prefix(keys.count).map(\.name).joined(separator: ", ")
        return error("the rows of one key must be consecutive; ORDER BY \(labels) first")
    }

    /// True if the first columns contain the index of the key instead of the key.
    var numbersKeys: Bool {
        switch keyAccess {
        case .together, .repeated: false
        case .repeatedWithPositions, .listed: true
        }
    }

    /// The approximate number of values that the statement needs for one parent row.
    var placeholders: Int {
        arguments.pairs.reduce(keys.count) { $0 + $1.argument.keyCount }
    }

    /// The page; nil if the rows are written as a list or an object.
    var page: PageForm? {
        if case .page(let page) = member.form { return page }
        return nil
    }

    /// True if the response contains the attached rows, or members that depend on the rows.
    var readsRows: Bool { page?.shape.readsRows ?? true }

    /// Returns true if the attached objects have members, for a query with this number of columns.
    func hasMembers(_ columns: Int) -> Bool { shape != nil || page != nil || columns > keys.count }

    var hasAttachments: Bool { attachments.contains { !$0.isEmpty } }

    /// Writes the name of the member. An attachment that is not part of the parent's shape is written after all members
    /// of the shape.
    /// - Parameter index: The index of the attachment.
    func writeName(_ index: Int, _ shape: ObjectShape, to buffer: inout ByteBuffer) {
        let opens = index < shape.places.count ? shape.places[index].opensObject : index == 0 && shape.isEmpty
        buffer.writeBytes(opens ? member.openingPrefix : member.prefix)
    }

    /// Writes the end of a list, or `null` for an object without a row.
    func writeEnd(hasRows: Bool, to buffer: inout ByteBuffer) throws {
        switch member.form {
        case .list: buffer.writeInteger(UInt8(ascii: "]"))
        case .object where hasRows: break
        case .object:
            if let table = member.requiredBy { throw ValueMismatch(withoutRow: member.name, in: table) }
            buffer.writeStaticString("null")
        case .page: break
        }
    }
}
