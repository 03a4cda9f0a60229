public import Foundation
public import HTTPTypes

/// Sends operations to the address of a GraphQL service (GraphQL over HTTP).
///
///     let endpoint = GraphQLEndpoint(url: URL(string: "https://example.com/graphql")!)
///     let client = GraphQLClient(transport: endpoint)
public final class GraphQLEndpoint: GraphQLTransport {
    /// The address of the service.
    public let url: URL
    let headerFields: HTTPFields
    let persistedQueries: PersistedQueryProtocol
    private let maximumAddressLength: Int
    let bodyLimit: Int
    let transport: any HTTPTransport
    let liveSettings: LiveSettings
    /// The position after the last write, for later reads.
    public let writePosition: WritePosition

    /// Creates an endpoint.
    /// - Parameters:
    ///   - url: The address of the service.
    ///   - headerFields: The header fields of each request. Fields of a ``GraphQLRequest`` replace fields with the same
    ///     name.
    ///   - persistedQueries: The settings for sending the hashes of documents instead of their text.
    ///   - bodyLimit: The maximum size of a response body in bytes, and of a live result.
    ///   - transport: Sends the HTTP requests. It decides whether a failed request is repeated. The requests of live
    ///     queries have ``TransportRequest/isStream``.
    ///   - liveSettings: The settings of live queries, which the endpoint receives as server-sent events.
    ///   - writePosition: The position after the last write, for later reads.
    public init(
        url: URL, headerFields: HTTPFields = [:],
        persistedQueries: PersistedQuerySettings = PersistedQuerySettings(), bodyLimit: Int = 32 << 20,
        transport: any HTTPTransport = DefaultTransport.makeForWholeResponses(),
        liveSettings: LiveSettings = LiveSettings(), writePosition: WritePosition = WritePosition()
    ) {
        self.url = url
        self.headerFields = headerFields
        self.persistedQueries = PersistedQueryProtocol(persistedQueries)
        maximumAddressLength = persistedQueries.maximumAddressLength
        self.bodyLimit = bodyLimit
        self.transport = transport
        self.liveSettings = liveSettings
        self.writePosition = writePosition
    }

    /// Sends an operation. If the server does not know the hash of the document, sends a second request with the
    /// document.
    /// - Throws: ``GraphQLClientError`` if there is no response, if the response is not a GraphQL response, or if only
    ///   listed documents are allowed and the document is not listed.
    public func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
        guard var attempt = persistedQueries.first(for: request.document) else {
            throw .notListed(request.document, by: "the client's manifest")
        }
        var exchanges: [GraphQLExchange] = []
        while true {
            let (reply, exchange) = try await send(request, attempt)
            exchanges.append(exchange)
            if let refusal = reply.refusal(of: attempt) {
                if let next = persistedQueries.next(after: attempt, refusal, of: request.document) {
                    attempt = next
                    continue
                }
                if persistedQueries.meansUnlisted(refusal) { throw .notListed(request.document, by: "the server") }
            }
            try reply.checkThatItIsGraphQL()
            return GraphQLReply(reply.head, body: reply.body, exchanges: exchanges)
        }
    }

    private func send(
        _ request: GraphQLRequest, _ attempt: PersistedQueryProtocol.Attempt
    ) async throws(GraphQLClientError) -> (GraphQLReply, GraphQLExchange) {
        do throws(TransportError) {
            let request = try convert(request, attempt)
            let response = try await transport.send(request, writePosition)
            let body = try await response.body.collectBytes(upTo: bodyLimit)
            let exchange = GraphQLExchange(
                method: request.head.method, content: attempt.content.exchangeContent, status: response.head.status,
                sentBytes: (request.head.path?.utf8.count ?? 0) + (request.body?.count ?? 0),
                receivedBytes: response.encodedLength ?? body.count)
            return (GraphQLReply(response.head, body: body), exchange)
        } catch {
            throw GraphQLClientError(error)
        }
    }

    private func convert(
        _ request: GraphQLRequest, _ attempt: PersistedQueryProtocol.Attempt
    ) throws(TransportError) -> TransportRequest {
        let message = EncodedRequest(request, attempt.content)
        var converted = try TransportRequest(
            .post, url: url, timeout: request.timeout, isIdempotent: request.isIdempotent,
            caller: request.caller)
        converted.followsRedirects = !request.isRecorded
        converted.head.headerFields = [.accept: "application/graphql-response+json, application/json;q=0.9"]
        converted.head.headerFields.replace(with: headerFields)
        converted.head.headerFields.replace(with: request.headerFields)
        if attempt.method == .get, let path = converted.head.path {
            let target = path + (path.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + message.query
            let length = try converted.head.address().utf8.count - path.utf8.count + target.utf8.count
            if length <= maximumAddressLength {
                converted.head.method = .get
                converted.head.path = target
                // Some services protect against CSRF: they reject a GET request unless it has a header field that an
                // HTML form cannot send.
                if let name = HTTPField.Name("Apollo-Require-Preflight") { converted.head.headerFields[name] = "true" }
                return converted
            }
        }
        converted.head.headerFields[.contentType] = "application/json"
        converted.body = message.body
        return converted
    }
}

extension GraphQLRequest {
    /// True if a transport may send the request again.
    fileprivate var isIdempotent: Bool { document.kind == .query || idempotencyKey != nil && !isRecorded }
}

extension GraphQLClientError {
    static func notListed(_ document: OperationDocument, by list: String) -> GraphQLClientError {
        let name = document.name.map { "\(document.kind.rawValue) \($0)" } ?? "\(document.kind.rawValue)"
        let reason =
            document.isRegistrable
            ? "is not listed by \(list). Add it to the manifest, and pass the manifest to the server."
            : "is not listed, because the client created it for this request only. Fetch the whole query."
        return GraphQLClientError(.notListed, "The \(name) \(reason)")
    }
}
