public import SQLDatabase

/// The name of a member that is attached, as the bytes that begin it. Made once and used for many objects.
public struct AttachedMember: Sendable, ExpressibleByStringLiteral {
    /// The member's name.
    public let name: String
    /// `,"name":[`
    let prefix: [UInt8]
    /// `{"name":[`, where the object has no other member before.
    let openingPrefix: [UInt8]

    /// - Parameter name: the member's name.
    public init(_ name: String) {
        self.name = name
        prefix = JSONKey.prefix(name, opensObject: false) + [UInt8(ascii: "[")]
        openingPrefix = JSONKey.prefix(name, opensObject: true) + [UInt8(ascii: "[")]
    }

    /// The member of that name.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

/// A query whose rows become an array member of the rows it is attached to.
public final class Attachment {
    let member: AttachedMember
    let sql: String
    let arguments: Arguments
    /// The column of the rows above whose values the query is asked for; also the name of its list parameter.
    let key: String
    private(set) var attachments: [Attachment] = []

    init(_ member: AttachedMember, key: String, sql: String, arguments: Arguments) {
        self.member = member
        self.key = key
        self.sql = sql
        self.arguments = arguments
    }

    /// Attaches to each of this query's rows the rows of another one; see ``ResultSetAdapter/attach(_:for:_:_:)``.
    /// - Returns: the attachment, to which others can be attached in turn.
    @discardableResult
    public func attach(
        _ member: AttachedMember, for key: String, _ sql: String, _ arguments: Arguments = [:]
    ) -> Attachment {
        let attachment = Attachment(member, key: key, sql: sql, arguments: arguments)
        attachments.append(attachment)
        return attachment
    }
}
