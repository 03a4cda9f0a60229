public import DuetJSON

/// An operation in the OpenAPI document (OpenAPI 3.1, "Operation Object").
public struct OpenAPIOperation: Sendable, Hashable {
    /// A parameter. The document defines each parameter once, in `components/parameters`. Operations refer to it with
    /// `$ref`.
    public struct Parameter: Sendable, Hashable {
        /// The name of the component, such as `Employee.hireDate.gte`.
        public var component: String
        /// The Parameter Object.
        public var value: JSONValue

        /// Creates a parameter.
        public init(_ component: String, _ value: JSONValue) {
            self.component = component
            self.value = value
        }
    }

    /// A response. The document defines each response once, in `components/responses`. Operations refer to it with
    /// `$ref`.
    public struct Response: Sendable, Hashable {
        /// The status code, or `default`.
        public var status: String
        /// The name of the component, such as `Employees`.
        public var component: String
        /// A sentence for the documentation.
        public var description: String
        /// The names of the header fields. Each name is also the name of a component in `components/headers`.
        public var headers: [String]
        /// The Media Type Objects, keyed by media type.
        public var content: JSONObject

        /// Creates a response.
        public init(
            _ status: String, _ component: String, _ description: String, headers: [String],
            content: JSONObject = JSONObject()
        ) {
            self.status = status
            self.component = component
            self.description = description
            self.headers = headers
            self.content = content
        }
    }

    /// The HTTP method, such as `GET`.
    public var method: String
    /// The path template, with parameters in braces.
    public var path: String
    /// The operation identifier, from which code generators derive names.
    public var identifier: String
    /// The tag, which is the name of the group in the documentation.
    public var tag: String
    /// A one-line summary for the documentation.
    public var summary: String
    /// A longer description in Markdown for the documentation.
    public var description: String?
    /// The path parameters.
    public var pathParameters: [Parameter]
    /// The query parameters and request header fields.
    public var parameters: [Parameter]
    /// The Request Body Object.
    public var body: JSONValue?
    /// The responses in the order of their statuses.
    public var responses: [Response]
    /// The codes of the problems that the operation can return.
    public var problems: [ServiceError.Code]

    /// Creates an operation.
    public init(
        _ method: String, _ path: String, _ identifier: String, tag: String, _ summary: String,
        description: String? = nil, pathParameters: [Parameter] = [], parameters: [Parameter] = [],
        body: JSONValue? = nil, responses: [Response] = [], problems: [ServiceError.Code] = []
    ) {
        self.method = method
        self.path = path
        self.identifier = identifier
        self.tag = tag
        self.summary = summary
        self.description = description
        self.pathParameters = pathParameters
        self.parameters = parameters
        self.body = body
        self.responses = responses
        self.problems = problems
    }

    /// The Operation Object. Its parameters and responses are references to components.
    var document: JSONValue {
        var object = JSONObject([
            "operationId": .string(identifier), "tags": [.string(tag)], "summary": .string(summary),
        ])
        object["description"] = description.map { .string($0) }
        if !parameters.isEmpty { object["parameters"] = .array(parameters.map(\.reference)) }
        object["requestBody"] = body
        object["responses"] = .object(
            JSONObject(responses.map { ($0.status, JSONValue.reference("responses", $0.component)) }))
        return .object(object)
    }
}

extension OpenAPIOperation.Parameter {
    var reference: JSONValue { .reference("parameters", component) }
}

extension OpenAPIOperation.Response {
    /// The Response Object.
    var document: JSONValue {
        var object = JSONObject(["description": .string(description)])
        if !headers.isEmpty {
            object["headers"] = .object(JSONObject(headers.map { ($0, JSONValue.reference("headers", $0)) }))
        }
        if !content.members.isEmpty { object["content"] = .object(content) }
        return .object(object)
    }
}

extension JSONValue {
    /// Returns a reference to a component: `{"$ref":"#/components/schemas/Employee"}`.
    public static func reference(_ section: String, _ name: String) -> JSONValue {
        ["$ref": .string("#/components/\(section)/\(name)")]
    }

    /// Returns a reference to a schema component.
    public static func schema(_ name: String) -> JSONValue { .reference("schemas", name) }
}
