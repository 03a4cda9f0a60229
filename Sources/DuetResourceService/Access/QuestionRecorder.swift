import DuetGraphQL
import DuetJSON
import Synchronization

/// A resolver of the fields of `Query` that records the questions of an operation, and reads nothing.
final class QuestionRecorder: SubtreeResolver {
    private struct Record {
        var questions: [Question] = []
        var errors: [any Error] = []
    }

    private let filters: FilterReader
    private let record = Mutex(Record())

    private init(_ service: ResourceService, _ catalogue: Catalogue) {
        filters = FilterReader(
            catalogue: catalogue,
            values: ValueReader(dates: service.encoding.dates, dialect: service.database.dialect))
    }

    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
        requests.map { request in
            let reader = SelectionReader(filters: filters, operation: operation)
            let question = Result { try reader.question(request.field, request.arguments) }
            record.withLock { record in
                switch question {
                case .success(let question): record.questions.append(question)
                case .failure(let error): record.errors.append(error)
                }
            }
            return .null()
        }
    }

    /// The questions of an operation and its errors.
    struct Outcome {
        var questions: [Question] = []
        var errors: [GraphQLError] = []
        /// True if the operation cannot be executed, so that its response has no data.
        var isRequestError = false
    }

    /// Returns the questions of the operation in a document.
    /// - Parameter catalogue: The catalogue whose schema the document uses.
    /// - Throws: `GraphQLErrors` if the names in the catalogue do not result in a valid schema; `CancellationError`.
    static func outcome(
        _ document: String, _ variables: ObjectValue, _ service: ResourceService, _ catalogue: Catalogue
    ) async throws -> Outcome {
        let recorder = QuestionRecorder(service, catalogue)
        return try await recorder.outcome(try recorder.schema(of: catalogue), document, variables)
    }

    private func schema(of catalogue: Catalogue) throws -> ExecutableSchema<any Sendable> {
        try ExecutableSchema(
            try CatalogueSchema.schema(of: catalogue, dates: filters.values.dates, query: self, mutation: self),
            userContext: (any Sendable).self)
    }

    private func outcome(
        _ schema: ExecutableSchema<any Sendable>, _ document: String, _ variables: ObjectValue
    ) async throws(CancellationError) -> Outcome {
        let response = try await schema.execute(document, variables: variables, userContext: ())
        guard response.kind != .requestError else { return Outcome(errors: response.errors, isRequestError: true) }
        let record = record.withLock { $0 }
        // The response has further errors, because the recorder returns null.
        return Outcome(questions: record.questions, errors: record.errors.map { GraphQLError($0) })
    }
}
