/// A change of a row that is related to a changed row, from the body of the same request. The service performs both in
/// one transaction, and sets the fields with which one row refers to the other.
public struct RelatedChange: Sendable, Hashable {
    /// The effect on the related row.
    public enum Action: Sendable, Hashable {
        /// Performs a change. It has one row of values, or none for a delete. In a to-one relation, an insert is
        /// performed before the change of the row that refers to it, and an update changes the row to which the row
        /// refers.
        case perform(Change)
        /// Lets the row refer to the row of an earlier step of the same ``ChangeList``. The relation is a to-one
        /// relation.
        case refer(step: String)
        /// Removes the reference to the related row. The relation is a to-one relation.
        case clear
    }

    /// The name of the relation that leads from the changed row to the related row.
    public var relation: String
    /// The effect on the related row.
    public var action: Action
    /// The values of key fields that identify an existing row of a to-many relation. The fields that refer to the
    /// parent row are missing.
    public var key: RowValues
    /// The path of the related row in the body, such as `orderDetails`, `0`.
    public var path: [String]

    /// Creates a change of a related row.
    public init(_ relation: String, _ action: Action, key: RowValues = RowValues(), path: [String] = []) {
        self.relation = relation
        self.action = action
        self.key = key
        self.path = path
    }

    /// The position of the change among the changes of a relation's rows: rows are removed first, so that new rows can
    /// have their unique values.
    var rank: Int {
        switch action {
        case .perform(let change):
            switch change.kind {
            case .delete: 0
            case .update, .upsert, .replace: 1
            case .insert: 2
            }
        case .refer, .clear: 3
        }
    }
}
