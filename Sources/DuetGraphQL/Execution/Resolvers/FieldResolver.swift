/// The resolver of a field (ResolveFieldValue; specification, section 6.4.2). It returns the value of the field for
/// objects of one Swift type. The *source* is the Swift value of the object that contains the field.
///
/// A resolver returns a ``ResolvedValue``, or any ``ResolvedValueConvertible`` such as `String`, `Int?` or a list of
/// objects. The client gets the message of a `GraphQLError` that the resolver throws. For any other error, the client
/// gets the message that ``ExecutionOptions/message`` returns.
///
/// Synchronous resolvers run on the executor of the caller of `execute`. ``ResolverExecutor`` describes the executors
/// of other resolvers.
public struct FieldResolver<Source: Sendable, UserContext: Sendable>: Sendable {
    @usableFromInline let erased: ErasedResolver

    @usableFromInline
    init(erased: ErasedResolver) { self.erased = erased }
}

// MARK: - Synchronous

// These functions are inlinable, so that the compiler specializes the casts and the conversions for the types of the
// calling module.

extension FieldResolver {
    /// Creates a resolver that reads a property, as in `.property(\.title)`.
    @inlinable
    public static func property<Value: ResolvedValueConvertible>(
        _ get: @escaping @Sendable (_ source: Source) -> Value
    ) -> FieldResolver {
        property { get($0).resolvedValue }
    }

    /// Creates a resolver that reads a value of the source.
    @inlinable
    public static func property(_ get: @escaping @Sendable (_ source: Source) -> ResolvedValue) -> FieldResolver {
        FieldResolver(erased: .sync { source, _ in get(try SourceCast.cast(source, to: Source.self)) })
    }

    /// Creates a resolver that is called while the response is written, without a task or a suspension.
    @inlinable
    public static func sync<Value: ResolvedValueConvertible>(
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext<UserContext>) throws -> Value
    ) -> FieldResolver {
        sync { try resolve($0, $1).resolvedValue }
    }

    /// Creates a resolver that is called while the response is written, without a task or a suspension.
    @inlinable
    public static func sync(
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext<UserContext>) throws -> ResolvedValue
    ) -> FieldResolver {
        FieldResolver(
            erased: .sync { source, call in
                try resolve(SourceCast.cast(source, to: Source.self), FieldContext(call))
            })
    }
}

// MARK: - Asynchronous

extension FieldResolver {
    /// Creates a resolver that is called once for each object, concurrently with other asynchronous resolvers.
    public static func async<Value: ResolvedValueConvertible>(
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext<UserContext>) async throws -> Value
    ) -> FieldResolver {
        async { try await resolve($0, $1).resolvedValue }
    }

    /// Creates a resolver that is called once for each object, concurrently with other asynchronous resolvers.
    public static func async(
        _ resolve:
            @escaping @Sendable (_ source: Source, _ context: FieldContext<UserContext>) async throws -> ResolvedValue
    ) -> FieldResolver {
        FieldResolver(
            erased: .async { source, call in
                try await resolve(SourceCast.cast(source, to: Source.self), FieldContext(call))
            })
    }

    /// Creates a resolver that is called once for all objects at the field's position in the operation. The closure
    /// returns one value for each object, in the same order.
    public static func batch<Value: ResolvedValueConvertible>(
        _ resolve:
            @escaping @Sendable (_ sources: [Source], _ context: FieldContext<UserContext>) async throws -> [Value]
    ) -> FieldResolver {
        batch { try await resolve($0, $1).map(\.resolvedValue) }
    }

    /// Creates a resolver that is called once for all objects at the field's position in the operation. The closure
    /// returns one value for each object, in the same order.
    public static func batch(
        _ resolve:
            @escaping @Sendable (_ sources: [Source], _ context: FieldContext<UserContext>) async throws
            -> [ResolvedValue]
    ) -> FieldResolver {
        FieldResolver(
            erased: .batch { sources, call in
                try await resolve(sources.map { try SourceCast.cast($0, to: Source.self) }, FieldContext(call))
            })
    }

    /// Creates a resolver that is called once for all objects at the field's position in the operation. The closure
    /// receives the distinct keys in the order of the objects, and returns the values by key. The field of an object is
    /// null if the object's key is nil, or if the result has no value for the key.
    ///
    ///     book["author"] = .batch(by: \.authorID) { ids, context in
    ///         try await context.userContext.authors(withIDs: ids)  // [Int: Author]
    ///     }
    public static func batch<Key: Hashable & Sendable, Value: ResolvedValueConvertible>(
        by key: @escaping @Sendable (_ source: Source) -> Key?,
        _ load:
            @escaping @Sendable (_ keys: [Key], _ context: FieldContext<UserContext>) async throws -> [Key: Value]
    ) -> FieldResolver {
        batch(by: key, load, missing: .null)
    }

    /// Creates a resolver for a list field. The resolver is called once for all objects at the field's position in the
    /// operation. The closure receives the distinct keys in the order of the objects, and returns the elements by key.
    /// The list of an object is empty if the object's key is nil, or if the result has no elements for the key.
    ///
    ///     author["books"] = .batch(by: \.id) { ids, context in
    ///         Dictionary(grouping: try await context.userContext.books(byAuthors: ids), by: \.authorID)
    ///     }
    public static func batch<Key: Hashable & Sendable, Element: ResolvedValueConvertible>(
        by key: @escaping @Sendable (_ source: Source) -> Key?,
        _ load:
            @escaping @Sendable (_ keys: [Key], _ context: FieldContext<UserContext>) async throws -> [Key: [Element]]
    ) -> FieldResolver {
        batch(by: key, load, missing: .list([]))
    }

    /// - Parameter missing: The value of an object whose key is nil or has no value in the result.
    private static func batch<Key: Hashable & Sendable, Value: ResolvedValueConvertible>(
        by key: @escaping @Sendable (_ source: Source) -> Key?,
        _ load:
            @escaping @Sendable (_ keys: [Key], _ context: FieldContext<UserContext>) async throws -> [Key: Value],
        missing: ResolvedValue
    ) -> FieldResolver {
        batch { sources, context in
            let keys = sources.map(key)
            var seen: Set<Key> = []
            let distinct = keys.compactMap(\.self).filter { seen.insert($0).inserted }
            let values = distinct.isEmpty ? [:] : try await load(distinct, context)
            return keys.map { key in key.flatMap { values[$0]?.resolvedValue } ?? missing }
        }
    }

    /// Creates a resolver that writes the value and all selections below it as JSON.
    public static func subtree(_ resolver: any SubtreeResolver) -> FieldResolver {
        FieldResolver(erased: .subtree(resolver))
    }

    /// Creates a resolver that writes the value and all selections below it as JSON. It is called once for each object.
    /// A ``SubtreeResolver`` can resolve several objects in one call.
    public static func subtree(
        _ resolve:
            @escaping @Sendable (_ request: SubtreeRequest, _ context: FieldContext<UserContext>) async throws
            -> SubtreeResult
    ) -> FieldResolver {
        subtree(ClosureSubtreeResolver(resolve))
    }
}

