internal import DuetBoundedCache
package import DuetJSON
internal import Synchronization

/// A cache of parsed, validated and planned operations. The key is the document and the operation name.
///
/// The number of operations and their memory are bounded (``ExecutionOptions/operationCache``). The cache evicts
/// operations that were used once before operations that were used several times. It does not store documents with
/// errors.
public final class PreparedOperationCache: Sendable {
    /// The counters of a cache.
    public struct Statistics: Sendable, Hashable {
        /// The number of cache hits.
        public var hits = 0
        /// The number of cache misses.
        public var misses = 0
        /// The number of cached operations.
        public var count = 0
        /// The estimated memory of the cached operations in bytes.
        public var bytes = 0
    }

    /// A step of the preparation of an operation.
    public enum Step: Sendable, Hashable {
        /// Parsing the document.
        case parse
        /// Validating the document against the schema.
        case validate
        /// Selecting the operation by its name (GetOperation; specification, section 6.1).
        case find
        /// Planning the operation.
        case plan
    }

    private let schema: ResolvedSchema
    private var options: ExecutionOptions { schema.options }
    private let state: Mutex<State>

    private struct Key: Hashable {
        let document: UTF8Text
        let operationName: UTF8Text?

        init(_ document: UTF8Text, _ operationName: String?) {
            self.document = document
            self.operationName = operationName.map(UTF8Text.init)
        }
    }

    private struct State {
        var operations: SegmentedLRU<Key, PlannedOperation>
        var statistics = Statistics()
        /// The positions of recently used operations in ``operations``, by ``RecentIndex/slot(of:named:)``.
        var recent = RecentIndex()

        mutating func use(_ key: Key) -> PlannedOperation? {
            // An execution can add a plan to the operation, which increases its cost (the estimated memory).
            let operation = operations.use(key, costing: { $0.estimatedBytes })
            if operation == nil { statistics.misses += 1 } else { statistics.hits += 1 }
            return operation
        }

        /// Returns the operation of a recently used document, without hashing the document.
        mutating func useRecent(
            _ document: UnsafeRawBufferPointer, _ operationName: String?, slot: Int
        ) -> PlannedOperation? {
            let operation = operations.use(
                at: recent[slot], where: { $0.isOperation(in: document, named: operationName) },
                costing: { $0.estimatedBytes })
            if operation != nil { statistics.hits += 1 }
            return operation
        }
    }

    init(schema: ResolvedSchema) {
        self.schema = schema
        let limits = schema.options.operationCache
        state = Mutex(
            State(operations: SegmentedLRU(maximumCount: limits.maximumCount, maximumCost: limits.maximumBytes)))
    }

    /// The current counters.
    public var statistics: Statistics {
        state.withLock { state in
            state.statistics.count = state.operations.count
            state.statistics.bytes = state.operations.cost
            return state.statistics
        }
    }

    /// Returns the operation of a document. Prepares the operation if it is not cached.
    /// - Throws: Request errors: a syntax error, validation errors, or an unknown operation.
    package func operation(
        in document: String, named operationName: String? = nil
    ) throws(GraphQLErrors) -> PlannedOperation {
        if let cached = cachedOperation(in: document, named: operationName) { return cached }
        return try prepareOperation(in: UTF8Text(document), named: operationName)
    }

    /// Returns the operation of a document whose hash is already computed, such as a persisted document.
    package func operation(
        in text: UTF8Text, named operationName: String? = nil
    ) throws(GraphQLErrors) -> PlannedOperation {
        if let cached = cachedOperation(in: text, named: operationName) { return cached }
        return try prepareOperation(in: text, named: operationName)
    }

    /// Returns the operation of a document if it is cached.
    package func cachedOperation(in document: String, named operationName: String? = nil) -> PlannedOperation? {
        // Hashing a document of 6 KB takes longer than the execution of a small operation. Therefore, recently used
        // documents are looked up without a hash.
        var slot: Int?
        let recent = document.utf8.withContiguousStorageIfAvailable { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let recentSlot = RecentIndex.slot(of: bytes, named: operationName)
            slot = recentSlot
            return state.withLock { $0.useRecent(bytes, operationName, slot: recentSlot) }
        }
        if let recent, let recent { return recent }
        guard let key = key(UTF8Text(document), operationName) else { return nil }
        return state.withLock { state in
            let operation = state.use(key)
            if let slot, operation != nil, let place = state.operations.place(of: key) { state.recent[slot] = place }
            return operation
        }
    }

