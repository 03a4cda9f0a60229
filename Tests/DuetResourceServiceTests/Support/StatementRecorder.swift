import DuetSQLDatabase
import Synchronization

/// Records the statements that a database runs, and counts its transactions.
final class StatementRecorder: Sendable {
    private struct State {
        var statements: [String] = []
        var acquisitions = 0
    }

    private let state = Mutex(State())

    /// The observer for the database.
    var observer: DatabaseObserver {
        { observation in
            self.state.withLock { state in
                switch observation {
                case .statement(let sql, _, _, _, _): state.statements.append(sql)
                case .acquired: state.acquisitions += 1
                default: break
                }
            }
        }
    }

    /// Removes and returns the texts of the recorded statements.
    @discardableResult
    func take() -> [String] {
        state.withLock { state in
            defer { state = State() }
            return state.statements
        }
    }

    /// The number of transactions since the last call of ``take()``.
    var acquisitions: Int { state.withLock { $0.acquisitions } }
}
