internal import NIOCore

// "Handling Execution Errors" (specification, section 6.4.4).

/// A nullable response position whose value is being written.
struct OpenNullablePosition {
    let start: Int
    /// The number of incomplete fields before the position.
    let incompleteFields: Int
    /// The number of incremental data records before the position.
    let incrementalData: Int
    /// The index in ``FieldExecutor/nullablePositions``; -1 while the position contains no incomplete field and no
    /// incremental data record.
    var index = -1
}

extension FieldExecutor {
    /// Completes a value at a response position. At a nullable position, null does not propagate further.
    /// - Returns: False if null propagates to the parent position.
    @inline(__always)
    mutating func completeNullable(
        _ output: PlannedOutput, _ complete: (inout FieldExecutor) -> Bool
    ) -> Bool {
        if output.isNonNull { return complete(&self) }
        openPosition()
        let isCompleted = complete(&self)
        closePosition(isCompleted: isCompleted)
        return true
    }

    @inline(__always)
    private mutating func openPosition() {
        openPositions.append(
            OpenNullablePosition(
                start: buffer.writerIndex, incompleteFields: incompleteFields.count,
                incrementalData: incrementalData.count))
    }

    @inline(__always)
    private mutating func closePosition(isCompleted: Bool) {
        let position = openPositions.removeLast()
        if !isCompleted {
            discard(from: position.start, incompleteFields: position.incompleteFields)
            if incrementalData.count > position.incrementalData {
                incrementalData.removeSubrange(position.incrementalData...)
            }
            writeNull()
        }
        if position.index >= 0 { nullablePositions[position.index].end = buffer.writerIndex }
    }

    /// Discards all bytes from the offset `start`, and all incomplete fields except the first `count`.
    mutating func discard(from start: Int, incompleteFields count: Int) {
        buffer.moveWriterIndex(to: start)
        if incompleteFields.count > count { incompleteFields.removeSubrange(count...) }
    }

    /// Returns the index in ``nullablePositions`` of the innermost open position; -1 if no position is open. The method
    /// first adds the open positions that are not yet in this array.
    mutating func currentNullablePosition() -> Int {
        guard var first = openPositions.indices.last else { return -1 }
        while first >= 0, openPositions[first].index < 0 { first -= 1 }
        var parent = first < 0 ? -1 : openPositions[first].index
        for index in (first + 1)..<openPositions.count {
            openPositions[index].index = nullablePositions.count
            nullablePositions.append(NullablePosition(start: openPositions[index].start, end: 0, parent: parent))
            parent = openPositions[index].index
        }
        return parent
    }

    // MARK: - Execution errors

    /// Adds an execution error at the current response position.
    mutating func addError(_ error: any Error) {
        errors.append(operation.executionError(error, at: path.current()))
    }

    /// Adds an execution error, and writes null at a nullable position.
    /// - Returns: False at a non-null position.
    mutating func fail(_ error: any Error, _ output: PlannedOutput) -> Bool {
        addError(error)
        if output.isNonNull { return false }
        writeNull()
        return true
    }

    /// Adds the error for null at a non-null response position.
    mutating func failNonNull(_ field: PlannedField) -> Bool {
        addError(CompletionError.nonNull(field))
        return false
    }

    @inline(__always)
    mutating func writeNull() { buffer.writeStaticString("null") }
}
