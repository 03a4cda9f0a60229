internal import DuetHTTPSemantics
package import HTTPTypes

/// What a request wants its response to be ("Accept" of the GraphQL over HTTP draft).
package struct GraphQLNegotiation: Sendable, Hashable {
    /// The media type of a response in one piece.
    package let mediaType: GraphQLMediaType
    /// Whether what `@defer` and `@stream` put off may follow in further parts: the request names `multipart/mixed`, without
    /// a parameter or with that of the format which is sent here.
    package let acceptsParts: Bool

    /// What the `Accept` fields like best.
    ///
    /// Where they leave the choice, with `*/*` or none at all, it is `application/json`; but where they name
    /// `application/graphql-response+json`, this goes before others of the same weight.
    /// - Parameters:
    ///   - offersPage: True if `text/html` can be sent, as for GET.
    ///   - offersParts: True if `multipart/mixed` can be sent.
    /// - Throws: ``GraphQLRequestError/notAcceptable`` if nothing can be sent.
    package init(
        _ fields: HTTPFields, offersPage: Bool, offersParts: Bool = true
    ) throws(GraphQLRequestError) {
        var wishes = Wishes()
        for field in fields where field.name == .accept { wishes.add(field) }
        let offers =
            switch (wishes.namesGraphQL, offersParts, offersPage) {
            case (true, true, true): Self.graphQLOrPage
            case (true, true, false): Self.graphQL
            case (true, false, _): Self.wholeGraphQL
            case (false, true, true): Self.jsonOrPage
            case (false, true, false): Self.json
            case (false, false, _): Self.wholeJSON
            }
        guard let mediaType = offers.preferred(for: fields) else { throw .notAcceptable }
        self.mediaType = mediaType
        acceptsParts = offersParts && wishes.acceptsParts
    }

    private typealias Offers = MediaTypeNegotiation<GraphQLMediaType>

    private static let json = offers([.json, .graphQLResponse, .graphQL, .multipartMixed])
    private static let jsonOrPage = offers([.json, .graphQLResponse, .graphQL, .multipartMixed, .html])
    private static let graphQL = offers([.graphQLResponse, .graphQL, .json, .multipartMixed])
    private static let graphQLOrPage = offers([.graphQLResponse, .graphQL, .json, .multipartMixed, .html])

    private static let wholeJSON = offers([.json, .graphQLResponse, .graphQL])
    private static let wholeGraphQL = offers([.graphQLResponse, .graphQL, .json])

    private static func offers(_ types: [GraphQLMediaType]) -> Offers {
        Offers(types.map { ($0.name, $0) })
    }
}

/// What the media ranges of a request name.
private struct Wishes {
    var namesGraphQL = false
    var acceptsParts = false

    mutating func add(_ field: HTTPField) {
        field.withUnsafeBytesOfValue { bytes in
            var elements = WeightedElements(bytes)
            while let element = elements.next() {
                guard element.weight > 0 else { continue }
                if element.isNamed("application/graphql-response+json")
                    || element.isNamed("application/graphql+json")
                {
                    namesGraphQL = true
                } else if element.isNamed("multipart/mixed"),
                    !element.hasParameters || Self.namesSpecification(field.value)
                {
                    acceptsParts = true
                }
            }
        }
    }

    /// Whether a range `multipart/mixed` asks for the format of parts that is sent. Other formats have the same media type
    /// and other parameters, such as `deferSpec=20220824`; who can read only these gets the response in one piece.
    private static func namesSpecification(_ value: String) -> Bool {
        value.lowercased().split(separator: ",").contains { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
            return parts.first == "multipart/mixed" && parts.contains("incrementalspec=v0.2")
        }
    }
}
