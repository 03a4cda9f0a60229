internal import DuetJSON
internal import NIOCore

// "Value Completion" (specification, section 6.4.3).

extension FieldExecutor {
    /// Writes a field's value or a list's item at the current response position (CompleteValue).
    mutating func completeValue(_ value: ResolvedValue, _ output: PlannedOutput, _ field: PlannedField) -> Bool {
        switch value {
        case .null:
            if output.isNonNull { return failNonNull(field) }
            writeNull()
            return true
        case .failure(let error): return fail(error, output)
        default: break
        }
        switch output.kind {
        case .scalar(let type): return completeScalar(value, type, output)
        case .enum(let type): return completeEnum(value, type, output)
        case .object(let selection):
            return completeNullable(output) { $0.completeObject(value, selection) }
        case .abstract(let selection):
            return completeNullable(output) { $0.completeAbstract(value, selection, field) }
        case .list(let item):
            let stream = output === field.output ? field.stream : nil
            return completeNullable(output) { $0.completeList(value, item, field, stream) }
        }
    }

    // MARK: - Leaf values

    private mutating func completeScalar(_ value: ResolvedValue, _ type: ScalarType, _ output: PlannedOutput) -> Bool {
        var writer = JSONWriter(buffer)
        buffer = ByteBuffer()
        defer { buffer = writer.buffer }
        switch (value, output.leaf) {
        case (.int(let number), .int) where Int32(exactly: number) != nil: writer.write(number)
        case (.double(let number), .float) where number.isFinite: writer.write(number)
        case (.string(let text), .string), (.string(let text), .id): writer.write(text)
        case (.bool(let bool), .boolean): writer.write(bool)
        case (.raw(let bytes), _): writer.write(raw: bytes.readableBytesView)
        default:
            do {
                guard let leaf = value.leafValue else {
                    throw CompletionError("\(type.name) cannot represent the value.")
                }
                let serialized = try Self.serialize(leaf, type, output)
                if serialized == .null {
                    throw CompletionError(
                        "Expected `\(type.name).serialize(\(leaf.inspected))` to return non-nullable value, returned: null"
                    )
                }
                writer.write(serialized)
            } catch {
                addError(error)
                if output.isNonNull { return false }
                writer.writeNull()
            }
        }
        return true
    }

    /// Serializes a scalar (result coercion). If a built-in scalar rejects the value, the resolver is the cause, so the
    /// error is a ``CompletionError``. The client receives the message of a `GraphQLError` that a custom scalar throws.
    private static func serialize(_ value: Value, _ type: ScalarType, _ output: PlannedOutput) throws -> Value {
        do {
            return try type.coercion.serialize(value)
        } catch var error as GraphQLError {
            let underlying = error.underlyingError ?? CompletionError(error.message)
            guard output.leaf == .other else { throw underlying }
            error.underlyingError = underlying
            throw error
        }
    }

    private mutating func completeEnum(_ value: ResolvedValue, _ type: EnumType, _ output: PlannedOutput) -> Bool {
        let name: String? =
            switch value {
            case .string(let name), .value(.enum(let name)), .value(.string(let name)): name
            default: nil
            }
        if let name, type.values[name] != nil {
            var text = name
            text.withUTF8 { bytes in
                buffer.writeInteger(UInt8(ascii: "\""))
                buffer.writeBytes(UnsafeRawBufferPointer(bytes))
                buffer.writeInteger(UInt8(ascii: "\""))
            }
            return true
        }
        if case .raw(let bytes) = value {
            buffer.writeImmutableBuffer(bytes)
            return true
        }
        return fail(
            CompletionError(
                "Enum \"\(type.name)\" cannot represent value: \(value.leafValue?.inspected ?? "another value")"),
            output)
    }
}
