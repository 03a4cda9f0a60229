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
