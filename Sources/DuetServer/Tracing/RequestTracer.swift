import DuetGraphQL
import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetResourceService
import DuetSQLDatabase
import HTTPTypes
import HummingbirdCore
import Synchronization
import Tracing

/// Creates the spans of requests and of their GraphQL operations, with the tracer of the program. The database creates
/// the spans of the statements.
final class RequestTracer: Sendable {
    private let tracer: any Tracer
    private let scheme: String
    private let values: LogValues

    /// Uses the tracer of the `InstrumentationSystem`. Later changes of the system have no effect, so that requests
    /// without a tracer need no lookup.
    /// - Parameters:
    ///   - isEncrypted: True if the connections are encrypted.
    ///   - values: The policy for values in logs, which also applies to the paths in spans.
    /// - Returns: nil if the system has no tracer.
    init?(isEncrypted: Bool, values: LogValues) {
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return nil }
        self.tracer = tracer
        scheme = isEncrypted ? "https" : "http"
        self.values = values
    }

    /// Starts the span of a request. Its parent is the span of the client, if the request has one.
    /// - Returns: nil if the request is not recorded and continues no trace. Its operation and its statements then have
    ///   no spans either.
    func begin(_ request: Request, of peer: ConnectionPeer) -> RequestSpan? {
        var context = ServiceContext.topLevel
        tracer.extract(request.headers, into: &context, using: FieldExtractor())
        let method = KnownMethod.name(of: request.method) ?? "HTTP"
        let span = tracer.startSpan(method, context: context, ofKind: .server)
        guard span.isRecording || !context.isEmpty else {
            span.end()
            return nil
        }
        return RequestSpan(span, request, peer, of: self)
    }

    /// Returns the attributes of a span, according to the semantic conventions of OpenTelemetry for HTTP servers.
    fileprivate func attributes(
        _ request: Request, _ peer: ConnectionPeer, route: String?, status: Int?, failure: String?
    ) -> SpanAttributes {
        var attributes = SpanAttributes([:])
        attributes.reserveCapacity(12)
        let method = KnownMethod.name(of: request.method)
        attributes.set("http.request.method", value: .string(method ?? "_OTHER"))
        if method == nil {
            attributes.set("http.request.method_original", value: .string(Self.short(request.method.rawValue)))
        }
        attributes.set("url.scheme", value: .string(scheme))
        // The query is not recorded, because it contains the values of filters.
        attributes.set("url.path", value: .string(Self.short(values.target(request.uri.path))))
        attributes.set("network.protocol.version", value: .string(peer.version == .http2 ? "2" : "1.1"))
        if let authority = request.head.authority { Self.add(authority, to: &attributes) }
        if let agent = request.headers.value(of: .userAgent) {
            attributes.set("user_agent.original", value: .string(Self.short(agent)))
        }
        if let route { attributes.set("http.route", value: .string(route)) }
        if let status { attributes.set("http.response.status_code", value: .int64(Int64(status))) }
        if let failure { attributes.set("error.type", value: .string(failure)) }
        return attributes
    }

    /// Adds the host and the port of the request.
    private static func add(_ authority: String, to attributes: inout SpanAttributes) {
        let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":"))
        guard let colon, let port = Int64(authority[authority.utf8.index(after: colon)...]) else {
            return attributes.set("server.address", value: .string(short(authority)))
        }
        attributes.set("server.address", value: .string(short(String(authority[..<colon]))))
        attributes.set("server.port", value: .int64(port))
    }

    /// The maximum size of a text of the client in bytes. It limits the memory of spans that wait for their export.
    private static let maximumTextSize = 1024

    private static func short(_ text: String) -> String {
        guard text.utf8.count > maximumTextSize else { return text }
        return String(decoding: text.utf8.prefix(maximumTextSize), as: UTF8.self)
    }

    // MARK: Operations

    /// Starts the span of a GraphQL operation, according to the semantic conventions of OpenTelemetry for GraphQL. The
    /// span does not contain the document, because its literals are values of the client.
    /// - Parameter isRoot: True if the operation does not belong to a traced request, as on a WebSocket connection.
    /// - Returns: nil if the operation belongs to a request without a span, and for a root that is not recorded.
    func begin(_ operation: OperationDefinition, isRoot: Bool) -> OperationSpan? {
        guard let context = isRoot ? .topLevel : ServiceContext.current else { return nil }
        let type = operation.operation.rawValue
        let span = tracer.startSpan(type, context: context, ofKind: .server)
        guard span.isRecording else {
            span.end()
            return nil
        }
        var attributes: SpanAttributes = ["graphql.operation.type": .string(type)]
        if let name = operation.name {
            attributes.set("graphql.operation.name", value: .string(Self.short(name.value)))
        }
        span.attributes = attributes
        return OperationSpan(span: span)
    }
}

