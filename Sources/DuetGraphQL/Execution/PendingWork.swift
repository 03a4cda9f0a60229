internal import NIOCore

/// A call of a resolver that answers later, for one hole or for many.
struct PendingWork: Sendable {
    enum Resolver: Sendable {
        case async(@Sendable (any Sendable, FieldContext) async throws -> ResolvedValue)
        case batch(@Sendable ([any Sendable], FieldContext) async throws -> [ResolvedValue])
        case subtree(any SubtreeResolver)
        /// A subscription's field in an operation that is executed as if it were none.
        case unsupported
    }

    let resolver: Resolver
    let holes: [Hole]
    let owners: [HoleReference]

    /// Calls the resolver and completes what it gives. Nothing is thrown: errors are in the segments.
    /// - Parameter output: what a single subtree is appended to.
    func perform(_ operation: OperationContext, output: ByteBuffer = ByteBuffer()) async -> [Segment] {
        switch resolver {
        case .async(let resolve):
            var values: [ResolvedValue] = []
            for hole in holes {
                do {
                    values.append(try await resolve(hole.source, FieldContext(hole.field, operation)))
                } catch {
                    values.append(.failure(error))
                }
            }
            return [complete(values, operation)]
        case .batch(let resolve):
            do {
                let values = try await resolve(holes.map(\.source), FieldContext(holes[0].field, operation))
                guard values.count == holes.count else {
                    throw ResultCountError(given: values.count, expected: holes.count)
                }
                return [complete(values, operation)]
            } catch {
                return [complete(holes.map { _ in .failure(error) }, operation)]
            }
        case .subtree(let resolver):
            guard holes.count > 1 else {
                return [await Self.resolveSubtree(holes[0], owner: owners[0], resolver, operation, output)]
            }
            return await resolveSubtrees(resolver, operation, output)
        case .unsupported:
            let error = GraphQLError("A subscription's field cannot be executed in this operation.")
            return [complete(holes.map { _ in .failure(error) }, operation)]
        }
    }

    /// CompleteValue for all values, one after the other, into one segment.
    private func complete(_ values: [ResolvedValue], _ operation: OperationContext) -> Segment {
        var writer = SegmentWriter(operation, buffer: ByteBuffer())
        for index in values.indices {
            let field = holes[index].field
            writer.beginPiece(at: holes[index].path, owner: owners[index])
            let stands = writer.complete(values[index], field.output, field)
            writer.endPiece(stands: stands)
        }
        return writer.finish()
    }

    // MARK: - Subtrees

    /// Calls the resolver for one hole.
    static func resolveSubtree(
        _ hole: Hole, owner: HoleReference, _ resolver: any SubtreeResolver, _ operation: OperationContext,
        _ output: ByteBuffer
    ) async -> Segment {
        let result = await Self.result(of: hole.field, hole.source, at: hole.path, resolver, operation, output)
        return filled(hole, owner, with: result, operation, start: output.writerIndex)
    }

    /// What the resolver gives for one field; what it throws is among the errors.
    static func result(
        of field: PlannedField, _ source: any Sendable, at path: ResponsePath, _ resolver: any SubtreeResolver,
        _ operation: OperationContext, _ output: ByteBuffer
    ) async -> SubtreeResult {
        do {
            let request = SubtreeRequest(
                source: source, field: field, arguments: try operation.arguments(of: field), place: path,
                output: output)
            return try await resolver.resolve(request, operation)
        } catch {
            return .null(errors: [operation.located(error, at: nil).error])
        }
    }

    private func resolveSubtrees(
        _ resolver: any SubtreeResolver, _ operation: OperationContext, _ output: ByteBuffer
    ) async -> [Segment] {
        var segments: [Segment?] = []
        var requests: [SubtreeRequest] = []
        var asked: [Int] = []
        for (index, hole) in holes.enumerated() {
            do {
                requests.append(
                    SubtreeRequest(
                        source: hole.source, field: hole.field, arguments: try operation.arguments(of: hole.field),
                        place: hole.path, output: output))
                asked.append(index)
                segments.append(nil)
            } catch {
                segments.append(Self.filled(hole, owners[index], with: .null(errors: [error]), operation))
            }
        }
        let start = output.writerIndex
        if !requests.isEmpty {
            var results: [SubtreeResult]
            do {
                results = try await resolver.resolve(requests, operation)
                guard results.count == asked.count else {
                    throw ResultCountError(given: results.count, expected: asked.count)
                }
            } catch {
                let shown = operation.located(error, at: nil).error
                results = asked.map { _ in .null(errors: [shown]) }
            }
            requests = []
            for (index, result) in zip(asked, results) {
                segments[index] = Self.filled(holes[index], owners[index], with: result, operation, start: start)
            }
        }
        return segments.compactMap(\.self)
    }

    private static func filled(
        _ hole: Hole, _ owner: HoleReference, with result: SubtreeResult, _ operation: OperationContext, start: Int = 0
    ) -> Segment {
        var result = result
        let errors = complete(&result, of: hole.field, at: hole.path, operation, start: start)
        var piece = Piece(start: 0, end: 4, holes: 0..<0, regions: 0..<0, owner: owner)
        if let output = result.output {
            piece = Piece(start: start, end: output.writerIndex, holes: 0..<0, regions: 0..<0, owner: owner)
        } else {
            piece.isNull = hole.field.output.isNonNull
        }
        return Segment(buffer: result.output ?? ByteBuffer(staticString: "null"), pieces: [piece], errors: errors)
    }

    /// CompleteValue for a result, which has no output afterwards if it is null.
    /// - Parameter start: where the value begins in its output.
    /// - Returns: what is wrong, each with its place.
    static func complete(
        _ result: inout SubtreeResult, of field: PlannedField, at path: ResponsePath, _ operation: OperationContext,
        start: Int
    ) -> [FieldError] {
        if let end = result.output?.writerIndex, end <= start { result.output = nil }
        var errors = result.errors.map { error in
            var located = operation.located(error, at: path)
            located.error.path = path.elements + (error.path ?? [])
            return located
        }
        if result.output == nil, field.output.isNonNull, errors.isEmpty {
            errors.append(
                operation.located(
                    GraphQLError(
                        "Cannot return null for non-nullable field \(field.parentType.name).\(field.name)."), at: path))
        }
        return errors
    }
}
