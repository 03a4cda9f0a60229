internal import DuetHTTPSemantics
public import DuetJSON

/// The parameters of a GraphQL request over HTTP ("Request Parameters" of the GraphQL over HTTP draft).
public struct GraphQLRequest: Sendable, Hashable {
    /// The text of the document. It can be nil if ``documentID`` or a hash in ``extensions`` identifies a persisted
    /// document.
    public var query: String?
    /// The identifier of a persisted document (appendix A of the draft).
    public var documentID: String?
    /// The name of the operation; nil if the document has only one.
    public var operationName: String?
    /// The variables in the order of the request.
    public var variables: JSONObject
    /// The entries of `extensions`, such as `persistedQuery` with the hash of a document.
    public var extensions: JSONObject

    /// Creates a request.
    public init(
        query: String?, documentID: String? = nil, operationName: String? = nil, variables: JSONObject = JSONObject(),
        extensions: JSONObject = JSONObject()
    ) {
        self.query = query
        self.documentID = documentID
        self.operationName = operationName
        self.variables = variables
        self.extensions = extensions
    }

    /// Creates a request from a JSON object ("JSON Encoding" of the draft). Unknown members are ignored. A null member
    /// and an empty `operationName` are equivalent to an absent member.
    /// - Throws: An error for a member of a wrong type.
    public init(_ object: JSONObject) throws(GraphQLRequestError) {
        self.init(
            query: try Self.string("query", in: object), documentID: try Self.string("documentId", in: object),
            operationName: try Self.string("operationName", in: object),
            variables: try Self.object("variables", in: object), extensions: try Self.object("extensions", in: object))
        if operationName == "" { operationName = nil }
    }

    /// Creates a request from the body of a POST.
    /// - Parameter body: A JSON object in UTF-8. For a `ByteBuffer`, pass its `readableBytesView`.
    /// - Throws: An error for bytes that are not JSON, and for JSON that is not a single request.
    public init(body: some Collection<UInt8>) throws(GraphQLRequestError) {
        switch try GraphQLRequestBody(body) {
        case .single(let request): self = request
        // This case does not occur: with a maximum batch size of zero, `GraphQLRequestBody` rejects lists.
        case .batch: throw .missingQuery
        }
    }

    /// True if the request identifies a document by an identifier or a hash.
    var namesPersistedDocument: Bool {
        if documentID != nil { return true }
        if case .object? = extensions["persistedQuery"] { return true }
        return false
    }

    private static func string(_ name: String, in object: JSONObject) throws(GraphQLRequestError) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case .some(let other): throw .malformed("\"\(name)\" must be a string, not \(other.typeName).")
        }
    }

    private static func object(_ name: String, in object: JSONObject) throws(GraphQLRequestError) -> JSONObject {
        switch object[name] {
        case nil, .null: return JSONObject()
        case .object(let members): return members
        case .some(let other): throw .malformed("\"\(name)\" must be an object, not \(other.typeName).")
        }
    }
}

// MARK: - GET

extension GraphQLRequest {
    /// Creates a request from the query of a URL ("GET" of the draft). `variables` and `extensions` are JSON texts. An
    /// empty parameter is equivalent to an absent parameter. Unknown parameters are ignored.
    /// - Parameter urlQuery: The text after the question mark, still percent-encoded; nil for a URL without a query.
    /// - Throws: An error for a repeated or malformed parameter.
    public init(urlQuery: String?) throws(GraphQLRequestError) {
        let parameters: QueryString
        do {
            parameters = try QueryString(urlQuery)
        } catch {
            throw .malformed("\(error)")
        }
        self.init(
            query: try Self.value("query", in: parameters),
            documentID: try Self.value("documentId", in: parameters),
            operationName: try Self.value("operationName", in: parameters),
            variables: try Self.json("variables", in: parameters),
            extensions: try Self.json("extensions", in: parameters))
    }

    private static func value(_ name: String, in query: QueryString) throws(GraphQLRequestError) -> String? {
        let values = query.values(for: name)
        guard values.count < 2 else {
            throw .malformed("The URL contains the parameter \"\(name)\" \(values.count) times. Send it once.")
        }
        return values.first.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func json(_ name: String, in query: QueryString) throws(GraphQLRequestError) -> JSONObject {
        guard let text = try value(name, in: query) else { return JSONObject() }
        do {
            var object = JSONObject()
            object[name] = try JSONValue(parsing: text.utf8)
            return try Self.object(name, in: object)
        } catch let error as JSONError {
            throw .malformed("The parameter \"\(name)\" is not JSON: \(error).")
        } catch let error as GraphQLRequestError {
            throw error
        } catch {
            throw .malformed("The parameter \"\(name)\" is not JSON.")
        }
    }
}
