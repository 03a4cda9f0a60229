internal import NIOCore

/// The only field of an operation, if the field has a subtree resolver. In a subscription, the field is executed for
/// each event.
///
/// This is a fast path for services whose root fields have subtree resolvers, because most of their requests select one
/// root field. The bytes before and after the value are constant, so the execution needs no ``ResponsePart`` and no
/// ``ResolverScheduler``. The response is the same as without the fast path.
final class SingleSubtreeField: Sendable {
    private let field: PlannedField
    private let resolver: any SubtreeResolver
    private let path: ResponsePath
    /// `{"data":{"key":`
    private let head: ByteBuffer

    /// Creates the field of an operation; nil if the operation has other fields, or if the field has another kind of
    /// resolver.
    init?(_ root: PlannedSelection) {
        guard root.fields.count == 1, root.deferred.isEmpty,
            case .asynchronous(let erased) = root.fields[0].resolution, let resolver = erased.subtreeResolver
        else { return nil }
        field = root.fields[0]
        self.resolver = resolver
        path = ResponsePath(parent: nil, segment: .field(field))
        var head = ByteBuffer()
        head.writeStaticString("{\"data\":{")
        head.writeBytes(field.keyBytes)
        self.head = head
    }

    /// Executes the field.
    /// - Parameter source: The root value; the event in a subscription.
    /// - Returns: The body `{"data":{"key":value}` without the closing brace; nil if `data` is null.
    @inline(__always)
    func execute(
        _ operation: OperationContext, _ source: any Sendable
    ) async -> (body: ByteBuffer?, errors: [ExecutionError]) {
        // The first write of the resolver copies the head into a buffer with the capacity that the resolver reserves.
        var result = await Self.resolve(field, source, at: path, resolver, operation, head)
        let errors = Self.complete(&result, of: field, at: path, operation, start: head.writerIndex)
        // `take` makes the reference unique, so that the write does not copy the buffer.
        if var body = result.output.take() {
            body.writeStaticString("}")
            return (body, errors)
        }
        if field.output.isNonNull { return (nil, errors) }
        var body = head
        body.writeStaticString("null}")
        return (body, errors)
    }
}

// MARK: - One field

// `ResolverCall` uses these functions, too.

extension SingleSubtreeField {
    /// Returns the result of a subtree resolver for one field. The errors of the result include a thrown error.
    static func resolve(
        _ field: PlannedField, _ source: any Sendable, at path: ResponsePath, _ resolver: any SubtreeResolver,
        _ operation: OperationContext, _ output: ByteBuffer
    ) async -> SubtreeResult {
        do {
            let request = SubtreeRequest(
                source: source, field: field, arguments: try operation.arguments(of: field),
                schema: operation.schema, responsePath: path, output: output)
            return try await resolver.resolve(request, operation)
        } catch {
            return .null(errors: [operation.executionError(error, at: nil).error])
        }
    }

    /// Completes the value of a subtree (CompleteValue). Sets the output to nil if the resolver appended nothing,
    /// because the value is then null.
    /// - Parameter start: The offset of the value in the output.
    /// - Returns: The execution errors.
    static func complete(
        _ result: inout SubtreeResult, of field: PlannedField, at path: ResponsePath, _ operation: OperationContext,
        start: Int
    ) -> [ExecutionError] {
        if let end = result.output?.writerIndex, end <= start { result.output = nil }
        var errors = result.errors.map { error in
            var located = operation.executionError(error, at: path)
            located.error.path = path.elements + (error.path ?? [])
            return located
        }
        if result.output == nil, field.output.isNonNull, errors.isEmpty {
            errors.append(operation.executionError(CompletionError.nonNull(field), at: path))
        }
        return errors
    }
}
