import DuetGraphQL
import DuetSQLDatabase
import NIOCore

/// The resolver of the fields of `Mutation`. Each field performs one change in one transaction. The row in the payload
/// is read in the same transaction.
final class MutationResolver: SubtreeResolver {
    private let service: ResourceService
    private let filters: FilterReader
    private let changes: ChangeReader

    init(_ service: ResourceService) {
        self.service = service
        filters = FilterReader(
            catalogue: service.catalogue,
            values: ValueReader(dates: service.encoding.dates, dialect: service.database.dialect))
        changes = ChangeReader(service)
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
        let bound = try request.field.binding(as: BoundWrite.self)
        let reader = SelectionReader(filters: filters, operation: operation)
        let payload = try MutationPayload(request.field.subfields, schema: operation.schema)
        let shown = try payload.rows.map { try reader.selection($0.subfields) }
        let record = operation.record
        do {
            let change = try change(bound, request.arguments["input"] ?? .null, showing: shown)
            let answer = try await service(for: record).write(change)
            record?.add(answer.cost, record?.namesEntities == true ? answer.tags : EntityTags())
            return payload.written(answer, to: request.output)
        } catch let error as ServiceError {
            let errors = UserError.errors(error, of: bound)
            guard !errors.isEmpty else { throw error }
            return try payload.written(errors, to: request.output)
        }
    }

    /// Returns the service with the deadline and the values of parameters of a request.
    private func service(for record: RequestRecord?) -> ResourceService {
        guard let record else { return service }
        var service = service.bounded(by: record.deadline)
        if let parameters = record.parameters { service.parameters = parameters }
        return service
    }

    /// Returns the change of a mutation.
    /// - Parameter shown: The selections of the row in the payload.
    private func change(_ bound: BoundWrite, _ input: Value, showing shown: [Selection]) throws -> Change {
        let (write, resource) = (bound.write, bound.resource)
        let keys = try keys(bound, input)
        let (key, relatedKey) = (Array(keys.prefix(resource.key.count)), Array(keys.dropFirst(resource.key.count)))
        var change = try changes.change(write, key: key, relatedKey: relatedKey)
        change.representations = shown.map { selection in
            change.parent == nil
                ? .row(selection) : .question(Question(.item(resource: resource.name, key: key), .item(selection)))
        }
        if write.kind != .delete {
            // In an update, a member that is null is an error, because an update cannot remove a value.
            try changes.read(
                input, for: write, into: &change, ignoring: write.keyArguments.map(\.name),
                omitsNull: write.kind != .update)
        }
        return change
    }

    /// Returns the values of the key arguments.
    private func keys(_ bound: BoundWrite, _ input: Value) throws -> [SQLValue] {
        guard case .object(let object) = input else { return [] }
        let values = filters.values
        return try bound.keyArguments.map { argument, field in
            let value = object[argument.name] ?? .null
            guard case .string(let text) = value else { return try values.value(value.json, of: field, field.name) }
            return try values.value(text, of: field, field.name)
        }
    }
}
