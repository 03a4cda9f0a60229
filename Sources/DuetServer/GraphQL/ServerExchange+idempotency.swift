import DuetGraphQL
import DuetGraphQLHTTP
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import HTTPTypes
import HummingbirdCore

/// The idempotency key of a mutation.
extension ServerExchange {
    /// The name of the key in the extensions of the request.
    private static let extensionName = "idempotencyKey"

    /// Returns the GraphQL API for an operation, with the idempotency key of the request. A mutation that stores
    /// nothing needs no key.
    /// - Throws: `GraphQLRequestError` with status 400 for an invalid key.
    func style(for operation: PlannedOperation, _ request: DecodedRequest) throws -> GraphQLStyle {
        guard operation.definition.operation == .mutation, !isRolledBack else { return routes.style }
        do {
            guard let key = try idempotencyKey(of: operation, request) else { return routes.style }
            var style = routes.style
            style.idempotencyKey = key
            return style
        } catch let problem as RequestProblem {
            throw Self.refusal(problem.type, problem.detail)
        }
    }

    private func idempotencyKey(of operation: PlannedOperation, _ request: DecodedRequest) throws -> IdempotencyKey? {
        guard !routed.request.headers.contains(.idempotencyKey) else {
            throw RequestProblem(
                .idempotencyKeyInvalid,
                "in GraphQL, the idempotency key is not a header field; send it as extensions.\(Self.extensionName)")
        }
        let value = request.request.extensions[Self.extensionName] ?? .null
        guard value != .null else { return nil }
        guard case .string(let text) = value, IdempotencyKey.isValid(text) else {
            throw RequestProblem(
                .idempotencyKeyInvalid,
                "extensions.\(Self.extensionName) must be a string of \(IdempotencyKey.requirement)")
        }
        var payload = IdempotencyPayload()
        payload.add(String(decoding: operation.document.source.bytes, as: UTF8.self))
        payload.add(request.request.operationName)
        payload.add(JSONValue.object(request.request.variables).compactText)
        return IdempotencyKey(text, from: try routed.idempotencySender, operation: "POST /graphql", payload: payload)
    }

    /// Refuses the whole request if its idempotency key was refused, and notes whether an earlier request has performed
    /// the changes.
    /// - Throws: `GraphQLRequestError`.
    mutating func checkIdempotency(_ errors: [GraphQLError], _ isReplayed: Bool) throws {
        if isReplayed { self.isReplayed = true }
        for error in errors {
            guard let underlying = error.underlyingError as? ServiceError, underlying.code.isOfIdempotencyKeys else {
                continue
            }
            throw Self.refusal(underlying.code, underlying.detail)
        }
    }

    private static func refusal(_ code: ServiceError.Code, _ detail: String) -> GraphQLRequestError {
        GraphQLRequestError(
            code.httpStatus, ofJSON: .ok, code.graphQLCode, detail,
            fields: code.retryAfter.map { [.retryAfter: String($0)] } ?? [:])
    }
}
