import DuetGraphQL
import DuetJSON
import NIOCore

/// The payload of a mutation: the row after the change, or the errors.
struct Payload {
    private let selection: PlannedSelection
    private let write: Write
    private let resource: Resource
    private let schema: Schema

    init(_ selection: PlannedSelection, _ write: Write, _ resource: Resource, schema: Schema) {
        self.selection = selection
        self.write = write
        self.resource = resource
        self.schema = schema
    }

    /// Returns true for a field of the payload whose value is the row.
    private func showsRow(_ field: PlannedField) -> Bool { field.name == resource.singular }

    /// The selection of each field whose value is the row, in the order of the payload. With aliases, there can be
    /// several.
    var shown: [PlannedSelection] { selection.fields.filter(showsRow).compactMap(\.selection) }

    /// Returns `output` with the appended payload of a successful write.
    func written(_ answer: ChangeAnswer, to output: ByteBuffer) throws -> ByteBuffer {
        var rows = answer.answers.makeIterator()
        return write(to: output) { field, writer in
            switch field.name {
            case "errors": writer.write(raw: Array("[]".utf8)[...])
            case "deletedId": writer.write(answer.outcome.key.map(\.keyText).joined(separator: "/"))
            default:
                if showsRow(field), let row = rows.next() {
                    writer.write(raw: Array(row.body.readableBytesView)[...])
                } else {
                    writer.writeNull()
                }
            }
        }
    }

    /// Returns `output` with the appended payload of a failed write.
    func written(_ errors: [UserError], to output: ByteBuffer) throws -> ByteBuffer {
        try write(to: output) { field, writer in
            if field.name == "errors" { try write(errors, as: field.output, to: &writer) } else { writer.writeNull() }
        }
    }

    private func write(
        to output: ByteBuffer, _ value: (PlannedField, inout JSONWriter) throws -> Void
    ) rethrows -> ByteBuffer {
        var writer = JSONWriter(output)
        try Self.write(selection, to: &writer, value)
        return writer.buffer
    }

    /// Writes an object. The function writes the value of `__typename`, and calls the closure to write the values of
    /// all other fields.
    private static func write(
        _ selection: PlannedSelection, to writer: inout JSONWriter,
        _ value: (PlannedField, inout JSONWriter) throws -> Void
    ) rethrows {
        writer.write(byte: UInt8(ascii: "{"))
        for (index, field) in selection.fields.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(raw: field.keyBytes)
            if field.isTypeName { writer.write(field.parentType.name) } else { try value(field, &writer) }
        }
        writer.write(byte: UInt8(ascii: "}"))
    }

    private func write(_ errors: [UserError], as output: PlannedOutput, to writer: inout JSONWriter) throws {
        writer.write(byte: UInt8(ascii: "["))
        if case .list(let item) = output.kind, case .abstract(let abstract) = item.kind {
            for (index, error) in errors.enumerated() {
                guard case .object(let type)? = schema.type(named: error.typeName) else {
                    throw CatalogueError("the schema has no type \(error.typeName)")
                }
                let selection = try abstract.selection(for: type)
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                Self.write(selection, to: &writer) { field, writer in
                    switch field.name {
                    case "message": writer.write(error.message)
                    case "field":
                        writer.write(error.field.map { .array($0.map { .string($0) }) } ?? JSONValue.null)
                    case "key": error.key.map { writer.write($0) } ?? writer.writeNull()
                    default: writer.writeNull()
                    }
                }
            }
        }
        writer.write(byte: UInt8(ascii: "]"))
    }
}
