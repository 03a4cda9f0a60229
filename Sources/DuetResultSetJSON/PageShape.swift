import DuetJSON
public import DuetSQLDatabase

/// The members of an object that describes a page of rows: the rows in one or several shapes, and information such as
/// cursors.
///
/// The Relay cursor connections specification calls this object a connection. A shape can be created once and used for
/// many result sets.
public final class PageShape: Sendable {
    /// One member of the object.
    public indirect enum Member: Sendable {
        /// An array of the rows as objects of a shape.
        case rows(name: String, ObjectShape)
        /// `true` if rows exist after the page.
        case hasNextPage(name: String)
        /// The cursor of the first row; null if the page has no rows.
        case startCursor(name: String)
        /// The cursor of the last row; null if the page has no rows.
        case endCursor(name: String)
        /// The total number of rows on all pages.
        case totalCount(name: String)
        /// A constant JSON text.
        case constant(name: String, json: String)
        /// A nested object.
        case object(name: String, [Member])
    }

    /// The format of row cursors.
    public struct Cursor: Sendable {
        let columns: [String]
        let text: @Sendable ([SQLValue]) -> String

        /// Creates a cursor format.
        /// - Parameters:
        ///   - columns: The labels of the columns by which the rows are ordered.
        ///   - text: A closure that returns the cursor of a row with these values.
        public init(columns: [String], text: @escaping @Sendable ([SQLValue]) -> String) {
            self.columns = columns
            self.text = text
        }
    }

    enum Part {
        case text([UInt8])
        /// The index of a shape in ``rows``.
        case rows(Int)
        case hasNextPage
        case startCursor
        case endCursor
        case totalCount
    }

    let parts: [Part]
    /// The shapes in which the rows are written.
    let rows: [ObjectShape]
    /// The cursor format; nil if no member contains a cursor.
    let cursor: Cursor?
    /// True if at least one member depends on the rows.
    let readsRows: Bool
    /// True if a member is the total number of rows.
    let countsRows: Bool
    /// The first name that two members of one object have; nil if the names in each object are distinct.
    let repeatedName: String?

    /// Creates a shape.
    /// - Parameters:
    ///   - members: The members in their order.
    ///   - cursor: The format of the cursor members.
    public init(_ members: [Member], cursor: Cursor) {
        var builder = Builder()
        builder.add(members)
        builder.end()
        parts = builder.parts
        rows = builder.rows
        self.cursor = builder.hasCursor ? cursor : nil
        readsRows = builder.readsRows
        countsRows = builder.countsRows
        repeatedName = builder.repeatedName
    }

    private struct Builder {
        var parts: [Part] = []
        var rows: [ObjectShape] = []
        var hasCursor = false
        var readsRows = false
        var countsRows = false
        var repeatedName: String?
        private var text: [UInt8] = []

        mutating func add(_ members: [Member]) {
            repeatedName = repeatedName ?? ObjectShape.repeated(members.map(\.name))
            for (index, member) in members.enumerated() {
                func name(_ name: String) { text += JSONKey.prefix(name, opensObject: index == 0) }
                switch member {
                case .constant(let key, let json):
                    name(key)
                    text += Array(json.utf8)
                case .object(let key, let members):
                    name(key)
                    add(members)
                case .rows(let key, let shape):
                    name(key)
                    text.append(UInt8(ascii: "["))
                    append(.rows(rows.count))
                    text = [UInt8(ascii: "]")]
                    rows.append(shape)
                    readsRows = true
                case .hasNextPage(let key):
                    name(key)
                    append(.hasNextPage)
                    readsRows = true
                case .startCursor(let key):
                    name(key)
                    append(.startCursor)
                    (hasCursor, readsRows) = (true, true)
                case .endCursor(let key):
                    name(key)
                    append(.endCursor)
                    (hasCursor, readsRows) = (true, true)
                case .totalCount(let key):
                    name(key)
                    append(.totalCount)
                    countsRows = true
                }
            }
            text += Array((members.isEmpty ? "{}" : "}").utf8)
        }

        private mutating func append(_ part: Part) {
            parts.append(.text(text))
            parts.append(part)
            text = []
        }

        mutating func end() {
            parts.append(.text(text))
        }
    }
}

extension PageShape.Member {
    fileprivate var name: String {
        switch self {
        case .rows(let name, _), .hasNextPage(let name), .startCursor(let name), .endCursor(let name),
            .totalCount(let name), .constant(let name, _), .object(let name, _):
            name
        }
    }
}

/// The description of a page of rows: its shape, the maximum number of rows, and the query for the total number of
/// rows. A page is the value of a member or a whole response body.
public struct PageForm: Sendable {
    let shape: PageShape
    let limit: Int
    let count: CountQuery?