/// A resolver that calls a closure for each request.
private final class ClosureSubtreeResolver<UserContext: Sendable>: SubtreeResolver {
    typealias Resolve = @Sendable (SubtreeRequest, FieldContext<UserContext>) async throws -> SubtreeResult

    private let body: Resolve

    init(_ body: @escaping Resolve) { self.body = body }

    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
        var results: [SubtreeResult] = []
        for request in requests {
            do {
                results.append(try await resolve(request, operation))
            } catch {
                // The error of one request does not affect the other requests.
                results.append(.null(errors: [operation.executionError(error, at: nil).error]))
            }
        }
        return results
    }

    func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult {
        try await body(request, FieldContext(FieldCall(request.field, operation)))
    }
}

// MARK: - Subscriptions

extension FieldResolver {
    /// Creates a resolver for the root field of a subscription (ResolveFieldEventStream). The closure returns a
    /// sequence of events. Each event is the field's value in one response.
    ///
    /// The task that iterates over the responses also iterates over the events. If this task is canceled, the iteration
    /// over the events is canceled.
    public static func events<Events: AsyncSequence & Sendable>(
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext<UserContext>) async throws -> Events
    ) -> FieldResolver where Events.Element: ResolvedValueConvertible {
        FieldResolver(
            erased: .events(
                { source, call in
                    EventStream(try await resolve(SourceCast.cast(source, to: Source.self), FieldContext(call)))
                }, subtree: nil))
    }

    /// Creates a resolver for the root field of a subscription whose value a subtree resolver writes. The closure
    /// returns a sequence of events, as in ``events(_:)``. For each event, the subtree resolver writes the value of the
    /// field and all selections below it as JSON. The event is the ``SubtreeRequest/source`` of its request.
    public static func events<Events: AsyncSequence & Sendable>(
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext<UserContext>) async throws -> Events,
        subtree resolver: any SubtreeResolver
    ) -> FieldResolver where Events.Element: Sendable {
        FieldResolver(
            erased: .events(
                { source, call in
                    EventStream(
                        sources: try await resolve(SourceCast.cast(source, to: Source.self), FieldContext(call)))
                }, subtree: resolver))
    }

    /// Creates a resolver for the root field of a subscription whose value a closure writes; see the method with a
    /// ``SubtreeResolver``.
    public static func events<Events: AsyncSequence & Sendable>(
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext<UserContext>) async throws -> Events,
        subtree write:
            @escaping @Sendable (_ request: SubtreeRequest, _ context: FieldContext<UserContext>) async throws
            -> SubtreeResult
    ) -> FieldResolver where Events.Element: Sendable {
        events(resolve, subtree: ClosureSubtreeResolver(write))
    }
}

// MARK: - The default resolver

extension FieldResolver where Source == any Sendable {
    /// A resolver that reads a field by its name. If the source is an `ObjectValue`, the resolver returns the member
    /// with the field's name. If the source is a ``FieldSource``, the resolver calls ``FieldSource/resolve(_:)``. It
    /// throws an error for a source of any other type.
    public static var byName: FieldResolver {
        .sync { (source, context) -> ResolvedValue in
            if let members = source as? ObjectValue {
                return members[context.field.name].map(ResolvedValue.init) ?? .null
            }
            if let source = source as? any FieldSource { return try source.resolve(FieldContext(context.call)) }
            throw SourceTypeError(expected: (any FieldSource).self, found: source)
        }
    }
}

/// A source that resolves its own fields.
///
///     struct Row: FieldSource {
///         let columns: [String: Int]
///
///         func resolve(_ context: FieldContext<any Sendable>) throws -> ResolvedValue {
///             columns[context.field.name].map { .int(Int64($0)) } ?? .null
///         }
///     }
public protocol FieldSource: ObjectSource {
    /// Returns the value of a field that has no resolver in ``SchemaResolvers``.
    func resolve(_ context: FieldContext<any Sendable>) throws -> ResolvedValue
}
