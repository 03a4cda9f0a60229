import DuetSQLDatabase
import NIOCore

/// Runs each attached query once for all parent rows, and stores the attached rows as bytes. The attached rows
/// of one parent row form a group.
struct AttachmentReader {
    let connection: Connection
    let encoding: ValueEncoding
    /// The maximum size in bytes of the rows in memory, and of the output.
    let maximumSize: Int
    /// Records the keys of the written rows.
    let recorder: KeyRecorder?

    /// Returns a closure that records the keys of the current row; nil if no keys are recorded.
    func noting(_ recordedKeys: [KeyColumns], of resultSet: ResultSet) -> (() -> Void)? {
        guard let recorder, !recordedKeys.isEmpty else { return nil }
        return { recorder.note(resultSet, recordedKeys) }
    }

    /// Checks a size in bytes.
    /// - Throws: `DatabaseError` with the code `too-large` if the size exceeds the maximum.
    func check(size: Int) throws {
        guard size > maximumSize else { return }
        throw DatabaseError(.tooLarge, "the rows take more than \(maximumSize) bytes")
    }

    /// Prepares an attached query with keys as its arguments. No row is read yet.
    /// - Throws: `DatabaseError`, for example if a table does not exist.
    func query(_ attachment: Attachment, keys: Arguments.Argument) throws -> ResultSet {
        try attachment.reading {
            let resultSet: ResultSet
            do {
                resultSet = try prepare(attachment, keys: keys)
            } catch let error as DatabaseError where attachment.explains(error) {
                throw attachment.explained(error)
            }
            guard attachment.hasMembers(resultSet.columns.count) else {
                resultSet.discardStatement()
                throw attachment.error(
                    "its query selects only the key, which is not written, so its objects would be "
                        + "empty; select more columns")
            }
            resultSet.maximumScan = attachment.maximumScan
            return resultSet
        }
    }

    /// Checks an attachment whose rows are not read because there is no parent row with a key. The query is only
    /// prepared, so that mistakes are reported even without rows. Generated queries are not checked.
    /// - Parameter started: The result set, if the query has already been started.
    /// - Throws: `DatabaseError`.
    func check(_ attachment: Attachment, started: ResultSet? = nil) throws {
        guard attachment.isWritten else { return }
        let resultSet = try started ?? query(attachment, keys: attachment.noKey)
        defer { resultSet.close() }
        let keyCount = attachment.keys.count
        if let page = attachment.page {
            try page.check(attachment.attachments, resultSet)
            _ = try page.cursorColumns(in: resultSet, keyCount: keyCount)
            try page.countRows(of: attachment, keys: attachment.noKey, connection)?.close()
        }
        let writer = try attachment.rowWriter(of: resultSet)
        for form in writer.shapes.indices {
            let attachments = form < attachment.attachments.count ? attachment.attachments[form] : []
            try writer.check(attachments, ofForm: form, resultSet)
            for inner in attachments {
                _ = try inner.keyColumns(in: resultSet, from: keyCount)
                try check(inner)
            }
        }
    }

    /// Returns the keys that were passed to a query as arguments. They are used to check the keys in the query's rows.
    /// - Parameter ofOneRow: True if the query is run for one parent row only.
    func requestedKeys(
        _ attachment: Attachment, _ resultSet: ResultSet, _ keys: Arguments.Argument, ofOneRow: Bool = false
    )
        -> RequestedKeys
    {
        RequestedKeys(
            attachment: attachment, resultSet: resultSet, keys: keys, dialect: connection.dialect, isOfOneRow: ofOneRow)
    }

    private func prepare(_ attachment: Attachment, keys: Arguments.Argument) throws -> ResultSet {
        let statement = attachment.statement
        var arguments = statement.arguments
        let keys = statement.argument(keys)
        let parameters: [String]
        switch statement.keyAccess {
        case .together(let parameter, _):
            arguments[parameter] = keys
            return try connection.query(statement.sql, arguments)
        case .listed: return try queryListed(statement, keys.keyRows, arguments)
        case .repeated(let names), .repeatedWithPositions(let names): parameters = names
        }
        let rows = keys.keyRows
        guard rows.count > 1 else {
            for (name, value) in zip(parameters, rows.first ?? []) { arguments[name] = .value(value) }
            if statement.numbersKeys { arguments[KeyedStatement.rowParameter] = .value(.integer(0)) }
            return try connection.query(statement.sql, arguments)
        }
        // The number of repetitions is rounded up to a power of two, so that few different statements are prepared.
        // The additional keys are NULL and match no row.
        let count = 1 << (Int.bitWidth - (rows.count - 1).leadingZeroBitCount)
        guard count * statement.placeholders <= Self.maximumPlaceholders else {
            throw DatabaseError(.tooLarge, "a statement for \(rows.count) rows would have too many values")
        }
        let names = parameters + (statement.numbersKeys ? [KeyedStatement.rowParameter] : [])
        var parts: [String] = []
        for index in 0..<count {
            for (column, name) in parameters.enumerated() {
                arguments["\(name)_\(index)"] = .value(index < rows.count ? rows[index][column] : .null)
            }
            if statement.numbersKeys {
                arguments["\(KeyedStatement.rowParameter)_\(index)"] = .value(.integer(Int64(index)))
            }
            parts.append("(\(Self.numbered(names, index, in: statement.sql)))")
        }
        return try connection.query(parts.joined(separator: " UNION ALL "), arguments)
    }

