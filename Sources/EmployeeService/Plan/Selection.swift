/// What a request wants to see of a resource: its fields, and the relations attached to each row.
public struct Selection: Sendable, Hashable {
    /// Field names in the order they are written.
    public var fields: [String]
    /// Relation names in the order they are attached.
    public var details: [String]

    /// These fields and relations.
    public init(fields: [String], details: [String] = []) {
        self.fields = fields
        self.details = details
    }
}

/// The order of a list.
public struct SortOrder: Sendable, Hashable {
    /// One of the resource's sort fields.
    public var field: String
    /// Whether the greatest comes first.
    public var descending: Bool

    /// By that field, in that direction.
    public init(field: String, descending: Bool) {
        self.field = field
        self.descending = descending
    }
}
