import DuetJSON
public import Foundation
import HTTPTypes

extension WebServiceProxy {
    /// Sends a write. Records it until the answer has arrived, if the proxy has ``pendingWrites``.
    func write<Value: Sendable>(
        _ method: HTTPRequest.Method, _ path: ResourcePath, _ arguments: WebServiceArguments,
        _ content: RequestContent?, _ precondition: Precondition?, _ preferences: WritePreferences,
        _ key: IdempotencyKey?, _ headerFields: HTTPFields,
        _ handler: @Sendable (WebServiceResponse<Data>) throws -> Value
    ) async throws(WebServiceError) -> Value {
        var fields = headerFields
        if let value = preferences.fieldValue { fields[.prefer] = value }
        // A write that stores nothing can be repeated, so it needs no key.
        let isRollback = preferences.contains(.rollback)
        let recorder = isRollback ? nil : pendingWrites
        let usedKey = isRollback ? nil : key ?? recorder.map { _ in IdempotencyKey() }
        if let usedKey { fields[.idempotencyKey] = usedKey.field.value }
        let call = try prepare(
            method, path, arguments: arguments, content: content, precondition: precondition, headerFields: fields,
            accept: "application/json")

        let sender = caller?.current
        let value: Result<Value, WebServiceError>
        do throws(WebServiceError) {
            let response: WebServiceResponse<Data>
            if let recorder, let usedKey {
                response = try await record(call, usedKey, isNew: key == nil, by: recorder, sender)
            } else {
                response = try await answer(to: call, isIdempotent: usedKey == nil ? nil : true, sender: sender)
            }
            value = .success(try decode(response, handler))
        } catch {
            value = .failure(error)
        }
        // A result of a former caller is discarded. The write itself remains pending if it has no answer.
        do throws(WebServiceError) {
            try check(sender)
        } catch {
            var error = error
            if case .failure(let failure) = value { error.pendingKey = failure.pendingKey }
            throw error
        }
        return try value.get()
    }

    /// Records a call, and sends it.
    private func record(
        _ call: ServiceCall, _ key: IdempotencyKey, isNew: Bool, by recorder: PendingWrites, _ sender: Caller?
    ) async throws(WebServiceError) -> WebServiceResponse<Data> {
        let write = PendingWrite(
            key: key, owner: recorder.owner(sender), created: recorder.now,
            request: .service(
                PendingWrite.ServiceRequest(
                    call.method, try base().target(of: call.address), headerFields: call.headerFields, body: call.body))
        )
        return try await recorder.perform(
            write, hasNewKey: isNew, isCurrent: { [caller] in sender == caller?.current },
            resend: { (write) async throws(WebServiceError) in try await resend(write, sender) },
            settle: { _, _ in true },
            send: { () async throws(WebServiceError) in
                // The caller can change before a repetition.
                try check(sender)
                return try await answer(to: call, isIdempotent: false, sender: sender)
            })
    }

    private func base() throws(WebServiceError) -> ServiceAddress {
        guard let base = ServiceAddress(baseURL) else {
            throw WebServiceError(.invalidRequest, "The base address \(baseURL) cannot be used.")
        }
        return base
    }

    /// Sends a recorded write once.
    private func resend(
        _ write: PendingWrite, _ sender: Caller?
    ) async throws(WebServiceError) -> WebServiceResponse<Data> {
        guard let request = write.serviceRequest else {
            throw WebServiceError(.invalidRequest, "The write \(write.key) is no request to a REST service.")
        }
        try check(sender)
        let call = ServiceCall(
            method: request.method, address: try base().address(of: request.path), headerFields: request.headerFields,
            body: request.body)
        return try await answer(to: call, isIdempotent: false, sender: sender)
    }

