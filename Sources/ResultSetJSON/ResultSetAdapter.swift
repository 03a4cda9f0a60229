import JSON
public import NIOCore
public import SQLDatabase

/// Turns a result set into JSON, NDJSON or CSV, with the rows of related queries attached to its rows.
///
/// As in HTTP-RPC, related data is attached by a name and a query:
///
///     let employees = try connection.query(
///         "SELECT emp_no AS employeeNumber, first_name AS firstName FROM employees WHERE …", …)
///     let adapter = ResultSetAdapter(employees, on: connection, encoding: encoding)
///     adapter.attach("titles", for: "employeeNumber", """
///         SELECT emp_no, title, from_date AS fromDate FROM titles
///         WHERE emp_no IN (:employeeNumber) ORDER BY emp_no, from_date DESC
///         """)
///
/// Where the original runs an attached query once for each row, here it runs once for all of them: `:employeeNumber` is
/// the list of the values that the rows have in that column. The first column of an attached query says which of them a
/// row belongs to; it is not written, and rows that belong together stand together.
///
/// Nothing stands between the rows and the buffer but bytes. An adapter is used once, on its connection's thread.
public final class ResultSetAdapter {
    private let resultSet: ResultSet
    private let connection: Connection
    private let encoding: ValueEncoding
    private let writer: RowWriter
    private let known: Arguments
    private var attachments: [Attachment] = []

    /// - Parameters:
    ///   - resultSet: rows that have not been read yet.
    ///   - connection: runs the attached queries.
    ///   - shape: the members of each object; by default all columns by their labels.
    ///   - known: columns whose value is the same in each row and known beforehand, such as the key a single row is
    ///     asked by. Queries attached by such a column start together with the first one.
    public init(
        _ resultSet: ResultSet, on connection: Connection, encoding: ValueEncoding, shape: ObjectShape? = nil,
        known: Arguments = [:]
    ) {
        self.resultSet = resultSet
        self.connection = connection
        self.encoding = encoding
        self.known = known
        writer = RowWriter.of(resultSet, shape: shape, isAttached: false)
    }

    /// Attaches to each row the rows of another query, as a member of that name: an array, or one object.
    ///
    /// - Parameters:
    ///   - member: the member's name and form.
    ///   - key: the column of this result set, and the name of the query's list parameter.
    ///   - sql: a query with `… IN (:key)`, ordered by its first column, which has the key's values.
    ///   - arguments: the query's other arguments.
    ///   - shape: the members of the attached objects; by default all columns but the first, by their labels.
    /// - Returns: the attachment, to which others can be attached in turn.
    @discardableResult
    public func attach(
        _ member: AttachedMember, for key: String, _ sql: String, _ arguments: Arguments = [:],
        shape: ObjectShape? = nil
    ) -> Attachment {
        let attachment = Attachment(member, key: key, sql: sql, arguments: arguments, shape: shape)
        attachments.append(attachment)
        return attachment
    }

