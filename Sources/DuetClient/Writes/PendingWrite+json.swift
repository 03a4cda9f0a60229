import DuetJSON
import Foundation
import HTTPTypes

/// The text of a write in a file. It does not depend on the names of Swift types and properties, so that a later
/// version of an app can read it.
extension PendingWrite {
    /// The write as JSON, without its owner and its key.
    var json: JSONValue {
        var members: [(String, JSONValue)] = [("created", .integer(created.epochMilliseconds))]
        if let sent { members.append(("sent", .integer(sent.epochMilliseconds))) }
        switch request {
        case .service(let request): members.append(("rest", request.json))
        case .mutation(let mutation): members.append(("graphql", mutation.json))
        }
        return .object(JSONObject(members))
    }

    /// Reads a write; `nil` if the JSON is not a write.
    init?(_ json: JSONValue, key: IdempotencyKey, owner: String) {
        guard let created = json["created"]?.integerValue else { return nil }
        let request: Request
        if let rest = json["rest"] {
            guard let value = ServiceRequest(rest) else { return nil }
            request = .service(value)
        } else {
            guard let graphQL = json["graphql"], let value = Mutation(graphQL) else { return nil }
            request = .mutation(value)
        }
        self.init(
            key: key, owner: owner, created: Date(epochMilliseconds: Double(created)),
            sent: json["sent"]?.integerValue.map { Date(epochMilliseconds: Double($0)) }, request: request)
    }
}

extension PendingWrite.ServiceRequest {
    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("method", .string(method.rawValue)), ("path", .string(path)),
            ("fields", .array(headerFields.map { .array([.string($0.name.rawName), .string($0.value)]) })),
        ]
        if let body {
            if let text = String(validating: body, as: UTF8.self) {
                members.append(("body", .string(text)))
            } else {
                members.append(("base64", .string(body.base64EncodedString())))
            }
        }
        return .object(JSONObject(members))
    }

    fileprivate init?(_ json: JSONValue) {
        guard let method = json["method"]?.text.flatMap({ HTTPRequest.Method($0) }), let path = json["path"]?.text,
            case .array(let pairs)? = json["fields"]
        else { return nil }
        var fields = HTTPFields()
        for pair in pairs {
            guard case .array(let parts) = pair, parts.count == 2, let value = parts[1].text,
                let name = parts[0].text.flatMap({ HTTPField.Name($0) })
            else { return nil }
            fields.append(HTTPField(name: name, value: value))
        }
        var body: Data?
        if let text = json["body"]?.text {
            body = Data(text.utf8)
        } else if let text = json["base64"]?.text {
            guard let bytes = Data(base64Encoded: text) else { return nil }
            body = bytes
        }
        self.init(method, path, headerFields: fields, body: body)
    }
}

extension PendingWrite.Mutation {
    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("document", .string(document)), ("variables", .object(variables)),
        ]
        if let name { members.append(("name", .string(name))) }
        return .object(JSONObject(members))
    }

    fileprivate init?(_ json: JSONValue) {
        guard let document = json["document"]?.text, case .object(let variables)? = json["variables"] else {
            return nil
        }
        self.init(document: document, name: json["name"]?.text, variables: variables)
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
