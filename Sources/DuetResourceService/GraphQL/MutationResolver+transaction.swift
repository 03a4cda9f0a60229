import DuetGraphQL
import DuetSQLDatabase

/// The fields of an operation with `@transaction`, in one transaction.
extension MutationResolver {
    func resolvesTogether(_ operation: OperationContext) -> Bool {
        operation.hasDirective(CatalogueSchema.transactionDirectiveName)
    }

    /// Performs the changes of all fields. After the first error, no change has an effect.
    func resolveTogether(
        _ requests: [SubtreeRequest], _ operation: OperationContext
    ) async throws -> [SubtreeResult] {
        // A field with invalid arguments has no request, and its error ends the transaction.
        guard requests.count == operation.rootFields.count(where: { !$0.isTypeName }) else {
            return requests.map { _ in .null(errors: [.transactionUndone]) }
        }
        var steps: [Step] = []
        var earlier = EarlierSteps()
        for request in requests {
            do {
                let step = try step(request, operation, after: earlier)
                earlier.add(request.field.responseName, step.change)
                steps.append(step)
            } catch {
                return try results(of: requests, operation, failed: steps.count, error)
            }
        }
        let record = operation.record
        var list = ChangeList(zip(requests, steps).map { ChangeList.Step($0.field.responseName, $1.change) })
        list.idempotencyKey = record?.idempotencyKey
        do {
            let answers = try await service(for: record).write(list)
            if let record {
                if answers.contains(where: \.isReplayed) { record.noteReplay() }
                var tags = EntityTags()
                if record.namesEntities { for answer in answers { tags.formUnion(answer.tags) } }
                if let cost = answers.first?.cost { record.add(cost, tags) }
            }
            return zip(requests, zip(steps, answers)).map { request, answered in
                .written(answered.0.payload.written(answered.1, to: request.output))
            }
        } catch let failure as ChangeStepError {
            if let error = failure.error as? CancellationError { throw error }
            return try results(of: requests, operation, failed: failure.index, failure.error)
        } catch let error as CancellationError {
            throw error
        } catch {
            return requests.map { _ in .null(errors: [GraphQLError(error)]) }
        }
    }

    /// Returns the results after an error: the reason for the field that failed, and null for all others.
    private func results(
        of requests: [SubtreeRequest], _ operation: OperationContext, failed index: Int, _ error: any Error
    ) throws -> [SubtreeResult] {
        try requests.enumerated().map { position, request in
            guard position == index else { return .null(errors: [.transactionUndone]) }
            guard let error = error as? ServiceError, let payload = try payload(of: error, request, operation) else {
                return .null(errors: [GraphQLError(error)])
            }
            return .written(payload)
        }
    }
}

extension GraphQLError {
    /// The error of a field whose change has no effect, because another field of the same transaction failed.
    fileprivate static var transactionUndone: GraphQLError {
        var error = GraphQLError(
            "nothing was changed, because another field of the same transaction failed; correct that field, and send the operation again"
        )
        error.code = "TRANSACTION_UNDONE"
        return error
    }
}

extension CatalogueSchema {
    static let transactionDirectiveName = "transaction"

    /// The directive that performs all fields of a mutation in one transaction.
    static let transactionDirective = SchemaDirective(
        transactionDirectiveName, on: [.mutation],
        description:
            "Performs all fields of a mutation in one transaction. After the first error, no field has an effect: the fields without an error of their own are null, with the code `TRANSACTION_UNDONE`."
    )
}
