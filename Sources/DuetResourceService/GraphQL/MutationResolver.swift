import DuetGraphQL
import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore

/// The resolver of the fields of `Mutation`. Each field performs one write in one transaction. The row in the payload
/// is read in the same transaction.
final class MutationResolver: SubtreeResolver {
    private let service: ResourceService
    private let values: ValueReader

    init(_ service: ResourceService) {
        self.service = service
        values = ValueReader(dates: service.encoding.dates, dialect: service.database.dialect)
    }

    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
        var results: [SubtreeResult] = []
        for request in requests { results.append(try await resolve(request, operation)) }
        return results
    }

    func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult {
        do {
            return .written(try await payload(request, operation))
        } catch let error as CancellationError {
            throw error
        } catch {
            return .null(errors: [GraphQLError(error)])
        }
    }

    private func payload(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> ByteBuffer {
        guard let write = service.catalogue.writes.first(where: { $0.name == request.field.name }),
            let resource = service.catalogue[write.resource], let selection = request.field.selection
        else { throw UnknownFieldError(request.field) }
        var input = JSONObject()
        if case .object(let object)? = request.arguments["input"], case .object(let json) = JSONValue(.object(object)) {
            input = json
        }
        let reader = SelectionReader(catalogue: service.catalogue, values: values, operation: operation)
        let payload = Payload(selection, write, resource, schema: operation.schema)
        let shown = try payload.shown.map { try reader.selection($0, resource) }
        let record = operation.record
        do {
            let (key, relatedKey) = try keys(write, resource, &input)
            let questions = shown.map {
                Question(.item(resource: resource.name, key: write.target == .newItem ? [] : key), .array($0))
            }
            let answer = try await (record.map { service.bounded(by: $0.deadline) } ?? service).write(
                WriteRequest(
                    write, key: key, relatedKey: relatedKey,
                    values: try service.values(of: .object(Self.given(input, write)), for: write), questions: questions)
            )
            record?.add(answer.cost, record?.namesEntities == true ? answer.tags : EntityTags())
            return try payload.written(answer, to: request.output)
        } catch let error as ServiceError {
            let errors = UserError.errors(error, of: write, resource, service.catalogue)
            guard !errors.isEmpty else { throw error }
            return try payload.written(errors, to: request.output)
        }
    }

    /// Removes the key arguments from the input and returns their values.
    private func keys(
        _ write: Write, _ resource: Resource, _ input: inout JSONObject
    ) throws -> (key: [SQLValue], relatedKey: [SQLValue]) {
        let fields = try service.catalogue.keyFields(of: write, resource)
        let key = try zip(write.keyArguments, fields).map { argument, field in
            let value = input[argument.name] ?? .null
            input[argument.name] = nil
            guard case .string(let text) = value else { return try values.value(value, of: field, field.name) }
            return try values.value(text, of: field, field.name)
        }
        let count = min(key.count, resource.key.count)
        return (Array(key[..<count]), Array(key[count...]))
    }

    /// Returns the input in the form of a REST request body. The function removes the members that are null, except for
    /// an update. In an update, such a member is an error, because an update cannot remove a value.
    private static func given(_ input: JSONObject, _ write: Write) -> JSONObject {
        guard write.target != .item else { return input }
        var given = JSONObject()
        for member in input.members where member.value != .null { given[member.key] = member.value }
        return given
    }
}

extension Catalogue {
    /// Returns the field of each key argument of a write: first the fields of the row's key, then the fields that
    /// identify the related row.
    func keyFields(of write: Write, _ resource: Resource) throws -> [Field] {
        switch write.target {
        case .newItem: return []
        case .item, .removal, .newRelated: return resource.keyFields
        case .relatedItem(let name, let fields):
            let target = try target(of: try resource.requiredRelation(name))
            return resource.keyFields + fields.compactMap(target.field)
        }
    }
}
