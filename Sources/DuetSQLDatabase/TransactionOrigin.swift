/// On whose behalf a transaction runs, told with each of its statements. To the database it is a number; whoever observes gives it a
/// meaning.
public struct TransactionOrigin: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt8

    /// An origin of that number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Nobody in particular.
    public static let unspecified = TransactionOrigin(rawValue: 0)
}
