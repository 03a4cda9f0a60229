import ArgumentParser
import ClientDocuments
import DuetGraphQL
import DuetResourceService
import Employees

/// What the commands that hold documents against a schema have in common.
extension SourceFiles {
    /// - Throws: `ValidationError` if the standard input is to be both.
    static func checkStandardInput(schema: String?, _ documents: [String]) throws {
        guard schema != standardInput || !documents.contains(standardInput) else {
            throw ValidationError("The standard input is the schema or a document, not both.")
        }
    }

    /// Reads a schema, by default the service's own, and documents.
    /// - Throws: the exit with status 66 if a file cannot be read; the person has been told.
    static func inputs(schema: String?, _ documents: [String]) throws -> (schema: Source, documents: [Source]) {
        do {
            let schema = try schema.map(read) ?? Source(try GraphQLStyle.employeesSDL, name: "the schema of duet")
            return (schema, try Self.documents(documents))
        } catch let error as Unreadable {
            throw StartFailure.report(error.description, status: 66)
        }
    }
}
