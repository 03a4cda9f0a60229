import DuetGraphQL
import DuetResultSetJSON
import DuetSQLDatabase
import Synchronization
import Testing

@testable import DuetResourceService

/// A GraphQL API whose resolver converts the root fields of a query into ``Question``s, and accesses no database.
struct GraphQLQuestions {
    private final class Reader: SubtreeResolver {
        let catalogue: Catalogue
        let results = Mutex<[Result<Question, any Error>]>([])

        init(_ catalogue: Catalogue) { self.catalogue = catalogue }

        func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
            let reader = SelectionReader(
                filters: FilterReader(catalogue: catalogue, values: ValueReader(dates: .iso, dialect: .mariaDB)),
                operation: operation)
            return requests.map { request in
                let result = Result { try reader.question(request.field, request.arguments) }
                results.withLock { $0.append(result) }
                return .null()
            }
        }
    }

    private let reader: Reader
    private let schema: ExecutableSchema<any Sendable>

    /// Creates the API of a catalog.
    init(_ catalogue: Catalogue) throws {
        reader = Reader(catalogue)
        schema = try ExecutableSchema(
            CatalogueSchema.schema(of: catalogue, query: reader), userContext: (any Sendable).self)
    }

    /// Returns the ``Question`` of an operation with one root field.
    /// - Throws: The error of parsing the field; `GraphQLErrors` if the operation is invalid.
    func question(_ document: String, variables: ObjectValue = [:]) async throws -> Question {
        reader.results.withLock { $0 = [] }
        let response = try await schema.execute(document, variables: variables, userContext: ())
        guard response.errors.isEmpty else { throw GraphQLErrors(response.errors) }
        return try #require(reader.results.withLock { $0 }.first).get()
    }
}
