internal import Synchronization

/// A ``FieldResolver`` without the Swift types of its source and its user context. The engine stores and calls
/// resolvers in this form.
@usableFromInline
enum ErasedResolver: Sendable {
    case sync(@Sendable (_ source: any Sendable, _ call: FieldCall) throws -> ResolvedValue)
    case async(@Sendable (_ source: any Sendable, _ call: FieldCall) async throws -> ResolvedValue)
    case batch(@Sendable (_ sources: [any Sendable], _ call: FieldCall) async throws -> [ResolvedValue])
    case subtree(any SubtreeResolver)
    /// A resolver of a subscription. If `subtree` is not nil, this resolver writes the field for each event.
    case events(
        @Sendable (_ source: any Sendable, _ call: FieldCall) async throws -> EventStream,
        subtree: (any SubtreeResolver)?)

    /// The resolver that writes the field with all selections below it; nil if the engine executes these selections.
    var subtreeResolver: (any SubtreeResolver)? {
        switch self {
        case .subtree(let resolver): resolver
        case .events(_, let resolver): resolver
        case .sync, .async, .batch: nil
        }
    }
}

/// The resolver of a field that was created together with its resolver.
struct BoundResolver: Sendable {
    let erased: ErasedResolver
    /// The type of the user context that the resolver requires.
    let userContext: any Any.Type

    init<Source, UserContext>(_ resolver: FieldResolver<Source, UserContext>) {
        erased = resolver.erased
        userContext = UserContext.self
    }
}

/// A field of a request, with its arguments. Several calls of the field's resolver can share this object.
///
/// A resolver receives this object in a ``FieldContext``, which adds the type of the user context.
@usableFromInline
final class FieldCall: Sendable {
    @usableFromInline let field: PlannedField
    @usableFromInline let operation: OperationContext
    /// The coerced arguments that have values.
    let arguments: ObjectValue

    /// - Throws: An error if the coercion of the arguments fails.
    init(_ field: PlannedField, _ operation: OperationContext) throws(GraphQLError) {
        self.field = field
        self.operation = operation
        arguments = try operation.arguments(of: field)
    }

    subscript(argument: String) -> Value? { arguments[argument] }
}

/// The source stream of a subscription (specification, section 6.2.3.1): the values of its root field, or the sources
/// of its subtree resolver as objects.
@usableFromInline
struct EventStream: Sendable {
    let makeIterator: @Sendable () -> @concurrent () async throws -> ResolvedValue?

    init<Events: AsyncSequence & Sendable>(_ events: Events) where Events.Element: ResolvedValueConvertible {
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return { @concurrent in try await iterator.next()?.resolvedValue }
        }
    }

    /// Creates a stream of sources for a subtree resolver.
    init<Events: AsyncSequence & Sendable>(sources events: Events) where Events.Element: Sendable {
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return { @concurrent in try await iterator.next().map { ResolvedValue.object($0) } }
        }
    }
}
