import DuetGraphQL
import DuetJSON
import NIOCore
import ResultSetJSON
import SQLDatabase

/// A mutation's payload: the employee as they are after the change, or why there was none.
struct Payload {
    private let selection: PlannedSelection
    private let operation: OperationContext
    private let isRemoval: Bool
    /// As it is written, however the request wrote it.
    private let deletedID: String?
    private let statement: ReadPlan.Statement

    /// - Throws: `Unplanned`, or what is wrong with arguments in the selection.
    init(_ request: SubtreeRequest, _ planner: SelectionPlanner) throws {
        guard let selection = request.field.selection else { throw Unplanned(request.field.name) }
        self.selection = selection
        operation = planner.operation
        isRemoval = request.field.name == "deleteEmployee"
        deletedID = isRemoval ? Self.id(in: request.arguments) : nil
        var rows = SelectionPlanner.Rows()
        for field in selection.fields {
            switch field.name {
            case "employee":
                guard let below = field.selection else { throw Unplanned(field.name) }
                rows.attachments.append(try planner.object(field, .employee, below))
                rows.members.append(.attachment)
            case "errors": rows.members.append(.constant(name: field.responseKey, json: "[]"))
            case "deletedId": rows.members.append(.constant(name: field.responseKey, json: "null"))
            default:
                guard field.isTypeName else { throw Unplanned("\(selection.type.name).\(field.name)") }
                rows.members.append(SelectionPlanner.typeName(field))
            }
        }
        statement = ReadPlan.Statement(
            sql: "SELECT 1 FROM employees AS e WHERE e.emp_no = :employeeNumber", shape: ObjectShape(rows.members),
            attachments: [rows.attachments])
    }

    private static func id(in arguments: ObjectValue) -> String? {
        guard case .object(let input)? = arguments["input"], case .string(let id)? = input["id"] else { return nil }
        return (try? Identifier.employeeNumber(id)).map(String.init)
    }

    /// What reads the payload of a change that was made.
    var plan: @Sendable (_ employee: Int) -> ReadPlan {
        { [statement] number in
            ReadPlan(
                statement: statement, arguments: ["employeeNumber": .integer(number)], form: .object(.employee(number)))
        }
    }

    /// Appends the payload of a change that was made.
    /// - Parameter body: what the plan has read; nothing where the employee is gone.
    func written(_ body: ByteBuffer, to output: ByteBuffer) throws -> ByteBuffer {
        var output = output
        guard isRemoval else {
            output.writeImmutableBuffer(body)
            return output
        }
        return try write(.none, to: output)
    }

    /// Appends the payload of a change that was not made.
    /// - Returns: nil if the error is none that a user can do something about.
    func written(_ errors: UserErrors, to output: ByteBuffer) throws -> ByteBuffer? {
        errors.items.isEmpty ? nil : try write(errors, to: output)
    }

    private func write(_ errors: UserErrors, to output: ByteBuffer) throws -> ByteBuffer {
        var writer = JSONWriter(output)
        try write(selection, to: &writer) { field, writer in
            switch field.name {
            case "errors": try write(errors.items, as: field.output, to: &writer)
            case "deletedId" where errors.items.isEmpty: deletedID.map { writer.write($0) } ?? writer.writeNull()
            default: writer.writeNull()
            }
        }
        return writer.buffer
    }

    /// An object: `__typename` by itself, the other fields by the closure.
    private func write(
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

    private func write(_ errors: [UserErrors.Item], as output: PlannedOutput, to writer: inout JSONWriter) throws {
        writer.write(byte: UInt8(ascii: "["))
        if case .list(let item) = output.kind, case .abstract(let abstract) = item.kind {
            for (index, error) in errors.enumerated() {
                guard case .object(let type)? = operation.schema.schema.type(named: error.typeName) else {
                    throw Unplanned(error.typeName)
                }
                let selection = try abstract.selection(for: type)
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                write(selection, to: &writer) { field, writer in
                    switch field.name {
                    case "message": writer.write(error.message)
                    case "field": write(error.field, to: &writer)
                    case "key": error.key.map { writer.write($0) } ?? writer.writeNull()
                    default: writer.writeNull()
                    }
                }
            }
        }
        writer.write(byte: UInt8(ascii: "]"))
    }

    private func write(_ path: [String]?, to writer: inout JSONWriter) {
        writer.write(path.map { .array($0.map { .string($0) }) } ?? JSONValue.null)
    }
}
