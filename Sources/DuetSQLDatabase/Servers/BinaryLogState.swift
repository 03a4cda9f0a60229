/// The last transaction of each domain and each server in a binary log (`gtid_binlog_state`). In contrast to a
/// ``DatabasePosition``, it shows whether a log has the commits of another server, even if both have used the same
/// numbers.
struct BinaryLogState: Sendable, Hashable {
    private struct Origin: Sendable, Hashable {
        let domain, server: UInt32
    }

    private var numbers: [Origin: UInt64] = [:]

    /// Reads the list of identifiers of the variable; nil for an invalid text. An empty text is the state of an empty
    /// log.
    init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: true) {
            guard let transaction = LoggedTransaction(part) else { return nil }
            add(transaction)
        }
    }

    private mutating func add(_ transaction: LoggedTransaction) {
        let origin = Origin(domain: transaction.identifier.domain, server: transaction.server)
        numbers[origin] = max(numbers[origin] ?? 0, transaction.identifier.number)
    }

    /// Returns the state with the transactions of a position, which a replica without `log_slave_updates` has received
    /// but not logged.
    func adding(_ position: DatabasePosition?) -> BinaryLogState {
        var state = self
        for transaction in position?.transactions ?? [] { state.add(transaction) }
        return state
    }

    /// Returns true if the log has the last transactions of another log.
    func contains(_ other: BinaryLogState) -> Bool {
        other.numbers.allSatisfy { origin, number in numbers[origin].map { $0 >= number } ?? false }
    }

    /// Returns true if the log has the transactions of a position.
    func contains(_ position: DatabasePosition) -> Bool {
        position.transactions.allSatisfy { transaction in
            let origin = Origin(domain: transaction.identifier.domain, server: transaction.server)
            return numbers[origin].map { $0 >= transaction.identifier.number } ?? false
        }
    }

    /// Returns true if the log has transactions of the servers that have committed the transactions of a position.
    func hasOrigins(of position: DatabasePosition) -> Bool {
        position.transactions.allSatisfy {
            numbers[Origin(domain: $0.identifier.domain, server: $0.server)] != nil
        }
    }
}
