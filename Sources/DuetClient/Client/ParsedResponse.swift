public import DuetJSON

/// A response of a GraphQL service (specification, section 7.1), checked but not yet decoded.
struct ParsedResponse: Sendable {
    /// The value of `data`; `nil` if this member is missing or null.
    let data: JSONTape.Value?
    let errors: [GraphQLResponseError]
    let extensions: JSONObject
    /// True if the operation was not executed, so that the member `data` is missing (specification, section 7.1.2).
    let isRequestError: Bool

    /// Parses a response.
    /// - Throws: ``GraphQLClientError`` with the code `invalidResponse`.
    init(_ bytes: [UInt8]) throws(GraphQLClientError) {
        let tape: JSONTape
        do {
            tape = try JSONTape(parsing: bytes, maximumDepth: Self.maximumDepth)
        } catch {
            throw GraphQLClientError(
                .invalidResponse,
                "The response is not JSON: \(error). Check that the address belongs to a GraphQL service.",
                underlyingError: error)
        }
        try self.init(tape.root)
    }

    /// Checks a response that is a value in a JSON text.
    /// - Throws: ``GraphQLClientError`` with the code `invalidResponse`.
    init(_ root: JSONTape.Value) throws(GraphQLClientError) {
        guard root.kind == .object, root["data"] != nil || root["errors"] != nil else {
            throw GraphQLClientError(
                .invalidResponse,
                "The response is JSON, but has neither data nor errors. Check that the address belongs to a GraphQL service."
            )
        }
        if let data = root["data"], data.kind != .object, data.kind != .null {
            throw GraphQLClientError(.invalidResponse, "The member data of the response is not an object.")
        }
        data = root["data"].flatMap { $0.isNull ? nil : $0 }
        isRequestError = root["data"] == nil
        // An error is reported even if its structure does not follow the specification.
        let errors = root["errors"]
        self.errors =
            errors?.kind == .array
            ? errors?.elements.map { GraphQLResponseError($0.json) } ?? []
            : errors.flatMap { $0.isNull ? nil : [GraphQLResponseError($0.json)] } ?? []
        if case .object(let members)? = root["extensions"]?.json { extensions = members } else { extensions = [:] }
    }

    /// The maximum nesting depth of a response. It is greater than the usual depth limits of services.
    static let maximumDepth = 256
}

/// An error that a GraphQL service reports (specification, section 7.1.6).
public struct GraphQLResponseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message of the service.
    public var message: String
    /// The path of the field that caused the error; empty for an error of the whole request.
    public var path: [PathElement]
    /// The member `extensions`.
    public var extensions: JSONObject
    /// The error as received from the service.
    public var json: JSONValue

    /// Parses an error. If the error has no message, a default message is used.
    public init(_ json: JSONValue) {
        self.json = json
        switch json {
        case .string(let text): message = text
        default:
            if case .string(let text)? = json["message"] {
                message = text
            } else {
                message = "The service reports an error without a message."
            }
        }
        if case .array(let elements)? = json["path"] {
            path = elements.compactMap { element in
                switch element {
                case .string(let name): .field(name)
                case .integer(let index): .index(Int(clamping: index))
                default: nil
                }
            }
        } else {
            path = []
        }
        if case .object(let members)? = json["extensions"] { extensions = members } else { extensions = [:] }
    }

    /// The `code` in the extensions, if the service provides it.
    public var code: String? {
        if case .string(let code)? = extensions["code"] { code } else { nil }
    }

    /// The path and the message.
    public var description: String { path.isEmpty ? message : "\(path.pathDescription): \(message)" }
}
