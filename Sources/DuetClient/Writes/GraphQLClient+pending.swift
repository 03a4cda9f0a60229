public import DuetJSON
import HTTPTypes

/// The key of a mutation, and the object that records the mutation.
struct KeyedWrite: Sendable {
    let key: IdempotencyKey
    /// False if the app has chosen the key, so that the mutation can be recorded already.
    let isNew: Bool
    let recorder: PendingWrites?
}

extension GraphQLClient {
    /// Returns the key of a mutation; `nil` if it has none.
    func keyedWrite<Operation: GraphQLOperation>(
        of call: OperationCall<Operation>, _ key: IdempotencyKey?
    ) -> KeyedWrite? {
        if let key { return KeyedWrite(key: key, isNew: false, recorder: pendingWrites) }
        guard let pendingWrites, call.document.canHaveKey else { return nil }
        return KeyedWrite(key: IdempotencyKey(), isNew: true, recorder: pendingWrites)
    }

    /// Sends an operation.
    /// - Parameter write: The key of a mutation. The mutation is sent until it has an answer or the retry policy
    ///   permits no further attempt.
    func send(_ request: GraphQLRequest, _ write: KeyedWrite?) async throws(GraphQLClientError) -> GraphQLReply {
        guard let write else { return try await transport.send(request) }
        var request = request
        request.idempotencyKey = write.key
        guard let recorder = write.recorder else { return try await transport.send(request) }
        let document = request.document
        pendingDocuments.add(document)
        let pending = PendingWrite(
            key: write.key, owner: recorder.owner(request.caller), created: recorder.now,
            request: .mutation(
                PendingWrite.Mutation(document: document.text, name: document.name, variables: request.variables)))
        let recorded = request
        let moment = store.moment(of: request.caller)
        return try await recorder.perform(
            pending, hasNewKey: write.isNew, isCurrent: { [store] in store.isCurrent(recorded.caller) },
            resend: { (write) async throws(GraphQLClientError) in try await resend(write, recorded.caller) },
            settle: { write, reply in
                guard let answer = try? MutationAnswer(reply, types: store.policies.types), !answer.hasErrors else {
                    return false
                }
                await apply(answer, to: write, since: moment)
                return true
            },
            send: { () async throws(GraphQLClientError) in try await sendRecorded(recorded) })
    }

    /// Sends a pending mutation once.
    private func resend(_ write: PendingWrite, _ caller: Caller?) async throws(GraphQLClientError) -> GraphQLReply {
        guard let mutation = write.mutation else { throw GraphQLClientError(.model, "This is no mutation.") }
        let document =
            pendingDocuments.document(of: mutation)
            ?? OperationDocument(
                .mutation, name: mutation.name, text: mutation.document, map: ObjectMap(), variables: [])
        var request = GraphQLRequest(document, variables: mutation.variables, caller: caller)
        request.idempotencyKey = write.key
        return try await sendRecorded(request)
    }

    /// Sends a recorded mutation once.
    /// - Throws: ``GraphQLClientError`` also for a response that is not an answer.
    private func sendRecorded(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
        guard store.isCurrent(request.caller) else { throw .callerChanged }
        var request = request
        request.isRecorded = true
        let reply = try await transport.send(request)
        if let error = try ParsedResponse(reply).temporaryError(reply.head.status) { throw error }
        return reply
    }

    /// Sends the pending mutations of the current caller again, in the order of the calls, and removes those that have
    /// an answer.
    ///
    /// ```swift
    /// try await client.resumePendingWrites(of: [CreateMutation<Order>.self]) { settled in
    ///     if let refusal = settled.refusal { show(refusal) }
    /// }
    /// ```
    ///
    /// A GraphQL response with errors is an answer, too (``MutationAnswer/errors``), unless an error says that the
    /// server could not perform the mutation for a temporary reason.
    ///
    /// If a mutation still has no answer, it and all later mutations remain pending. If the function runs already, the
    /// call returns at once.
    /// - Parameters:
    ///   - mutations: The types of the mutations whose responses are written to the store. The response to a mutation
    ///     of any other type is only passed to the handler.
    ///   - optimistic: Returns the optimistic update of a mutation that has none, for example because the app has
    ///     started again. All of them are visible before the first request.
    ///   - handler: Receives each answer, before the mutation is removed. If the process ends in between, it receives
    ///     the answer again after the next start.
    /// - Throws: The ``GraphQLClientError`` of the mutation that has no answer. ``GraphQLClientError/pendingKey`` is
    ///   its key.
    public func resumePendingWrites(
        of mutations: [any GraphQLMutation.Type] = [],
        optimistic: (PendingWrite) -> (@Sendable (WriteTransaction) throws -> Void)? = { _ in nil },
        _ handler: (SettledWrite<MutationAnswer, GraphQLClientError>) async -> Void
    ) async throws(GraphQLClientError) {
        guard let pendingWrites else { return }
        let caller = store.caller?.current
        let moment = store.moment(of: caller)
        for mutation in mutations {
            do throws(ModelError) {
                pendingDocuments.add(try mutation.document())
            } catch {
                throw GraphQLClientError(error)
            }
        }
        try await pendingWrites.resume(
            PendingLane(owner: pendingWrites.owner(caller), style: .graphQL),
            prepare: { await addLayers(optimistic, of: $0, since: moment) },
            resend: { (write) async throws(GraphQLClientError) in
                try MutationAnswer(try await resend(write, caller), types: store.policies.types)
            },
            deliver: { settled in
                await apply(settled.answer, to: settled.write, since: moment)
                await handler(settled)
            })
    }