    /// Writes the first row as an object.
    /// - Returns: `false`, and nothing is written, if there is no row.
    /// - Throws: `DatabaseError`.
    public func writeObject(to buffer: inout ByteBuffer) throws -> Bool {
        let started = try startKnown()
        var keys: [SQLValue] = []
        let columns = try started == nil ? attachments.map { try resultSet.index(of: $0.key) } : []
        // What the row has behind attachments, aside until those have been read.
        var rest = Stretches()
        let isMissing = try writer.forEachRow(of: resultSet) {
            writer.writeObject(encoding, end: attachments.isEmpty ? .brace : .open, to: &buffer)
            rest.append(writer, encoding)
            for column in columns { keys.append(resultSet.value(at: column)) }
            return false
        }
        if isMissing { return false }
        resultSet.close()
        guard !attachments.isEmpty else { return true }
        for (index, attachment) in attachments.enumerated() {
            writeName(of: attachment, index, writer.shape, to: &buffer)
            // NULL has no relatives.
            var hasRows = false
            if let started {
                hasRows = try writeAll(attachment, started[index], to: &buffer)
            } else if keys[index] != .null {
                hasRows = try writeAll(attachment, try query(attachment, keys: .value(keys[index])), to: &buffer)
            }
            writeEnd(of: attachment, hasRows: hasRows, to: &buffer)
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
        let started = try startKnown()
        let boundaryColumns = try boundary.map { try resultSet.index(of: $0) }
        if format == .json { buffer.writeInteger(UInt8(ascii: "[")) }
        if format == .csv { writer.writeCSVHeader(to: &buffer) }
        let page =
            attachments.isEmpty
            ? try writeRows(format, to: &buffer, limit: limit, boundary: boundaryColumns)
            : try writeRowsWithAttachments(
                format, to: &buffer, limit: limit, boundary: boundaryColumns, started: started)
        if format == .json { buffer.writeInteger(UInt8(ascii: "]")) }
        return page
    }

    /// Makes the body piece by piece, for results of any length.
    /// - Parameters:
    ///   - format: the body's form; there must be no attachments.
    ///   - chunkSize: about how many bytes a piece has.
    /// - Returns: a closure that gives the next piece, `nil` after the last one.
    public func pieces(_ format: RowFormat, chunkSize: Int = 64 * 1024) -> () throws -> ByteBuffer? {
        var isAtStart = true
        var isAtEnd = false
        let chunkSize = max(1, chunkSize)
        return { [self] in
            guard !isAtEnd else { return nil }
            guard attachments.isEmpty else {
                throw DatabaseError(.failed, "rows with attachments are written whole, not piece by piece")
            }
            var buffer = ByteBufferAllocator().buffer(capacity: chunkSize + 4096)
            if isAtStart {
                if format == .json { buffer.writeInteger(UInt8(ascii: "[")) }
                if format == .csv { writer.writeCSVHeader(to: &buffer) }
            }
            isAtEnd = try writer.forEachRow(of: resultSet) {
                writeRow(format, isFirst: isAtStart, to: &buffer)
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
        guard format != .csv || attachments.isEmpty else {
            throw DatabaseError(.failed, "a CSV line has no place for attached rows")
        }
    }

    @inline(__always)
    private func writeRow(_ format: RowFormat, isFirst: Bool, to buffer: inout ByteBuffer) {
        switch format {
        case .json: writer.writeObject(encoding, afterComma: !isFirst, end: .brace, to: &buffer)
        case .ndjson: writer.writeObject(encoding, end: .braceAndLineFeed, to: &buffer)
        case .csv: writer.writeCSVLine(encoding, to: &buffer)
        }
    }

    private func writeRows(
        _ format: RowFormat, to buffer: inout ByteBuffer, limit: Int, boundary: [Int]
    ) throws -> Page {
        try readPage(limit: limit, boundary: boundary) { row in
            writeRow(format, isFirst: row == 0, to: &buffer)
        }
    }

    /// Reads up to so many rows, and whether there are more.
    private func readPage(limit: Int, boundary: [Int], _ write: (_ row: Int) -> Void) throws -> Page {
        var page = Page()
        var last: [SQLValue]?
        let isAtEnd = try writer.forEachRow(of: resultSet) {
            guard page.rows < limit else {
                page.boundary = last
                return false
            }
            write(page.rows)
            page.rows += 1
            if page.rows == limit { last = boundary.map { resultSet.value(at: $0) } }
            return true
        }
        if !isAtEnd { resultSet.close() }
        return page
    }

    /// Three steps, so that each query runs once and its rows are read to the end before the next one's: the rows
    /// themselves, unclosed and aside; the attached rows, aside, in groups; then both together.
    private func writeRowsWithAttachments(
        _ format: RowFormat, to buffer: inout ByteBuffer, limit: Int, boundary: [Int], started: [ResultSet]?
    ) throws -> Page {
        var heads = Heads(attachments: attachments, shape: writer.shape)
        let columns = try attachments.map { try resultSet.index(of: $0.key) }
        let page = try readPage(limit: limit, boundary: boundary) { _ in
            heads.append(writer, encoding, resultSet, keyColumns: columns)
        }
        var attached = try attachments.enumerated().map { index, attachment in
            try read(attachment, started: started?[index], keys: heads.keys[index].distinct)
        }
        buffer.reserveCapacity(
            minimumWritableBytes: attached.reduce(heads.bytes.readableBytes + page.rows * 32) {
                $0 + $1.bytes.readableBytes
            })
        for row in 0..<page.rows {
            if format == .json, row > 0 { buffer.writeInteger(UInt8(ascii: ",")) }
            try writeWhole(row, of: heads, &attached, to: &buffer)
            if format == .ndjson { buffer.writeInteger(UInt8(ascii: "\n")) }
        }
        return page
    }

    /// What rows have behind attachments, row by row.
    private struct Stretches {
        private var bytes = ByteBuffer()
        private var ends: [Int] = []
        private var perRow = 0

        /// Keeps what the row that is being read has behind its first stretch.
        mutating func append(_ writer: RowWriter, _ encoding: ValueEncoding) {
            perRow = writer.shape.stretches.count - 1
            guard perRow > 0 else { return }
            for stretch in 1...perRow {
                writer.writeStretch(stretch, encoding, to: &bytes)
                ends.append(bytes.writerIndex)
            }
        }

        /// Writes what stands behind an attachment, if anything does.
        func write(_ attachment: Int, ofRow row: Int, to buffer: inout ByteBuffer) {
            guard attachment < perRow else { return }
            let index = row * perRow + attachment
            buffer.write(bytes, range: (index == 0 ? 0 : ends[index - 1])..<ends[index])
        }
    }

    /// Rows written as far as their own columns go.
    private struct Heads {
        var bytes = ByteBufferAllocator().buffer(capacity: 16 * 1024)
        private(set) var ends: [Int] = []
        private(set) var rest = Stretches()
        /// For each attachment the keys of the rows.
        private(set) var keys: [KeyList]
        let attachments: [Attachment]
        let shape: ObjectShape

        init(attachments: [Attachment], shape: ObjectShape) {
            self.attachments = attachments
            self.shape = shape
            keys = attachments.map { _ in KeyList() }
        }

        /// Keeps the row that is being read.
        mutating func append(_ writer: RowWriter, _ encoding: ValueEncoding, _ resultSet: ResultSet, keyColumns: [Int])
        {
            writer.writeObject(encoding, end: .open, to: &bytes)
            ends.append(bytes.writerIndex)
            rest.append(writer, encoding)
            for (index, column) in keyColumns.enumerated() { keys[index].append(resultSet.value(at: column)) }
        }
    }

    private func writeWhole(
        _ row: Int, of heads: Heads, _ attached: inout [AttachedRows], to buffer: inout ByteBuffer
    ) throws {
        buffer.write(heads.bytes, range: (row == 0 ? 0 : heads.ends[row - 1])..<heads.ends[row])
        for (index, attachment) in heads.attachments.enumerated() {
            writeName(of: attachment, index, heads.shape, to: &buffer)
            let range = try attached[index].range(of: heads.keys[index].ofRows[row])
            if let range { buffer.write(attached[index].bytes, range: range) }
            writeEnd(of: attachment, hasRows: range != nil, to: &buffer)
            heads.rest.write(index, ofRow: row, to: &buffer)
        }
        buffer.writeInteger(UInt8(ascii: "}"))
    }

    /// Begins a member. Attachments that the shape does not mention come behind all it does.
    private func writeName(
        of attachment: Attachment, _ index: Int, _ shape: ObjectShape, to buffer: inout ByteBuffer
    ) {
        let opens = index < shape.opensObject.count ? shape.opensObject[index] : index == 0 && shape.isEmpty
        buffer.writeBytes(opens ? attachment.member.openingPrefix : attachment.member.prefix)
    }

    private func writeEnd(of attachment: Attachment, hasRows: Bool, to buffer: inout ByteBuffer) {
        switch attachment.member.form {
        case .list: buffer.writeInteger(UInt8(ascii: "]"))
        case .object: if !hasRows { buffer.writeStaticString("null") }
        }
    }

    // MARK: Attached queries

    private func query(_ attachment: Attachment, keys: Arguments.Argument) throws -> ResultSet {
        var arguments = attachment.arguments
        arguments[attachment.key] = keys
        return try connection.query(attachment.sql, arguments)
    }

    /// Starts the queries whose keys are known together with the first one.
    private func startKnown() throws -> [ResultSet]? {
        guard !attachments.isEmpty else { return nil }
        var started: [ResultSet] = []
        for attachment in attachments {
            guard let key = known[attachment.key] else { return nil }
            started.append(try query(attachment, keys: key))
        }
        try connection.start([resultSet] + started)
        return started
    }

    /// Writes the rows of a query that was asked for one key alone, so that all of them belong to the row above.
    /// - Returns: whether there are any.
    private func writeAll(
        _ attachment: Attachment, _ resultSet: ResultSet, to buffer: inout ByteBuffer
    ) throws -> Bool {
        guard attachment.attachments.isEmpty else {
            return try read(attachment, resultSet).writeAll(to: &buffer)
        }
        let writer = RowWriter.of(resultSet, shape: attachment.shape, isAttached: true)
        var isFirst = true
        let isAtEnd = try writer.forEachRow(of: resultSet) {
            writer.writeObject(encoding, afterComma: !isFirst, end: .brace, to: &buffer)
            isFirst = false
            return attachment.member.form == .list
        }
        if !isAtEnd { resultSet.close() }
        return !isFirst
    }

    private func read(_ attachment: Attachment, started: ResultSet?, keys: [SQLValue]) throws -> AttachedRows {
        // Without a key there is nothing to ask for.
        guard !keys.isEmpty else { return AttachedRows(capacity: 0) }
        return try read(attachment, try started ?? query(attachment, keys: .list(keys)), capacity: keys.count * 256)
    }

    private func read(_ attachment: Attachment, _ resultSet: ResultSet, capacity: Int = 0) throws -> AttachedRows {
        var rows = AttachedRows(capacity: 1024 + capacity)
        let writer = RowWriter.of(resultSet, shape: attachment.shape, isAttached: true)
        let isList = attachment.member.form == .list
        if attachment.attachments.isEmpty {
            _ = try writer.forEachRow(of: resultSet) {
                let continues = rows.continueGroup(of: writer.key)
                // Of an object there is one.
                guard !continues || isList else { return true }
                writer.writeObject(encoding, afterComma: continues, end: .brace, to: &rows.bytes)
                return true
            }
            return rows
        }
        var heads = Heads(attachments: attachment.attachments, shape: writer.shape)
        var parents: [SQLValue] = []
        let columns = try attachment.attachments.map { try resultSet.index(of: $0.key) }
        _ = try writer.forEachRow(of: resultSet) {
            let parent = writer.key.copied()
            guard isList || parents.last != parent else { return true }
            parents.append(parent)
            heads.append(writer, encoding, resultSet, keyColumns: columns)
            return true
        }
        var attached = try attachment.attachments.enumerated().map { index, nested in
            try read(nested, started: nil, keys: heads.keys[index].distinct)
        }
        for (row, parent) in parents.enumerated() {
            if rows.continueGroup(of: parent) { rows.bytes.writeInteger(UInt8(ascii: ",")) }
            try writeWhole(row, of: heads, &attached, to: &rows.bytes)
        }
        return rows
    }
}

extension ByteBuffer {
    /// Appends a stretch of another buffer, given by its indices.
    @inline(__always)
    mutating func write(_ source: ByteBuffer, range: Range<Int>) {
        guard !range.isEmpty else { return }
        source.withUnsafeReadableBytes { bytes in
            let offset = range.lowerBound - source.readerIndex
            _ = writeBytes(UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + range.count)]))
        }
    }
}
