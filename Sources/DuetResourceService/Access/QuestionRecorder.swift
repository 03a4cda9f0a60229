import DuetGraphQL
import DuetJSON
import Synchronization

/// A resolver of the fields of `Query` and `Mutation` that records the questions and changes of an operation. It reads
/// and changes nothing.
final class QuestionRecorder: SubtreeResolver {
    private struct Record {
        var questions: [Question] = []
        var changes: [RequestedChange] = []
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
            if let bound = try? request.field.binding(as: BoundWrite.self) {
                record(bound, request, reader, operation)
                return .null()
            }
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

    /// Records a change, and the questions for the row in its payload.
    private func record(
        _ bound: BoundWrite, _ request: SubtreeRequest, _ reader: SelectionReader, _ operation: OperationContext
    ) {
        var change = RequestedChange(write: bound.write)
        let members = request.arguments[bound.write.valuesArgument]?.inputMembers ?? []
        let names = Set(bound.write.input.map(\.field.name))
        change.fields = members.map { $0.name }.filter(names.contains)
        let questions = Result {
            try MutationPayload(request.field.subfields, schema: operation.schema).shown(reader.selection).map {
                Question(.item(resource: bound.resource.name, key: []), .item($0))
            }
        }
        record.withLock { record in
            record.changes.append(change)
            switch questions {
            case .success(let questions): record.questions += questions
            case .failure(let error): record.errors.append(error)
            }
        }
    }

    /// The questions and changes of an operation, and its errors.
    struct Outcome {
        var questions: [Question] = []
        var changes: [RequestedChange] = []
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
        return Outcome(
            questions: record.questions, changes: record.changes, errors: record.errors.map { GraphQLError($0) })
    }
}
