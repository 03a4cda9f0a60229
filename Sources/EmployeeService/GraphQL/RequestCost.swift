import Synchronization

/// What the fields of one GraphQL request have cost in the database, together. A transport gives it along as the request's user
/// context.
public final class RequestCost: Sendable {
    private let sum = Mutex(EmployeeService.Cost())

    /// Nothing yet.
    public init() {}

    /// What it came to.
    public var cost: EmployeeService.Cost { sum.withLock { $0 } }

    func add(_ cost: EmployeeService.Cost) {
        sum.withLock { sum in
            sum.statements += cost.statements
            sum.nanoseconds += cost.nanoseconds
        }
    }
}
