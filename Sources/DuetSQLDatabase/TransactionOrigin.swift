/// The origin of a transaction, which the observer gets with each statement. The database treats it as a number; the
/// observer's owner defines its meaning.
public struct TransactionOrigin: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt8

    /// Creates an origin with that number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No specific origin.
    public static let unspecified = TransactionOrigin(rawValue: 0)
}
