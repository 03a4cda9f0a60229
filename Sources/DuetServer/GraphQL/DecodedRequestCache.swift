import DuetBoundedCache
import DuetGraphQLHTTP
import DuetJSON
import HummingbirdCore
import Synchronization

/// A cache of decoded GraphQL requests of the method GET, by their URL, so that repeated requests are not decoded
/// again. A decoded request depends only on the URL, so all views of the catalogue share the cache.
final class DecodedRequestCache: Sendable {
    /// The maximum length of a cached URL in bytes. Longer URLs usually contain a document instead of its hash. For
    /// such URLs, the saved time would not justify the memory.
    private static let longestAddress = 2_048
    private let requests = Mutex(SegmentedLRU<UTF8Text, DecodedRequest>(maximumCount: 2_000, maximumCost: 4 << 20))

    /// Returns the cached request of a URL, or `nil` if there is none.
    func known(_ address: URI) -> DecodedRequest? {
        guard address.string.utf8.count <= Self.longestAddress else { return nil }
        let key = UTF8Text(address.string)
        return requests.withLock { $0.use(key) }
    }

    /// Decodes and caches the request of a URL.
    /// - Throws: The error if the request is malformed.
    func decode(
        _ address: URI, for documents: PersistedQuerySource
    ) throws(GraphQLRequestError) -> DecodedRequest {
        let decoded = try DecodedRequest(GraphQLRequest(urlQuery: address.query), for: documents)
        let length = address.string.utf8.count
        guard length <= Self.longestAddress else { return decoded }
        // The cost includes the encoded and the decoded text, and the overhead. The variables are stored in two
        // formats.
        let cost =
            2 * length + 512 + 2 * Self.overhead(.object(decoded.request.variables))
            + Self.overhead(.object(decoded.request.extensions))
        requests.withLock { _ = $0.insert(decoded, for: UTF8Text(address.string), cost: cost) }
        return decoded
    }

    /// Returns the approximate memory of a value in bytes, excluding its strings. A value with many small parts
    /// occupies much more memory than its strings.
    private static func overhead(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(64) { $0 + overhead($1) }
        case .object(let object): object.members.reduce(128) { $0 + 64 + overhead($1.value) }
        default: 32
        }
    }
}
