public import DuetGraphQL
import ResultSetJSON

/// The GraphQL style of a service: its schema, with resolvers. It knows documents and variables, nothing of HTTP.
///
/// The user context of an execution is a ``RequestRecord``.
public struct GraphQLFace: Sendable {
    /// The schema in the schema definition language.
    public let sdl: String
    /// The schema with its resolvers.
    public let schema: ExecutableSchema

    /// Creates the style of a service.
    /// - Throws: `GraphQLErrors` for a catalogue whose names make no schema.
    public init(
        _ service: ResourceService, options: ExecutionOptions = ExecutionOptions()
    ) throws {
        sdl = SDLPrinter.schema(of: service.catalogue)
        let schema = try Schema(sdl: sdl, scalars: ["Date": DateScalar.coercion(service.encoding.dates)])
        var resolvers = SchemaResolvers()
        let query = QueryResolver(service)
        for field in schema.rootType(for: .query)?.fields ?? [] { resolvers["Query", field.name] = .subtree(query) }
        let mutation = MutationResolver(service)
        for field in schema.rootType(for: .mutation)?.fields ?? [] {
            resolvers["Mutation", field.name] = .subtree(mutation)
        }
        self.schema = try ExecutableSchema(schema, resolvers: resolvers, options: options)
    }

    /// The schema of a catalogue in the schema definition language.
    public static func sdl(of catalogue: Catalogue) -> String {
        SDLPrinter.schema(of: catalogue)
    }
}
