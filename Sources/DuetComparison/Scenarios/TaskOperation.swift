import Crypto
import DuetGraphQL
import DuetJSON
import Foundation

/// A GraphQL operation with its variables.
struct TaskOperation: Sendable, Hashable {
    let document: String
    var variables = JSONObject()

    /// Returns the request for the operation in a given style.
    /// - Parameter isWrite: True for a mutation. Every style sends a mutation by POST.
    func request(_ style: Style, isWrite: Bool) throws -> Request {
        switch style {
        case .graphQLMinified: posted(try Source(document).strippingIgnoredCharacters())
        case .graphQLPersisted, .graphQLCold, .graphQLWarm: hashed(isWrite: isWrite)
        default: posted(document)
        }
    }

    /// Returns the operation for the next page; nil after the last page. The variable `after` contains the cursor.
    /// - Throws: ``UnexpectedAnswer`` if the response does not contain a page of a connection.
    func next(after answer: JSONValue) throws -> TaskOperation? {
        let page = try answer.rootField().member("pageInfo")
        guard try page.member("hasNextPage") == true else { return nil }
        var next = self
        next.variables["after"] = try page.member("endCursor")
        return next
    }

    /// The request that registers the document under its hash. It also executes the operation.
    var registration: Request {
        .posting(["query": .string(document), "variables": .object(variables), "extensions": extensions])
    }

    private func posted(_ document: String) -> Request {
        var body = JSONObject(["query": .string(document)])
        if !variables.members.isEmpty { body["variables"] = .object(variables) }
        return .posting(.object(body))
    }

    /// Returns a request with the document's hash. A query uses GET, so that caches can store the response.
    private func hashed(isWrite: Bool) -> Request {
        if isWrite {
            return .posting(["variables": .object(variables), "extensions": extensions])
        }
        var query = "extensions=\(extensions.compactText.percentEncoded)"
        if !variables.members.isEmpty {
            query += "&variables=\(JSONValue.object(variables).compactText.percentEncoded)"
        }
        return .get("/graphql?\(query)")
    }

    private var extensions: JSONValue {
        let hash = SHA256.hash(data: Data(document.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        return ["persistedQuery": ["version": 1, "sha256Hash": .string(hash)]]
    }
}

extension Request {
    /// Creates a GraphQL request with a JSON body.
    fileprivate static func posting(_ body: JSONValue) -> Request {
        Request(method: .post, target: "/graphql", body: body.compactText)
    }
}

extension JSONValue {
    /// Returns the value of the root field of a GraphQL response.
    /// - Throws: ``UnexpectedAnswer`` if the response does not have exactly one root field.
    func rootField() throws -> JSONValue {
        guard case .object(let data)? = self["data"], let field = data.members.first, data.members.count == 1 else {
            throw UnexpectedAnswer("the response does not contain data with exactly one root field")
        }
        return field.value
    }
}

extension String {
    /// The string with all characters percent-encoded, except the unreserved characters of RFC 3986.
    var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~"))) ?? self
    }
}
