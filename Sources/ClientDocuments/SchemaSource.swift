package import DuetGraphQL

/// The schema that documents are validated against.
package enum SchemaSource {
    /// Parses and validates a schema in the schema definition language. Returns its errors if it is invalid.
    package static func schema(_ source: Source) -> Result<Schema, GraphQLErrors> {
        do {
            let schema = try Schema(document: try Parser.parse(source, limits: .schema))
            let errors = schema.validate()
            return errors.isEmpty ? .success(schema) : .failure(GraphQLErrors(errors))
        } catch let error as GraphQLErrors {
            return .failure(error)
        } catch let error as GraphQLError {
            return .failure(GraphQLErrors([error]))
        } catch {
            return .failure(GraphQLErrors([GraphQLError("\(error)")]))
        }
    }
}
