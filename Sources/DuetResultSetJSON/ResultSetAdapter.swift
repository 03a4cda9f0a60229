import DuetJSON
public import DuetSQLDatabase
public import NIOCore

/// Converts a result set to JSON, NDJSON or CSV. The rows of related queries can be attached to its rows.
///
/// A caller attaches related data as a member with a name and a query, as in the Java library HTTP-RPC:
///
///     let invoices = try connection.query("SELECT number, customer, date FROM invoices WHERE …", …)
///     let adapter = ResultSetAdapter(invoices, on: connection)
///     try adapter.attach(
///         "lines", for: "number",
///         AttachedQuery(
///             select: "product, quantity", from: "invoice_lines", key: "invoice", orderBy: ["position"]))
///     let json = try adapter.text()
///     // [{"number":1,"customer":"Ann","date":"2024-01-31","lines":[{"product":"tea","quantity":2},…]},…]
///
/// HTTP-RPC runs an attached query once for each parent row. This adapter runs the query once for the keys of all
/// parent rows, here the values of the column `number`. The value of the key column, here `invoice`, assigns an
/// attached row to its parent row; see ``AttachedQuery``. The key column is not written.
///
/// - A key may have several columns.
/// - A parent row whose key is NULL has no attached rows.
/// - A row whose key is not the key of a parent row is an error.
///
/// By default, the members of an object are the columns, under their labels, followed by the attachments in the order
/// in which they are attached. An ``ObjectShape`` defines different members. An adapter can be used only once. It must
/// be used on the thread of its connection, inside the closure that receives the connection.
///
/// A mistake, such as two members with one name, is an error. Its message describes the correction.
///
/// After an error the buffer may contain a part of the output.
public final class ResultSetAdapter {
    private let resultSet: ResultSet
    private let reader: AttachmentReader
    private let shape: ObjectShape?
    private let known: Arguments
    private let recordedKeys: [KeyColumns]
    /// The attachments: one array for each shape of the rows. Only a page has several shapes.
    private var attachmentsOfForms: [[Attachment]]

    private var attachments: [Attachment] { attachmentsOfForms[0] }
    private var connection: Connection { reader.connection }
    private var encoding: ValueEncoding { reader.encoding }
    private var isUsed = false

    /// Creates an adapter. No row is read yet.
    /// - Parameters:
    ///   - resultSet: Rows that have not been read yet.
    ///   - connection: The connection of the result set, which runs the attached queries.
    ///   - encoding: The format of the values; by default dates are `YYYY-MM-DD`.
    ///   - shape: The members of each object; by default all columns, under their labels.
    ///   - maximumSize: The maximum size in bytes of the output, and of the rows in memory that wait for their attached
    ///     rows. A larger result is an error with the code `too-large`. The limit does not apply to
    ///     ``pieces(_:chunkSize:)``.
    ///   - recorder: The recorder for the keys of the written rows.
    ///   - recordedKeys: The columns of `resultSet` that contain these keys.
    ///   - attachments: The queries that are attached to the rows: one array for each shape of the rows. Only a page
    ///     has several shapes; see ``PageShape/Member/rows(name:_:)``.
    ///   - known: The columns whose value is known before the rows are read and is equal in all rows, such as the key
    ///     that selects a single row. Queries that are attached for such columns start together with the first query,
    ///     which saves a round trip on MariaDB.
    public init(
        _ resultSet: ResultSet, on connection: Connection, encoding: ValueEncoding = ValueEncoding(),
        shape: ObjectShape? = nil, known: Arguments = [:], maximumSize: Int = .max, recorder: KeyRecorder? = nil,
        recordedKeys: [KeyColumns] = [], attachments: [[Attachment]] = [[]]
    ) {
        self.recordedKeys = recordedKeys
        attachmentsOfForms = attachments.isEmpty ? [[]] : attachments
        self.resultSet = resultSet
        reader = AttachmentReader(
            connection: connection, encoding: encoding, maximumSize: maximumSize, recorder: recorder)
        self.shape = shape
        self.known = known
    }

