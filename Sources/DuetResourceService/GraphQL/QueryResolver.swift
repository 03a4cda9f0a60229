import Dispatch
import DuetGraphQL
import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import Synchronization

/// The resolver of the fields of `Query`. It resolves each field together with its entire selection. It converts the
/// field to a ``Question``, as ``RESTStyle`` does with a request. If one call resolves several fields, their plans run
/// in one snapshot of the database.
final class QueryResolver: SubtreeResolver {
    let service: ResourceService
    private let filters: FilterReader

    init(_ service: ResourceService) {
        self.service = service
        filters = FilterReader(
            catalogue: service.catalogue,
            values: ValueReader(dates: service.encoding.dates, dialect: service.database.dialect))
    }

    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
        do {
            let fields = try requests.map { request in
                let cache = try planCache(of: request.field)
                return (request.output, cache, Result { try plan(request, cache, operation) })
            }
            // If planning failed for all fields, no transaction is necessary.
            if let failures = Self.failures(fields.map(\.2)) { return try failures.map(Self.failed) }
            return try await read(fields.compactMap { try? $0.2.get() }, operation) { execution in
                try fields.map { output, cache, plan in
                    switch plan {
                    case .success(let plan): try Self.result(of: plan, output, cache, execution)
                    case .failure(let error): try Self.failed(error)
                    }
                }
            }
        } catch {
            throw Self.map(error)
        }
    }

    func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult {
        do {
            let cache = try planCache(of: request.field)
            let plan: Plan
            do {
                plan = try self.plan(request, cache, operation)
            } catch {
                return try Self.failed(error)
            }
            let output = request.output
            return try await read([plan], operation) { try Self.result(of: plan, output, cache, $0) }
        } catch {
            throw Self.map(error)
        }
    }

    static func map(_ error: any Error) -> any Error {
        error is CancellationError ? error : GraphQLError(ResourceService.map(error))
    }

    /// Returns the result of a failed field if the error concerns only this field.
    /// - Throws: The error if it concerns all fields.
    static func failed(_ error: any Error) throws -> SubtreeResult {
        switch error {
        case let error as ServiceError where error.isMissingSubject: .null()
        case let error as ServiceError: .null(errors: [GraphQLError(error)])
        case let error as GraphQLError: .null(errors: [error])
        // The error concerns one resource; other resources may be readable.
        case is UnreadableResource, is ValueMismatch: .null(errors: [GraphQLError(error)])
        default: throw error
        }
    }

    /// Returns the errors of all fields if planning failed for all of them; nil if a field has a plan.
    private static func failures(_ plans: [Result<Plan, any Error>]) -> [any Error]? {
        var failures: [any Error] = []
        for plan in plans {
            guard case .failure(let error) = plan else { return nil }
            failures.append(error)
        }
        return failures
    }

    // MARK: Execution

    /// The cost of a read, and the names of the entities in its result. If the database repeats the read, the last
    /// attempt replaces the previous one.
    private final class LastRead: Sendable {
        let result = Mutex<(cost: Answer.Cost, tags: EntityTags)?>(nil)
    }

    /// Runs a closure in one snapshot of the database, before the request's deadline. Even if the closure throws, the
    /// function adds the cost and the names of the entities to the request's ``RequestRecord``.
    private func read<Value: Sendable>(
        _ plans: [Plan], _ operation: OperationContext, _ body: @escaping @Sendable (PlanExecution) throws -> Value
    ) async throws -> Value {
        let record = operation.record
        let service = service
        // The policy of the schema does not contain the restrictions by the conditions of resources.
        for plan in plans where plan.cachePolicy.scope == .private {
            operation.restrictCachePolicy(CachePolicy(scope: .private))
        }
        let last = LastRead()
        defer {
            if let (cost, tags) = last.result.withLock({ $0 }) { record?.add(cost, tags) }
        }
        return try await service.read(
            plans.allSatisfy(\.isShort) ? plans : nil, before: record?.deadline ?? service.deadline
        ) { connection in
            let start = DispatchTime.now().uptimeNanoseconds
            let statementsBefore = connection.statementCount
            let execution = service.execution(
                on: connection, namesEntities: record?.namesEntities == true, parameters: record?.parameters,
                tagMask: record?.tagMask)
            defer {
                let cost = Answer.Cost(
                    statements: connection.statementCount - statementsBefore,
                    nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
                let tags = execution.tags
                last.result.withLock { $0 = (cost, tags) }
            }
            return try body(execution)
        }
    }

    /// Executes a plan, and returns the output with the appended result.
    /// - Throws: An error that concerns all fields of the transaction.
    static func result(
        of plan: Plan, _ output: ByteBuffer, _ cache: FieldPlanCache, _ execution: PlanExecution
    ) throws -> SubtreeResult {
        var answer = Answer(body: output)
        let start = answer.body.writerIndex
        answer.body.reserveCapacity(minimumWritableBytes: cache.size.load(ordering: .relaxed) + 64)
        do {
            try execution.complete(&answer, plan, .json)
        } catch {
            return try failed(error)
        }
        cache.size.store(min(answer.body.writerIndex - start, 1 << 20), ordering: .relaxed)
        return .written(answer.body, errors: answer.mismatches == 0 ? [] : [.mismatches(answer.mismatches)])
    }

    // MARK: Plans

    /// The cached plans of a field of `Query`. A plan depends on each argument with a variable, of the field itself or
    /// of a field in its selection. The key of a row is an exception; see ``item``.
    final class FieldPlanCache: Sendable {
        /// The resource, if the field returns one row; otherwise nil. The primary key of the row is bound as a
        /// parameter of the statement, so one plan serves all rows.
        let item: BoundResource?
        private let view: CatalogueView
        private let variable: [PlannedField]
        /// The size of the field's last result in bytes, at most 1 MiB.
        let size = Atomic<Int>(1024)
        /// The plans, by the JSON text of the arguments that they depend on. The capacity is small, because a plan
        /// needs memory for all nested fields, and planning takes less time than execution.
        private let plans: PlanCache
        /// The plan if it depends on no variable. This is the most frequent case.
        private let only = Mutex<Plan?>(nil)

        init(_ field: PlannedField, _ view: CatalogueView) throws {
            let item: BoundResource?
            switch try field.binding(as: QueryField.self) {
            case .item(let bound): item = bound
            case .list, .page, .aggregate, .groups: item = nil
            }
            self.item = item
            self.view = view
            let all = Self.fields(from: field)
            variable = all.filter { candidate in
                candidate.constantArguments == nil && !(item != nil && candidate === field)
            }
            plans = PlanCache(capacity: all.count > 256 ? 1 : 4)
        }

        private static func fields(from root: PlannedField) -> [PlannedField] {
            var found: [PlannedField] = []
            var open = [root]
            while let field = open.popLast() {
                found.append(field)
                open += field.selection?.fields ?? []
            }
            return found
        }

        func plan(_ operation: OperationContext, make: () throws -> Plan) throws -> Plan {
            guard variable.isEmpty else { return try plans.plan(view, key(operation), make: make) }
            if let plan = only.withLock({ $0 }) { return plan }
            let plan = try make()
            only.withLock { $0 = plan }
            return plan
        }

        /// Returns the JSON text of the arguments with variables, of all fields on which the plan depends.
        func key(_ operation: OperationContext) throws -> String {
            var writer = JSONByteWriter(capacity: 128)
            for field in variable {
                writer.write(JSONValue(.object(try operation.arguments(of: field))))
            }
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    private func plan(
        _ request: SubtreeRequest, _ cache: FieldPlanCache, _ operation: OperationContext
    ) throws -> Plan {
        try plan(request.field, request.arguments, cache, operation)
    }

    /// Returns the plan of a field of `Query` or `Subscription`.
    func plan(
        _ field: PlannedField, _ arguments: ObjectValue, _ cache: FieldPlanCache, _ operation: OperationContext
    ) throws -> Plan {
        let plan = try cache.plan(operation) {
            let reader = SelectionReader(filters: filters, operation: operation)
            return try service.planner.plan(try reader.question(field, arguments))
        }
        guard let item = cache.item else { return plan }
        return plan.about(Subject(item.resource, try item.key(arguments, filters.values)))
    }

    func planCache(of field: PlannedField) throws -> FieldPlanCache {
        try field.memo.value { try FieldPlanCache(field, service.catalogue.view) }
    }
}

extension ServiceError {
    /// True if the error reports that the requested row does not exist.
    var isMissingSubject: Bool { code.missingNoun != nil }
}
