/// A ``FieldResolver`` without the Swift types of its source and its user context. The engine stores and calls
/// resolvers in this form.
@usableFromInline
enum ErasedResolver: Sendable {
    case sync(@Sendable (_ source: any Sendable, _ call: FieldCall) throws -> ResolvedValue)
    case async(@Sendable (_ source: any Sendable, _ call: FieldCall) async throws -> ResolvedValue)
    case batch(@Sendable (_ sources: [any Sendable], _ call: FieldCall) async throws -> [ResolvedValue])
    case subtree(any SubtreeResolver)
    case events(@Sendable (_ source: any Sendable, _ call: FieldCall) async throws -> EventStream)
}