    /// Attaches the rows of another query to each row, as a member; see ``Attachment``.
    /// - Parameters:
    ///   - attachment: The query and its member.
    ///   - form: For a page, the index of the row shape to which the query is attached, in the order of the
    ///     ``PageShape/Member/rows(name:_:)`` members; otherwise 0.
    /// - Throws: `DatabaseError` if the adapter has begun to write, and for a mistake that can be found without the
    ///   database, such as a missing argument.
    public func attach(_ attachment: Attachment, toForm form: Int = 0) throws {
        guard !isUsed else {
            throw attachment.error(
                "the adapter has already begun to write; attach all members before the first row is written")
        }
        try attachment.check(knownKey(of: attachment) == nil ? resultSet : nil, connection)
        while attachmentsOfForms.count <= form { attachmentsOfForms.append([]) }
        attachmentsOfForms[form].append(attachment)
    }

    /// Attaches the rows of another query to each row, by the values of one column.
    /// - Parameters:
    ///   - member: The name of the member. Its value is an array; for an object or a page, see ``AttachedMember/Form``.
    ///   - key: The label of the column of this result set whose values are the key.
    ///   - query: The query. It has one key column.
    ///   - shape: The members of the attached objects; by default all columns except the key column, under their
    ///     labels.
    ///   - attachments: The queries that are attached to the attached rows.
    /// - Throws: `DatabaseError` if the adapter has begun to write, and for a mistake that can be found without the
    ///   database, such as a missing argument.
    public func attach(
        _ member: AttachedMember, for key: String, _ query: AttachedQuery, shape: ObjectShape? = nil,
        attachments: [Attachment] = []
    ) throws {
        try attach(Attachment(member, for: key, query, shape: shape, attachments: attachments))
    }

    /// Attaches the rows of another query to each row, by the values of several columns.
    /// - Parameters:
    ///   - member: The name of the member. Its value is an array; for an object or a page, see ``AttachedMember/Form``.
    ///   - keys: The labels of the columns of this result set whose values are the key.
    ///   - query: The query. It has one key column for each of these columns, in the same order.
    ///   - shape: The members of the attached objects; by default all columns except the key columns, under their
    ///     labels.
    ///   - attachments: The queries that are attached to the attached rows.
    /// - Throws: `DatabaseError` if the adapter has begun to write, and for a mistake that can be found without the
    ///   database, such as a missing argument.
    public func attach(
        _ member: AttachedMember, for keys: [String], _ query: AttachedQuery, shape: ObjectShape? = nil,
        attachments: [Attachment] = []
    ) throws {
        try attach(Attachment(member, for: keys, query, shape: shape, attachments: [attachments]))
    }

    /// Marks the adapter as used, because it can be used only once.
    /// - Throws: `DatabaseError` if the adapter has been used, or if rows of the result set have been read.
    private func begin() throws {
        guard !isUsed, resultSet.isUnread else {
            throw DatabaseError(
                .failed,
                (isUsed
                    ? "this adapter has already written its rows" : "rows of the result set have already been read")
                    + "; run the query again, and create a new adapter for its result set",
                statement: resultSet.sql)
        }
        isUsed = true
    }

    /// Marks the adapter as used, and creates the writer for rows that are not a page.
    /// - Throws: `DatabaseError`, for example for a shape or attachments that cannot be written.
    private func beginRows() throws -> RowWriter {
        try begin()
        if let attachment = attachmentsOfForms.dropFirst().joined().first {
            throw attachment.error("it is attached to a second form of the rows, but only a page has several forms")
        }
        let writer = try RowWriter.of(resultSet, shape: shape, keyCount: 0)
        try writer.check(attachments, resultSet)
        return writer
    }

