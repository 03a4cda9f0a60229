public import SQLDatabase

/// A query whose rows become an array member of the rows it is attached to.
public final class Attachment {
    let name: String
    let sql: String
    let arguments: Arguments
    /// The column of the rows above whose values the query is asked for; also the name of its list parameter.
    let key: String
    /// `,"name":[`
    let prefix: [UInt8]
    /// `{"name":[`, where the object has no other member before.
    let openingPrefix: [UInt8]
    private(set) var attachments: [Attachment] = []

    init(name: String, key: String, sql: String, arguments: Arguments) {
        self.name = name
        self.key = key
        self.sql = sql
        self.arguments = arguments
        prefix = JSONKey.prefix(name, opensObject: false) + [UInt8(ascii: "[")]
        openingPrefix = JSONKey.prefix(name, opensObject: true) + [UInt8(ascii: "[")]
    }

    /// Attaches to each of this query's rows the rows of another one; see ``ResultSetAdapter/attach(_:for:_:_:)``.
    /// - Returns: the attachment, to which others can be attached in turn.
    @discardableResult
    public func attach(
        _ name: String, for key: String, _ sql: String, _ arguments: Arguments = [:]
    ) -> Attachment {
        let attachment = Attachment(name: name, key: key, sql: sql, arguments: arguments)
        attachments.append(attachment)
        return attachment
    }
}
