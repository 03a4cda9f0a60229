/// The origin of a transaction: a number whose meaning the program defines. The ``DatabaseObserver`` receives the
/// number with each statement of the transaction, in
/// ``DatabaseObservation/statement(sql:rows:nanoseconds:failed:origin:)``.
public struct TransactionOrigin: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt8

    /// Creates an origin with a number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The origin of a transaction if the caller specifies none.
    public static let unspecified = TransactionOrigin(rawValue: 0)
}
