internal import NIOCore

/// The one field of an operation that has no other, where a subtree resolver answers it: so it is with every request for one field of
/// a service whose root fields take their subtrees over. All that surrounds its value is known with the plan. Writing the root with
/// a hole in it, and filling that, would come to the same, with more to keep account of.
final class SingleSubtreeField: Sendable {
    private let field: PlannedField
    private let resolver: any SubtreeResolver
    private let path: ResponsePath
    /// `{"data":{"key":`; the value follows, and one brace for each.
    private let head: ByteBuffer

    /// Nil if there is anything else to do.
    init?(_ root: PlannedSelection) {
        guard root.fields.count == 1, root.deferred.isEmpty,
            case .asynchronous(.subtree(let resolver)) = root.fields[0].resolution
        else { return nil }
        field = root.fields[0]
        self.resolver = resolver
        path = ResponsePath(parent: nil, step: .field(field))
        var head = ByteBuffer()
        head.writeStaticString("{\"data\":{")
        head.writeBytes(field.keyBytes)
        self.head = head
    }

    /// `{"data":{"key":value}`, to be closed by who knows what follows; no body if `data` is null.
    @inline(__always)
    func execute(
        _ operation: OperationContext, _ rootValue: any Sendable
    ) async -> (body: ByteBuffer?, errors: [FieldError]) {
        // The head is shared, and copied where the value is written: with as much room as the resolver asks for.
        var result = await PendingWork.result(of: field, rootValue, at: path, resolver, operation, head)
        let errors = PendingWork.complete(&result, of: field, at: path, operation, start: head.writerIndex)
        // Taken, as long as nobody else holds it, so that it need not be copied again.
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
