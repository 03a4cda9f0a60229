import DuetJSON
import DuetResourceService

/// The description of a route in the OpenAPI document, beside its method, path, summary and query parameters.
enum RouteContract: Sendable {
    /// The route is an operation of the catalogue's resources.
    case resource(RESTOperation)
    /// The route is the server's own.
    case own(Own)

    /// The contract of a route of the server's own.
    struct Own: Sendable {
        /// The name by which code generators know the operation.
        let identifier: String
        /// The group in the documentation.
        let tag: String
        /// More for the documentation, in Markdown.
        let description: String?
        /// The body of the request.
        let body: JSONValue?
        /// The responses that are not problems, and problems in a form of their own.
        let responses: [OpenAPIOperation.Response]
        /// The types of problems that only some routes have.
        let problems: [ProblemType]
    }

    /// A contract of the server's own.
    /// - Parameter response: The response with status 200. If it has an entity tag, 304 is possible.
    static func own(
        _ identifier: String, _ tag: Tag, description: String? = nil, body: JSONValue? = nil,
        _ response: OpenAPIOperation.Response, errors: [OpenAPIOperation.Response] = [], problems: [ProblemType] = []
    ) -> RouteContract {
        let isTagged = response.headers.contains("ETag")
        return .own(
            Own(
                identifier: identifier, tag: tag.name, description: description, body: body,
                responses: [response] + (isTagged ? [.notModified] : []) + errors, problems: problems))
    }

    /// A group of operations in the documentation.
    struct Tag: Sendable, Hashable {
        let name: String
        var description: String?

        static let graphQL = Tag(
            name: "GraphQL", description: "The same data by GraphQL. The schema is at `/schema.graphql`.")
        static let problems = Tag(name: "Problems", description: "The types of problems.")
        static let service = Tag(name: "Service", description: "The state of the server, its pages and this document.")
        /// The groups of routes of the server's own.
        static let all = [graphQL, problems, service]
    }
}

extension OpenAPIOperation.Response {
    /// A response of the server's own with status 200.
    /// - Parameters:
    ///   - name: The name among the components.
    ///   - schemas: The media types with their schemas.
    ///   - isTagged: True if the response has an entity tag.
    static func own(
        _ name: String, _ description: String, _ schemas: [(mediaType: String, schema: JSONValue)],
        example: JSONValue? = nil, isTagged: Bool = true
    ) -> Self {
        let content = schemas.map { mediaType, schema in
            var media = JSONObject(["schema": schema])
            media["example"] = example
            return (mediaType, JSONValue.object(media))
        }
        return Self(
            "200", name, description, headers: (isTagged ? ["ETag"] : []) + ["Cache-Control", "Vary", "X-Request-ID"],
            content: JSONObject(content))
    }
}

extension JSONValue {
    /// The schema of a text.
    static let textSchema: JSONValue = ["type": "string"]
}
