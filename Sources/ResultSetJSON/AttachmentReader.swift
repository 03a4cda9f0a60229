import NIOCore
import SQLDatabase

/// Runs attached queries, each once for all rows above, and keeps their rows as bytes in groups.
struct AttachmentReader {
    let connection: Connection
    let encoding: ValueEncoding

    func query(_ attachment: Attachment, keys: Arguments.Argument) throws -> ResultSet {
        var arguments = attachment.arguments
        arguments[attachment.key] = keys
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
            return attachment.page.map { AttachedContent(PageRows(empty: $0)) }
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
        if attachments.isEmpty {
            _ = try writer.forEachRow(of: resultSet) {
                let continues = rows.continueGroup(of: writer.key)
                // Of an object there is one.
                guard !continues || isList else { return true }
                writer.writeObject(encoding, afterComma: continues, end: .brace, to: &rows.bytes)
                return true
            }
            return AttachedContent(rows)
        }
        var heads = try Heads(0, of: writer, attachments, resultSet)
        var parents: [SQLValue] = []
        _ = try writer.forEachRow(of: resultSet) {
            let parent = writer.key.copied()
            guard isList || parents.last != parent else { return true }
            parents.append(parent)
            heads.append(writer, encoding, resultSet)
            return true
        }
        var attached = try readAttached(to: heads)
        for (row, parent) in parents.enumerated() {
            if rows.continueGroup(of: parent) { rows.bytes.writeInteger(UInt8(ascii: ",")) }
            try heads.write(row, &attached, to: &rows.bytes)
        }
        return AttachedContent(rows)
    }
}
