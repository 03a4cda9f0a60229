/// Sends subscriptions, and receives their responses until they end.
protocol LiveTransport: Sendable {
    /// Runs a subscription. If the connection is lost, the transport connects again, and starts the subscription anew.
    /// The function returns when the server completes the subscription.
    /// - Parameter receive: Handles a response. A transport can skip responses if further responses have arrived. The
    ///   second argument is true for the first response of a connection.
    /// - Throws: ``GraphQLClientError`` if another attempt would not help, or if the task is canceled.
    func run(
        _ subscription: GraphQLRequest, _ receive: @escaping @Sendable (ParsedResponse, _ isFirst: Bool) async -> Void
    ) async throws(GraphQLClientError)
}

extension GraphQLClientError {
    /// Creates the error for a subscription that the service has refused or ended.
    init(refusing errors: [GraphQLResponseError], status: Int? = nil) {
        let text = errors.map(\.description).joined(separator: " ")
        self.init(.refused, "The service has ended the live query: \(text)", status: status)
        responseErrors = errors
    }

    static let noLiveTransport = GraphQLClientError(
        .transport,
        "The client cannot receive live results. Create it with a GraphQLEndpoint or with a GraphQLSocket.")
}

extension [GraphQLResponseError] {
    /// Further codes of a subscription that the service may accept later: the usual one of GraphQL servers for an
    /// unexpected error, and the one of Duet for a connection whose earlier operations are still ending.
    private static var temporaryCodes: Set<String> { ["INTERNAL_SERVER_ERROR", "TOO_MANY_OPERATIONS"] }

    /// True if the service may accept the same subscription later.
    var mayBeTemporary: Bool {
        let codes = ParsedResponse.temporaryCodes.union(Self.temporaryCodes)
        return !isEmpty && allSatisfy { error in error.code.map(codes.contains) == true }
    }
}
