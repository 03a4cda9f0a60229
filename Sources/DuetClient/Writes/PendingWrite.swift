public import DuetJSON
public import Foundation
public import HTTPTypes

/// A write that was sent, or is about to be sent, and has no answer yet.
public struct PendingWrite: Sendable, Hashable {
    /// A request to a REST service. It has neither a token nor the header fields of the ``WebServiceProxy``, because
    /// both can change before the request is sent again.
    public struct ServiceRequest: Sendable, Hashable {
        /// The method.
        public let method: HTTPRequest.Method
        /// The path and the query, percent-encoded. It begins with a slash if it is not below the
        /// ``WebServiceProxy/baseURL``.
        public let path: String
        /// The header fields of the call.
        public let headerFields: HTTPFields
        /// The body; `nil` for a request without a body.
        public let body: Data?

        /// Creates a request. Header fields with secrets are removed: `Authorization`, `Proxy-Authorization`, `Cookie`,
        /// and fields whose name contains `token`, `secret`, `password` or `api-key`.
        public init(_ method: HTTPRequest.Method, _ path: String, headerFields: HTTPFields, body: Data?) {
            self.method = method
            self.path = path
            self.body = body
            self.headerFields = HTTPFields(headerFields.filter { !$0.name.isSecret })
        }
    }

    /// A mutation of a GraphQL service.
    public struct Mutation: Sendable, Hashable {
        /// The text of the document.
        public let document: String
        /// The name of the operation, if it has one.
        public let name: String?
        /// The values of the variables, sorted by name.
        public let variables: JSONObject

        /// Creates a mutation.
        public init(document: String, name: String?, variables: JSONObject) {
            self.document = document
            self.name = name
            self.variables = variables.canonical
        }
    }

    /// The request of a write.
    public enum Request: Sendable, Hashable {
        /// A request to a REST service.
        case service(ServiceRequest)
        /// A mutation of a GraphQL service.
        case mutation(Mutation)
    }

    /// The key, which all requests of the write have.
    public var key: IdempotencyKey
    /// A digest of the name of the service and the identity of the caller. The write is sent only to this service, and
    /// only for callers with this identity.
    public var owner: String
    /// The time of the call.
    public var created: Date
    /// The time of the first request that may have reached the server; `nil` if no request has reached it.
    public var sent: Date?
    /// The request.
    public var request: Request

    /// Creates a write.
    public init(key: IdempotencyKey, owner: String, created: Date, sent: Date? = nil, request: Request) {
        self.key = key
        self.owner = owner
        self.created = created
        self.sent = sent
        self.request = request
    }
}

extension PendingWrite {
    /// The mutation, if the write is a mutation.
    public var mutation: Mutation? { if case .mutation(let mutation) = request { mutation } else { nil } }

    /// The request to a REST service, if the write is one.
    public var serviceRequest: ServiceRequest? {
        if case .service(let request) = request { request } else { nil }
    }

    /// The style of a write. The order of the writes is kept within each style.
    enum Style: Sendable, Hashable {
        case rest, graphQL
    }

    var style: Style { if case .mutation = request { .graphQL } else { .rest } }
}

extension PendingWrite.Request {
    /// Returns true if both requests have the same effect. The order of the members in a JSON body is not relevant.
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.service(let left), .service(let right)):
            left.method == right.method && left.path == right.path && left.headerFields == right.headerFields
                && (left.body == right.body || left.json != nil && left.json == right.json)
        default: self == other
        }
    }
}

extension PendingWrite.ServiceRequest {
    fileprivate var json: JSONValue? { body.flatMap { try? JSONValue(parsing: $0).canonical } }
}

extension HTTPField.Name {
    /// True if the value is probably a secret.
    fileprivate var isSecret: Bool {
        let name = canonicalName
        return ["authorization", "proxy-authorization", "cookie"].contains(name)
            || ["token", "secret", "password", "api-key"].contains(where: name.contains)
    }
}