    private func queryListed(
        _ statement: KeyedStatement, _ rows: [[SQLValue]], _ arguments: Arguments
    ) throws -> ResultSet {
        var arguments = arguments
        // The number of keys is rounded up to a power of two, so that few different statements are prepared. The
        // additional keys are NULL and match no row.
        let count = rows.count < 2 ? 1 : 1 << (Int.bitWidth - (rows.count - 1).leadingZeroBitCount)
        guard count * statement.placeholders <= Self.maximumPlaceholders else {
            throw DatabaseError(.tooLarge, "a statement for \(rows.count) rows would have too many values")
        }
        let list = (0..<count).map { index in
            let names = statement.keyColumns.indices.map { "_key\($0)_\(index)" }
            for (column, name) in names.enumerated() {
                arguments[name] = .value(index < rows.count ? rows[index][column] : .null)
            }
            return "(\(index), \(names.map { ":\($0)" }.joined(separator: ", ")))"
        }
        let sql = statement.sql.replacing(
            KeyedStatement.keyList, with: list.joined(separator: ", "), maxReplacements: 1)
        return try connection.query(sql, arguments)
    }

    /// The maximum number of values in a statement. MariaDB accepts 65,535 placeholders, and a value can occur twice in
    /// a statement.
    private static let maximumPlaceholders = 32_767

    /// Returns a statement in which a number is appended to the parameters with these names: `:isbn_3`.
    private static func numbered(_ names: [String], _ number: Int, in sql: String) -> String {
        // A colon inside backticks is part of the name of a table or column and does not begin a parameter.
        let parts = sql.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            index.isMultiple(of: 2) ? numbered(names, number, inUnquoted: part) : String(part)
        }.joined(separator: "`")
    }

    private static func numbered(_ names: [String], _ number: Int, inUnquoted sql: Substring) -> String {
        let parts = sql.split(separator: ":", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            let name = part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard index > 0, names.contains(String(name)) else { return String(part) }
            return "\(name)_\(number)" + part[name.endIndex...]
        }.joined(separator: ":")
    }

    /// Reads the rows of all attachments.
    /// - Parameter started: For each attachment, the result set if the query has already been started, and nil
    ///   otherwise. Nil if no query has been started.
    func readAttached(to heads: Heads, started: [ResultSet?]? = nil) throws -> [AttachedContent] {
        try heads.attachments.enumerated().map { index, attachment in
            try read(attachment, started: started?[index] ?? nil, keys: heads.keys[index].distinct)
        }
    }

    /// Reads the rows of one attachment.
    /// - Parameter keys: The keys of the parent rows; nil if no parent row has a key. The query is then not run.
    private func read(
        _ attachment: Attachment, started: ResultSet?, keys: Arguments.Argument?
    ) throws -> AttachedContent {
        guard let keys else {
            try check(attachment, started: started)
            return attachment.page.map { AttachedContent(PageRows(empty: $0, self)) }
                ?? AttachedContent(AttachedRows(capacity: 0))
        }
        let resultSet = try started ?? query(attachment, keys: keys)
        return try read(requestedKeys(attachment, resultSet, keys), capacity: keys.keyCount * 256)
    }

    /// Reads the rows of a query.
    func read(_ requested: RequestedKeys, capacity: Int = 0) throws -> AttachedContent {
        try requested.attachment.reading { try content(requested, capacity: capacity) }
    }

    private func content(_ requestedKeys: RequestedKeys, capacity: Int) throws -> AttachedContent {
        let (attachment, resultSet) = (requestedKeys.attachment, requestedKeys.resultSet)
        if let page = attachment.page {
            return AttachedContent(
                try PageRows(
                    page, reading: resultSet, requested: requestedKeys, attachment.attachments, self,
                    recordedKeys: attachment.recordedKeys))
        }
        let requested = requestedKeys.byPosition
        var rows = AttachedRows(capacity: 1024 + capacity)
        let writer = try attachment.rowWriter(of: resultSet)
        let isList = attachment.member.form.isList
        let attachments = attachment.attachments[0]
        let note = noting(attachment.recordedKeys, of: resultSet)
        if attachments.isEmpty {
            try writer.check([], resultSet)
            _ = try writer.forEachRow(of: resultSet) {
                let continues =
                    writer.keyCount == 1 && requested == nil
                    ? rows.continueGroup(of: writer.key) : rows.continueGroup(of: writer.rowKey(requested))
                // The form `object` uses only the first row.
                guard !continues || isList else { return true }
                note?()
                writer.writeObject(encoding, afterComma: continues, end: .brace, to: &rows.bytes)
                return rows.bytes.readableBytes <= maximumSize
            }
            try check(size: rows.bytes.readableBytes)
            try rows.check(requestedKeys)
            return AttachedContent(rows)
        }
        var heads = try Heads(0, of: writer, attachments, resultSet)
        var parents: [RowKey] = []
        _ = try writer.forEachRow(of: resultSet) {
            let parent = writer.rowKey(requested)
            guard isList || parents.last != parent else { return true }
            note?()
            parents.append(parent)
            heads.append(writer, encoding, resultSet)
            return heads.bytes.readableBytes <= maximumSize
        }
        try check(size: heads.bytes.readableBytes)
        var attached = try readAttached(to: heads)
        for (row, parent) in parents.enumerated() {
            if rows.continueGroup(of: parent) { rows.bytes.writeInteger(UInt8(ascii: ",")) }
            try heads.write(row, &attached, to: &rows.bytes)
            try check(size: rows.bytes.readableBytes)
        }
        try rows.check(requestedKeys)
        return AttachedContent(rows)
    }
}
