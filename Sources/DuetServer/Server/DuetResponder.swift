import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetSQLDatabase
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization
import Tracing

/// Handles a request from its head to its response. It assigns an identifier, identifies the caller if the API has
/// roles, calls the router, converts errors to problems, and adds the common header fields.
struct DuetResponder: Sendable {
    private let destination: Destination
    private let settings: ServerSettings
    private let observe: ServerObserver
    /// Creates the spans of requests; nil without a tracer.
    private let tracer: RequestTracer?
    private let database: Database

    /// The routers of the API.
    enum Destination: Sendable {
        /// The API has no roles.
        case router(Router)
        /// The API has roles.
        case access(AccessControl)
    }

    init(
        _ destination: Destination, _ database: Database, settings: ServerSettings, tracer: RequestTracer?,
        observe: @escaping ServerObserver
    ) {
        self.destination = destination
        self.database = database
        self.settings = settings
        self.tracer = tracer
        self.observe = observe
    }

    /// Returns the response to a request.
    /// - Parameter peer: The client.
    /// - Throws: `RequestAborted` if the connection has already sent a response.
    func respond(to request: Request, of peer: ConnectionPeer) async throws -> Response {
        let span = tracer?.begin(request, of: peer)
        let progress = RequestProgress(
            requestID: RequestIdentifier.of(request.headers), span: span, observe: observe)
        guard let span else { return try await respondInSession(to: request, of: peer, progress) }
        return try await ServiceContext.$current.withValue(span.context) {
            try await respondInSession(to: request, of: peer, progress)
        }
    }

    /// Responds in a session if the database has several servers.
    private func respondInSession(
        to request: Request, of peer: ConnectionPeer, _ progress: RequestProgress
    ) async throws -> Response {
        guard let positions = settings.positions else { return try await respond(to: request, of: peer, progress) }
        let session = positions.session(for: request.headers)
        return try await DatabaseSession.$current.withValue(session) {
            var response = try await respond(to: request, of: peer, progress)
            positions.complete(&response.headers, for: request.headers, session, database)
            return response
        }
    }

    private func respond(
        to request: Request, of peer: ConnectionPeer, _ progress: RequestProgress
    ) async throws -> Response {
        var response: Response
        do {
            let length = request.head.path?.utf8.count ?? 0
            guard length <= settings.maximumTargetSize else {
                throw RequestProblem(
                    .uriTooLong,
                    "the request target has \(length) bytes; at most \(settings.maximumTargetSize) are allowed. Send a GraphQL document by POST"
                )
            }
            try checkHost(request)
            switch destination {
            case .router(let router): response = try await router.respond(to: request, progress)
            case .access(let control):
                let (router, caller) = try await control.admit(request, of: peer)
                response = try await router.respond(
                    to: request, progress, caller: caller, certificate: peer.certificate)
                if let caller, caller.isIdentified { response.headers.makePrivate() }
            }
        } catch let error as RequestAborted {
            // The connection has already sent a response. The handler of the connection drops this error.
            throw error
        } catch {
            let problem = RequestProblem(error)
            response = problem.response(requestID: progress.requestID)
            if let cause = problem.cause {
                observe(.failure(requestID: progress.requestID, cause))
            }
            if let rejection = problem.rejection {
                observe(.rejection(requestID: progress.requestID, rejection))
            }
        }
        response.headers.addCommonFields(requestID: progress.requestID)
        response.headers.addTransportSecurity(settings)
        if request.method == .head { response = Self.headOnly(response) }
        if response.status == .noContent || response.status == .notModified { response.headers[.contentLength] = nil }
        guard response.body.contentLength == nil, request.method != .head else {
            if request.method != .head { progress.send(bytes: response.body.contentLength ?? 0) }
            progress.end(request, status: response.status)
            return response
        }
        let isLive =
            response.status == .switchingProtocols
            || response.headers[.contentType] == EventStreamWriter.contentType
        response.body = observed(response.body, of: request, response.status, isLive: isLive, progress)
        return response
    }

    /// Rejects a request for a host that is not a name of this server. This prevents DNS rebinding. A request of
    /// HTTP/1.0 may have no host. Browsers do not send such requests, so they are accepted.
    /// - Throws: ``RequestProblem`` with status 421 (RFC 9110, section 15.5.20).
    private func checkHost(_ request: Request) throws {
        guard let allowed = settings.allowedHosts, var authority = request.head.authority else { return }
        // Every request is checked, so the bytes are compared without a new string and without hashing.
        let unknown: String? = authority.withUTF8 { bytes in
            // An IPv6 address is in brackets and contains colons.
            let isAddress = bytes.first == UInt8(ascii: "[")
            let end =
                isAddress
                ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : bytes.firstIndex(of: UInt8(ascii: ":"))
            let host = bytes[..<(end ?? bytes.endIndex)]
            let isAllowed = allowed.contains { name in
                name.utf8.count == host.count && name.utf8.elementsEqual(host.lazy.map(\.lowercased))
            }
            return isAllowed ? nil : String(decoding: host, as: UTF8.self).lowercased()
        }
        guard let host = unknown else { return }
        throw RequestProblem(
            .unknownHost,
            host.isEmpty
                ? "the request has no host; use one of the allowed hosts"
                : "\(host) is not a name of this server; start it with --hosts to add a name",
            members: [("allowed", .array(allowed.sorted().map { .string($0) }))])
    }

