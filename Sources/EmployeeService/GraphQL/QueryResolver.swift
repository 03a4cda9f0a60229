import Dispatch
import DuetGraphQL
import DuetJSON
import NIOCore
import ResultSetJSON
import SQLDatabase
import Synchronization

/// Answers the fields of `Query`, each with everything below it: the selection becomes a plan as a REST request's parameters do,
/// and all plans of a request run in one snapshot.
final class QueryResolver: SubtreeResolver {
    private let service: EmployeeService

    init(_ service: EmployeeService) {
        self.service = service
    }

    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
        let fields = requests.map { field($0, operation) }
        let transaction = Transaction(self, operation)
        do {
            // Without a plan nothing is to be read.
            if let failures = Self.failures(fields) { return try failures.map(Self.failed) }
            return try await transaction.read { connection in
                try transaction.run(on: connection) { reading in
                    try fields.map { field in
                        switch field.plan {
                        case .success(let plan): try reading.result(of: plan, field.output, field.kept)
                        case .failure(let error): try Self.failed(error)
                        }
                    }
                }
            }
        } catch {
            throw Self.told(error)
        }
    }

    func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult {
        let kept = keptPlans(for: request.field)
        do {
            let plan: ReadPlan
            do {
                plan = try self.plan(request, kept, operation)
            } catch {
                return try Self.failed(error)
            }
            let (output, transaction) = (request.output, Transaction(self, operation))
            return try await transaction.read { connection in
                try transaction.run(on: connection) { reading in
                    try reading.result(of: plan, output, kept)
                }
            }
        } catch {
            throw Self.told(error)
        }
    }

    /// What has failed, in words for clients; a cancellation is no failure.
    private static func told(_ error: any Error) -> any Error {
        error is CancellationError ? error : GraphQLError(EmployeeService.told(error))
    }

    /// The result of a field that cannot be answered, which the others may be.
    /// - Throws: what makes all of them of no use.
    private static func failed(_ error: any Error) throws -> SubtreeResult {
        switch error {
        case let error as ServiceError where error.code == .unknownEmployee || error.code == .unknownDepartment: .null()
        case let error as ServiceError: .null(errors: [GraphQLError(error)])
        case let error as GraphQLError: .null(errors: [error])
        default: throw error
        }
    }

    /// A field of the operation, and what is to be read for it.
    private struct Field {
        let output: ByteBuffer
        let kept: KeptPlans
        let plan: Result<ReadPlan, any Error>
    }

    /// Why no field has a plan; nil if one has.
    private static func failures(_ fields: [Field]) -> [any Error]? {
        var failures: [any Error] = []
        for field in fields {
            guard case .failure(let error) = field.plan else { return nil }
            failures.append(error)
        }
        return failures
    }

    private func field(_ request: SubtreeRequest, _ operation: OperationContext) -> Field {
        let kept = keptPlans(for: request.field)
        return Field(output: request.output, kept: kept, plan: Result { try plan(request, kept, operation) })
    }

    /// What the fields of a request that are answered together have in common.
    private struct Transaction {
        private let resolver: QueryResolver
        private let record: RequestRecord?
        private var service: EmployeeService { resolver.service }

        init(_ resolver: QueryResolver, _ operation: OperationContext) {
            self.resolver = resolver
            record = operation.userContext as? RequestRecord
        }

        /// Runs a closure in a snapshot, before the request's deadline.
        func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
            try await service.database.read(
                deadline: record?.deadline ?? service.deadline, origin: service.origin, body)
        }

        /// Runs a closure that answers the fields, and records what that has cost and shown, also if it fails.
        func run<Value>(on connection: Connection, _ body: (inout Reading) throws -> Value) rethrows -> Value {
            let start = DispatchTime.now().uptimeNanoseconds
            let statementsBefore = connection.statementCount
            var reading = Reading(
                connection: connection, encoding: service.encoding, left: service.maximumAnswerSize,
                recorder: record?.namesEntities == true ? EntityTags.recorder() : nil)
            defer {
                if let recorder = reading.recorder { reading.tags.add(recorder) }
                record?.add(
                    EmployeeService.Cost(
                        statements: connection.statementCount - statementsBefore,
                        nanoseconds: DispatchTime.now().uptimeNanoseconds - start), reading.tags)
            }
            return try body(&reading)
        }
    }

    /// A transaction that is under way.
    private struct Reading {
        let connection: Connection
        let encoding: ValueEncoding
        /// How many bytes all fields that are still to come may take together.
        var left: Int
        let recorder: EntityRecorder?
        var tags = EntityTags()

        /// The result of a plan, behind what is in the output already.
        /// - Throws: what makes the whole transaction of no use.
        mutating func result(of plan: ReadPlan, _ output: ByteBuffer, _ kept: KeptPlans) throws -> SubtreeResult {
            var answer = EmployeeService.Answer(body: output)
            let start = answer.body.writerIndex
            answer.body.reserveCapacity(minimumWritableBytes: kept.size.load(ordering: .relaxed) + 64)
            if recorder != nil { tags.add(plan) }
            do {
                try EmployeeService.complete(
                    &answer, plan, .json, encoding, limit: left, recorder: recorder, on: connection)
            } catch {
                return try QueryResolver.failed(error)
            }
            let written = answer.body.writerIndex - start
            left -= written
            kept.size.store(min(written, 1 << 20), ordering: .relaxed)
            return .written(answer.body)
        }
    }

    // MARK: Plans

    /// The plans made for a field, by the values of those arguments that are not the same for all requests.
    private final class KeptPlans: Sendable {
        private let variable: [PlannedField]
        /// How many bytes the last answer had.
        let size = Atomic<Int>(1024)
        /// By the values as JSON. Few are kept: they take memory for each field below, and are made in less time than they run.
        private let plans: PlanCache
        /// The plan of most fields, which have no variables below.
        private let only = Mutex<ReadPlan?>(nil)

        init(_ field: PlannedField, argumentsAreBound: Bool) {
            let all = Self.fields(from: field)
            variable = all.filter { candidate in
                candidate.constantArguments == nil && !(argumentsAreBound && candidate === field)
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

        func plan(_ operation: OperationContext, make: () throws -> ReadPlan) throws -> ReadPlan {
            guard variable.isEmpty else { return try plans.plan(key(operation), make: make) }
            if let plan = only.withLock({ $0 }) { return plan }
            let plan = try make()
            only.withLock { $0 = plan }
            return plan
        }

        private func key(_ operation: OperationContext) throws -> String {
            var writer = JSONWriter(capacity: 128)
            for field in variable {
                writer.write(JSONValue(.object(try operation.arguments(of: field))))
            }
            return String(buffer: writer.buffer)
        }
    }

    private func plan(
        _ request: SubtreeRequest, _ kept: KeptPlans, _ operation: OperationContext
    ) throws -> ReadPlan {
        guard let selection = request.field.selection else { throw Unplanned(request.field.name) }
        let planner = SelectionPlanner(planner: service.planner, operation: operation)
        let arguments = SelectionPlanner.Arguments(request.arguments, path: request.field.responseKey)
        switch request.field.name {
        case "employee":
            let number = try Identifier.employeeNumber(arguments.text("id") ?? "")
            return try kept.plan(operation) {
                try planner.one(.employees, selection, .employee(number))
            }.asking("employeeNumber", .integer(Int64(number)), .employee(number))
        case "department":
            let number = try Identifier.departmentNumber(arguments.text("id") ?? "")
            return try kept.plan(operation) {
                try planner.one(.departments, selection, .department(number))
            }.asking("departmentNumber", .text(number), .department(number))
        case "departments":
            return try kept.plan(operation) { try planner.all(.departments, selection) }
        case "employees":
            return try kept.plan(operation) {
                try planner.employees(selection, arguments, service.encoding.dates)
            }
        default: throw Unplanned("Query.\(request.field.name)")
        }
    }

    private func keptPlans(for field: PlannedField) -> KeptPlans {
        field.memo.value {
            // The key of one row is bound, and no part of the plan.
            KeptPlans(field, argumentsAreBound: field.name == "employee" || field.name == "department")
        }
    }
}
