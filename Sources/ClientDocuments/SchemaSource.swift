package import DuetGraphQL

/// A schema that documents are held against.
package enum SchemaSource {
    /// The schema of a text in the schema definition language, or what is wrong with it.
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
