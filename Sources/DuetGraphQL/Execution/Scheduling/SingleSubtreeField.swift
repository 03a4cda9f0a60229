internal import NIOCore

/// The field of an operation that has only this field, if a subtree resolver resolves it.
///
/// Most requests of a service whose root fields have subtree resolvers are of this kind. The bytes around the value are
/// constant, so it needs neither a ``ResponsePart`` nor a ``ResolverScheduler``. The result is the same.
final class SingleSubtreeField: Sendable {
    private let field: PlannedField
    private let resolver: any SubtreeResolver
    private let path: ResponsePath
    /// `{"data":{"key":`
    private let head: ByteBuffer

    /// Returns nil if the operation is of another kind.
    init?(_ root: PlannedSelection) {
        guard root.fields.count == 1, root.deferred.isEmpty,
            case .asynchronous(.subtree(let resolver)) = root.fields[0].resolution
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
    /// - Returns: `{"data":{"key":value}`, without the last brace; a nil body if `data` is null.
    @inline(__always)
    func execute(
        _ operation: OperationContext, _ rootValue: any Sendable
    ) async -> (body: ByteBuffer?, errors: [ExecutionError]) {
        // The resolver's first write copies the head into a buffer of the size that it reserves.
        var result = await ResolverCall.resolve(field, rootValue, at: path, resolver, operation, head)
        let errors = ResolverCall.complete(&result, of: field, at: path, operation, start: head.writerIndex)
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
