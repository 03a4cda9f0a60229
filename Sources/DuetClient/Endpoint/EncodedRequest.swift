import DuetJSON
import Foundation
import HTTPTypes

/// A GraphQL request as an HTTP request (GraphQL over HTTP, section "Request").
///
/// Equal requests have equal bytes: the parameters, and the members of each object, are sorted by name. A content
/// delivery network can therefore serve different clients from one cache entry.
struct EncodedRequest {
    /// The members of the request, sorted by name. `documentId`, `operationName` and `query` are text, and all other
    /// members are JSON objects.
    private enum Member {
        case text(String)
        case object(JSONObject)
    }

    private let members: [(name: String, value: Member)]

    init(_ request: GraphQLRequest, _ content: PersistedQueryProtocol.Attempt.Content) {
        var extensions = request.extensions
        if let key = request.idempotencyKey { extensions["idempotencyKey"] = .string(key.description) }
        var members: [(String, Member)] = []
        switch content {
        case .document: break
        case .hash(let hash), .hashAndDocument(let hash):
            extensions["persistedQuery"] = .object(["sha256Hash": .string(hash), "version": 1])
        case .identifier(let identifier): members.append(("documentId", .text(identifier)))
        }
        if !extensions.members.isEmpty { members.append(("extensions", .object(extensions.canonical))) }
        if let name = request.document.name { members.append(("operationName", .text(name))) }
        switch content {
        case .document, .hashAndDocument: members.append(("query", .text(request.document.text)))
        case .hash, .identifier: break
        }
        if !request.variables.members.isEmpty {
            members.append(("variables", .object(request.variables.canonical)))
        }
        self.members = members
    }

    /// The query component of the request target, without `?`.
    var query: String {
        members.map { name, value in
            switch value {
            case .text(let text): "\(name)=\(PercentEncoding.component(text))"
            case .object(let object): "\(name)=\(PercentEncoding.component(JSONValue.object(object).compactText))"
            }
        }.joined(separator: "&")
    }

    /// The body of a POST request.
    var body: Data {
        var writer = JSONByteWriter(capacity: 1024)
        writer.write(byte: UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(key: member.name)
            switch member.value {
            case .text(let text): writer.write(text)
            case .object(let object): writer.write(.object(object))
            }
        }
        writer.write(byte: UInt8(ascii: "}"))
        return Data(writer.bytes)
    }
}
