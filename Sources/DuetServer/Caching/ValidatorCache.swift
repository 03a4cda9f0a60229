import BoundedCache
import EmployeeService
import HTTPTypes
import JSON
import SQLDatabase
import Synchronization

/// What is known of responses that clients have asked about again: their tags, and at which version of the database they were
/// made. As long as that version stands, a 304 takes no statement.
final class ValidatorCache: Sendable {
    /// A response that was current at a version.
    struct Validator: Sendable {
        /// Not known before the first conditional read after the one that found the body to be long.
        let version: DatabaseVersion?
        let tag: EntityTag
        /// Whether the body is long enough to be compressed.
        let isCompressible: Bool
        /// What a 304 repeats of the response's fields (RFC 9110 §15.4.5), and what caches want of it.
        let fields: HTTPFields
    }

    private let validators = Mutex(SegmentedLRU<UTF8Text, Validator>(maximumCount: 10_000, maximumCost: 8 << 20))

    func validator(of key: UTF8Text) -> Validator? {
        validators.withLock { $0.use(key) }
    }

    func keep(_ validator: Validator, for key: UTF8Text) {
        // About what the fields take in memory.
        let cost = 512 + key.string.utf8.count + validator.fields.reduce(0) { $0 + $1.value.utf8.count + 64 }
        _ = validators.withLock { $0.insert(validator, for: key, cost: cost) }
    }
}

/// A GET or HEAD with `If-None-Match`, and what is known of the response to it.
struct ConditionalRead: Sendable {
    /// The response: its target and its media type.
    let key: UTF8Text
    /// The response that the client has, if it was current at some version.
    let known: ValidatorCache.Validator?
    /// Whether the response is long enough for it to pay to look whether it has to be made.
    let isWorthKnowing: Bool

    /// What the service is asked for besides the answer.
    var revalidation: Revalidation? { isWorthKnowing ? Revalidation(known?.version) : nil }
}