    /// Appends the first row as a JSON object.
    /// - Returns: `false` if the result set has no row, so that nothing is written.
    /// - Throws: `DatabaseError`; ``ValueMismatch`` for a value that does not have the type that the shape declares.
    public func writeObject(to buffer: inout ByteBuffer) throws -> Bool {
        let writer = try beginRows()
        // The queries that are attached to the first row have one key, so their limits are valid.
        for attachment in attachments {
            for form in attachment.attachments { for inner in form { try inner.checkLimit() } }
        }
        // The key columns of each attachment; empty if the value of its key is known.
        let columns = try attachments.map { attachment in
            knownKey(of: attachment) == nil ? try attachment.keyColumns(in: resultSet) : []
        }
        let started = try startKnown()
        var keys: [RowKey] = []
        // The members that follow an attachment. They are stored until the attached rows have been read.
        var rest = Stretches()
        let note = reader.noting(recordedKeys, of: resultSet)
        let isMissing = try writer.forEachRow(of: resultSet) {
            note?()
            writer.writeObject(encoding, end: attachments.isEmpty ? .brace : .open, to: &buffer)
            rest.append(writer, 0, encoding)
            for columns in columns { keys.append(columns.isEmpty ? .one(.null) : .of(resultSet, at: columns)) }
            return false
        }
        if isMissing {
            for (index, attachment) in attachments.enumerated() {
                try reader.check(attachment, started: started[index])
            }
            return false
        }
        resultSet.close()
        guard !attachments.isEmpty else { return true }
        for (index, attachment) in attachments.enumerated() {
            attachment.writeName(index, writer.shapes[0], to: &buffer)
            if let started = started[index], let key = knownKey(of: attachment) {
                try writeAll(attachment, started, key, to: &buffer)
            } else {
                let key = keys[index]
                if key.hasNull { try reader.check(attachment) }
                try writeAll(
                    attachment, key.hasNull ? nil : reader.query(attachment, keys: key.argument), key, to: &buffer)
            }
            rest.write(index, ofRow: 0, to: &buffer)
        }
        buffer.writeInteger(UInt8(ascii: "}"))
        return true
    }

    /// The result of ``write(_:to:limit:boundary:)``.
    public struct Page: Sendable {
        /// The number of rows that were written.
        public var rows = 0
        /// The values of the boundary columns in the last row that was written; nil if the result set has no more rows.
        public var boundary: [SQLValue]?
    }

    /// Returns the rows as text.
    /// - Parameter format: The format. CSV does not allow attachments.
    /// - Throws: `DatabaseError`; ``ValueMismatch`` for a value that does not have the type that the shape declares.
    public func text(_ format: RowFormat = .json) throws -> String {
        var buffer = ByteBuffer()
        try write(format, to: &buffer)
        return String(buffer: buffer)
    }

    /// Returns the first row as a JSON object; nil if there is no row.
    /// - Throws: `DatabaseError`; ``ValueMismatch`` for a value that does not have the type that the shape declares.
    public func objectText() throws -> String? {
        var buffer = ByteBuffer()
        return try writeObject(to: &buffer) ? String(buffer: buffer) : nil
    }

    /// Appends the rows to a buffer.
    /// - Parameters:
    ///   - format: The format. CSV does not allow attachments.
    ///   - buffer: The buffer, for example of a response body.
    ///   - limit: The maximum number of rows to write. If the query has the limit `limit + 1`, the result reports
    ///     whether more rows exist.
    ///   - boundary: The labels of columns. If more rows exist, the result contains the values of these columns in the
    ///     last row that was written. The next query can continue after these values.
    /// - Throws: `DatabaseError`; ``ValueMismatch`` for a value that does not have the type that the shape declares.
    @discardableResult
    public func write(
        _ format: RowFormat, to buffer: inout ByteBuffer, limit: Int = .max, boundary: [String] = []
    ) throws -> Page {
        try refuseCSVAttachments(format)
        let writer = try beginRows()
        for attachment in attachments { try attachment.checkLimit() }
        let boundaryColumns = try boundary.map { try resultSet.index(of: $0) }
        let page =
            attachments.isEmpty
            ? try writeRows(format, writer, to: &buffer, limit: limit, boundary: boundaryColumns)
            : try writeRowsWithAttachments(format, writer, to: &buffer, limit: limit, boundary: boundaryColumns)
        if format == .json { buffer.writeInteger(UInt8(ascii: "]")) }
        return page
    }

    /// Appends a page of the rows as a JSON object. Queries can be attached to each shape of the rows.
    /// - Throws: `DatabaseError`; ``ValueMismatch`` for a value that does not have the type that a shape declares.
    public func writePage(_ form: PageForm, to buffer: inout ByteBuffer) throws {
        try begin()
        let page = try PageRows(
            form, reading: resultSet, requested: nil, attachmentsOfForms, reader, recordedKeys: recordedKeys)
        try page.write(.one(.null), to: &buffer)
    }

