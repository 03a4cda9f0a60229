import DuetResourceService
import HTTPTypes

/// An HTTP method on a path, with its description. The ``RouteTable`` contains all routes, and ``RouteHandlers`` has
/// their handlers.
struct Route: Sendable {
    /// The content of the response of a route. It determines the handler.
    enum Endpoint: Sendable {
        /// An operation of the catalogue's resources.
        case resource(RESTOperation)
        /// A text for the row of an operation.
        case representation(ItemRepresentation, of: RESTOperation)
        /// Several writes in one transaction.
        case batch
        case graphQL
        /// The page at `/`.
        case start
        /// A style sheet or a JavaScript module of a page.
        case pageFile
        /// The tasks of the page at `/`.
        case pageTasks
        /// The key fields of each resource, for the page at `/`.
        case pageKeys
        case liveness
        case readiness
        case metrics
        /// The statements of an earlier request.
        case statements
        case openAPI(OpenAPIDocument.Format)
        /// The GraphQL schema.
        case schema
        case problemTypes
        case problemType
        /// The role and the claims of the caller.
        case caller
    }

    /// The clients to which a route responds if the API has roles.
    enum Audience: Sendable {
        /// All clients. The response does not depend on the caller.
        case everyone
        /// Clients on the machine of the server.
        case machine
        /// All clients. The response to a caller can be different from the one to a client without an identity.
        case visitors
        /// Callers.
        case callers
    }

    let method: HTTPRequest.Method
    /// The path with parameters in braces, as in OpenAPI.
    let path: String
    /// A one-line summary for the documentation page.
    let summary: String
    /// The query parameters for the documentation page.
    let parameters: [String]
    let endpoint: Endpoint
    /// The parts of the OpenAPI description that the other properties do not contain; `nil` for an operation of a
    /// resource, which the catalogue describes.
    let contract: RouteContract?

    init(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, parameters: [String] = [],
        _ endpoint: Endpoint, _ contract: RouteContract
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.parameters = parameters
        self.endpoint = endpoint
        self.contract = contract
    }

    /// Creates the route of a REST operation.
    init(_ operation: RESTOperation) {
        method = HTTPRequest.Method(rawValue: operation.method) ?? .get
        path = operation.path
        summary = operation.summary
        parameters = operation.parameters + (operation.isCollection ? ["api"] : [])
        endpoint = .resource(operation)
        contract = nil
    }

    /// The style label of the route's requests in the metrics.
    var style: RequestStyle {
        switch endpoint {
        case .resource, .representation, .batch: .rest
        case .graphQL: .graphQL
        default: .other
        }
    }

    /// True if `Accept` determines the media type of the response, or causes a 406.
    private var negotiatesType: Bool {
        switch endpoint {
        case .resource, .representation: method == .get
        case .graphQL, .start: true
        default: false
        }
    }

    /// True if the handler begins on the event loop of the connection. This saves time if most requests of the route
    /// are short. The handler must leave the event loop before long work.
    var staysOnEventLoop: Bool {
        switch endpoint {
        case .resource(let operation): operation.write == nil
        case .graphQL, .liveness: true
        default: false
        }
    }

    /// The names of the path parameters whose values are whole numbers.
    var integerParameters: Set<String> {
        if case .resource(let operation) = endpoint { operation.integerParameters } else { [] }
    }

    /// True if responses can have content other than a problem.
    var sendsContent: Bool {
        if case .resource(let operation) = endpoint, operation.isBulkWrite { true } else { method != .delete }
    }

    /// The clients to which the route responds if the API has roles.
    var audience: Audience {
        switch endpoint {
        case .liveness, .readiness, .pageFile: .everyone
        case .metrics, .statements: .machine
        case .start, .graphQL, .problemTypes, .problemType: .visitors
        case .resource, .representation, .batch, .pageTasks, .pageKeys, .openAPI, .schema, .caller: .callers
        }
    }

    /// Returns the value of `Vary` for all responses of the route, including errors (RFC 9110 §12.5.5); `nil` if the
    /// responses do not depend on fields of the request.
    /// - Parameter hasRoles: True if the API has roles.
    func vary(hasRoles: Bool) -> String? {
        guard sendsContent else { return nil }
        let fields = negotiatesType ? "Accept, Accept-Encoding" : "Accept-Encoding"
        return hasRoles && audience != .everyone ? fields + ", Authorization, Duet-Role" : fields
    }
}

extension RESTOperation {
    /// True for the list of a resource. With `?api`, its path responds with the page that lists the routes.
    var isCollection: Bool { rows == .list && write == nil }
}
