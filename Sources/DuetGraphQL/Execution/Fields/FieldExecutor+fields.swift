internal import NIOCore

// "Executing Collected Fields" and "Executing Fields" (specification, sections 6.3 and 6.4).

extension FieldExecutor {
    /// Writes an object with its fields (ExecuteCollectedFields), except the deferred fields.
    mutating func executeCollectedFields(of selection: PlannedSelection, _ source: any Sendable) -> Bool {
        beginObject()
        var isFirst = true
        for field in selection.unmanagedFields {
            guard field._withUnsafeGuaranteedRef({ executeField($0, of: source, isFirst: isFirst) }) else {
                return false
            }
            isFirst = false
        }
        endObject(selection, source)
        return true
    }

    mutating func beginObject() { buffer.writeInteger(UInt8(ascii: "{")) }

    mutating func endObject(_ selection: PlannedSelection, _ source: any Sendable) {
        buffer.writeInteger(UInt8(ascii: "}"))
        if !selection.deferred.isEmpty { addExecutionGroups(of: selection, source) }
    }

    /// Adds an execution group for each set of deferred fields.
    private mutating func addExecutionGroups(of selection: PlannedSelection, _ source: any Sendable) {
        let path = path.current()
        let nullablePosition = currentNullablePosition()
        for fieldSet in selection.deferred {
            incrementalData.append(
                IncrementalDataRecord(
                    content: .executionGroup(fieldSet, source: source), path: path,
                    nullablePosition: nullablePosition, value: values.count - 1))
        }
    }

    /// Executes a field (ExecuteField). It writes the key and, unless the resolver is asynchronous, the value. The code
    /// for synchronous resolvers is inlined into the loop over an object's fields.
    @inline(__always)
    mutating func executeField(_ field: PlannedField, of source: any Sendable, isFirst: Bool) -> Bool {
        if field.isSync, let call = calls.call(of: field, operation) {
            return call._withUnsafeGuaranteedRef { call in
                let value: ResolvedValue
                do {
                    value = try field.resolve(source, call)
                } catch {
                    value = .failure(error)
                }
                if writeLeafField(field, value, isFirst: isFirst) { return true }
                return completeField(field, value, isFirst: isFirst)
            }
        }
        return executeOtherField(field, of: source, isFirst: isFirst)
    }

    /// Writes the field's key, and completes the value.
    private mutating func completeField(_ field: PlannedField, _ value: ResolvedValue, isFirst: Bool) -> Bool {
        write(field.key, isFirst: isFirst)
        path.push(field)
        let isCompleted = completeValue(value, field.output, field)
        path.pop()
        return isCompleted
    }

    /// Executes a field that is constant or asynchronous, or whose arguments are invalid.
    private mutating func executeOtherField(
        _ field: PlannedField, of source: any Sendable, isFirst: Bool
    ) -> Bool {
        switch field.resolution {
        case .constant: write(field.key, isFirst: isFirst)
        case .sync:
            do {
                _ = try operation.arguments(of: field)
            } catch {
                return completeField(field, .failure(error), isFirst: isFirst)
            }
        case .asynchronous(.events) where operation.event != nil:
            return completeField(field, operation.event ?? .null, isFirst: isFirst)
        case .asynchronous:
            write(field.key, isFirst: isFirst)
            let nullablePosition = currentNullablePosition()
            incompleteFields.append(
                IncompleteField(
                    offset: buffer.writerIndex, field: field, source: source, path: path.appending(field),
                    nullablePosition: nullablePosition, value: values.count - 1))
        }
        return true
    }

    /// Writes a field's key, or the key and the value of a constant field. The leading comma is omitted for the first
    /// field of an object.
    @inline(__always)
    private mutating func write(_ key: ConstantBytes, isFirst: Bool) {
        let skipped = isFirst ? 1 : 0
        buffer.writeBytes(UnsafeRawBufferPointer(start: key.start + skipped, count: key.count - skipped))
    }
}
