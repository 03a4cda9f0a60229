internal import NIOCore

/// Executes fields and completes their values (specification, sections 6.3 and 6.4), and writes the result as JSON in
/// one pass. The result is a ``ResponsePart``.
///
/// A synchronous resolver is called while its field is written. A field with an asynchronous resolver becomes an
/// ``IncompleteField``.
///
/// A function with a `Bool` result returns false if null propagates. Null propagates if an execution error makes a
/// non-null response position null. The innermost enclosing nullable position then discards its bytes and becomes null.
///
/// This is the hot path. The functions that complete objects and lists are recursive. They are not inlined, because
/// larger stack frames would take more time and reduce the possible nesting depth.
struct FieldExecutor {
    let operation: OperationContext
    var buffer: ByteBuffer
    var incompleteFields: [IncompleteField] = []
    var errors: [ExecutionError] = []
    var incrementalData: [IncrementalDataRecord] = []
    var nullablePositions: [NullablePosition] = []
    var values: [SerializedValue] = []
    var path = PathStack()
    var openPositions: ContiguousArray<OpenNullablePosition> = []
    var lastAbstractType: LastAbstractType?
    var calls = FieldCallTable()
    /// The number of completed list items.
    var itemCount = 0
    /// True if the task is canceled. In this case, lists end early, and the response is discarded.
    var isCancelled = false

    init(_ operation: OperationContext, buffer: ByteBuffer) {
        self.operation = operation
        self.buffer = buffer
    }

    /// Creates an executor that appends further fields to the last value of `part`. The caller must call
    /// ``endValue(isCompleted:)`` after the last field.
    init(_ operation: OperationContext, continuing part: consuming ResponsePart) {
        self.init(operation, buffer: part.buffer)
        incompleteFields = part.incompleteFields
        nullablePositions = part.nullablePositions
        values = part.values
        incrementalData = part.incrementalData
        errors = part.errors
    }

    /// Returns the part with the written values.
    consuming func finish() -> ResponsePart {
        ResponsePart(
            buffer: buffer, incompleteFields: incompleteFields, nullablePositions: nullablePositions, values: values,
            incrementalData: incrementalData, errors: errors)
    }

    // MARK: - Values of the part

    /// Begins a value of the part.
    /// - Parameters:
    ///   - path: The value's response position.
    ///   - field: The incomplete field that the value completes.
    mutating func beginValue(at path: ResponsePath?, completing field: IncompleteFieldReference? = nil) {
        self.path.rebase(path)
        values.append(
            SerializedValue(
                start: buffer.writerIndex, end: buffer.writerIndex,
                incompleteFields: incompleteFields.count..<incompleteFields.count,
                nullablePositions: nullablePositions.count..<nullablePositions.count, completedField: field))
    }

    /// Ends the value that ``beginValue(at:completing:)`` began.
    /// - Parameter isCompleted: False if null propagates out of the value.
    mutating func endValue(isCompleted: Bool) {
        let last = values.count - 1
        var value = values[last]
        if !isCompleted { discard(from: value.start, incompleteFields: value.incompleteFields.lowerBound) }
        value.end = buffer.writerIndex
        value.incompleteFields = value.incompleteFields.lowerBound..<incompleteFields.count
        value.nullablePositions = value.nullablePositions.lowerBound..<nullablePositions.count
        value.isNull = !isCompleted
        values[last] = value
    }
}
