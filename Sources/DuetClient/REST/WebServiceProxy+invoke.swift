public import Foundation
public import HTTPTypes

extension WebServiceProxy {
    /// Calls the service and decodes the content of the response.
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The path below ``baseURL``, or the address of a link.
    ///   - arguments: The query parameters.
    ///   - content: The content of the request.
    ///   - precondition: A condition under which the server performs the request.
    ///   - headerFields: The header fields of this request. They replace fields of the proxy with the same name.
    /// - Returns: The value. If the type is optional, a response without content is `nil`.
    /// - Throws: ``WebServiceError``.
    public func invoke<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: ResourcePath, arguments: WebServiceArguments = [:],
        content: RequestContent? = nil,
        precondition: Precondition? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) -> Value {
        let response: WebServiceResponse<Value> = try await invoke(
            method, path, arguments: arguments, content: content, precondition: precondition, headerFields: headerFields
        )
        return response.content
    }

    /// Calls the service and returns the decoded content and the head. The head contains the entity tag, links to other
    /// pages, and the age of a cached response. The parameters are those of the function that returns only the value.
    /// - Throws: ``WebServiceError``.
    public func invoke<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: ResourcePath, arguments: WebServiceArguments = [:],
        content: RequestContent? = nil,
        precondition: Precondition? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) -> WebServiceResponse<Value> {
        return try await invoke(
            method, path, arguments: arguments, content: content, precondition: precondition,
            headerFields: headerFields, accept: "application/json", handler: jsonHandler())
    }

    /// Returns a handler that decodes JSON.
    func jsonHandler<Value: Decodable & Sendable>()
        -> @Sendable (WebServiceResponse<Data>) throws ->
        WebServiceResponse<Value>
    {
        let decoder = decoder
        return { response throws in
            if response.content.isEmpty, let type = Value.self as? any ExpressibleByNilLiteral.Type,
                let none = type.init(nilLiteral: ()) as? Value
            {
                return response.map { _ in none }
            }
            return try response.map { try decoder.decode(Value.self, from: $0) }
        }
    }

    /// Calls the service. The content of the response is ignored.
    ///
    /// The parameters are those of the function that returns a value.
    /// - Throws: ``WebServiceError``.
    public func invoke(
        _ method: HTTPRequest.Method, _ path: ResourcePath, arguments: WebServiceArguments = [:],
        content: RequestContent? = nil,
        precondition: Precondition? = nil, headerFields: HTTPFields = [:]
    ) async throws(WebServiceError) {
        try await invoke(
            method, path, arguments: arguments, content: content, precondition: precondition,
            headerFields: headerFields, accept: "application/json"
        ) { _ in }
    }

    /// Calls the service and passes the complete response to a handler. Use it for content that is not JSON, such as
    /// CSV or an image.
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The path below ``baseURL``, or the address of a link.
    ///   - arguments: The query parameters.
    ///   - content: The content of the request.
    ///   - precondition: A condition under which the server performs the request.
    ///   - headerFields: The header fields of this request. They replace fields of the proxy with the same name.
    ///   - accept: The media types that the handler can read (`Accept`, RFC 9110 §12.5.1).
    ///   - handler: Returns the value. If the handler throws an error, the function throws a ``WebServiceError`` with
    ///     the code ``WebServiceError/Code-swift.enum/undecodable`` and the handler's error as the
    ///     ``WebServiceError/underlyingError``.
    /// - Throws: ``WebServiceError``.
    public func invoke<Value: Sendable>(
        _ method: HTTPRequest.Method, _ path: ResourcePath, arguments: WebServiceArguments = [:],
        content: RequestContent? = nil,
        precondition: Precondition? = nil, headerFields: HTTPFields = [:], accept: String,
        handler: @Sendable (WebServiceResponse<Data>) throws -> Value
    ) async throws(WebServiceError) -> Value {
        let sender = caller?.current
        let value: Result<Value, WebServiceError>
        do throws(WebServiceError) {
            value = .success(
                try await whole(
                    method, path, arguments: arguments, content: content, precondition: precondition,
                    headerFields: headerFields, accept: accept, sender: sender, handler: handler))
        } catch {
            value = .failure(error)
        }
        try check(sender)
        return try value.get()
    }

    /// - Parameter sender: The caller for whom the call began.
    @concurrent
    private func whole<Value: Sendable>(
        _ method: HTTPRequest.Method, _ path: ResourcePath, arguments: WebServiceArguments, content: RequestContent?,
        precondition: Precondition?, headerFields: HTTPFields, accept: String, sender: Caller?,
        handler: @Sendable (WebServiceResponse<Data>) throws -> Value
    ) async throws(WebServiceError) -> Value {
        let response = try await stream(
            method, path, arguments: arguments, content: content, precondition: precondition,
            headerFields: headerFields, accept: accept, sender: sender)
        let data = try await response.content.collectForService(upTo: maximumResponseLength)
        let whole = response.map { _ in data }
        do {
            return try handler(whole)
        } catch {
            throw WebServiceError(error, decoding: whole.content, as: Value.self, head: whole.head)
        }
    }

    /// Calls the service and returns as soon as the head of the response arrives. Use it to read the content
    /// incrementally.
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The path below ``baseURL``, or the address of a link.
    ///   - arguments: The query parameters.
    ///   - content: The content of the request.
    ///   - precondition: A condition under which the server performs the request.
    ///   - headerFields: The header fields of this request. They replace fields of the proxy with the same name.
    ///   - accept: The media types that the caller can read (`Accept`, RFC 9110 §12.5.1).
    /// - Throws: ``WebServiceError``, including an error for each status other than 2xx. Reading the content throws
    ///   ``TransportError``.
    public func stream(
        _ method: HTTPRequest.Method, _ path: ResourcePath, arguments: WebServiceArguments = [:],
        content: RequestContent? = nil,
        precondition: Precondition? = nil, headerFields: HTTPFields = [:], accept: String
    ) async throws(WebServiceError) -> WebServiceResponse<ResponseBody> {
        let sender = caller?.current
        let response = try await stream(
            method, path, arguments: arguments, content: content, precondition: precondition,
            headerFields: headerFields, accept: accept, sender: sender)
        try check(sender)
        return response
    }

    /// - Parameter sender: The caller for whom the call began.
    @concurrent
    private func stream(
        _ method: HTTPRequest.Method, _ path: ResourcePath, arguments: WebServiceArguments, content: RequestContent?,
        precondition: Precondition?, headerFields: HTTPFields, accept: String, sender: Caller?
    ) async throws(WebServiceError) -> WebServiceResponse<ResponseBody> {
        let call = try prepare(
            method, path, arguments: arguments, content: content, precondition: precondition,
            headerFields: headerFields, accept: accept)
        return try await stream(call, sender: sender)
    }

    /// - Parameters:
    ///   - isIdempotent: True if a transport may repeat the request. If it is `nil`, the method determines the value.
    ///   - followsRedirects: False if a redirect is an error.
    ///   - sender: The caller for whom the call began.
    @concurrent
    func stream(
        _ call: ServiceCall, isIdempotent: Bool? = nil, followsRedirects: Bool = true, sender: Caller?
    ) async throws(WebServiceError) -> WebServiceResponse<ResponseBody> {
        let head = call.head(headerFields)
        let response: TransportResponse
        do throws(WebServiceError) {
            var request = TransportRequest(
                head, body: call.body, timeout: timeout, isIdempotent: isIdempotent, caller: sender)
            request.followsRedirects = followsRedirects
            response = try await transport.sendForSuccess(request, writePosition)
        } catch {
            // The error contains the beginning of the response.
            try check(sender)
            throw error
        }
        try check(sender)
        return WebServiceResponse(
            response.body.readable(by: sender, of: caller), head: response.head, address: head.url ?? baseURL)
    }

    /// Checks that a caller is the current one.
    func check(_ sender: Caller?) throws(WebServiceError) {
        guard sender == caller?.current else { throw WebServiceError(TransportError(.callerChanged)) }
    }
}