    /// Returns the operation of a document whose hash is already computed, if the operation is cached.
    package func cachedOperation(in text: UTF8Text, named operationName: String? = nil) -> PlannedOperation? {
        key(text, operationName).flatMap { key in state.withLock { $0.use(key) } }
    }

    /// Returns the key of a document; nil if the document is too long for the parser. A comparison of such a document
    /// would hold the lock for too long.
    private func key(_ text: UTF8Text, _ operationName: String?) -> Key? {
        let maximumBytes = options.parserLimits.sourceBytes
        guard text.string.utf8.count <= maximumBytes, (operationName?.utf8.count ?? 0) <= maximumBytes else {
            return nil
        }
        return Key(text, operationName)
    }

    /// Parses, validates and plans the operation of a document, and caches it.
    /// - Parameter ended: A function for measurements. It is called at the end of each step, even if the step fails.
    /// - Throws: Request errors: a syntax error, validation errors, or an unknown operation.
    package func prepareOperation(
        in text: UTF8Text, named operationName: String? = nil, ended: (Step) -> Void = { _ in }
    ) throws(GraphQLErrors) -> PlannedOperation {
        let parsed: Document
        do {
            defer { ended(.parse) }
            parsed = try Parser.parse(Source(text.string), limits: options.parserLimits)
        } catch {
            throw GraphQLErrors([error])
        }
        var validation = options.validation
        // Suggestions would disclose names of a schema that clients must not introspect.
        if !options.isIntrospectionEnabled { validation.suggestsNames = false }
        let errors = Validation.validate(
            parsed, against: schema.schema, rules: options.validationRules, options: validation)
        ended(.validate)
        if !errors.isEmpty { throw GraphQLErrors(errors) }
        let definition: OperationDefinition
        do {
            defer { ended(.find) }
            definition = try PlannedOperation.definition(named: operationName, in: parsed)
        } catch {
            throw GraphQLErrors([error])
        }
        let operation: PlannedOperation
        do {
            defer { ended(.plan) }
            operation = try PlannedOperation(parsed, definition, resolvedSchema: schema)
        }
        let key = Key(text, operationName)
        state.withLock { _ = $0.operations.insert(operation, for: key, cost: operation.estimatedBytes) }
        return operation
    }
}

/// Limits of a ``PreparedOperationCache``.
public struct OperationCacheLimits: Sendable, Hashable {
    /// The maximum number of operations.
    public var maximumCount: Int
    /// The maximum estimated memory of all operations in bytes. A larger operation is not cached.
    public var maximumBytes: Int

    /// Creates limits; by default 1,000 operations and 64 MiB.
    public init(maximumCount: Int = 1_000, maximumBytes: Int = 64 << 20) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }
}

/// A table that maps texts to numbers in constant time. The slot of a text depends on a few of its bytes. If two texts
/// have the same slot, the table stores only the number of the later text. A number can therefore belong to another
/// text, so the caller must compare the texts.
///
/// If the number of a text was replaced, the lookup of the text costs a comparison in addition to the regular lookup.
struct RecentIndex {
    private static let count = 256
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var numbers = [Int](repeating: .max, count: count)

    /// The number in a slot; `Int.max` if the slot is empty.
    subscript(slot: Int) -> Int {
        get { numbers[slot] }
        set { numbers[slot] = newValue }
    }

    /// Returns the slot of a text and a short name. The slot depends on the length of the text, on eight bytes at the
    /// beginning, in the middle and at the end of the text, and on the name.
    @inline(__always)
    static func slot(of text: UnsafeRawBufferPointer, named name: String?) -> Int {
        let count = text.count
        var mixed = UInt64(count)
        if count >= 8 {
            let first = text.loadUnaligned(as: UInt64.self)
            let middle = text.loadUnaligned(fromByteOffset: count / 2 - 4, as: UInt64.self)
            let last = text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            mixed = ((mixed &* 31 ^ first) &* factor ^ middle) &* factor ^ last
        } else {
            for byte in text { mixed = mixed << 8 | UInt64(byte) }
        }
        if let name { mixed ^= number(of: name) }
        return Int((mixed &* factor) >> 56)
    }

    /// Returns a number that depends on the first 32 bytes of a name. It is not inlined, because most requests have no
    /// name.
    @inline(never)
    private static func number(of name: String) -> UInt64 {
        name.utf8.prefix(32).reduce(1) { $0 &* 31 &+ UInt64($1) }
    }
}
