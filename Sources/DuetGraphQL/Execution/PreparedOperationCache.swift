internal import BoundedCache
public import DuetJSON
internal import Synchronization

/// Keeps operations that were parsed, validated and planned, by document and operation name. Bounded in number and in bytes;
/// operations that were used once are dropped before those used again. Only valid ones are kept.
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
    private let limits: ParserLimits
    private let validate: Validation
    private let state: Mutex<State>

    private struct Key: Hashable {
        let document: UTF8Text
        let operationName: UTF8Text?
    }

    private struct State {
        var operations: SegmentedLRU<Key, PreparedOperation>
        var statistics = Statistics()

        mutating func use(_ key: Key) -> PreparedOperation? {
            // Plans are made while it is executed.
            let operation = operations.use(key, costing: \.estimatedBytes)
            if operation == nil { statistics.misses += 1 } else { statistics.hits += 1 }
            return operation
        }
    }

    /// An empty cache.
    /// - Parameters:
    ///   - maximumCount: the most operations kept.
    ///   - maximumBytes: about how many bytes they may take together. An operation that takes more is never kept.
    ///   - validate: says what is wrong with a document; documents with errors are not executed.
    public init(
        schema: ExecutableSchema, maximumCount: Int = 1_000, maximumBytes: Int = 64 << 20,
        limits: ParserLimits = .request,
        validate: @escaping Validation = { DuetGraphQL.Validation.validate($0, against: $1) }
    ) {
        self.schema = schema
        state = Mutex(State(operations: SegmentedLRU(maximumCount: maximumCount, maximumCost: maximumBytes)))
        self.limits = limits
        self.validate = validate
    }

    /// What the cache did so far, and holds now.
    public var statistics: Statistics {
        state.withLock { state in
            state.statistics.count = state.operations.count
            state.statistics.bytes = state.operations.cost
            return state.statistics
        }
    }

    /// The operation of a document, from the cache or made now.
    /// - Parameter ended: is told of each step when it is done, well or not, so that a caller can take the time.
    /// - Throws: request errors: a syntax error, validation errors, or no such operation.
    public func operation(
        in document: String, named operationName: String? = nil, ended: (Step) -> Void = { _ in }
    ) throws(GraphQLErrors) -> PreparedOperation {
        try operation(in: UTF8Text(document), named: operationName, ended: ended)
    }

    /// The operation of a document that is kept with its hash, such as a persisted one.
    public func operation(
        in text: UTF8Text, named operationName: String? = nil, ended: (Step) -> Void = { _ in }
    ) throws(GraphQLErrors) -> PreparedOperation {
        let document = text.string
        let key = Key(document: text, operationName: operationName.map(UTF8Text.init))
        // What is too long to be read is not looked for either: it would cost time while others wait.
        if document.utf8.count <= limits.sourceBytes, (operationName?.utf8.count ?? 0) <= limits.sourceBytes {
            let known = state.withLock { $0.use(key) }
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
        state.withLock { _ = $0.operations.insert(operation, for: key, cost: operation.estimatedBytes) }
        return operation
    }
}
