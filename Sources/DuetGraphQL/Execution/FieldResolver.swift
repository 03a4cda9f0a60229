/// How a field gets its value.
public enum FieldResolver: Sendable {
    /// At once, while the response is written: no task, no suspension.
    case sync(@Sendable (_ source: any Sendable, _ context: FieldContext) throws -> ResolvedValue)
    /// Later, one object at a time, concurrently with all else that is asked for at the same time.
    case async(@Sendable (_ source: any Sendable, _ context: FieldContext) async throws -> ResolvedValue)
    /// Later, for all objects at this place of the operation at once. It gives one value per object, in their order.
    case batch(@Sendable (_ sources: [any Sendable], _ context: FieldContext) async throws -> [ResolvedValue])
    /// With everything below it, as JSON.
    case subtree(any SubtreeResolver)
    /// A subscription's root field: gives the events, each of which is the field's value in one response.
    case events(@Sendable (_ source: any Sendable, _ context: FieldContext) async throws -> EventStream)
}

extension FieldResolver {
    /// At once, from a source of that type.
    @inlinable
    public static func sync<Source: Sendable>(
        on type: Source.Type,
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext) throws -> ResolvedValue
    ) -> FieldResolver {
        .sync { source, context in
            try resolve(SourceCast.cast(source, to: type), context)
        }
    }

    /// At once, from a property of a source of that type.
    @inlinable
    public static func property<Source: Sendable>(
        _ get: @escaping @Sendable (Source) -> ResolvedValue
    ) -> FieldResolver {
        .sync { source, _ in
            try get(SourceCast.cast(source, to: Source.self))
        }
    }

    /// Later, from a source of that type.
    @inlinable
    public static func async<Source: Sendable>(
        on type: Source.Type,
        _ resolve: @escaping @Sendable (_ source: Source, _ context: FieldContext) async throws -> ResolvedValue
    ) -> FieldResolver {
        .async { source, context in
            try await resolve(SourceCast.cast(source, to: type), context)
        }
    }

    /// Later, for all sources of that type at once.
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

/// A resolver was given an object of another type than it is made for.
public struct SourceTypeError: Error, CustomStringConvertible {
    /// What the resolver is made for.
    public let expected: any Any.Type
    /// What it was given.
    public let found: any Any.Type

    @usableFromInline
    init(expected: any Any.Type, found: any Sendable) {
        self.expected = expected
        self.found = Swift.type(of: found)
    }

    /// Both types.
    public var description: String { "a resolver for \(expected) was given a \(found)" }
}

/// Opens an existential whose type is nearly always the one asked for: several times faster than a dynamic cast.
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
