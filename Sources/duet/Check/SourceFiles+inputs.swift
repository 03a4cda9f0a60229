import ArgumentParser
import DuetEmployees
import DuetGraphQL
import DuetOperationGenerator
import DuetResourceService

/// The common input of the commands that validate documents against a schema.
extension SourceFiles {
    /// - Throws: `ValidationError` if the standard input is used for both the schema and a document.
    static func checkStandardInput(schema: String?, _ documents: [String]) throws {
        guard schema != standardInput || !documents.contains(standardInput) else {
            throw ValidationError("Only the schema or one document can be the standard input, not both.")
        }
    }

    /// Reads documents and a schema. The default schema is the schema of the employees API.
    /// - Throws: `ExitCode` 66 after a message if a file cannot be read.
    static func inputs(schema: String?, _ documents: [String]) throws -> (schema: Source, documents: [Source]) {
        do {
            let schema = try schema.map(read) ?? Source(try GraphQLStyle.employeesSDL, name: "the schema of duet")
            return (schema, try Self.documents(documents))
        } catch let error as Unreadable {
            throw StartFailure.report(error.description, status: 66)
        }
    }
}
