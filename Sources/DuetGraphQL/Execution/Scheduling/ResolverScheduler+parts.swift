internal import NIOCore

extension ResolverScheduler {
    /// Adds the first part, and schedules the resolvers of its incomplete fields.
    func addFirstPart(_ part: consuming ResponsePart) {
        errors += part.errors
        part.errors = []
        if part.values.contains(where: \.isNull) { hasPropagatedNull = true }
        parts.append(part)
        schedule(parts.count - 1, from: 0)
    }

    /// Returns the first part, and removes its buffer from the scheduler, so that the caller can append to the buffer
    /// without a copy.
    func takeFirstPart() -> ResponsePart {
        let first = parts[0]
        parts[0].buffer = ByteBuffer()
        return first
    }

    /// Replaces the first part with a part that extends it, and schedules the resolvers of the added incomplete fields.
    /// - Parameter count: The previous number of incomplete fields.
    func replaceFirstPart(_ part: consuming ResponsePart, incompleteFieldsBefore count: Int) {
        errors += part.errors
        part.errors = []
        parts[0] = part
        schedule(0, from: count)
    }

    /// Returns true if null propagates out of the value with the given index in the first part.
    func isNull(firstPartValue value: Int) -> Bool { parts[0].values[value].isNull }

    /// Removes and returns the incremental data records. It omits records whose response position became null.
    func takeIncrementalData() -> [IncrementalDataRecord] {
        var records: [IncrementalDataRecord] = []
        for index in parts.indices where !parts[index].incrementalData.isEmpty {
            records += parts[index].incrementalData.filter {
                !hasPropagatedNull
                    || !isNullified(part: index, nullablePosition: $0.nullablePosition, value: $0.value)
            }
            parts[index].incrementalData = []
        }
        return records
    }

    /// The errors in the order of the response. The order is independent of the completion order of the resolvers.
    var orderedErrors: [ExecutionError] {
        guard errors.count > 1 else { return errors }
        let ordered = errors.enumerated().map { (offset: $0, order: $1.path?.order ?? [], error: $1) }
        return ordered.sorted { left, right in
            if left.order == right.order { return left.offset < right.offset }
            return left.order.lexicographicallyPrecedes(right.order)
        }.map(\.error)
    }

    // MARK: - Results

    /// Adds the parts that a call returned, and marks the fields of the call as complete.
    func add(_ results: consuming [ResponsePart], of call: ResolverCall, _ surroundings: Surroundings?) {
        if let surroundings {
            restoreResponse(results[0], surroundings)
        } else {
            for result in results { add(result) }
        }
        for field in call.fields { decrementIncompleteCount(of: field.field) }
    }

    private func add(_ result: consuming ResponsePart) {
        let index = parts.count
        let isNeeded =
            !hasPropagatedNull
            || result.values.contains { value in value.completedField.map { !isNullified($0) } ?? true }
        guard isNeeded else { return }
        errors += result.errors
        result.errors = []
        let values = result.values
        parts.append(result)
        for (valueIndex, value) in values.enumerated() {
            guard let field = value.completedField else { continue }
            if value.isNull {
                propagateNull(from: field)
            } else {
                parts[field.part].incompleteFields[field.field].completion = SerializedValueReference(
                    part: index, value: valueIndex)
            }
        }
        schedule(index, from: 0)
    }

    // MARK: - The only incomplete field

    /// The bytes before and after the only incomplete field of a response.
    struct Surroundings {
        let head: [UInt8]
        let tail: [UInt8]
        /// The maximum length of the head in bytes. The head is copied.
        static let maximumHead = 4_096
    }

    /// Removes and returns the buffer of the response, so that a subtree resolver can append its value to this buffer.
    /// This avoids a copy of a large subtree. The result is nil unless the response has one part and one incomplete
    /// field, the call resolves this field with a subtree resolver, and the head is at most
    /// ``Surroundings/maximumHead`` bytes long.
    func takeResponse(for call: ResolverCall) -> (buffer: ByteBuffer, surroundings: Surroundings)? {
        guard case .subtree = call.resolver, call.fields.count == 1, parts.count == 1,
            parts[0].incompleteFields.count == 1, call.fields[0].offset <= Surroundings.maximumHead
        else { return nil }
        var buffer = parts[0].buffer
        parts[0].buffer = ByteBuffer()
        let offset = call.fields[0].offset
        let surroundings = Surroundings(
            head: buffer.getBytes(at: 0, length: offset) ?? [],
            tail: buffer.getBytes(at: offset, length: buffer.writerIndex - offset) ?? [])
        buffer.moveWriterIndex(to: offset)
        return (buffer, surroundings)
    }

    /// Completes the response whose buffer ``takeResponse(for:)`` returned. The buffer of the result already contains
    /// the head and the subtree. The function appends the tail, and makes this buffer the buffer of the first part. If
    /// the subtree is null, the function instead restores the buffer of the first part, and adds the result as a
    /// separate part.
    private func restoreResponse(_ result: consuming ResponsePart, _ surroundings: Surroundings) {
        let start = result.values[0].start
        guard start == surroundings.head.count, start > 0 else {
            parts[0].buffer = ByteBuffer(bytes: surroundings.head)
            parts[0].buffer.writeBytes(surroundings.tail)
            return add(result)
        }
        errors += result.errors
        let inserted = result.values[0].end - start
        parts[0].buffer = result.buffer
        parts[0].buffer.writeBytes(surroundings.tail)
        parts[0].incompleteFields = []
        for index in parts[0].values.indices {
            parts[0].values[index].incompleteFields = 0..<0
            parts[0].values[index].end += inserted
        }
        for index in parts[0].nullablePositions.indices { parts[0].nullablePositions[index].end += inserted }
    }
}
