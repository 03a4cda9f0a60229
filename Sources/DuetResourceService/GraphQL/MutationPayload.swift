import DuetGraphQL
import DuetJSON
import NIOCore

/// The payload of a mutation: the row after the change, or the errors.
struct MutationPayload {
    /// The selected fields with their bindings. The binding of `__typename` is nil.
    private let fields: [(field: PlannedField, binding: PayloadField?)]
    private let schema: Schema

    init(_ fields: [PlannedField], schema: Schema) throws {
        self.fields = try fields.map { try ($0, $0.isTypeName ? nil : $0.binding(as: PayloadField.self)) }
        self.schema = schema
    }

    /// Returns the selections of the fields whose values are read from the row, in the order of the payload.
    /// - Parameter selection: Reads the selection of the row.
    func shown(_ selection: ([PlannedField]) throws -> Selection) rethrows -> [Selection] {
        try fields.compactMap { field, binding -> Selection? in
            switch binding {
            case .row, .rows: try selection(field.subfields)
            case .entityTag: Selection([.entityTag(name: Resource.entityTagName)])
            case .count, .deletedIdentifier, .errors, nil: nil
            }
        }
    }

    /// Returns `output` with the appended payload of a successful write.
    func written(_ answer: ChangeAnswer, to output: ByteBuffer) -> ByteBuffer {
        var rows = answer.answers.makeIterator()
        return write(to: output) { _, binding, writer in
            switch binding {
            case .errors: writer.write(raw: Array("[]".utf8)[...])
            case .deletedIdentifier: writer.write(answer.outcome.key.map(\.keyText).joined(separator: "/"))
            case .count: writer.write(JSONValue.integer(Int64(answer.outcome.count)))
            case .row:
                if let row = rows.next() {
                    writer.write(raw: Array(row.body.readableBytesView)[...])
                } else {
                    writer.writeNull()
                }
            case .entityTag:
                let row = rows.next().flatMap { try? JSONValue(parsing: $0.body.readableBytesView) }
                writer.write(row?[Resource.entityTagName] ?? .null)
            case .rows:
                writer.write(byte: UInt8(ascii: "["))
                for index in answer.outcome.keys.indices {
                    guard let row = rows.next() else { break }
                    if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                    writer.write(raw: Array(row.body.readableBytesView)[...])
                }
                writer.write(byte: UInt8(ascii: "]"))
            }
        }
    }

    /// Returns `output` with the appended payload of a failed write.
    func written(_ errors: [UserError], to output: ByteBuffer) throws -> ByteBuffer {
        try write(to: output) { field, binding, writer in
            switch binding {
            case .errors: try write(errors, as: field.output, to: &writer)
            case .count, .deletedIdentifier, .row, .rows, .entityTag: writer.writeNull()
            }
        }
    }

    private func write(
        to output: ByteBuffer, _ value: (PlannedField, PayloadField, inout JSONWriter) throws -> Void
    ) rethrows -> ByteBuffer {
        var writer = JSONWriter(output)
        try Self.writeObject(fields, to: &writer, value)
        return writer.buffer
    }

    /// Writes an object. The function writes the value of `__typename`, and calls the closure to write the values of
    /// all other fields.
    private static func writeObject<Binding>(
        _ fields: [(field: PlannedField, binding: Binding?)], to writer: inout JSONWriter,
        _ value: (PlannedField, Binding, inout JSONWriter) throws -> Void
    ) rethrows {
        writer.write(byte: UInt8(ascii: "{"))
        for (index, (field, binding)) in fields.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(raw: field.keyBytes)
            if let binding { try value(field, binding, &writer) } else { writer.write(field.parentType.name) }
        }
        writer.write(byte: UInt8(ascii: "}"))
    }

    private func write(_ errors: [UserError], as output: PlannedOutput, to writer: inout JSONWriter) throws {
        writer.write(byte: UInt8(ascii: "["))
        if case .list(let item) = output.kind, case .abstract(let abstract) = item.kind {
            for (index, error) in errors.enumerated() {
                guard case .object(let type)? = schema.type(named: error.kind.rawValue) else {
                    throw CatalogueError("the schema has no type \(error.kind.rawValue)")
                }
                let fields: [(field: PlannedField, binding: UserErrorField?)] = try abstract.selection(for: type).fields
                    .map { try ($0, $0.isTypeName ? nil : $0.binding(as: UserErrorField.self)) }
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                Self.writeObject(fields, to: &writer) { _, binding, writer in
                    switch binding {
                    case .message: writer.write(error.message)
                    case .field:
                        writer.write(error.field.map { .array($0.map { .string($0) }) } ?? JSONValue.null)
                    case .key: error.key.map { writer.write($0) } ?? writer.writeNull()
                    case .fields:
                        writer.write(error.fields.map { .array($0.map { .string($0) }) } ?? JSONValue.null)
                    }
                }
            }
        }
        writer.write(byte: UInt8(ascii: "]"))
    }
}
