/// The maximum time of each statement of a transaction.
public enum StatementTimeout: Sendable {
    /// The timeout ``DatabaseConfiguration/statementTimeout``.
    case standard
    /// A time other than the standard timeout. A longer statement fails with the code `timeout`.
    case limit(Duration)
    /// No maximum time.
    case none

    func nanoseconds(standard: Duration?) -> UInt64? {
        switch self {
        case .standard: standard?.nanoseconds
        case .limit(let duration): duration.nanoseconds
        case .none: nil
        }
    }
}
