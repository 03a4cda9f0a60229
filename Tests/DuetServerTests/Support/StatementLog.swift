import DuetSQLDatabase
import Synchronization

/// Records the statements that a database runs, in order, if the database's observer calls ``note(_:)``.
final class StatementLog: Sendable {
    private let texts = Mutex<[String]>([])

    func note(_ observation: DatabaseObservation) {
        if case .statement(let sql, _, _, _, _) = observation { texts.withLock { $0.append(sql) } }
    }

    func removeAll() {
        texts.withLock { $0.removeAll() }
    }

    /// Returns the statements since the last call.
    func take() -> [String] {
        texts.withLock { texts in
            defer { texts.removeAll() }
            return texts
        }
    }
}
