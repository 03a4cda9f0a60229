import NIOCore
import SQLDatabase

/// Runs attached queries, each once for all rows above, and keeps their rows as bytes in groups.
struct AttachmentReader {
    let connection: Connection
    let encoding: ValueEncoding
    /// How many bytes rows may take, those that are put aside and those that are written each.
    let maximumSize: Int
    /// Is told of the rows that are shown.
    let recorder: EntityRecorder?

    /// What notes the entities of a result set's rows; nil where nobody wants to know.
    func noting(_ resultSet: ResultSet, isAttached: Bool) -> (() -> Void)? {
        guard let recorder else { return nil }
        let columns = recorder.columns(of: resultSet, isAttached: isAttached)
        return columns.isEmpty ? nil : { recorder.note(resultSet, columns) }
    }

    /// - Throws: `DatabaseError` with code `too-large`.
    func check(size: Int) throws {
        guard size > maximumSize else { return }
        throw DatabaseError(.tooLarge, "the rows take more than \(maximumSize) bytes")
    }

    func query(_ attachment: Attachment, keys: Arguments.Argument) throws -> ResultSet {
        var arguments = attachment.arguments
        if attachment.isForEachKey, case .list(let values) = keys, values.count != 1 {
            let parts = values.enumerated().map { index, value in
                arguments["\(attachment.key)_\(index)"] = .value(value)
                return "(" + attachment.sql.replacing(":\(attachment.key)", with: ":\(attachment.key)_\(index)") + ")"
            }
            return try connection.query(parts.joined(separator: " UNION ALL "), arguments)
        }
        if attachment.isForEachKey, case .list(let values) = keys {
            arguments[attachment.key] = values.first.map { .value($0) }
        } else {
            arguments[attachment.key] = keys
        }
        return try connection.query(attachment.sql, arguments)
    }

    /// Reads everything that is attached to rows.
    /// - Parameter started: the attachments' result sets, where they have been started already.
    func readAttached(to heads: Heads, started: [ResultSet]? = nil) throws -> [AttachedContent] {
        try heads.attachments.enumerated().map { index, attachment in
            try read(attachment, started: started?[index], keys: heads.keys[index].distinct)
        }
    }

    private func read(_ attachment: Attachment, started: ResultSet?, keys: [SQLValue]) throws -> AttachedContent {
        // Without a key there is nothing to ask for.
        guard !keys.isEmpty else {
            return attachment.page.map { AttachedContent(PageRows(empty: $0, self)) }
                ?? AttachedContent(AttachedRows(capacity: 0))
        }
        return try read(
            attachment, try started ?? query(attachment, keys: .list(keys)), keys: .list(keys),
            capacity: keys.count * 256)
    }

    /// - Parameter keys: those that the query was asked for.
    func read(
        _ attachment: Attachment, _ resultSet: ResultSet, keys: Arguments.Argument, capacity: Int = 0
    ) throws -> AttachedContent {
        if let page = attachment.page {
            return AttachedContent(
                try PageRows(
                    page, reading: resultSet, isAttached: true, attachment.attachments, self,
                    counting: (attachment.key, keys)))
        }
        var rows = AttachedRows(capacity: 1024 + capacity)
        let writer = RowWriter.of(resultSet, shape: attachment.shape, isAttached: true)
        let isList = attachment.member.form.isList
        let attachments = attachment.attachments[0]
        let note = noting(resultSet, isAttached: true)
        if attachments.isEmpty {
            _ = try writer.forEachRow(of: resultSet) {
                let continues = rows.continueGroup(of: writer.key)
                // Of an object there is one.
                guard !continues || isList else { return true }
                note?()
                writer.writeObject(encoding, afterComma: continues, end: .brace, to: &rows.bytes)
                return rows.bytes.readableBytes <= maximumSize
            }
            try check(size: rows.bytes.readableBytes)
            return AttachedContent(rows)
        }
        var heads = try Heads(0, of: writer, attachments, resultSet)
        var parents: [SQLValue] = []
        _ = try writer.forEachRow(of: resultSet) {
            let parent = writer.key.copied()
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
        return AttachedContent(rows)
    }
}