    /// Sends the pending mutations of the current caller again, and ignores their answers except for the store.
    /// - Parameter mutations: The types of the mutations whose responses are written to the store.
    /// - Throws: The ``GraphQLClientError`` of the mutation that has no answer.
    public func resumePendingWrites(of mutations: [any GraphQLMutation.Type] = []) async throws(GraphQLClientError) {
        try await resumePendingWrites(of: mutations) { _ in }
    }

    /// Removes a pending mutation without sending it again, and reverts its optimistic update. A request that is
    /// running is not canceled.
    /// - Throws: ``CacheError``.
    public func discardPendingWrite(_ key: IdempotencyKey) async throws(CacheError) {
        try await pendingWrites?.discard(key, of: store.caller)
        await endPendingLayer(of: key, as: store.caller?.current)
    }

    /// Adds the optimistic updates of mutations that have none.
    private func addLayers(
        _ optimistic: (PendingWrite) -> (@Sendable (WriteTransaction) throws -> Void)?, of writes: [PendingWrite],
        since moment: GraphQLStore.Moment
    ) async {
        await pendingRemovals?.observe(for: self)
        for write in writes {
            // The app may have cleared the store.
            if let layer = pendingLayers.layer(of: write.key, as: moment.caller), await store.hasLayer(layer) {
                continue
            }
            guard let layer = optimistic(write).map(OptimisticLayer.init) else { continue }
            await reportingCacheErrors { () throws(CacheError) in try await store.addLayer(layer, since: moment) }
            pendingLayers.add(layer.id, of: write.key, as: moment.caller)
        }
    }

    /// Writes the response to a mutation to the store, if the client knows its type, and ends the optimistic update of
    /// the mutation.
    private func apply(
        _ answer: MutationAnswer?, to write: PendingWrite, since moment: GraphQLStore.Moment
    ) async {
        let layer = pendingLayers.remove(write.key, as: moment.caller)
        if let answer, let mutation = write.mutation, let document = pendingDocuments.document(of: mutation) {
            let selection = document.selection(
                variables: mutation.variables, connections: store.policies.connections)
            await merge(answer.response, answer.reply, document, selection, since: moment, endingLayer: layer)
        } else if let layer {
            await end(layer, as: moment.caller)
        }
    }

    /// Ends the optimistic updates of mutations that the app has discarded.
    func endPendingLayers(of keys: [IdempotencyKey]) async {
        let caller = store.caller?.current
        for key in keys { await endPendingLayer(of: key, as: caller) }
    }

    /// Reverts an optimistic update.
    func end(_ layer: OptimisticLayer.ID, as caller: Caller?) async {
        await reportingCacheErrors { () throws(CacheError) in try await store.endLayer(layer, as: caller) }
    }

    /// Reverts the optimistic update of a pending mutation, if it has one.
    /// - Parameter ended: An optimistic update that the caller of this method ends itself.
    func endPendingLayer(
        of key: IdempotencyKey, as caller: Caller?, except ended: OptimisticLayer.ID? = nil
    ) async {
        guard let layer = pendingLayers.remove(key, as: caller), layer != ended else { return }
        await end(layer, as: caller)
    }
}

/// The response to a pending mutation that was sent again.
public struct MutationAnswer: Sendable {
    let reply: GraphQLReply
    let response: ParsedResponse
    private let types: TypeConditions

    init(_ reply: GraphQLReply, types: TypeConditions) throws(GraphQLClientError) {
        self.reply = reply
        response = try ParsedResponse(reply)
        self.types = types
    }