    /// Sends a write, and reads the whole response.
    /// - Throws: ``WebServiceError``, also for a response with success whose content is not JSON. It comes from a
    ///   proxy, such as the login page of a network.
    @concurrent
    private func answer(
        to call: ServiceCall, isIdempotent: Bool?, sender: Caller?
    ) async throws(WebServiceError) -> WebServiceResponse<Data> {
        let response = try await stream(call, isIdempotent: isIdempotent, followsRedirects: false, sender: sender)
        let data: Data
        do throws(WebServiceError) {
            data = try await response.content.collectForService(upTo: maximumResponseLength)
        } catch {
            var error = error
            error.head = response.head
            throw error
        }
        guard data.isEmpty || response.head.hasJSON(data) else {
            let type = response.head.headerFields[.contentType] ?? "of an unknown type"
            throw WebServiceError(
                TransportError(
                    .invalidResponse,
                    "The response to \(call.method) \(call.address.path) is \(type), not JSON, so it does not come from the service. Check the network."
                ))
        }
        return response.map { _ in data }
    }

    private func decode<Value>(
        _ response: WebServiceResponse<Data>, _ handler: (WebServiceResponse<Data>) throws -> Value
    ) throws(WebServiceError) -> Value {
        do {
            return try handler(response)
        } catch {
            throw WebServiceError(error, decoding: response.content, as: Value.self, head: response.head)
        }
    }

    /// Sends the pending writes of the current caller again, in the order of the calls, and removes those that have an
    /// answer.
    ///
    /// ```swift
    /// try await service.resumePendingWrites { settled in
    ///     if let refusal = settled.refusal { show(refusal) }
    /// }
    /// ```
    ///
    /// If a write still has no answer, it and all later writes remain pending. If the function runs already, the call
    /// returns at once. A write that the handler makes is recorded, and sent after the others: its call throws an error
    /// with its ``WebServiceError/pendingKey``.
    /// - Parameter handler: Receives each answer, before the write is removed. If the process ends in between, it
    ///   receives the answer again after the next start.
    /// - Throws: The ``WebServiceError`` of the write that has no answer. ``WebServiceError/pendingKey`` is its key.
    public func resumePendingWrites(
        _ handler: (SettledWrite<WebServiceResponse<Data>, WebServiceError>) async -> Void = { _ in }
    ) async throws(WebServiceError) {
        guard let pendingWrites else { return }
        let sender = caller?.current
        try await pendingWrites.resume(
            PendingLane(owner: pendingWrites.owner(sender), style: .rest),
            resend: { (write) async throws(WebServiceError) in try await resend(write, sender) }, deliver: handler)
    }
}

extension WebServiceError {
    /// Creates the error for a write that was not sent.
    init(_ failure: PendingWrites.Failure) {
        switch failure {
        case .store(let error): self.init(.invalidRequest, "\(failure)", underlyingError: error)
        case .unmarked(let error): self.init(.noResponse, "\(failure)", underlyingError: error)
        case .cancelled: self.init(TransportError(.cancelled))
        case .callerChanged: self.init(TransportError(.callerChanged))
        case .waiting, .resuming: self.init(.noResponse, "\(failure)")
        case .expired, .reused, .discarded: self.init(.invalidRequest, "\(failure)")
        }
    }

    /// False if the server has certainly not received the request.
    var mayHaveReachedServer: Bool {
        switch code {
        case .invalidRequest: false
        case .noResponse: transportError?.code.mayHaveReachedServer ?? false
        case .unsuccessful, .undecodable: true
        }
    }

    /// The effect of the error on a pending write.
    var effect: PendingWrites.Effect {
        switch code {
        case .invalidRequest, .undecodable: return .refused
        case .noResponse: return transportError?.code.effect ?? .pending
        case .unsuccessful:
            guard let head else { return .pending }
            return problem?.code == Problem.keyInUse
                ? .repeatable(RetryAfter(head.headerFields[.retryAfter])) : head.effect
        }
    }
}

extension HTTPResponse {
    /// The effect of a response without success on a pending write.
    var effect: PendingWrites.Effect {
        switch status.code {
        case 425, 429, 502, 503, 504: .repeatable(RetryAfter(headerFields[.retryAfter]))
        // A redirect, 407 and 511 can come from a network that demands a login. With 401, the caller needs a new token.
        case 300...399, 401, 407, 408, 500...599: .pending
        default: .refused
        }
    }

    /// True if the content is JSON according to its media type. Without a media type, the content is parsed.
    fileprivate func hasJSON(_ content: Data) -> Bool {
        guard let type = headerFields[.contentType] else { return (try? JSONValue(parsing: content)) != nil }
        return MediaType(type).isJSON
    }
}
