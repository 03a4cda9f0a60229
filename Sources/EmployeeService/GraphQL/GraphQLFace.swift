public import DuetGraphQL
import ResultSetJSON

/// The GraphQL side of the service: its schema, and operations ready to be executed.
///
/// It knows documents and variables, nothing of HTTP. The user context of an execution is a ``RequestRecord``.
public struct GraphQLFace: Sendable {
    /// The schema in the schema definition language, as it is served and printed.
    public static let sdl =
        String(decoding: PackageResources.schema_graphql, as: UTF8.self) + "\n" + CacheControl.directiveDefinitions
        + "\n" + CostModel.directiveDefinitions

    /// The schema with its resolvers.
    public let schema: ExecutableSchema

    /// The face of that service.
    /// - Throws: nothing but an error in this module's own schema, which a test would have found.
    public init(_ service: EmployeeService, options: ExecutionOptions = ExecutionOptions()) throws {
        let schema = try DuetGraphQL.Schema(
            sdl: Self.sdl, scalars: ["Date": DateScalar.coercion(service.encoding.dates)])
        var resolvers = SchemaResolvers()
        let query = QueryResolver(service)
        for field in schema.rootType(for: .query)?.fields ?? [] {
            resolvers["Query", field.name] = .subtree(query)
        }
        let mutation = MutationResolver(service)
        for field in schema.rootType(for: .mutation)?.fields ?? [] {
            resolvers["Mutation", field.name] = .subtree(mutation)
        }
        self.schema = try ExecutableSchema(schema, resolvers: resolvers, options: options)
    }
}