    /// The errors that the service reports.
    public var errors: [GraphQLResponseError] { response.errors }

    /// The data as JSON; `nil` if the response has none.
    public var data: JSONValue? { response.data?.json }

    /// True if the response has errors, or if a root field has user errors.
    var hasErrors: Bool {
        guard errors.isEmpty, case .object(let fields)? = data else { return true }
        return fields.members.contains { member in
            if case .array(let errors)? = member.value["errors"] { !errors.isEmpty } else { false }
        }
    }

    /// Decodes the response.
    /// - Parameter mutation: The type of the mutation.
    /// - Throws: ``GraphQLClientError`` if the data does not match the model of the mutation.
    public func result<Mutation: GraphQLMutation>(
        of mutation: Mutation.Type
    ) throws(GraphQLClientError) -> GraphQLResult<Mutation.Data> {
        GraphQLResult(
            data: try response.decode(mutation, types: types), errors: response.errors,
            extensions: response.extensions)
    }
}

extension OperationDocument {
    /// True if an idempotency key can cover the operation: it is a mutation with one root field, or all its fields are
    /// one transaction.
    fileprivate var canHaveKey: Bool {
        kind == .mutation && (map.fields.count == 1 && map.typeCases.isEmpty || text.contains("@transaction"))
    }
}

extension ParsedResponse {
    /// The codes of Duet's server for operations that it has not performed for a temporary reason, or whose outcome it
    /// does not know.
    static let temporaryCodes: Set = [
        Self.keyInUse, "DATABASE_FULL", "DATABASE_IO_ERROR", "DATABASE_READ_ONLY", "DATABASE_UNAVAILABLE",
        "INTERNAL_ERROR", "OUTCOME_UNKNOWN", "OVERLOADED", "QUERY_TIMEOUT",
    ]

    fileprivate static let keyInUse = "IDEMPOTENCY_KEY_IN_USE"

    /// Returns the error if the response is not an answer: the server has not performed the mutation for a temporary
    /// reason, or does not know.
    fileprivate func temporaryError(_ status: HTTPResponse.Status) -> GraphQLClientError? {
        // An error below a root field means that the field was performed, and only a part of its data is missing.
        let error = errors.first { $0.path.count <= 1 && $0.code.map(Self.temporaryCodes.contains) == true }
        guard let error = error ?? (status.meansTemporaryFailure ? errors.first : nil) else { return nil }
        return GraphQLClientError(
            .invalidResponse, "The server has not performed the mutation: \(error)", status: status.code,
            underlyingError: error)
    }
}

extension HTTPResponse.Status {
    fileprivate var meansTemporaryFailure: Bool { HTTPResponse(status: self).effect != .refused && !isSuccess }
}

extension GraphQLClientError {
    /// Creates the error for a mutation that was not sent.
    init(_ failure: PendingWrites.Failure) {
        switch failure {
        case .store(let error): self.init(.cache, "\(failure)", underlyingError: error)
        case .unmarked(let error): self.init(.transport, "\(failure)", underlyingError: error)
        case .cancelled: self.init(.cancelled, "\(failure)")
        case .callerChanged: self = .callerChanged
        case .waiting, .resuming: self.init(.transport, "\(failure)")
        case .expired, .reused, .discarded: self.init(.cache, "\(failure)")
        }
    }

    /// False if the server has certainly not received the request.
    var mayHaveReachedServer: Bool {
        switch code {
        case .transport: transportError?.code.mayHaveReachedServer ?? false
        case .cancelled, .callerChanged, .invalidResponse: true
        case .notListed, .model, .cacheMiss, .cache, .refused: false
        }
    }

    /// The effect of the error on a pending write.
    var effect: PendingWrites.Effect {
        switch code {
        case .transport: transportError?.code.effect ?? .pending
        case .cancelled, .callerChanged: .pending
        case .notListed, .model, .cacheMiss, .cache, .refused: .refused
        case .invalidResponse: effectOfResponse
        }
    }

    private var effectOfResponse: PendingWrites.Effect {
        if let error = underlyingError as? GraphQLResponseError {
            // A busy server asks for a pause. A key in use is free after the earlier request.
            return [ParsedResponse.keyInUse, "OVERLOADED"].contains(error.code) ? .repeatable(nil) : .pending
        }
        // A response that is not GraphQL and has a status of success comes from an intermediary.
        guard let status, !(200..<300).contains(status) else { return .pending }
        return status == 409 ? .repeatable(nil) : HTTPResponse(status: .init(code: status)).effect
    }
}
