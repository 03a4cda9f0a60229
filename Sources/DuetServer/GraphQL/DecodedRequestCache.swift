import BoundedCache
import JSON
import Synchronization

/// The requests that addresses mean, by their query: what is asked again and again by GET need not be decoded each time.
final class DecodedRequestCache: Sendable {
    /// A request, and the document it means. Shared, so that nothing is copied of what is found.
    final class Decoded: Sendable {
        let request: GraphQLRequest
        let reference: DocumentReference

        init(request: GraphQLRequest, reference: DocumentReference) {
            self.request = request
            self.reference = reference
        }
    }

    /// Longer queries carry a document: they are rare where clients send hashes, and take more memory than time.
    private static let longestQuery = 2_048
    private let requests = Mutex(SegmentedLRU<UTF8Text, Decoded>(maximumCount: 2_000, maximumCost: 4 << 20))

    /// The request that the query of an address is.
    /// - Throws: what is wrong with it.
    func decoded(_ urlQuery: String?) throws(GraphQLRequestError) -> Decoded {
        guard let urlQuery, urlQuery.utf8.count <= Self.longestQuery else { return try Self.decode(urlQuery) }
        let key = UTF8Text(urlQuery)
        if let decoded = requests.withLock({ $0.use(key) }) { return decoded }
        let decoded = try Self.decode(urlQuery)
        // The text, encoded and decoded, and what holds it together.
        let cost =
            2 * urlQuery.utf8.count + 512 + Self.overhead(.object(decoded.request.variables))
            + Self.overhead(.object(decoded.request.extensions))
        requests.withLock { _ = $0.insert(decoded, for: key, cost: cost) }
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

    private static func decode(_ urlQuery: String?) throws(GraphQLRequestError) -> Decoded {
        let request = try GraphQLRequest(urlQuery: urlQuery)
        return Decoded(request: request, reference: try request.reference())
    }
}
