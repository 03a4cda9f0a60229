/// A field with an asynchronous resolver. The response part with the field's object does not contain the field's value.
/// When the field is complete, another response part contains the value.
struct IncompleteField: Sendable {
    /// The offset in the part's buffer at which the value is inserted.
    let offset: Int
    let field: PlannedField
    let source: any Sendable
    let path: ResponsePath
    /// The index of the innermost enclosing nullable position, in the same part; -1 if none exists.
    let nullablePosition: Int
    /// The index of the enclosing value in the part's ``ResponsePart/values``.
    let value: Int
    /// The field's value; nil while the field is incomplete, and if null propagates from the field.
    var completion: SerializedValueReference?
}

/// Identifies an incomplete field among all response parts.
struct IncompleteFieldReference: Sendable {
    let part: Int
    let field: Int
}
