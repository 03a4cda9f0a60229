import DuetGraphQL
import DuetJSON
import NIOCore

/// The resolver of the fields of `Subscription`. A field has the value of the field of `Query` with the same name, each
/// time the value has changed.
extension QueryResolver {
    /// The resolver of each field. The value of a response is an answer of ``ResourceService/live``, which is read once
    /// for all subscriptions to the same field of a document.
    var subscription: FieldResolver<any Sendable, any Sendable> {
        .events { _, context in
            try self.answers(to: context)
        } subtree: { request, _ in
            guard let answer = request.source as? LiveAnswer else { return .null() }
            var output = request.output
            output.writeImmutableBuffer(answer.body)
            return .written(output, errors: answer.errors)
        }
    }

    private func answers(to context: FieldContext<any Sendable>) throws -> LiveAnswers {
        let (field, operation) = (context.field, context.operation)
        let record = operation.record
        let cache = try planCache(of: field)
        let arguments = try operation.arguments(of: field)
        // A plan that cannot be created is an error of the whole subscription.
        let plan: Plan
        do {
            plan = try self.plan(field, arguments, cache, operation)
        } catch {
            throw Self.map(error)
        }
        // The read retains the cache of the field, so the identifier is unique among all questions.
        var key = "GraphQL \(UInt(bitPattern: ObjectIdentifier(cache))) \(try cache.key(operation)) "
        if cache.item != nil { key += JSONValue(.object(arguments)).compactText }
        if let mask = record?.tagMask { key += " \(mask.low) \(mask.high)" }
        let (parameters, tagMask) = (record?.parameters, record?.tagMask)
        let read: @Sendable () async throws -> LiveAnswer = { [service] in
            do {
                let short = plan.isShort ? [plan] : nil
                let result = try await service.read(short, before: service.deadline) { connection in
                    try Self.result(
                        of: plan, ByteBuffer(), cache,
                        service.execution(
                            on: connection, namesEntities: false, parameters: parameters, tagMask: tagMask))
                }
                return LiveAnswer(body: result.output ?? ByteBuffer(string: "null"), errors: result.errors)
            } catch {
                throw Self.map(error)
            }
        }
        do {
            return try service.live.answers(
                to: LiveQueries.Question(
                    key: key, tables: service.sources(of: plan), owner: record?.owner, read: read))
        } catch {
            throw Self.map(error)
        }
    }
}
