import Synchronization

/// The caller of a service from one change of a ``CurrentCaller`` to the next.
///
/// An operation and its requests have the caller for whom the operation began, even if the current caller changes
/// before the response arrives.
public struct Caller: Sendable, Hashable {
    /// The identity, such as the identifier of a user; `nil` for an anonymous caller.
    public let identity: String?
    /// Distinguishes this caller from an earlier or later caller with the same identity.
    private let number: Int

    private static let lastNumber = Atomic<Int>(0)

    /// Creates a caller that is not equal to any other caller.
    init(identity: String?) {
        self.identity = identity
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    }

    /// The text that identifies the caller in keys and file names. Callers with the same identity have equal texts, and
    /// an anonymous caller differs from a caller whose identity is empty.
    static func key(of identity: String?) -> [String] {
        identity.map { ["caller", "identity", $0] } ?? ["caller", "anonymous"]
    }
}
