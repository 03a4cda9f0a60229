import DuetGraphQL
import Synchronization

/// How many statements a query should take, as an execution field by field sees it: one for each field that leads to rows, if there is
/// an object to lead from, and one more for each connection whose rows are counted.
final class StatementTally: Sendable {
    private struct Statement: Hashable {
        let field: ObjectIdentifier
        let counts: Bool
    }

    private struct State {
        var needed: Set<Statement> = []
        var vain = 0
    }

    private let state = Mutex(State())

    /// A field's rows are read, for one of its objects or for all of them.
    func noteRows(of field: ObjectIdentifier) {
        state.withLock { _ = $0.needed.insert(Statement(field: field, counts: false)) }
    }

    /// The rows of a connection are counted.
    func noteCount(of field: ObjectIdentifier) {
        state.withLock { _ = $0.needed.insert(Statement(field: field, counts: true)) }
    }

    /// There is nothing under that key. What belongs to it may have been asked for in the same round trip.
    func noteMissing(_ field: PlannedField) {
        let relations = field.selection?.fields.count { $0.selection != nil } ?? 0
        state.withLock { $0.vain += relations }
    }

    /// From those that are needed to those and the ones asked for in vain.
    var expected: ClosedRange<Int> { state.withLock { $0.needed.count...($0.needed.count + $0.vain) } }
}

extension FieldContext<StatementTally> {
    /// Notes that this field's rows are read.
    func noteRows() { userContext.noteRows(of: ObjectIdentifier(field)) }
}
