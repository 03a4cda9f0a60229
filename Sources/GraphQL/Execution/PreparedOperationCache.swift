internal import JSON
internal import Synchronization

/// Keeps operations that were parsed, validated and planned, by document and operation name. Bounded in number and in bytes;
/// the least recently used are dropped. Only valid operations are kept.
public final class PreparedOperationCache: Sendable {
    /// What the cache did and holds.
    public struct Statistics: Sendable, Hashable {
        /// How often an operation was there.
        public var hits = 0
        /// How often one had to be prepared.
        public var misses = 0
        /// How many operations are there.
        public var count = 0
        /// About how many bytes they take.
        public var bytes = 0
    }

    /// A step on the way from a document to an operation that can be executed.
    public enum Step: Sendable, Hashable {
        /// Looking it up in the cache.
        case lookUp
        /// Reading the document.
        case parse
        /// Holding it against the schema.
        case validate
        /// Making its plan.
        case plan
    }

    /// Says what is wrong with a document.
    public typealias Validation = @Sendable (_ document: Document, _ schema: Schema) -> [GraphQLError]

    /// The schema the operations are for.
    public let schema: ExecutableSchema
    private let maximumCount: Int
    private let maximumBytes: Int
    private let limits: ParserLimits
    private let validate: Validation
    private let state = Mutex(State())

    fileprivate struct Key: Hashable {
        let document: UTF8Text
        let operationName: UTF8Text?
    }

    fileprivate struct Entry {
        let operation: PreparedOperation
        /// As it was when the operation was used last: plans are made while it is executed.
        var bytes: Int
        /// The neighbours in the order of use.
        var newer: Key?
        var older: Key?
    }

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        var newest: Key?
        var oldest: Key?
        var statistics = Statistics()
    }

    /// An empty cache.
    /// - Parameters:
    ///   - maximumCount: the most operations kept.
    ///   - maximumBytes: about how many bytes they may take together. An operation that takes more is never kept.
    ///   - validate: says what is wrong with a document; documents with errors are not executed.
    public init(
        schema: ExecutableSchema, maximumCount: Int = 1_000, maximumBytes: Int = 64 << 20,
        limits: ParserLimits = .request,
        validate: @escaping Validation = { GraphQL.Validation.validate($0, against: $1) }
    ) {
        self.schema = schema
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
        self.limits = limits
        self.validate = validate
    }

    /// What the cache did so far, and holds now.
    public var statistics: Statistics {
        state.withLock { state in
            state.statistics.count = state.entries.count
            return state.statistics
        }
    }

    /// The operation of a document, from the cache or made now.
    /// - Parameter ended: is told of each step when it is done, well or not, so that a caller can take the time.
    /// - Throws: request errors: a syntax error, validation errors, or no such operation.
    public func operation(
        in document: String, named operationName: String? = nil, ended: (Step) -> Void = { _ in }
    ) throws(GraphQLErrors) -> PreparedOperation {
        let key = Key(document: UTF8Text(document), operationName: operationName.map(UTF8Text.init))
        // What is too long to be read is not looked for either: it would cost time while others wait.
        if document.utf8.count <= limits.sourceBytes, (operationName?.utf8.count ?? 0) <= limits.sourceBytes {
            let known = state.withLock { $0.use(key, maximumBytes) }
            ended(.lookUp)
            if let known { return known }
        }
        let parsed: Document
        do {
            defer { ended(.parse) }
            parsed = try Parser.parse(Source(document), limits: limits)
        } catch {
            throw GraphQLErrors([error])
        }
        let errors = validate(parsed, schema.schema)
        ended(.validate)
        if !errors.isEmpty { throw GraphQLErrors(errors) }
        let operation = try PreparedOperation(parsed, operationName: operationName, schema: schema)
        ended(.plan)
        let bytes = operation.estimatedBytes
        if bytes <= maximumBytes, maximumCount > 0 {
            state.withLock { $0.insert(operation, for: key, bytes, maximumCount, maximumBytes) }
        }
        return operation
    }
}

// MARK: - Order of use

extension PreparedOperationCache.State {
    fileprivate mutating func use(_ key: PreparedOperationCache.Key, _ maximumBytes: Int) -> PreparedOperation? {
        guard let entry = entries[key] else {
            statistics.misses += 1
            return nil
        }
        statistics.hits += 1
        if newest != key {
            unlink(entry)
            link(key)
        }
        let bytes = entry.operation.estimatedBytes
        if bytes != entry.bytes {
            entries[key]?.bytes = bytes
            statistics.bytes += bytes - entry.bytes
            while let oldest, statistics.bytes > maximumBytes { remove(oldest) }
        }
        return entry.operation
    }

    fileprivate mutating func insert(
        _ operation: PreparedOperation, for key: PreparedOperationCache.Key, _ bytes: Int, _ maximumCount: Int,
        _ maximumBytes: Int
    ) {
        if entries[key] != nil { remove(key) }
        while let oldest, entries.count >= maximumCount || statistics.bytes + bytes > maximumBytes { remove(oldest) }
        entries[key] = PreparedOperationCache.Entry(operation: operation, bytes: bytes)
        statistics.bytes += bytes
        link(key)
    }

    private mutating func remove(_ key: PreparedOperationCache.Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        statistics.bytes -= entry.bytes
        unlink(entry)
    }

    private mutating func unlink(_ entry: PreparedOperationCache.Entry) {
        if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
        if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    }

    private mutating func link(_ key: PreparedOperationCache.Key) {
        entries[key]?.older = newest
        entries[key]?.newer = nil
        if let newest { entries[newest]?.newer = key } else { oldest = key }
        newest = key
    }
}