    /// A statement that counts rows.
    public struct CountQuery: Sendable {
        enum Statement: Sendable {
            /// The statement returns the number of all rows.
            case ofAll(String, Arguments)
            /// The statement returns the key columns and the number of rows, in one row for each key.
            case ofEachKey(KeyedStatement)
        }

        let statement: Statement

        var sql: String {
            switch statement {
            case .ofAll(let sql, _): sql
            case .ofEachKey(let statement): statement.sql
            }
        }

        /// Creates a query for a page without parent rows.
        /// - Parameters:
        ///   - sql: A query that selects one column, the number of rows.
        ///   - arguments: The query's arguments.
        public init(_ sql: String, _ arguments: Arguments = [:]) {
            statement = .ofAll(sql, arguments)
        }

        /// Creates a query for an attached page.
        ///
        /// The database counts the rows of keys that it compares as equal under one of these keys. If the page also
        /// contains the rows, this is an error.
        /// - Parameter query: The query of all rows, with the key columns of the attached query. Its select list, order
        ///   and limit are not used.
        public init(of query: AttachedQuery) {
            statement = .ofEachKey(KeyedStatement(counting: query))
        }

        /// Creates a query for an attached page from a generated statement.
        /// - Parameter statement: A statement that selects the key columns and the number of rows of the key, and
        ///   returns one row for each key.
        package init(_ statement: KeyedStatement) {
            self.statement = .ofEachKey(statement)
        }
    }

    /// Creates a page form.
    /// - Parameters:
    ///   - shape: The members of the page.
    ///   - limit: The maximum number of rows on the page. If the query has the limit `limit + 1`, the page can report
    ///     whether more rows exist.
    ///   - count: The query for the total number of rows. The query runs only if the shape contains this number.
    public init(_ shape: PageShape, limit: Int, count: CountQuery?) {
        self.shape = shape
        self.limit = limit
        self.count = count
    }

    /// Checks the names of the members, and that each array of attachments belongs to a shape of the rows.
    /// - Throws: `DatabaseError`.
    func check(_ attachments: [[Attachment]], _ resultSet: ResultSet) throws {
        if let name = shape.repeatedName { throw RowWriter.repeated(name, resultSet) }
        if let attachment = attachments.dropFirst(shape.rows.count).joined().first {
            throw attachment.error("it is attached to a form of the rows that the page does not have")
        }
    }

    /// Returns the indices of the columns of the cursors.
    /// - Parameter keyCount: The number of columns at the beginning that are the key of the parent row.
    /// - Throws: `DatabaseError` if a column does not exist.
    func cursorColumns(in resultSet: ResultSet, keyCount: Int) throws -> [Int] {
        try shape.cursor?.columns.map { try resultSet.index(of: $0, from: keyCount) } ?? []
    }

    /// Prepares the query for the total number of rows.
    /// - Parameters:
    ///   - attachment: The attachment of the page; nil for a page without parent rows.
    ///   - keys: The keys of the parent rows.
    /// - Returns: The result set, with the key and the number in each row; nil if the page does not contain the number.
    /// - Throws: `DatabaseError`, for example if a page with parent rows has a query that counts all rows.
    func countRows(
        of attachment: Attachment?, keys: Arguments.Argument?, _ connection: Connection
    ) throws -> ResultSet? {
        guard shape.countsRows, let count else { return nil }
        switch count.statement {
        case .ofAll(let sql, let arguments):
            if let attachment {
                throw attachment.error(
                    "its count query has no key columns; use CountQuery(of:), which counts the rows of each key", sql)
            }
            let rows = try connection.query(sql, arguments)
            guard rows.columns.count == 1 else {
                throw DatabaseError(
                    .failed, "the count query of the page must select one column, the number of rows", statement: sql)
            }
            return rows
        case .ofEachKey(let statement):
            guard let attachment, let keys else {
                throw DatabaseError(
                    .failed,
                    "the count query of the page counts the rows of each key, but the page has no parent rows; use a "
                        + "query that selects the number of all rows", statement: statement.sql)
            }
            return try countRows(statement, of: attachment, keys, connection)
        }
    }

    private func countRows(
        _ statement: KeyedStatement, of attachment: Attachment, _ keys: Arguments.Argument, _ connection: Connection
    ) throws -> ResultSet {
        var arguments = statement.arguments
        for parameter in statement.parameters { arguments[parameter] = statement.argument(keys) }
        do {
            let rows = try connection.query(statement.sql, arguments)
            rows.maximumScan = attachment.maximumScan
            return rows
        } catch let error as DatabaseError where attachment.explains(error) {
            throw attachment.error("its count query: \(error.message)", statement.sql)
        }
    }
}
