internal import NIOCore

extension ResolverCall {
    /// Calls a subtree resolver for the call's only field.
    func resolveSubtree(
        _ resolver: any SubtreeResolver, _ operation: OperationContext, _ output: ByteBuffer
    ) async -> ResponsePart {
        let field = fields[0]
        let result = await SingleSubtreeField.resolve(
            field.field, field.source, at: field.path, resolver, operation, output)
        return part(completing: 0, with: result, operation, start: output.writerIndex)
    }

    /// Calls a subtree resolver for all fields with valid arguments. A field with invalid arguments gets an error.
    func resolveSubtrees(
        _ resolver: any SubtreeResolver, _ operation: OperationContext, _ output: ByteBuffer
    ) async -> [ResponsePart] {
        var parts: [ResponsePart?] = []
        var requests: [SubtreeRequest] = []
        /// The indices of the fields that have a request.
        var requested: [Int] = []
        for (index, field) in fields.enumerated() {
            do {
                requests.append(
                    SubtreeRequest(
                        source: field.source, field: field.field, arguments: try operation.arguments(of: field.field),
                        schema: operation.schema, responsePath: field.path, output: output))
                requested.append(index)
                parts.append(nil)
            } catch {
                parts.append(part(completing: index, with: .null(errors: [error]), operation))
            }
        }
        let start = output.writerIndex
        if !requests.isEmpty {
            var results: [SubtreeResult]
            do {
                results = try await resolver.resolve(requests, operation)
                guard results.count == requested.count else {
                    throw ResultCountError(given: results.count, expected: requested.count)
                }
            } catch {
                let shown = operation.executionError(error, at: nil).error
                results = requested.map { _ in .null(errors: [shown]) }
            }
            requests = []
            for (index, result) in zip(requested, results) {
                parts[index] = part(completing: index, with: result, operation, start: start)
            }
        }
        return parts.compactMap(\.self)
    }

    private func part(
        completing index: Int, with result: SubtreeResult, _ operation: OperationContext, start: Int = 0
    ) -> ResponsePart {
        let field = fields[index]
        var result = result
        let errors = SingleSubtreeField.complete(&result, of: field.field, at: field.path, operation, start: start)
        var value = SerializedValue(
            start: 0, end: 4, incompleteFields: 0..<0, nullablePositions: 0..<0, completedField: references[index])
        if let output = result.output {
            value = SerializedValue(
                start: start, end: output.writerIndex, incompleteFields: 0..<0, nullablePositions: 0..<0,
                completedField: references[index])
        } else {
            value.isNull = field.field.output.isNonNull
        }
        return ResponsePart(buffer: result.output ?? ByteBuffer(staticString: "null"), values: [value], errors: errors)
    }
}
