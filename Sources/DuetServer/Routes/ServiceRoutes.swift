import DuetGraphQL
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The handlers of the routes of the server itself: health, metrics, statements for debugging, problem types, and the
/// identity of the caller.
struct ServiceRoutes: Sendable {
    /// The service whose database must be available.
    let service: ResourceService
    let builder: ResponseBuilder
    let metrics: PrometheusMetricsFactory
    /// The statements of the latest requests; `nil` if the server does not store statements.
    let history: StatementHistory?
    /// The types of problems.
    let types: [ServiceError.Code]
    /// Returns a sentence that says why the keys of tokens are not available; nil if they are, or if the API has no
    /// roles.
    var keysProblem: @Sendable () -> String? = { nil }

    // MARK: State

    func liveness(_ routed: RoutedRequest) throws -> Response {
        try json(["status": "live"], routed, cacheControl: "no-store", tag: nil)
    }

    func readiness(_ routed: RoutedRequest) async throws -> Response {
        try routed.requireNoQuery()
        if let problem = keysProblem() { throw RequestProblem(.tokenKeysUnavailable, problem) }
        try await service.checkReadiness()
        return try json(["status": "ready"], routed, cacheControl: "no-store", tag: nil)
    }

    func metricsText(_ routed: RoutedRequest) throws -> Response {
        try routed.requireNoQuery()
        return try builder.whole(
            ByteBuffer(string: metrics.text()), mediaType: PrometheusMetricsFactory.contentType,
            for: routed, cacheControl: "no-store", tag: nil)
    }

    func statements(_ routed: RoutedRequest) throws -> Response {
        try routed.requireNoQuery()
        guard let history else {
            throw RequestProblem(
                .statementsNotKept,
                "this server does not store statements; start it with --debug-statements (DUET_DEBUG_STATEMENTS=true)")
        }
        let requestID = routed.parameter("requestID")
        guard let document = history.document(of: requestID) else {
            throw RequestProblem(
                .unknownRequest,
                "the request \(requestID) is not among the last \(StatementHistory.maximumRequests) requests to REST or GraphQL"
            )
        }
        return try json(document, routed, cacheControl: "no-store", tag: nil)
    }

    // MARK: Problems

    func problemTypes(_ routed: RoutedRequest) throws -> Response {
        try json(.array(types.map(\.document)), routed)
    }

    func problemType(_ routed: RoutedRequest) throws -> Response {
        let code = routed.parameter("code")
        // A server whose writes are declared can refuse an idempotency key, too.
        guard let type = (types + ServiceError.Code.writes).first(where: { $0.rawValue == code }) else {
            throw RequestProblem(.unknownProblem, "there is no problem type \(code); GET /problems lists the types")
        }
        return try json(type.document, routed)
    }

    // MARK: The caller

    /// Returns the role, the expiry and the claims of the caller.
    func caller(_ routed: RoutedRequest) throws -> Response {
        guard let caller = routed.caller else { throw AccessControl.missingToken }
        return try json(caller.document, routed, cacheControl: "no-store", tag: nil)
    }

    private func json(
        _ value: JSONValue, _ routed: RoutedRequest, cacheControl: String = "max-age=300, public",
        tag: ResponseBuilder.TagHash? = .content
    ) throws -> Response {
        try routed.requireNoQuery()
        var writer = JSONWriter()
        writer.write(value)
        return try builder.whole(
            writer.buffer, mediaType: "application/json", for: routed, cacheControl: cacheControl, tag: tag)
    }
}
