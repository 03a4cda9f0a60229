import DuetBoundedCache
import DuetGraphQL
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import HTTPTypes
import HummingbirdCore
import Synchronization

/// A cache of validators for responses that clients have revalidated. An entry contains the entity tag of a response,
/// and the version of the database immediately before the data of the response was read. While the version is current,
/// a 304 requires no SQL statement.
final class Revalidator: Sendable {
    /// The entity tag and the header fields of a response, without the body.
    struct Validator: Sendable {
        let tag: BodyTag
        /// True if the body is long enough to be compressed.
        let isCompressible: Bool
        /// The header fields of the response that a 304 repeats (RFC 9110 §15.4.5), including the cache tags.
        let fields: HTTPFields
    }

    private struct Entry: Sendable {
        let version: DatabaseVersion
        let validator: Validator
    }

    private let database: Database
    private let entries = Mutex(SegmentedLRU<UTF8Text, Entry>(maximumCount: 10_000, maximumCost: 8 << 20))
    /// The maximum length of a request target in bytes. Responses to longer targets are not cached.
    private static let longestTarget = 2_048

    /// Creates a cache for the responses with data of a database.
    init(_ database: Database) {
        self.database = database
    }

    /// Returns the ``ConditionalRead`` of a GET or HEAD request with `If-None-Match` and without `If-Match`; `nil` for
    /// all other requests, for long targets, and if the database does not report its version.
    ///
    /// Call this method before reading the data of the response. The data may then be newer than the version, but never
    /// older.
    /// - Parameters:
    ///   - view: The view of the catalogue from which the response is created. An entry is valid only for one view and
    ///     for callers with the same claims.
    ///   - mediaType: The media type of the response.
    func read(_ routed: RoutedRequest, of view: CatalogueView, mediaType: String) -> ConditionalRead? {
        let request = routed.request
        guard request.method == .get || request.method == .head, request.headers.asksForNew,
            let target = request.head.path, target.utf8.count <= Self.longestTarget, let version = database.version
        else { return nil }
        let caller = routed.caller.map { "\($0.fingerprint.low) \($0.fingerprint.high) " } ?? ""
        let key = UTF8Text(view.key("\(caller)\(mediaType) \(target)"))
        let entry = entries.withLock { $0.use(key) }
        let isCurrent =
            entry.map {
                $0.version == version
                    && EntityTagPrecondition.evaluate(
                        request.headers, method: request.method, current: $0.validator.tag)
                        == .notModified
            } ?? false
        return ConditionalRead(
            key: key, version: version, isOfCaller: routed.caller != nil,
            current: isCurrent ? entry?.validator : nil, revalidator: self)
    }

    fileprivate func keep(_ validator: Validator, for read: ConditionalRead) {
        // This is the approximate size of the fields in memory.
        let cost = 512 + read.key.string.utf8.count + validator.fields.reduce(0) { $0 + $1.value.utf8.count + 64 }
        entries.withLock {
            _ = $0.insert(Entry(version: read.version, validator: validator), for: read.key, cost: cost)
        }
    }
}

/// A GET or HEAD request with `If-None-Match`, and the cached validator of its response.
struct ConditionalRead: Sendable {
    fileprivate let key: UTF8Text
    fileprivate let version: DatabaseVersion
    /// True if the entry is valid only for callers with the same role and claims.
    fileprivate let isOfCaller: Bool
    /// The cached validator of the response if it is current and matches `If-None-Match`. The response is then a 304,
    /// which requires no read.
    let current: Revalidator.Validator?
    fileprivate let revalidator: Revalidator

    /// Returns this value if the cache can have the validator of a response with a cache policy; otherwise nil. A
    /// private response can depend on the caller.
    func storing(_ policy: CachePolicy?) -> ConditionalRead? {
        policy?.scope == .private && !isOfCaller ? nil : self
    }

    /// Caches the validator of a response whose data was read after this value was created.
    func keep(_ validator: Revalidator.Validator) {
        revalidator.keep(validator, for: self)
    }
}

extension HTTPFields {
    /// True if the request contains `If-None-Match` and no `If-Match`, which takes precedence.
    fileprivate var asksForNew: Bool {
        var asksForNew = false
        for field in self {
            if field.name == .ifNoneMatch { asksForNew = true }
            if field.name == .ifMatch { return false }
        }
        return asksForNew
    }
}
