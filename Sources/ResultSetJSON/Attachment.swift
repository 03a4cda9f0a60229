import NIOCore
public import SQLDatabase

/// A member that is attached, its name as the bytes that begin it. Made once and used for many objects.
public struct AttachedMember: Sendable, ExpressibleByStringLiteral {
    /// What the member's value is.
    public enum Form: Sendable {
        /// An array of all rows.
        case list
        /// The first row as an object, `null` without one.
        case object
        /// An object about a page of the rows.
        case page(PageForm)

        var isList: Bool { if case .list = self { true } else { false } }
    }

    /// The member's name.
    public let name: String
    /// What its value is.
    public let form: Form
    /// `,"name":[`, or `,"name":` for an object.
    let prefix: [UInt8]
    /// The same with a brace in place of the comma, where the object has no other member before.
    let openingPrefix: [UInt8]

    /// - Parameters:
    ///   - name: the member's name.
    ///   - form: what its value is.
    public init(_ name: String, form: Form = .list) {
        self.name = name
        self.form = form
        let bracket = form.isList ? [UInt8(ascii: "[")] : []
        prefix = JSONKey.prefix(name, opensObject: false) + bracket
        openingPrefix = JSONKey.prefix(name, opensObject: true) + bracket
    }

    /// The list of that name.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

/// A query whose rows become a member of the rows it is attached to. Made once, it can be attached in any number of requests.
public final class Attachment: Sendable {
    let member: AttachedMember
    let sql: String
    /// Whether the query asks for one key.
    let isForEachKey: Bool
    let arguments: Arguments
    /// The columns of the rows above whose values the query is asked for.
    let keys: [String]
    /// The columns of the attached query that hold keys of entities.
    let entities: [EntityColumns]
    /// The members of its objects; by default all columns but the first, by their labels.
    let shape: ObjectShape?
    /// By the form of the rows they belong to; there are several in a page alone.
    let attachments: [[Attachment]]

    /// - Parameters:
    ///   - member: the member's name and form.
    ///   - keys: The columns of the result set above whose values the query is asked for. The query's list parameter has the column's
    ///     name, or those of all columns joined by underscores.
    ///   - sql: a query with `… IN (:key)`, ordered by its first columns, which have the key's values.
    ///   - arguments: the query's other arguments.
    ///   - shape: the members of the attached objects; by default all columns but the first, by their labels. A page has its
    ///     own.
    ///   - entities: The columns of the query that hold keys of entities, for the recorder.
    ///   - isForEachKey: whether the query asks for one key, with `= :key` in place of `IN`; for several it is repeated, in
    ///     one statement with `UNION ALL`. So each can have an order and a limit of its own.
    ///   - attachments: The queries attached to its rows, by the form of the rows; only a page has several forms.
    public init(
        _ member: AttachedMember, for keys: [String], _ sql: String, _ arguments: Arguments = [:],
        shape: ObjectShape? = nil, entities: [EntityColumns] = [], isForEachKey: Bool = false,
        attachments: [[Attachment]] = [[]]
    ) {
        self.member = member
        self.keys = keys
        self.entities = entities
        self.sql = sql
        self.isForEachKey = isForEachKey
        self.arguments = arguments
        self.shape = shape
        self.attachments = attachments.isEmpty ? [[]] : attachments
    }

    /// The name of the query's list parameter: the key column's, or the names of all joined by underscores.
    var parameter: String { keys.count == 1 ? keys[0] : keys.joined(separator: "_") }

    /// About the number of values that the statement takes for one row above.
    var placeholders: Int {
        arguments.pairs.reduce(keys.count) { $0 + $1.argument.keyCount }
    }

    /// The page that the rows are written as, if they are.
    var page: PageForm? {
        if case .page(let page) = member.form { return page }
        return nil
    }

    /// Whether its rows are shown, or anything that takes reading them.
    var readsRows: Bool { page?.shape.readsRows ?? true }

    var hasAttachments: Bool { attachments.contains { !$0.isEmpty } }

    /// Begins the member. Attachments that the shape does not mention come behind all it does.
    /// - Parameter index: which of the attachments it is.
    func writeName(_ index: Int, _ shape: ObjectShape, to buffer: inout ByteBuffer) {
        let opens = index < shape.opensObject.count ? shape.opensObject[index] : index == 0 && shape.isEmpty
        buffer.writeBytes(opens ? member.openingPrefix : member.prefix)
    }

    /// Ends a list, and says that an object is missing.
    func writeEnd(hasRows: Bool, to buffer: inout ByteBuffer) {
        switch member.form {
        case .list: buffer.writeInteger(UInt8(ascii: "]"))
        case .object: if !hasRows { buffer.writeStaticString("null") }
        case .page: break
        }
    }
}