/// The methods that the semantic conventions know by default. Any other name could be an attempt to create spans with
/// many different names.
private enum KnownMethod {
    static func name(of method: HTTPRequest.Method) -> String? {
        switch method {
        case .get, .post, .head, .put, .patch, .delete, .options, .connect, .trace: method.rawValue
        default: nil
        }
    }
}

/// The span of a request, from its head to the end of its response.
final class RequestSpan: Sendable {
    private struct State {
        var route: String?
        var failure: String?
    }

    private let span: any Span
    private let request: Request
    private let peer: ConnectionPeer
    private let tracer: RequestTracer
    private let state = Mutex(State())
    /// The context of the spans that belong to the request.
    let context: ServiceContext

    fileprivate init(_ span: any Span, _ request: Request, _ peer: ConnectionPeer, of tracer: RequestTracer) {
        self.span = span
        self.request = request
        self.peer = peer
        self.tracer = tracer
        context = span.context
    }

    /// Records the path of the request's route.
    func route(to path: String) { state.withLock { $0.route = path } }

    /// Records the error of a response whose head has already been sent.
    func fail(_ error: any Error) {
        guard let type = ErrorType.name(of: error) else { return }
        state.withLock { $0.failure = type }
    }

    /// Ends the span.
    /// - Parameter status: The status of the response; nil if none was sent.
    func end(status: Int?) {
        guard span.isRecording else { return span.end() }
        var (route, failure) = state.withLock { ($0.route, $0.failure) }
        if let status, status >= 500 { failure = failure ?? "\(status)" }
        if let route { span.operationName = "\(span.operationName) \(route)" }
        if failure != nil { span.setStatus(SpanStatus(code: .error)) }
        span.attributes = tracer.attributes(request, peer, route: route, status: status, failure: failure)
        span.end()
    }
}

/// The span of a GraphQL operation.
struct OperationSpan: Sendable {
    fileprivate let span: any Span

    /// Runs the operation. The spans that the closure creates are children of the span.
    /// - Parameters:
    ///   - span: nil for an operation that is not recorded.
    ///   - errors: Returns the errors in a result.
    static func run<Result>(
        _ span: OperationSpan?, errors: (Result) -> [GraphQLError], _ body: () async throws -> Result
    ) async throws -> Result {
        guard let span = span?.span else { return try await body() }
        do {
            let result = try await ServiceContext.$current.withValue(span.context, operation: body)
            fail(span, errors(result).lazy.compactMap { $0.underlyingError.flatMap(ErrorType.name) }.first)
            span.end()
            return result
        } catch {
            fail(span, ErrorType.name(of: error))
            span.end()
            throw error
        }
    }

    /// Returns no errors, for an operation whose result has none.
    static func noErrors(_ result: some Any) -> [GraphQLError] { [] }

    private static func fail(_ span: any Span, _ errorType: String?) {
        guard let errorType else { return }
        span.setStatus(SpanStatus(code: .error))
        span.attributes["error.type"] = errorType
    }
}

/// The values of the attribute `error.type`.
private enum ErrorType {
    /// Returns the name of an error; nil for an error that is not a fault of the server. As with the statuses of HTTP,
    /// the span of a request with a fault of the client has no error.
    static func name(of error: any Error) -> String? {
        switch error {
        case let error as DatabaseError: error.code.rawValue
        case let error as ServiceError: error.code.status >= 500 ? error.code.rawValue : nil
        case let error as RequestProblem: error.type.status >= 500 ? error.type.rawValue : nil
        case is GraphQLError, is GraphQLErrors, is GraphQLRequestError, is CancellationError: nil
        default: String(reflecting: type(of: error))
        }
    }
}

/// Reads the fields of a request for a tracer. A repeated `traceparent` is invalid, so it is combined to an invalid
/// value, whereas several fields of `tracestate` are one list.
private struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? {
        // The names of Trace Context are not parsed for each request.
        switch key {
        case "traceparent": fields.value(of: .traceParent)
        case "tracestate": fields.value(of: .traceState)
        default: HTTPField.Name(key).flatMap { fields.value(of: $0) }
        }
    }
}

// Each name is a token (RFC 9110 §5.1), so none of the initializers returns `nil`.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
    fileprivate static let traceParent = HTTPField.Name("traceparent")!
    fileprivate static let traceState = HTTPField.Name("tracestate")!
}
