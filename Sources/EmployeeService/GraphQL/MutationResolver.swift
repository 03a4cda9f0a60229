import DuetGraphQL
import DuetJSON
import NIOCore
import ResultSetJSON
import SQLDatabase

/// Answers the fields of `Mutation`: each is one write of the service, in one transaction with what its payload shows.
final class MutationResolver: SubtreeResolver {
    private let service: EmployeeService

    init(_ service: EmployeeService) {
        self.service = service
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
        let payload = try Payload(request, SelectionPlanner(planner: service.planner, operation: operation))
        let record = operation.userContext as? RequestRecord
        do {
            let answer = try await write(
                request.field.name, MutationInput(request.arguments), payload.plan,
                record?.deadline.map(service.bounded(by:)) ?? service)
            if let record {
                record.add(answer.cost, record.namesEntities ? answer.tags : EntityTags())
            }
            return try payload.written(answer.body, to: request.output)
        } catch let error as ServiceError {
            guard let written = try payload.written(UserErrors(error, of: request.field.name), to: request.output)
            else { throw error }
            return written
        }
    }

    private func write(
        _ mutation: String, _ input: MutationInput, _ plan: @escaping @Sendable (_ employee: Int) -> ReadPlan,
        _ service: EmployeeService
    ) async throws -> EmployeeService.Answer {
        let dates = service.encoding.dates
        switch mutation {
        case "createEmployee":
            let employee = try EmployeeInput(creating: input.members(), dates: dates)
            // The number is not known before.
            return try await service.createEmployee(employee, answering: plan(1)).answer
        case "updateEmployee":
            let number = try Identifier.employeeNumber(input.id("id"))
            let changes = try EmployeeInput(patching: input.members(without: ["id"], keepsNull: true), dates: dates)
            return try await service.updateEmployee(number, changes, answering: plan(number))
        case "deleteEmployee":
            let number = try Identifier.employeeNumber(input.id("id"))
            return try await service.deleteEmployee(number, reading: plan(number))
        case "addTitle":
            let number = try Identifier.employeeNumber(input.id("employeeId"))
            let period = try PeriodInput(title: input.members(without: ["employeeId"]), dates: dates)
            return try await service.addTitle(period, to: number, answering: plan(number))
        case "addSalary":
            let number = try Identifier.employeeNumber(input.id("employeeId"))
            let period = try PeriodInput(salary: input.members(without: ["employeeId"]), dates: dates)
            return try await service.addSalary(period, to: number, answering: plan(number))
        case "assignDepartment":
            let number = try Identifier.employeeNumber(input.id("employeeId"))
            let department = try Identifier.departmentNumber(input.id("departmentId"))
            let period = try PeriodInput(
                assignment: input.members(without: ["employeeId", "departmentId"]), dates: dates)
            return try await service.assign(number, to: department, period, answering: plan(number)).answer
        default: throw Unplanned("Mutation.\(mutation)")
        }
    }
}

/// The argument `input` of a mutation.
private struct MutationInput {
    private let values: ObjectValue

    init(_ arguments: ObjectValue) {
        if case .object(let values)? = arguments["input"] { self.values = values } else { values = [:] }
    }

    func id(_ field: String) -> String {
        if case .string(let id)? = values[field] { return id }
        return ""
    }

    /// The members as a request body of REST has them.
    /// - Parameter keepsNull: whether null is something to be refused, and not the same as nothing.
    func members(without names: Set<String> = [], keepsNull: Bool = false) -> JSONValue {
        JSONValue(
            .object(
                ObjectValue(
                    values.filter { !names.contains($0.name) && (keepsNull || $0.value != .null) }
                        .map { ($0.name, $0.value) })))
    }
}
