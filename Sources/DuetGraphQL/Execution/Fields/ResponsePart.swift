internal import NIOCore

/// A part of the serialized response: one or more values, some of whose fields can be incomplete.
///
/// The first part of a response contains `data`. Each call of an asynchronous resolver makes a part with the values of
/// the fields that it resolved. ``ResponseAssembler`` joins the parts.
struct ResponsePart: Sendable {
    var buffer: ByteBuffer
    var incompleteFields: [IncompleteField] = []
    var nullablePositions: [NullablePosition] = []
    /// `data`, or one value for each field that the part completes.
    var values: [SerializedValue] = []
    var incrementalData: [IncrementalDataRecord] = []
    var errors: [ExecutionError] = []
}

/// A whole value in a response part.
struct SerializedValue: Sendable {
    /// The offsets of its bytes in the part's buffer.
    let start: Int
    var end: Int
    /// The part's incomplete fields and nullable positions that the value contains.
    var incompleteFields: Range<Int>
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

/// A nullable response position that contains incomplete fields. Null that propagates from one of them makes it null.
struct NullablePosition: Sendable {
    /// The offsets of its value's bytes in the part's buffer.
    let start: Int
    var end: Int
    /// The index of the nullable position that contains it, in the same part; -1 if there is none.
    let parent: Int
    var isNull = false
}
