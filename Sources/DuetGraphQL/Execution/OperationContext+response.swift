internal import NIOCore
internal import Synchronization

extension OperationContext {
    /// Returns a buffer that contains `{"data":`. If all root fields are synchronous, the capacity of the buffer is
    /// sufficient for a response of the previous size. Otherwise the capacity is small, because a subtree resolver
    /// reserves capacity itself.
    func responseBuffer() -> ByteBuffer {
        let isSync = plan.root.fields.allSatisfy(\.isSync)
        var buffer = ByteBuffer()
        buffer.reserveCapacity((isSync ? planned.responseSize.load(ordering: .relaxed) : 0) + 128)
        buffer.writeStaticString("{\"data\":")
        return buffer
    }

    /// Returns the response of a scheduler after the completion of all fields.
    func response(_ scheduler: ResolverScheduler, _ extensions: ObjectValue) -> GraphQLResponse {
        var root = scheduler.takeFirstPart()
        if !root.incompleteFields.isEmpty || root.values[0].isNull {
            var parts = scheduler.parts
            let start = root.values[0].start
            parts[0] = root
            var output = ByteBuffer()
            output.reserveCapacity(parts.reduce(64) { $0 + $1.buffer.readableBytes })
            output.writeImmutableBuffer(root.buffer.getSlice(at: 0, length: start) ?? ByteBuffer())
            var assembler = ResponseAssembler(parts, into: output)
            assembler.append(SerializedValueReference(part: 0, value: 0))
            root.buffer = assembler.output
        }
        return response(root, errors: scheduler.orderedErrors, extensions)
    }

    /// Returns the response of a part without incomplete fields.
    func response(_ root: ResponsePart, errors: [ExecutionError], _ extensions: ObjectValue) -> GraphQLResponse {
        response(root.values[0].isNull ? nil : root.buffer, errors: errors, extensions)
    }

    /// Returns the response of a serialized body.
    /// - Parameter body: `{"data":…`, without the closing brace; nil if `data` is null.
    func response(
        _ body: consuming ByteBuffer?, errors: [ExecutionError], _ extensions: ObjectValue
    ) -> GraphQLResponse {
        let hasData = body != nil
        let buffer = body.take() ?? ByteBuffer(staticString: "{\"data\":null")
        planned.responseSize.store(min(buffer.readableBytes, 1 << 20), ordering: .relaxed)
        var extensions = extensions
        if resolvedSchema.options.includesPlan { extensions["plan"] = .string(plan.description) }
        let graphQLErrors = errors.map(\.graphQLError)
        var writer: ResponseWriter
        if graphQLErrors.isEmpty {
            writer = ResponseWriter(consume buffer)
        } else {
            writer = ResponseWriter()
            writer.begin(errors: graphQLErrors)
            writer.json.write(raw: ",")
            writer.json.write(raw: buffer.readableBytesView.dropFirst())
        }
        writer.end(extensions: extensions)
        return GraphQLResponse(
            body: writer.json.buffer, kind: .execution, hasData: hasData, errors: graphQLErrors,
            cachePolicy: graphQLErrors.isEmpty ? cachePolicy : nil)
    }
}
