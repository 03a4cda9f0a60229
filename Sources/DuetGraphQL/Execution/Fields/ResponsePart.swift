internal import NIOCore

/// A part of the serialized response. It contains one or more values, whose fields can be incomplete.
///
/// The first part of a response contains `data` or the incremental data. Each call of an asynchronous resolver creates
/// a part with the values of the resolved fields. ``ResponseAssembler`` joins the parts.
struct ResponsePart: Sendable {
    var buffer: ByteBuffer
    var incompleteFields: [IncompleteField] = []
    var nullablePositions: [NullablePosition] = []
    /// `data`, one value for each record of incremental data, or one value for each field that the part completes.
    var values: [SerializedValue] = []
    var incrementalData: [IncrementalDataRecord] = []
    var errors: [ExecutionError] = []
}

/// A value in a response part. It can contain incomplete fields.
struct SerializedValue: Sendable {
    /// The offsets of the value's bytes in the part's buffer.
    let start: Int
    var end: Int
    /// The range of the value's fields in ``ResponsePart/incompleteFields``.
    var incompleteFields: Range<Int>
    /// The range of the value's positions in ``ResponsePart/nullablePositions``.
    var nullablePositions: Range<Int>
    /// True if the value is null at a non-null response position, so that null propagates to the parent position.
    var isNull = false
    /// The field that the value completes; nil for `data` and for incremental data.
    var completedField: IncompleteFieldReference?
}

/// Identifies a value among all response parts.
struct SerializedValueReference: Sendable {
    let part: Int
    let value: Int
}

/// A nullable response position that contains incomplete fields or incremental data. It becomes null if null propagates
/// from one of the fields.
struct NullablePosition: Sendable {
    /// The offsets of the value's bytes in the part's buffer.
    let start: Int
    var end: Int
    /// The index of the enclosing nullable position, in the same part; -1 if none exists.
    let parent: Int
    var isNull = false
}

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