    /// Wraps a streamed body, so that the end of the request is recorded when the body ends, successfully or not. After
    /// the head has been sent, the server can report a failure to the client only by closing the connection. The log
    /// therefore contains the error.
    private func observed(
        _ body: ResponseBody, of request: Request, _ status: HTTPResponse.Status, isLive: Bool,
        _ progress: RequestProgress
    ) -> ResponseBody {
        let body = body.map { piece in
            progress.send(bytes: piece.readableBytes)
            return piece
        }
        // A live stream reads on the primary, whose commits it watches.
        let session = isLive ? nil : DatabaseSession.current
        return ResponseBody { [observe] writer in
            // The body is written by another task than that of the request. The operations on a connection that
            // switches protocols have traces of their own.
            let context = status == .switchingProtocols ? nil : progress.span?.context
            try await ServiceContext.$current.withValue(context) {
                defer { progress.end(request, status: status) }
                do {
                    try await DatabaseSession.$current.withValue(session) { try await body.write(writer) }
                } catch {
                    progress.span?.fail(error)
                    observe(
                        error is DatabaseError
                            ? .failure(requestID: progress.requestID, error)
                            : .cutOff(requestID: progress.requestID, error))
                    throw error
                }
            }
        }
    }

    /// Returns the header fields of the response without its content. If the length is unknown, the response has no
    /// `Content-Length`.
    private static func headOnly(_ response: Response) -> Response {
        guard response.body.contentLength == nil else { return response.createHeadResponse() }
        return Response(
            status: response.status, headers: response.headers, body: ResponseBody { try await $0.finish(nil) })
    }
}

/// The responders of a server.
struct Responders: Sendable {
    let api: DuetResponder
    /// The responder of the admin addresses.
    let admin: DuetResponder
}

/// Passes each request to the responder of the current API, which can be replaced at any time. A request that began
/// before the replacement continues with the previous responder. A live stream ends, even if it has not yet begun.
final class CurrentResponder: Sendable {
    private struct State {
        var responders: Responders
        var streams: LiveStreams
        var isDraining = false
    }

    private let state: Mutex<State>

    /// - Parameter streams: The live streams of the responders.
    init(_ responders: Responders, _ streams: LiveStreams) {
        state = Mutex(State(responders: responders, streams: streams))
    }

    /// Replaces the responders for all subsequent requests, and ends the live streams of the previous ones.
    func replace(by responders: Responders, _ streams: LiveStreams) {
        let (previous, isDraining) = state.withLock { state in
            defer {
                state.responders = responders
                state.streams = streams
            }
            return (state.streams, state.isDraining)
        }
        previous.drain()
        if isDraining { streams.drain() }
    }

    /// Ends all live streams, and those that begin from now on, because the server shuts down.
    func drain() {
        let streams = state.withLock { state in
            state.isDraining = true
            return state.streams
        }
        streams.drain()
    }

    func respond(to request: Request, of peer: ConnectionPeer) async throws -> Response {
        try await state.withLock { $0.responders.api }.respond(to: request, of: peer)
    }

    /// Returns the response to a request at an admin address.
    func respondAsAdmin(to request: Request, of peer: ConnectionPeer) async throws -> Response {
        try await state.withLock { $0.responders.admin }.respond(to: request, of: peer)
    }
}

extension HTTPFields {
    private static let noSniffing = HTTPField(name: .xContentTypeOptions, value: "nosniff")

    /// Adds the header fields of every response: the date, the request identifier, and `X-Content-Type-Options`. The
    /// latter makes a browser interpret the content strictly by its media type (WHATWG Fetch, "`X-Content-Type-Options`
    /// header").
    mutating func addCommonFields(requestID: String) {
        append(HTTPField(name: .date, value: HTTPDate.now))
        append(HTTPField(name: .requestID, value: requestID))
        append(Self.noSniffing)
    }

    /// Adds `Strict-Transport-Security` if the settings have it (RFC 6797).
    mutating func addTransportSecurity(_ settings: ServerSettings) {
        guard let value = settings.strictTransportSecurity else { return }
        append(HTTPField(name: .strictTransportSecurity, value: value))
    }
}
