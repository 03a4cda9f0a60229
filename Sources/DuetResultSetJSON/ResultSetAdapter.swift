import DuetJSON
public import DuetSQLDatabase
public import NIOCore

/// Turns a result set into JSON, NDJSON or CSV, with the rows of related queries attached to its rows.
///
/// As in HTTP-RPC, related data is attached by a name and a query:
///
///     let invoices = try connection.query("SELECT number, customer, date FROM invoices WHERE …", …)
///     let adapter = ResultSetAdapter(invoices, on: connection, encoding: encoding)
///     adapter.attach("lines", for: "number", """
///         SELECT invoice, product, quantity FROM invoice_lines
///         WHERE invoice IN (:number) ORDER BY invoice, position
///         """)
///
/// Where the original runs an attached query once for each row, here it runs once for all of them: `:number` is
/// the list of the values that the rows have in that column. The first column of an attached query says which of them a
/// row belongs to; it is not written, and rows that belong together stand together. A key may have several columns: then the query
/// has `(a, b) IN (:a_b)` and begins with as many.
///
/// Nothing stands between the rows and the buffer but bytes. An adapter is used once, on its connection's thread.
public final class ResultSetAdapter {
    private let resultSet: ResultSet
    private let reader: AttachmentReader
    private let shape: ObjectShape?
    private let known: Arguments
    private let recordedKeys: [KeyColumns]
    /// By the form of the rows they belong to; without a page there is one form.
    private var attachmentsOfForms: [[Attachment]]

    private var attachments: [Attachment] { attachmentsOfForms[0] }
    private var connection: Connection { reader.connection }
    private var encoding: ValueEncoding { reader.encoding }
    private var isUsed = false

