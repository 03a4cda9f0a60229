import DuetJSON
import DuetResourceService

/// The description of a route in the OpenAPI document, in addition to its method, path, summary and query parameters.
struct RouteContract: Sendable {
    /// The operation identifier, from which code generators derive names.
    let identifier: String
    /// The tag, which is the group in the documentation.
    let tag: String
    /// A longer description in Markdown for the documentation.
    let description: String?
    /// The body of the request.
    let body: JSONValue?
    /// The responses other than problem documents: successes, and errors in another format.
    let responses: [OpenAPIOperation.Response]
    /// The codes of the problems of this route, in addition to those that every route has.
    let problems: [ServiceError.Code]

    /// Creates the contract of a route.
    /// - Parameter response: The response with status 200. If this response has an entity tag, the contract also
    ///   contains a 304.
    init(
        _ identifier: String, _ tag: Tag, description: String? = nil, body: JSONValue? = nil,
        _ response: OpenAPIOperation.Response, errors: [OpenAPIOperation.Response] = [],
        problems: [ServiceError.Code] = []
    ) {
        let isTagged = response.headers.contains("ETag")
        self.identifier = identifier
        self.tag = tag.name
        self.description = description
        self.body = body
        responses = [response] + (isTagged ? [.notModified] : []) + errors
        self.problems = problems
    }

    /// A group of operations in the documentation.
    struct Tag: Sendable, Hashable {
        let name: String
        var description: String?

        static let batch = Tag(name: "Batch", description: "Several writes in one transaction.")
        static let graphQL = Tag(
            name: "GraphQL", description: "The same data over GraphQL. The schema is at `/schema.graphql`.")
        static let problems = Tag(name: "Problems", description: "The types of problems.")
        static let service = Tag(name: "Service", description: "The state of the server, its pages and this document.")
        /// The tags of the routes that every server has.
        static let all = [graphQL, problems, service]
    }
}

extension OpenAPIOperation.Response {
    /// Creates the response of one of the server's own routes with status 200.
    /// - Parameters:
    ///   - name: The name of the component.
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
