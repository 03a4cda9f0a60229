/// The resolver of a field (ResolveFieldValue; specification, section 6.4.2).
public enum FieldResolver: Sendable {
    /// Synchronous: is called while the response is written, without task and suspension.
    case sync(@Sendable (_ source: any Sendable, _ context: FieldContext) throws -> ResolvedValue)
    /// Asynchronous: is called once for each object, concurrently with other asynchronous resolvers.
    case async(@Sendable (_ source: any Sendable, _ context: FieldContext) async throws -> ResolvedValue)
    /// Asynchronous: is called once for all objects at the field's position in the plan. Returns one value for each object, in the same
    /// order.
    case batch(@Sendable (_ sources: [any Sendable], _ context: FieldContext) async throws -> [ResolvedValue])
    /// Asynchronous: writes the value with everything selected below it, as JSON.
    case subtree(any SubtreeResolver)
    /// For a subscription's root field (ResolveFieldEventStream): returns the events. Each event is the field's value in one response.
    case events(@Sendable (_ source: any Sendable, _ context: FieldContext) async throws -> EventStream)
}

extension FieldResolver {
    /// A synchronous resolver for sources of a type.
    @inlinable
    public static func sync<Source: Sendable>(
        on type: Source.Type,
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext) throws -> ResolvedValue
    ) -> FieldResolver {
        .sync { source, context in
            try resolve(SourceCast.cast(source, to: type), context)
        }
    }

    /// A synchronous resolver that reads a property of sources of a type.
    @inlinable
    public static func property<Source: Sendable>(
        _ get: @escaping @Sendable (Source) -> ResolvedValue
    ) -> FieldResolver {
        .sync { source, _ in
            try get(SourceCast.cast(source, to: Source.self))
        }
    }

    /// An asynchronous resolver for sources of a type.
    @inlinable
    public static func async<Source: Sendable>(
        on type: Source.Type,
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext) async throws -> ResolvedValue
    ) -> FieldResolver {
        .async { source, context in
            try await resolve(SourceCast.cast(source, to: type), context)
        }
    }

    /// A batch resolver for sources of a type.
    @inlinable
    public static func batch<Source: Sendable>(
        on type: Source.Type,
        _ resolve: @escaping @Sendable (_ sources: [Source], _ context: FieldContext) async throws -> [ResolvedValue]
    ) -> FieldResolver {
        .batch { sources, context in
            try await resolve(sources.map { try SourceCast.cast($0, to: type) }, context)
        }
    }
}

/// The error of a resolver that is called with a source of another type.
public struct SourceTypeError: Error, CustomStringConvertible {
    /// The type that the resolver is made for.
    public let expected: any Any.Type
    /// The type of the source.
    public let found: any Any.Type

    @usableFromInline
    init(expected: any Any.Type, found: any Sendable) {
        self.expected = expected
        self.found = Swift.type(of: found)
    }

    /// A message with both types.
    public var description: String { "a resolver for \(expected) was given a \(found)" }
}

/// A cast that is several times faster than `as?` if the value has exactly the given type, as it nearly always has.
@usableFromInline
enum SourceCast {
    @inlinable
    @inline(__always)
    static func cast<Source>(_ source: any Sendable, to type: Source.Type) throws -> Source {
        @inline(__always)
        func open<Actual>(_ actual: Actual) -> Source? {
            // The types are the same, so this is a copy of the value.
            Actual.self == Source.self ? unsafeBitCast(actual, to: Source.self) : nil
        }
        if let same = _openExistential(source, do: open) { return same }
        guard let other = source as? Source else { throw SourceTypeError(expected: Source.self, found: source) }
        return other
    }
}
