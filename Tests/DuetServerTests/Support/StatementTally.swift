import DuetGraphQL
import Synchronization

/// The expected number of statements of a query, counted during a field-by-field execution: one for each field whose
/// rows are read for at least one parent object, and one for each connection whose rows are counted.
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

    /// Notes that the rows of a field are read. Further calls for the field have no effect, because one statement reads
    /// the rows of all parent objects.
    func noteRows(of field: ObjectIdentifier) {
        state.withLock { _ = $0.needed.insert(Statement(field: field, counts: false)) }
    }

    /// Notes that the rows of a connection are counted.
    func noteCount(of field: ObjectIdentifier) {
        state.withLock { _ = $0.needed.insert(Statement(field: field, counts: true)) }
    }

    /// Notes that no row has the requested key. The same round trip may also have requested the related rows of the
    /// missing row.
    func noteMissing(_ field: PlannedField) {
        let relations = field.selection?.fields.count { $0.selection != nil } ?? 0
        state.withLock { $0.vain += relations }
    }

    /// The possible numbers of statements. The minimum is the number of required statements. The maximum also includes
    /// the statements for related rows of missing rows.
    var expected: ClosedRange<Int> { state.withLock { $0.needed.count...($0.needed.count + $0.vain) } }
}

extension FieldContext<StatementTally> {
    /// Notes that the rows of this field are read.
    func noteRows() { userContext.noteRows(of: ObjectIdentifier(field)) }
}
