import Crypto
import DuetGraphQL
import DuetJSON
import Foundation

/// An operation of GraphQL with its variables.
struct Operation: Sendable, Hashable {
    let document: String
    var variables = JSONObject()

    /// The operation as a style sends it.
    /// - Parameter isWrite: true for a mutation, which is sent by POST in each style.
    func request(_ style: Style, isWrite: Bool) throws -> Request {
        switch style {
        case .graphQLMinified: posted(try Source(document).strippingIgnoredCharacters())
        case .graphQLPersisted, .graphQLCold, .graphQLWarm: hashed(isWrite: isWrite)
        default: posted(document)
        }
    }

    /// The operation for the page after an answer, whose cursor is the variable `after`; `nil` after the last page.
    /// - Throws: ``UnexpectedAnswer`` if the answer is no page of a connection.
    func next(after answer: JSONValue) throws -> Operation? {
        let page = try answer.rootField().member("pageInfo")
        guard try page.member("hasNextPage") == true else { return nil }
        var next = self
        next.variables["after"] = try page.member("endCursor")
        return next
    }

    /// The request that registers the document's hash, and executes the operation.
    var registration: Request {
        .posting(["query": .string(document), "variables": .object(variables), "extensions": extensions])
    }

    private func posted(_ document: String) -> Request {
        var body = JSONObject(["query": .string(document)])
        if !variables.members.isEmpty { body["variables"] = .object(variables) }
        return .posting(.object(body))
    }

    /// The operation by its document's hash: a read by GET, so that caches store the response.
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
    /// A GraphQL request as JSON.
    fileprivate static func posting(_ body: JSONValue) -> Request {
        Request(method: .post, target: "/graphql", body: body.compactText)
    }
}

extension JSONValue {
    /// The value of the only root field of a GraphQL response.
    /// - Throws: ``UnexpectedAnswer`` if there is not exactly one.
    func rootField() throws -> JSONValue {
        guard case .object(let data)? = self["data"], let field = data.members.first, data.members.count == 1 else {
            throw UnexpectedAnswer("the response has no data of one root field")
        }
        return field.value
    }

    /// The same value with the list of its nodes in place of each connection.
    var withoutConnections: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutConnections))
        case .object(let object):
            object["nodes"]?.withoutConnections
                ?? .object(JSONObject(object.members.lazy.map { ($0.key, $0.value.withoutConnections) }))
        default: self
        }
    }
}

extension String {
    /// With all but what RFC 3986 calls unreserved percent-encoded.
    fileprivate var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~"))) ?? self
    }
}
