import DuetBoundedCache
import DuetJSON
import DuetSQLDatabase
import HTTPSemantics
import HTTPTypes
import HummingbirdCore
import Synchronization

/// Knows responses that clients have asked about again: their tags, and at which version of the database they were made. As long as
/// that version stands, a 304 needs neither a plan nor a statement.
final class Revalidator: Sendable {
    /// What is left of a response when its body is gone.
    struct Validator: Sendable {
        let tag: EntityTag
        /// Whether the body is long enough to be compressed.
        let isCompressible: Bool
        /// What a 304 repeats of the response's fields (RFC 9110 §15.4.5), and what caches want of it.
        let fields: HTTPFields
    }

    private struct Entry: Sendable {
        let version: DatabaseVersion
        let validator: Validator
    }

    private let database: Database
    private let entries = Mutex(SegmentedLRU<UTF8Text, Entry>(maximumCount: 10_000, maximumCost: 8 << 20))
    /// Responses with longer targets are not kept.
    private static let longestTarget = 2_048

    init(_ database: Database) {
        self.database = database
    }

    /// A request that asks only for something new; `nil` for all other requests, and where the database cannot tell its version.
    ///
    /// To be called before anything of the response is read, since what is read later may be newer than the version, but not older.
    /// - Parameter mediaType: of the response.
    func read(_ request: Request, mediaType: String) -> ConditionalRead? {
        guard request.method == .get || request.method == .head, request.headers.asksForNew,
            let target = request.head.path, target.utf8.count <= Self.longestTarget, let version = database.version
        else { return nil }
        let key = UTF8Text("\(mediaType) \(target)")
        let entry = entries.withLock { $0.use(key) }
        let isCurrent =
            entry.map {
                $0.version == version
                    && EntityTagPrecondition.evaluate(
                        request.headers, method: request.method, current: $0.validator.tag)
                        == .notModified
            } ?? false
        return ConditionalRead(
            key: key, version: version, current: isCurrent ? entry?.validator : nil, revalidator: self)
    }

    fileprivate func keep(_ validator: Validator, for read: ConditionalRead) {
        // About what the fields take in memory.
        let cost = 512 + read.key.string.utf8.count + validator.fields.reduce(0) { $0 + $1.value.utf8.count + 64 }
        entries.withLock {
            _ = $0.insert(Entry(version: read.version, validator: validator), for: read.key, cost: cost)
        }
    }
}

/// A GET or HEAD with `If-None-Match`, and what is known of the response to it.
struct ConditionalRead: Sendable {
    fileprivate let key: UTF8Text
    fileprivate let version: DatabaseVersion
    /// The response, if it is known, current, and what the client has: it is told so, and nothing needs to be read.
    let current: Revalidator.Validator?
    fileprivate let revalidator: Revalidator

    /// Keeps what is known of the response, which was made after this was asked for.
    func keep(_ validator: Revalidator.Validator) {
        revalidator.keep(validator, for: self)
    }
}

extension HTTPFields {
    /// Whether there is an `If-None-Match`, and no `If-Match`, which comes first.
    fileprivate var asksForNew: Bool {
        var asksForNew = false
        for field in self {
            if field.name == .ifNoneMatch { asksForNew = true }
            if field.name == .ifMatch { return false }
        }
        return asksForNew
    }
}
