import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import HummingbirdCore

/// A request whose route is known, as the input of a handler.
struct RoutedRequest: Sendable {
    typealias Handler = @Sendable (RoutedRequest) async throws -> Response

    let request: Request
    /// The value of `X-Request-ID`, or a generated identifier. It is part of every log line about the request, and of
    /// every problem.
    let requestID: String
    /// The parameters of the path.
    let path: PathParameters

    /// Returns the encoded path segment of a parameter, or of several parameters in one segment, such as
    /// `orderId,productId`.
    func segment(_ parameters: String) -> String { path[parameters] ?? "" }

    /// Returns the decoded value of a path parameter (RFC 3986 §6.2.2.2), or the encoded value if it cannot be decoded.
    func parameter(_ name: String) -> String {
        let part = segment(name)
        return part.percentDecoded ?? part
    }

    /// The encoded query; `nil` if the target has no question mark.
    var rawQuery: String? { request.uri.query }

    /// Returns the decoded query parameters in their order.
    func query() throws -> RESTStyle.Query {
        guard let rawQuery else { return [] }
        return try QueryString(rawQuery).parameters.map { ($0.name, $0.value) }
    }

    /// True if the query is `?api`, which requests the page that lists the routes.
    var asksForRoutes: Bool { rawQuery == "api" || rawQuery == "api=" }

    /// Rejects all query parameters.
    func requireNoQuery() throws {
        guard let parameter = try query().first else { return }
        throw RequestProblem(
            .unknownParameter, "this path has no query parameters",
            members: [("parameter", .string(parameter.name)), ("allowed", [])])
    }
}
