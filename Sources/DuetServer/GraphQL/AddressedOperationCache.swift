import BoundedCache
import DuetGraphQL
import DuetJSON
import HummingbirdCore
import Synchronization

/// A query that an address asks for. An object, so that nothing of it is copied on its way.
final class AddressedOperation: Sendable {
    let request: DecodedRequest
    let operation: PreparedOperation

    init(_ request: DecodedRequest, _ operation: PreparedOperation) {
        self.request = request
        self.operation = operation
    }
}

/// The queries that addresses ask for. What is asked again and again by GET is neither decoded nor looked up by its document.
final class AddressedOperationCache: Sendable {
    /// Longer addresses have a document in them: they are rare where clients send hashes, and take more memory than time.
    private static let longestAddress = 2_048
    private let operations = Mutex(
        SegmentedLRU<UTF8Text, AddressedOperation>(maximumCount: 2_000, maximumCost: 16 << 20))

    private let found = Atomic<Int>(0)

    /// How often the query of an address was known.
    var hits: Int { found.load(ordering: .relaxed) }

    /// The query of an address; nil if it is not known.
    func operation(at address: URI) -> AddressedOperation? {
        guard address.string.utf8.count <= Self.longestAddress else { return nil }
        let key = UTF8Text(address.string)
        guard let known = operations.withLock({ $0.use(key) }) else { return nil }
        found.add(1, ordering: .relaxed)
        return known
    }

    /// Keeps the query of an address, which may be executed and needs no registration.
    func insert(_ known: AddressedOperation, for address: URI) {
        let length = address.string.utf8.count
        guard length <= Self.longestAddress else { return }
        // The text, encoded and decoded, and what holds it together; the variables are there in two forms. The operation may be in no
        // other cache any more.
        let request = known.request.request
        let cost =
            2 * length + 512 + 2 * Self.overhead(.object(request.variables))
            + Self.overhead(.object(request.extensions))
            + known.operation.estimatedBytes
        operations.withLock { _ = $0.insert(known, for: UTF8Text(address.string), cost: cost) }
    }

    /// About the bytes that a value takes beside its texts, much more than these where it has many small parts.
    private static func overhead(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(64) { $0 + overhead($1) }
        case .object(let object): object.members.reduce(128) { $0 + 64 + overhead($1.value) }
        default: 32
        }
    }
}