    /// - Parameters:
    ///   - resultSet: rows that have not been read yet.
    ///   - connection: runs the attached queries.
    ///   - shape: the members of each object; by default all columns by their labels.
    ///   - maximumSize: how many bytes rows may take that are written, or put aside until what is attached to them has been
    ///     read. Rows written piece by piece have no such bound.
    ///   - recorder: Records keys of the rows that are written.
    ///   - recordedKeys: The columns of `resultSet` that hold these keys.
    ///   - attachments: The queries attached to the rows, by the form of the rows; only a page has several forms.
    ///   - known: columns whose value is the same in each row and known beforehand, such as the key a single row is
    ///     asked by. Queries attached by such a column start together with the first one.
    public init(
        _ resultSet: ResultSet, on connection: Connection, encoding: ValueEncoding, shape: ObjectShape? = nil,
        known: Arguments = [:], maximumSize: Int = .max, recorder: KeyRecorder? = nil,
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

    /// Attaches to each row the rows of another query, as a member; see ``Attachment``.
    /// - Parameter form: to which of the page's forms of rows, if this result set is written as a page.
    public func attach(_ attachment: Attachment, toForm form: Int = 0) {
        while attachmentsOfForms.count <= form { attachmentsOfForms.append([]) }
        attachmentsOfForms[form].append(attachment)
    }

    /// Attaches the rows of a query that is asked for the values of one column.
    public func attach(
        _ member: AttachedMember, for key: String, _ sql: String, _ arguments: Arguments = [:],
        shape: ObjectShape? = nil, attachments: [Attachment] = []
    ) {
        attach(Attachment(member, for: [key], sql, arguments, shape: shape, attachments: [attachments]))
    }

    /// Begins the one use of the adapter.
    /// - Throws: `DatabaseError` if it has been used, or rows of the result set have been read.
    private func begin() throws {
        guard !isUsed, resultSet.isUnread else {
            throw DatabaseError(
                .failed,
                (isUsed
                    ? "this adapter has written its rows already" : "the rows of the result set have been read already")
                    + "; run the query again for a result set and an adapter of its own",
                statement: resultSet.sql)
        }
        isUsed = true
    }

    /// Begins the one use of the adapter for rows of one form.
    /// - Throws: `DatabaseError` also for a shape or attachments that cannot be written.
    private func beginRows() throws -> RowWriter {
        try begin()
        if let attachment = attachmentsOfForms.dropFirst().joined().first {
            throw attachment.error("it is attached to another form of the rows, which only a page has")
        }
        let writer = try RowWriter.of(resultSet, shape: shape, keyCount: 0)
        try writer.check(attachments, resultSet)
        return writer
    }

    /// Writes the first row as an object.
    /// - Returns: `false`, and nothing is written, if there is no row.
    /// - Throws: `DatabaseError`.
    public func writeObject(to buffer: inout ByteBuffer) throws -> Bool {
        let writer = try beginRows()
        // Of attachments whose key the row has to tell; no columns where it is known.
        let columns = try attachments.map { attachment in
            knownKey(of: attachment) == nil ? try attachment.keyColumns(in: resultSet) : []
        }
        let started = try startKnown()
        var keys: [RowKey] = []
        // What the row has behind attachments, aside until those have been read.
        var rest = Stretches()
        let note = reader.noting(recordedKeys, of: resultSet)
        let isMissing = try writer.forEachRow(of: resultSet) {
            note?()
            writer.writeObject(encoding, end: attachments.isEmpty ? .brace : .open, to: &buffer)
            rest.append(writer, 0, encoding)
            for columns in columns { keys.append(columns.isEmpty ? .one(.null) : .of(resultSet, at: columns)) }
            return false
        }
        if isMissing { return false }
        resultSet.close()
        guard !attachments.isEmpty else { return true }
        for (index, attachment) in attachments.enumerated() {
            attachment.writeName(index, writer.shapes[0], to: &buffer)
            if let started = started[index], let key = knownKey(of: attachment) {
                try writeAll(attachment, started, key, to: &buffer)
            } else {
                let key = keys[index]
                if key.hasNull { try attachment.checkParameter(connection) }
                try writeAll(
                    attachment, key.hasNull ? nil : reader.query(attachment, keys: key.argument), key, to: &buffer)
            }
            rest.write(index, ofRow: 0, to: &buffer)
        }
        buffer.writeInteger(UInt8(ascii: "}"))
        return true
    }

    /// What ``write(_:to:limit:boundary:)`` has written.
    public struct Page: Sendable {
        /// Rows written.
        public var rows = 0
        /// Where the page was cut: the boundary columns of the last row written, if the result set has more rows.
        public var boundary: [SQLValue]?
    }

    /// Writes the rows as a whole body.
    /// - Parameters:
    ///   - format: CSV has no attachments.
    ///   - limit: most rows to write; the result set may have one more, to know whether there are more.
    ///   - boundary: columns whose values in the last row are wanted if there are more.
    /// - Throws: `DatabaseError`.
    public func write(
        _ format: RowFormat, to buffer: inout ByteBuffer, limit: Int = .max, boundary: [String] = []
    ) throws -> Page {
        try refuseCSVAttachments(format)
        let writer = try beginRows()
        let boundaryColumns = try boundary.map { try resultSet.index(of: $0) }
        let page =
            attachments.isEmpty
            ? try writeRows(format, writer, to: &buffer, limit: limit, boundary: boundaryColumns)
            : try writeRowsWithAttachments(format, writer, to: &buffer, limit: limit, boundary: boundaryColumns)
        if format == .json { buffer.writeInteger(UInt8(ascii: "]")) }
        return page
    }

    /// Writes the rows as an object about a page of them. Queries are attached to the forms of its rows.
    /// - Throws: `DatabaseError`.
    public func writePage(_ form: PageForm, to buffer: inout ByteBuffer) throws {
        try begin()
        let page = try PageRows(
            form, reading: resultSet, asked: nil, attachmentsOfForms, reader, recordedKeys: recordedKeys)
        try page.write(.one(.null), to: &buffer)
    }

    /// Makes the body piece by piece, for results of any length.
    /// - Parameters:
    ///   - format: the body's form; there must be no attachments.
    ///   - chunkSize: about how many bytes a piece has.
    /// - Returns: a closure that gives the next piece, `nil` after the last one. It throws `DatabaseError`.
    /// - Throws: `DatabaseError`.
    public func pieces(_ format: RowFormat, chunkSize: Int = 64 * 1024) throws -> () throws -> ByteBuffer? {
        if let attachment = attachments.first {
            throw attachment.error("rows with attachments are written whole, not piece by piece")
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
            throw attachment.error("a line of CSV has no place for attached rows; write JSON or NDJSON")
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

    /// Reads up to so many rows, and whether there are more.
    /// - Parameter write: gives the size of what has been written so far.
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

    /// Three steps, so that each query runs once and its rows are read to the end before the next one's: the rows
    /// themselves, unclosed and aside; the attached rows, aside, in groups; then both together.
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

    /// Starts the queries whose keys are known together with the first one. The query of a page that shows no rows is not run.
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

    /// The key of an attachment's rows, if all its columns are known.
    private func knownKey(of attachment: Attachment) -> RowKey? {
        var values: [SQLValue] = []
        for name in attachment.keys {
            guard case .value(let value)? = known[name] else { return nil }
            if attachment.keys.count == 1 { return .one(value) }
            values.append(value)
        }
        return .several(values)
    }

    /// Writes the rows of a query that was asked for one key alone, so that all of them belong to the row above.
    /// - Parameter resultSet: none where the key is NULL, which has no relatives.
    private func writeAll(
        _ attachment: Attachment, _ resultSet: ResultSet?, _ key: RowKey, to buffer: inout ByteBuffer
    ) throws {
        if let page = attachment.page {
            var content =
                try resultSet.map { try reader.read(reader.asked(attachment, $0, key.argument, ofOneRow: true)) }
                ?? AttachedContent(PageRows(empty: page, reader))
            return try content.write(key, attachment, to: &buffer)
        }
        var hasRows = false
        if let resultSet {
            if attachment.hasAttachments {
                hasRows = try reader.read(reader.asked(attachment, resultSet, key.argument, ofOneRow: true))
                    .writeAll(to: &buffer)
            } else {
                hasRows = try attachment.reading { try writeRows(of: attachment, resultSet, key, to: &buffer) }
            }
        }
        attachment.writeEnd(hasRows: hasRows, to: &buffer)
    }

    private func writeRows(
        of attachment: Attachment, _ resultSet: ResultSet, _ key: RowKey, to buffer: inout ByteBuffer
    ) throws -> Bool {
        let writer = try RowWriter.of(resultSet, shape: attachment.shape, keyCount: attachment.keys.count)
        try writer.check([], resultSet)
        var isFirst = true
        var first: RowKey?
        let asked = attachment.numbersKeys ? [key] : nil
        let note = reader.noting(attachment.recordedKeys, of: resultSet)
        let isAtEnd = try writer.forEachRow(of: resultSet) {
            if isFirst { first = writer.rowKey(asked) }
            note?()
            writer.writeObject(encoding, afterComma: !isFirst, end: .brace, to: &buffer)
            isFirst = false
            return attachment.member.form.isList && buffer.readableBytes <= reader.maximumSize
        }
        if !isAtEnd { resultSet.close() }
        try reader.check(size: buffer.readableBytes)
        if let first, first != key {
            try reader.asked(attachment, resultSet, key.argument, ofOneRow: true).check([first])
        }
        return !isFirst
    }
}
