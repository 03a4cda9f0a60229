import DuetSQLDatabase
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
    /// For the form ``Form/object``: the JSON text for a parent row without an attached row.
    package var absent = "null"
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
    let member: AttachedMember
    /// The columns of the parent rows whose values are the key.
    let keys: [String]
    let statement: KeyedStatement
    /// The columns of the attached rows whose keys a ``KeyRecorder`` records.
    let recordedKeys: [KeyColumns]
    /// The members of the attached objects. If it is nil, the members are all columns except the key, under their
    /// labels.
    let shape: ObjectShape?
    /// The queries that are attached to the attached rows: one array for each shape of the rows. Only a page has
    /// several shapes; see ``PageShape/Member/rows(name:_:)``.
    let attachments: [[Attachment]]
    /// The query from which the statement was created; nil if the caller has generated the statement.
    private let query: AttachedQuery?
    /// The name of the table or resource of the attached rows, for errors.
    private let source: String?
    /// The maximum number of rows that the statement can examine, if it differs from that of the transaction; 0 for no
    /// limit.
    let maximumScan: Int?

    /// Creates an attachment.
    /// - Parameters:
    ///   - member: The member's name and form.
    ///   - keys: The labels of the columns of the parent result set whose values are the key.
    ///   - query: The query. It has one key column for each of these columns, in the same order.
    ///   - shape: The members of the attached objects; by default all columns except the key columns, under their
    ///     labels. A page defines the shapes of its rows.
    ///   - recordedKeys: The columns of the query whose keys a ``KeyRecorder`` records.
    ///   - attachments: The queries that are attached to the attached rows: one array for each shape of the rows. Only
    ///     a page has several shapes; see ``PageShape/Member/rows(name:_:)``.
    public convenience init(
        _ member: AttachedMember, for keys: [String], _ query: AttachedQuery, shape: ObjectShape? = nil,
        recordedKeys: [KeyColumns] = [], attachments: [[Attachment]] = [[]]
    ) {
        self.init(
            member, for: keys, KeyedStatement(query), query, source: nil, maximumScan: nil, shape: shape,
            recordedKeys: recordedKeys, attachments: attachments)
    }

    /// Creates an attachment whose key is one column.
    /// - Parameters:
    ///   - member: The member's name and form.
    ///   - key: The label of the column of the parent result set whose values are the key.
    ///   - query: The query. It has one key column.
    ///   - shape: The members of the attached objects; by default all columns except the key column, under their
    ///     labels.
    ///   - attachments: The queries that are attached to the attached rows.
    public convenience init(
        _ member: AttachedMember, for key: String, _ query: AttachedQuery, shape: ObjectShape? = nil,
        attachments: [Attachment] = []
    ) {
        self.init(member, for: [key], query, shape: shape, attachments: [attachments])
    }

    /// Creates an attachment for a generated statement. The adapter prepares it only if a parent row has a key.
    /// - Parameters:
    ///   - member: The member's name and form.
    ///   - keys: The labels of the columns of the parent result set whose values are the key.
    ///   - statement: The statement. It has one key column for each of these columns, in the same order.
    ///   - source: The name of the table or resource of the attached rows, for errors.
    ///   - maximumScan: The maximum number of rows that the statement can examine, if it differs from that of the
    ///     transaction; 0 for no limit.
    ///   - shape: The members of the attached objects; nil for a page, which defines the shapes of its rows.
    ///   - recordedKeys: The columns of the statement whose keys a ``KeyRecorder`` records.
    ///   - attachments: The queries that are attached to the attached rows: one array for each shape of the rows.
    package convenience init(
        _ member: AttachedMember, for keys: [String], _ statement: KeyedStatement, source: String,
        maximumScan: Int? = nil, shape: ObjectShape?, recordedKeys: [KeyColumns], attachments: [[Attachment]]
    ) {
        self.init(
            member, for: keys, statement, nil, source: source, maximumScan: maximumScan, shape: shape,
            recordedKeys: recordedKeys, attachments: attachments)
    }

    private init(
        _ member: AttachedMember, for keys: [String], _ statement: KeyedStatement, _ query: AttachedQuery?,
        source: String?, maximumScan: Int?, shape: ObjectShape?, recordedKeys: [KeyColumns],
        attachments: [[Attachment]]
    ) {
        self.maximumScan = maximumScan
        self.member = member
        self.keys = keys
        self.statement = statement
        self.query = query
        self.source = source
        self.shape = shape
        self.recordedKeys = recordedKeys
        self.attachments = attachments.isEmpty ? [[]] : attachments
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
    /// - Parameter sql: The text of the statement; by default the statement of the attachment.
    func error(_ message: String, _ sql: String? = nil) -> DatabaseError {
        DatabaseError(.failed, "the attached member \(member.name): \(message)", statement: sql ?? statement.sql)
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

    /// Checks the key, the arguments, the limit and the count query.
    /// - Throws: `DatabaseError` for a key without columns, for a query that does not state a column for each column of
    ///   the key, for an argument with the name of a key parameter, for a negative limit, and for a count query with
    ///   other key columns.
    func check() throws {
        guard !keys.isEmpty else { throw error("its key has no columns; specify at least one column") }
        let columns = statement.keyColumns
        guard columns.count == keys.count else {
            throw error(
                "its query has \(columns.isEmpty ? "no key columns" : "the key columns \(list(columns))"), but the "
                    + "parent rows have the key \(list(keys)); they need the same number of columns")
        }
        if let name = statement.replacedArgument {
            throw error("its argument \(name) has the name of the key's parameter; give the argument another name")
        }
        guard let query else { return }
        if let limit = query.limit, limit < 0 {
            throw error("its limit is \(limit), but the limit must not be negative")
        }
        if case .ofEachKey(let count)? = page?.count?.statement { try check(count) }
    }

    /// Checks a count query.
    /// - Throws: `DatabaseError`; see ``check()``.
    private func check(_ count: KeyedStatement) throws {
        guard count.keyColumns == statement.keyColumns else {
            let columns = count.keyColumns
            throw error(
                "its count query has \(columns.isEmpty ? "no key columns" : "the key columns \(list(columns))"), but its "
                    + "query has the key columns \(list(statement.keyColumns)); use the same key columns", count.sql)
        }
        if let name = count.replacedArgument {
            throw error(
                "the argument \(name) of its count query has the name of the key's parameter; give the argument another "
                    + "name", count.sql)
        }
    }

    private func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }

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

    /// Checks the attachment and its own attachments without the database.
    /// - Parameter parents: The parent rows; nil if their columns are not known, or do not contain the key.
    /// - Throws: `DatabaseError`, for example for an argument without a parameter.
    func check(_ parents: ResultSet?, _ connection: Connection) throws {
        try check()
        if let parents { _ = try keyColumns(in: parents) }
        for attachment in attachments.joined() { try attachment.check(nil, connection) }
        guard case .together(let parameter, _) = statement.keyAccess else { return }
        do {
            var arguments = statement.arguments
            arguments[parameter] = noKey
            try connection.parameters(of: statement.sql).check(arguments)
        } catch let error as DatabaseError {
            throw explained(error)
        }
    }

    /// Checks that a query with the rows of several keys has no limit, and checks its own attachments in the same way.
    /// - Throws: `DatabaseError`.
    func checkLimit() throws {
        if query?.limit != nil {
            throw error(
                "its limit would apply to the rows of all keys together; number the rows of each key with "
                    + "ROW_NUMBER() OVER (PARTITION BY …) in a derived table, and compare the number with the limit")
        }
        for attachment in attachments.joined() { try attachment.checkLimit() }
    }

    /// True if the caller has written the parts of the query, so that mistakes in them are reported even without rows.
    var isWritten: Bool { query != nil }

    /// A key that matches no row: NULL in each column.
    var noKey: Arguments.Argument { keys.count == 1 ? .list([.null]) : .rows([keys.map { _ in .null }]) }

    /// Converts an error about the text of the statement or its parameters to an error whose message contains the name
    /// of the member, and whose statement is the text of the attachment.
    func explained(_ error: DatabaseError) -> DatabaseError {
        var explained = error
        explained.message = "the attached member \(member.name): \(error.message)"
        explained.statement = statement.sql
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

    /// The error for a row whose key is not the key of a parent row.
    var foreignKey: DatabaseError {
        let columns = list(statement.keyColumns)
        return error(
            statement.numbersKeys
                ? "its rows must begin with the index of the key, but a row has a different value in \(columns)"
                : "a row has a value in its key column \(columns) that is not the key of a parent row; if the types of "
                    + "the columns differ, CAST the key column to the type of the key")
    }

    /// Returns the error for a row whose key differs from the key of each parent row, although the database may compare
    /// them as equal.
    /// - Parameter countQuery: The text of the query if it counts the rows of a page; nil for the query of the
    ///   attachment.
    func otherSpelling(_ key: RowKey, _ countQuery: String? = nil) -> DatabaseError {
        error(
            "a row \(countQuery == nil ? "" : "of its count query ")has the key \(key.description), but no parent row has "
                + "a key with the same text; if the database compares texts without regard to case or accents, join "
                + "the table of the parent rows, and use its column as the key column",
            countQuery)
    }

    /// The error for a query in which the rows of one key are not consecutive, although they are sorted by the key.
    var scattered: DatabaseError {
        error(
            "the rows of one key are not consecutive, because the database sorts keys with different texts as equal; use "
                + "a key column that it compares by the bytes of the text, for example with COLLATE")
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
            buffer.writeString(member.absent)
        case .page: break
        }
    }
}
