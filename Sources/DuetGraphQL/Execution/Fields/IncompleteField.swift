/// A field with an asynchronous resolver. Its value is not in its own response part, but in another one after the field
/// is complete.
struct IncompleteField: Sendable {
    /// The offset in the part's buffer at which the value is to be inserted.
    let offset: Int
    let field: PlannedField
    let source: any Sendable
    let path: ResponsePath
    /// The index of the innermost nullable position that contains it, in the same part; -1 if there is none.
    let nullablePosition: Int
    /// The index of the part's value that contains it.
    let value: Int
    /// The field's value; nil as long as it is incomplete, and if null propagates from it.
    var completion: SerializedValueReference?
}

/// Identifies an incomplete field among all response parts.
struct IncompleteFieldReference: Sendable {
    let part: Int
    let field: Int
}
