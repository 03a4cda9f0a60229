import DuetGraphQL
import NIOCore

/// Executes operations in tests. A field without a resolver is read from its parent object if this object is an
/// `ObjectValue`. Otherwise, the field is null.
enum Executing {
    static func schema(
        _ sdl: String, options: ExecutionOptions = ExecutionOptions(),
        _ resolvers: (inout SchemaResolvers<Void>) -> Void = { _ in }
    ) throws -> ExecutableSchema<Void> {
        var all = SchemaResolvers()
        all.defaultResolver = .sync { (source, context) -> ResolvedValue in
            (source as? ObjectValue)?[context.field.name].map { ResolvedValue($0) } ?? .null
        }
        resolvers(&all)
        return try ExecutableSchema(Schema(sdl: sdl), resolvers: all, options: options)
    }

    static func text(
        _ query: String, on schema: ExecutableSchema<Void>, variables: ObjectValue = [:], root: any Sendable = (),
        operationName: String? = nil
    ) async throws -> String {
        try await response(query, on: schema, variables: variables, root: root, operationName: operationName).text
    }

    static func response(
        _ query: String, on schema: ExecutableSchema<Void>, variables: ObjectValue = [:], root: any Sendable = (),
        operationName: String? = nil
    ) async throws -> GraphQLResponse {
        let operation: PreparedOperation<Void>
        do {
            operation = try PreparedOperation(
                unvalidated: try Parser.parse(query), operationName: operationName, schema: schema)
        } catch let errors as GraphQLErrors {
            return GraphQLResponse(requestErrors: errors)
        }
        return try await operation.execute(variables: variables, rootValue: root)
    }
}