    /// Returns a closure that returns the rows in pieces. Use this function for results of any length, for example in a
    /// stream (`Database.stream`). Attachments are not allowed, because attached rows require all parent rows in
    /// memory.
    /// - Parameters:
    ///   - format: The format of the rows.
    ///   - chunkSize: The approximate number of bytes of a piece.
    /// - Returns: A closure that returns the next piece, or `nil` after the last piece. It throws the errors of
    ///   ``write(_:to:limit:boundary:)``.
    /// - Throws: `DatabaseError`.
    public func pieces(_ format: RowFormat, chunkSize: Int = 64 * 1024) throws -> () throws -> ByteBuffer? {
        if let attachment = attachments.first {
            throw attachment.error("rows with attachments cannot be written in pieces")
        }
        let writer = try beginRows()
        var isAtStart = true
        var isAtEnd = false
        let chunkSize = max(1, chunkSize)
        return { [self] in
            guard !isAtEnd else { return nil }
            var buffer = ByteBufferAllocator().buffer(capacity: chunkSize + 4096)
            if isAtStart { writeBeginning(format, writer, to: &buffer) }
            isAtEnd = try writer.forEachRow(of: resultSet) {
                writeRow(format, writer, isFirst: isAtStart, to: &buffer)
                isAtStart = false
                return buffer.readableBytes < chunkSize
            }
            if isAtEnd, format == .json { buffer.writeInteger(UInt8(ascii: "]")) }
            isAtStart = false
            return buffer.readableBytes > 0 ? buffer : nil
        }
    }

    // MARK: Rows

    private func refuseCSVAttachments(_ format: RowFormat) throws {
        if format == .csv, let attachment = attachments.first {
            throw attachment.error("CSV cannot contain attached rows; write JSON or NDJSON")
        }
    }

    private func writeBeginning(_ format: RowFormat, _ writer: RowWriter, to buffer: inout ByteBuffer) {
        if format == .json { buffer.writeInteger(UInt8(ascii: "[")) }
        if format == .csv { writer.writeCSVHeader(to: &buffer) }
    }

    @inline(__always)
    private func writeRow(_ format: RowFormat, _ writer: RowWriter, isFirst: Bool, to buffer: inout ByteBuffer) {
        switch format {
        case .json: writer.writeObject(encoding, afterComma: !isFirst, end: .brace, to: &buffer)
        case .ndjson: writer.writeObject(encoding, end: .braceAndLineFeed, to: &buffer)
        case .csv: writer.writeCSVLine(encoding, to: &buffer)
        }
    }

    private func writeRows(
        _ format: RowFormat, _ writer: RowWriter, to buffer: inout ByteBuffer, limit: Int, boundary: [Int]
    ) throws -> Page {
        writeBeginning(format, writer, to: &buffer)
        return try readPage(writer, limit: limit, boundary: boundary) { row in
            writeRow(format, writer, isFirst: row == 0, to: &buffer)
            return buffer.readableBytes
        }
    }

    /// Reads at most `limit` rows, and determines whether more rows exist.
    /// - Parameter write: A closure that writes a row, and returns the size of the output so far in bytes.
    private func readPage(
        _ writer: RowWriter, limit: Int, boundary: [Int], _ write: (_ row: Int) -> Int
    ) throws -> Page {
        let maximumSize = reader.maximumSize
        var size = 0
        var page = Page()
        var last: [SQLValue]?
        let note = reader.noting(recordedKeys, of: resultSet)
        let isAtEnd = try writer.forEachRow(of: resultSet) {
            guard page.rows < limit else {
                page.boundary = last
                return false
            }
            note?()
            size = write(page.rows)
            guard size <= maximumSize else { return false }
            page.rows += 1
            if page.rows == limit { last = boundary.map { resultSet.value(at: $0) } }
            return true
        }
        if !isAtEnd { resultSet.close() }
        try reader.check(size: size)
        return page
    }

