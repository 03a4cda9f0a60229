/// The origin of a transaction, which the observer gets with each statement. It is a number whose meaning the program
/// defines.
public struct TransactionOrigin: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt8

    /// Creates an origin with a number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The origin of transactions for which no origin is specified.
    public static let unspecified = TransactionOrigin(rawValue: 0)
}
