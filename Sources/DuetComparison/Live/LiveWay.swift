/// A way in which a client watches a screen.
package enum LiveWay: String, Sendable, CaseIterable {
    /// A read each second.
    case restPolling = "rest-polling"
    /// A read each second with the entity tag of the last response (`If-None-Match`).
    case restPollingTag = "rest-polling-tag"
    /// A query by POST each second.
    case graphQLPolling = "graphql-polling"
    /// A query by GET with the hash of its document each second, with the entity tag of the last response.
    case graphQLPollingTag = "graphql-hash-polling-tag"
    /// Reads that wait for a change (`wait` and `since`).
    case restLongPolling = "rest-long-polling"
    /// Server-sent events with the whole representation.
    case restEvents = "rest-events"
    /// Server-sent events with the changes of the representation (`Prefer: patch=json`).
    case restPatches = "rest-patches"
    /// A subscription by server-sent events.
    case graphQLEvents = "graphql-events"
    /// A subscription by WebSocket.
    case graphQLWebSocket = "graphql-websocket"

    /// True if the client sends a request each second.
    var isPolling: Bool {
        switch self {
        case .restPolling, .restPollingTag, .graphQLPolling, .graphQLPollingTag: true
        case .restLongPolling, .restEvents, .restPatches, .graphQLEvents, .graphQLWebSocket: false
        }
    }

    var isGraphQL: Bool {
        switch self {
        case .graphQLPolling, .graphQLPollingTag, .graphQLEvents, .graphQLWebSocket: true
        case .restPolling, .restPollingTag, .restLongPolling, .restEvents, .restPatches: false
        }
    }

    /// The name of the way in a report.
    package var title: String {
        switch self {
        case .restPolling: "REST, polling"
        case .restPollingTag: "REST, polling with tags"
        case .graphQLPolling: "GraphQL by POST, polling"
        case .graphQLPollingTag: "GraphQL by hash, polling with tags"
        case .restLongPolling: "REST, long polling"
        case .restEvents: "REST, events"
        case .restPatches: "REST, events with patches"
        case .graphQLEvents: "GraphQL, events"
        case .graphQLWebSocket: "GraphQL, WebSocket"
        }
    }
}