    /// Writes rows with attachments in three steps: reads the rows without their attachments into memory, reads the
    /// attached rows into memory, and writes both combined. Therefore each query runs only once, and its rows are read
    /// completely before the rows of the next query.
    private func writeRowsWithAttachments(
        _ format: RowFormat, _ writer: RowWriter, to buffer: inout ByteBuffer, limit: Int, boundary: [Int]
    ) throws -> Page {
        var heads = try Heads(0, of: writer, attachments, resultSet)
        let started = try startKnown()
        writeBeginning(format, writer, to: &buffer)
        let page = try readPage(writer, limit: limit, boundary: boundary) { _ in
            heads.append(writer, encoding, resultSet)
            return heads.bytes.readableBytes
        }
        var attached = try reader.readAttached(to: heads, started: started)
        buffer.reserveCapacity(
            minimumWritableBytes: attached.reduce(heads.bytes.readableBytes + page.rows * 32) {
                $0 + $1.size
            })
        for row in 0..<page.rows {
            if format == .json, row > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            try heads.write(row, &attached, to: &buffer)
            try reader.check(size: buffer.readableBytes)
            if format == .ndjson { buffer.writeInteger(UInt8(ascii: "\n")) }
        }
        return page
    }

    // MARK: Attached queries

    /// Starts the first query together with the attached queries whose keys are known. If no member of a page depends
    /// on its rows, the query of the page is not run.
    private func startKnown() throws -> [ResultSet?] {
        guard !attachments.isEmpty, !known.isEmpty else { return attachments.map { _ in nil } }
        var needed = [resultSet]
        let attached = try attachments.map { attachment in
            try knownKey(of: attachment).map { key in
                let resultSet = try reader.query(attachment, keys: key.argument)
                if attachment.readsRows { needed.append(resultSet) }
                return resultSet
            }
        }
        try connection.start(needed)
        return attached
    }

    /// Returns the key of an attachment, if the values of all its columns are known.
    private func knownKey(of attachment: Attachment) -> RowKey? {
        var values: [SQLValue] = []
        for name in attachment.keys {
            guard case .value(let value)? = known[name] else { return nil }
            if attachment.keys.count == 1 { return .one(value) }
            values.append(value)
        }
        return .several(values)
    }

    /// Writes the rows of a query that is run for one key, so that all its rows belong to one parent row.
    /// - Parameter resultSet: The rows; nil if the key is NULL and therefore matches no row.
    private func writeAll(
        _ attachment: Attachment, _ resultSet: ResultSet?, _ key: RowKey, to buffer: inout ByteBuffer
    ) throws {
        if attachment.statement.returnsOtherKeys, let resultSet {
            var content = try reader.read(reader.requestedKeys(attachment, resultSet, key.argument))
            return try content.write(key, attachment, to: &buffer)
        }
        if let page = attachment.page {
            var content =
                try resultSet.map {
                    try reader.read(reader.requestedKeys(attachment, $0, key.argument, ofOneRow: true))
                }
                ?? AttachedContent(PageRows(empty: page, reader))
            return try content.write(key, attachment, to: &buffer)
        }
        var hasRows = false
        if let resultSet {
            if attachment.hasAttachments {
                hasRows = try reader.read(reader.requestedKeys(attachment, resultSet, key.argument, ofOneRow: true))
                    .writeAll(to: &buffer)
            } else {
                hasRows = try attachment.reading { try writeRows(of: attachment, resultSet, key, to: &buffer) }
            }
        }
        try attachment.writeEnd(hasRows: hasRows, to: &buffer)
    }

    private func writeRows(
        of attachment: Attachment, _ resultSet: ResultSet, _ key: RowKey, to buffer: inout ByteBuffer
    ) throws -> Bool {
        let writer = try attachment.rowWriter(of: resultSet)
        try writer.check([], resultSet)
        var isFirst = true
        var first: RowKey?
        let requested = attachment.statement.numbersKeys ? [key] : nil
        let note = reader.noting(attachment.recordedKeys, of: resultSet)
        let isAtEnd = try writer.forEachRow(of: resultSet) {
            if isFirst { first = writer.rowKey(requested) }
            note?()
            writer.writeObject(encoding, afterComma: !isFirst, end: .brace, to: &buffer)
            isFirst = false
            return attachment.member.form.isList && buffer.readableBytes <= reader.maximumSize
        }
        if !isAtEnd { resultSet.close() }
        try reader.check(size: buffer.readableBytes)
        if let first, first != key {
            try reader.requestedKeys(attachment, resultSet, key.argument, ofOneRow: true).check([first])
        }
        return !isFirst
    }
}
