import Dispatch
import GraphQL
import JSON
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
        let fields = requests.map { request in
            let kept = keptPlans(for: request.field)
            return Field(output: request.output, kept: kept, plan: Result { try plan(request, kept, operation) })
        }
        let (encoding, limit) = (service.encoding, service.maximumAnswerSize)
        do {
            let record = operation.userContext as? RequestRecord
            return try await EmployeeService.tellingSize {
                try await service.database.read(origin: service.origin) { connection in
                    let start = DispatchTime.now().uptimeNanoseconds
                    let statementsBefore = connection.statementCount
                    let recorder = record?.namesEntities == true ? EntityTags.recorder() : nil
                    // Also of what fails.
                    defer {
                        var tags = EntityTags()
                        if let recorder {
                            for field in fields.indices {
                                if case .success(let plan) = fields[field].plan { tags.add(plan) }
                            }
                            tags.add(recorder)
                        }
                        record?.add(
                            EmployeeService.Cost(
                                statements: connection.statementCount - statementsBefore,
                                nanoseconds: DispatchTime.now().uptimeNanoseconds - start), tags)
                    }
                    var results: [SubtreeResult] = []
                    // Of all fields together.
                    var left = limit
                    for field in fields.indices {
                        var answer = EmployeeService.Answer(body: fields[field].output)
                        let start = answer.body.writerIndex
                        let kept = fields[field].kept
                        answer.body.reserveCapacity(minimumWritableBytes: kept.size.load(ordering: .relaxed) + 64)
                        if let failed = try Self.complete(
                            &answer, fields[field].plan, encoding, left, recorder, connection)
                        {
                            results.append(failed)
                            continue
                        }
                        let written = answer.body.writerIndex - start
                        left -= written
                        kept.size.store(min(written, 1 << 20), ordering: .relaxed)
                        results.append(.written(answer.body))
                    }
                    return results
                }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw GraphQLError(error)
        }
    }

    /// A field of the operation, and what is to be read for it.
    private struct Field {
        let output: ByteBuffer
        let kept: KeptPlans
        let plan: Result<ReadPlan, any Error>
    }

    /// - Returns: the result in place of the answer, where there is none.
    /// - Throws: what makes the whole transaction of no use.
    private static func complete(
        _ answer: inout EmployeeService.Answer, _ plan: Result<ReadPlan, any Error>, _ encoding: ValueEncoding,
        _ limit: Int, _ recorder: EntityRecorder?, _ connection: Connection
    ) throws -> SubtreeResult? {
        do {
            try EmployeeService.complete(
                &answer, try plan.get(), .json, encoding, limit: limit, recorder: recorder, on: connection)
            return nil
        } catch let error as ServiceError where error.code == .unknownEmployee || error.code == .unknownDepartment {
            return .null()
        } catch let error as ServiceError {
            return .null(errors: [GraphQLError(error)])
        } catch let error as GraphQLError {
            return .null(errors: [error])
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
