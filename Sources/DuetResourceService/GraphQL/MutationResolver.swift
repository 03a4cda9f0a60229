import DuetGraphQL
import DuetSQLDatabase
import NIOCore

/// The resolver of the fields of `Mutation`. Each field performs one change in one transaction. The row in the payload
/// is read in the same transaction.
final class MutationResolver: SubtreeResolver {
    private let service: ResourceService
    let filters: FilterReader
    let changes: ChangeReader

    init(_ service: ResourceService) {
        self.service = service
        filters = FilterReader(
            catalogue: service.catalogue,
            values: ValueReader(dates: service.encoding.dates, dialect: service.database.dialect))
        changes = ChangeReader(service)
    }

    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
        if resolvesTogether(operation) { return try await resolveTogether(requests, operation) }
        var results: [SubtreeResult] = []
        for request in requests { results.append(try await resolve(request, operation)) }
        return results
    }

    func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult {
        if resolvesTogether(operation) { return try await resolveTogether([request], operation)[0] }
        do {
            return .written(try await payload(request, operation))
        } catch let error as CancellationError {
            throw error
        } catch let error as ParameterError where (operation.record?.result.cost.statements ?? 0) > 0 {
            // The changes of an earlier field are stored, so the error must not refuse the whole request.
            return .null(errors: [GraphQLError(ServiceError(describing: error))])
        } catch {
            return .null(errors: [GraphQLError(error)])
        }
    }

    private func payload(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> ByteBuffer {
        let record = operation.record
        let service = service(for: record)
        if let record {
            try record.checkClaims { claims(of: operation, service) }.get()
        } else {
            try claims(of: operation, service).get()
        }
        do {
            let step = try step(request, operation)
            let answer = try await service.write(step.change, key: try Self.idempotencyKey(of: operation))
            if answer.isReplayed { record?.noteReplay() }
            record?.add(answer.cost, record?.namesEntities == true ? answer.tags : EntityTags())
            return step.payload.written(answer, to: request.output)
        } catch let error as ServiceError {
            guard let payload = try payload(of: error, request, operation) else { throw error }
            return payload
        }
    }

    /// Returns the idempotency key of an operation whose fields are separate transactions.
    /// - Throws: ``ServiceError`` if there is a key, and several fields.
    private static func idempotencyKey(of operation: OperationContext) throws -> IdempotencyKey? {
        guard let key = operation.record?.idempotencyKey else { return nil }
        guard operation.rootFields.count(where: { !$0.isTypeName }) == 1 else {
            throw ServiceError(
                .idempotencyKeyInvalid,
                "an idempotency key needs one transaction, and each field of this mutation is a transaction of its own; add @transaction to the mutation, or send each field in its own request"
            )
        }
        return key
    }

    /// A field with its change.
    struct Step {
        let payload: MutationPayload
        let change: Change
    }

    /// Reads a field.
    /// - Parameter earlier: The earlier changes of the same transaction, to whose rows the input can refer.
    func step(
        _ request: SubtreeRequest, _ operation: OperationContext, after earlier: EarlierSteps = EarlierSteps()
    ) throws -> Step {
        try step(request.field, request.arguments, operation, after: earlier)
    }

    private func step(
        _ field: PlannedField, _ arguments: ObjectValue, _ operation: OperationContext,
        after earlier: EarlierSteps = EarlierSteps()
    ) throws -> Step {
        operation.record?.noteRead()
        let reader = SelectionReader(filters: filters, operation: operation)
        let payload = try MutationPayload(field.subfields, schema: operation.schema)
        let shown = try payload.shown(reader.selection)
        var change = try change(
            try field.binding(as: BoundWrite.self), arguments, showing: shown,
            tagMask: service(for: operation.record).tagMask, after: earlier)
        change.isRolledBack = operation.record?.isRolledBack == true
        return Step(payload: payload, change: change)
    }

    /// Returns the payload of a field whose change failed; nil if the client cannot correct the error.
    func payload(
        of error: ServiceError, _ request: SubtreeRequest, _ operation: OperationContext
    ) throws -> ByteBuffer? {
        let errors = UserError.errors(error, of: try request.field.binding(as: BoundWrite.self))
        guard !errors.isEmpty else { return nil }
        if let rejection = error.rejection { operation.record?.add(rejection: rejection) }
        return try MutationPayload(request.field.subfields, schema: operation.schema)
            .written(errors, to: request.output)
    }

    /// Checks, before the first change, that the caller has the claims that all fields need for their changes and for
    /// their payloads. Otherwise the whole request would be refused although the first changes are stored.
    private func claims(of operation: OperationContext, _ service: ResourceService) -> Result<Void, ParameterError> {
        guard service.catalogue.view != .whole, operation.rootFields.count(where: { !$0.isTypeName }) > 1 else {
            return .success(())
        }
        for field in operation.rootFields where !field.isTypeName {
            // A field with invalid arguments writes nothing.
            guard let arguments = try? operation.arguments(of: field),
                let step = try? step(field, arguments, operation)
            else { continue }
            var needed = ChangeParameters(service.catalogue)
            needed.add(step.change)
            for name in needed.names.sorted() where service.parameters[name] ?? .null == .null {
                return .failure(ParameterError(name, .missing))
            }
        }
        return .success(())
    }

    /// Returns the service with the deadline and the values of parameters of a request.
    func service(for record: RequestRecord?) -> ResourceService {
        guard let record else { return service }
        var service = service.bounded(by: record.deadline)
        if let parameters = record.parameters { service.parameters = parameters }
        if let tagMask = record.tagMask { service.tagMask = tagMask }
        return service
    }

    /// Returns the change of a mutation.
    /// - Parameters:
    ///   - shown: The selections of the row in the payload.
    ///   - tagMask: The mask of the caller's entity tags; see ``ResourceService/tagMask``.
    ///   - earlier: The earlier changes of the same transaction, to whose rows the input can refer.
    private func change(
        _ bound: BoundWrite, _ arguments: ObjectValue, showing shown: [Selection], tagMask: BodyDigest?,
        after earlier: EarlierSteps
    ) throws -> Change {
        let (write, resource) = (bound.write, bound.resource)
        if write.isMany { return try change(ofMany: bound, arguments, showing: shown, after: earlier) }
        let input = arguments[write.valuesArgument] ?? .null
        let hasKeyArguments = write.origin == .derived && write.kind != .replace
        let keys = try keys(bound, hasKeyArguments ? .object(arguments) : input)
        let (key, relatedKey) = (Array(keys.prefix(resource.key.count)), Array(keys.dropFirst(resource.key.count)))
        var change = try changes.change(write, key: key, relatedKey: relatedKey)
        change.precondition = Precondition(arguments, mask: tagMask)
        change.link?.showsRow = true
        change.representations = shown.map { selection in
            change.parent == nil && change.link == nil
                ? .row(selection) : .question(Question(.item(resource: resource.name, key: key), .item(selection)))
        }
        if write.kind == .replace {
            try changes.readReplacement(input, for: write, into: &change)
        } else if write.hasInput {
            // In an update, a member that is null is an error, because a declared update cannot remove a value.
            let isDeclared = write.origin == .declared
            try changes.read(
                input, for: write, into: &change, ignoring: isDeclared ? write.keyArguments.map(\.name) : [],
                omitsNull: isDeclared && write.kind != .update, earlier: earlier)
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
