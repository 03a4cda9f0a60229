/// How long each statement of a transaction may run.
public enum StatementTimeout: Sendable {
    /// As ``DatabaseConfiguration/statementTimeout`` says.
    case standard
    case limit(Duration)
    case none

    func nanoseconds(standard: Duration?) -> UInt64? {
        switch self {
        case .standard: standard?.nanoseconds
        case .limit(let duration): duration.nanoseconds
        case .none: nil
        }
    }
}
