import DuetHTTPSemantics
import DuetJSON
import Foundation
import HTTPTypes

/// Live queries as server-sent events, one connection for each ("distinct connections mode" of
/// <https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md>).
extension GraphQLEndpoint: LiveTransport {
    func run(
        _ subscription: GraphQLRequest, _ receive: @escaping @Sendable (ParsedResponse, _ isFirst: Bool) async -> Void
    ) async throws(GraphQLClientError) {
        let consumer = SubscriptionEvents(
            request: try eventRequest(subscription), subscription: subscription, receive: receive)
        let source = EventSource(transport: transport, settings: liveSettings, maximumLength: bodyLimit)
        try await source.run(consumer)
    }

    private func eventRequest(_ subscription: GraphQLRequest) throws(GraphQLClientError) -> TransportRequest {
        guard let content = persistedQueries.content(ofLive: subscription.document) else {
            throw .notListed(subscription.document, by: "the client's manifest")
        }
        do throws(TransportError) {
            var request = try TransportRequest(
                .post, url: url, timeout: liveSettings.maximumSilence, caller: subscription.caller)
            request.isStream = true
            request.head.headerFields = [.accept: MediaType.eventStream]
            request.head.headerFields.replace(with: headerFields)
            request.head.headerFields.replace(with: subscription.headerFields)
            request.head.headerFields[.contentType] = "application/json"
            request.body = EncodedRequest(subscription, content).body
            return request
        } catch {
            throw GraphQLClientError(error)
        }
    }
}

/// Handles the events of a subscription.
private struct SubscriptionEvents: EventStreamConsumer {
    typealias Failure = GraphQLClientError

    let request: TransportRequest
    let subscription: GraphQLRequest
    let receive: @Sendable (ParsedResponse, _ isFirst: Bool) async -> Void

    /// The events of the protocol have no identifiers, so each connection starts anew.
    func request(lastIdentifier: String?) -> TransportRequest { request }

    func receive(
        _ event: ServerSentEvent, isFirst: Bool
    ) async throws(GraphQLClientError) -> EventSource.Step {
        switch event.name {
        case "next":
            let response = try ParsedResponse(event.data)
            if response.isRequestError {
                if response.errors.mayBeTemporary { return .retry }
                throw GraphQLClientError(refusing: response.errors)
            }
            await receive(response, isFirst)
            return .proceed
        case "complete": return .stop
        case "expired": return .reconnect
        default: return .proceed
        }
    }

    func failure(for head: HTTPResponse, _ body: Data, to request: TransportRequest) -> GraphQLClientError? {
        let reply = GraphQLReply(head, body: Array(body))
        let attempt = PersistedQueryProtocol.Attempt(method: .post, content: .hash(subscription.document.hash))
        if reply.refusal(of: attempt) != nil { return .notListed(subscription.document, by: "the server") }
        do throws(GraphQLClientError) {
            try reply.checkThatItIsGraphQL()
            let response = try ParsedResponse(reply)
            if !response.errors.isEmpty {
                return GraphQLClientError(refusing: response.errors, status: head.status.code)
            }
        } catch {
            return error
        }
        return GraphQLClientError(
            .invalidResponse,
            "The service does not send events. Use a service that supports subscriptions as server-sent events, or a GraphQLSocket.",
            status: head.status.code)
    }

    func failure(for error: TransportError) -> GraphQLClientError { GraphQLClientError(error) }
}
