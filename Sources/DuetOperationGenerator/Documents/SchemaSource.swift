package import DuetGraphQL

/// Parses the schema for the validation of documents.
package enum SchemaSource {
    /// Parses and validates a schema in the schema definition language. Returns the errors if the schema is invalid.
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
