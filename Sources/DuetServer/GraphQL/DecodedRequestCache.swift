import DuetBoundedCache
import DuetGraphQLHTTP
import DuetJSON
import HummingbirdCore
import Synchronization

/// The requests that addresses mean: what is asked again and again by GET need not be decoded each time.
final class DecodedRequestCache: Sendable {
    /// Longer addresses carry a document: they are rare where clients send hashes, and take more memory than time.
    private static let longestAddress = 2_048
    private let requests = Mutex(SegmentedLRU<UTF8Text, DecodedRequest>(maximumCount: 2_000, maximumCost: 4 << 20))

    /// The request that an address means, if that is known.
    func known(_ address: URI) -> DecodedRequest? {
        guard address.string.utf8.count <= Self.longestAddress else { return nil }
        let key = UTF8Text(address.string)
        return requests.withLock { $0.use(key) }
    }

    /// The request that an address means, which is known from now on.
    /// - Throws: what is wrong with it.
    func decode(_ address: URI) throws(GraphQLRequestError) -> DecodedRequest {
        let decoded = try DecodedRequest(GraphQLRequest(urlQuery: address.query))
        let length = address.string.utf8.count
        guard length <= Self.longestAddress else { return decoded }
        // The text, encoded and decoded, and what holds it together; the variables are there in two forms.
        let cost =
            2 * length + 512 + 2 * Self.overhead(.object(decoded.request.variables))
            + Self.overhead(.object(decoded.request.extensions))
        requests.withLock { _ = $0.insert(decoded, for: UTF8Text(address.string), cost: cost) }
        return decoded
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
