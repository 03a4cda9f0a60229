internal import DuetHTTPSemantics
package import HTTPTypes

/// The media type that a request prefers ("Accept" of the GraphQL over HTTP draft).
package struct GraphQLNegotiation: Sendable, Hashable {
    /// The media type of a response in one part.
    package let mediaType: GraphQLMediaType
    /// True if the response may have several parts. The request then accepts `multipart/mixed`, without a parameter or
    /// with `incrementalSpec=v0.2`. ``MultipartMixedWriter`` writes this format.
    package let acceptsParts: Bool

    /// Chooses the media type with the highest weight in `Accept`.
    ///
    /// Without `Accept`, and for `*/*`, the media type is `application/json`. If `Accept` contains
    /// `application/graphql-response+json` or `application/graphql+json`, these types precede other types of the same
    /// weight.
    /// - Parameters:
    ///   - offersPage: True if the server can send `text/html`, for example for GET.
    ///   - offersParts: True if the server can send `multipart/mixed`.
    ///   - offersEvents: True if the server can send `text/event-stream`, in addition to `multipart/mixed`. A range
    ///     such as `text/*` does not select it, because the response does not end.
    /// - Throws: ``GraphQLRequestError/notAcceptable`` if the server can send none of the accepted types.
    package init(
        _ fields: HTTPFields, offersPage: Bool, offersParts: Bool = true, offersEvents: Bool = false
    ) throws(GraphQLRequestError) {
        var wishes = Wishes()
        for field in fields where field.name == .accept { wishes.add(field) }
        let offers =
            switch (wishes.namesGraphQL, offersParts, offersPage) {
            case (true, true, false) where offersEvents && wishes.namesEvents: Self.graphQLOrEvents
            case (false, true, false) where offersEvents && wishes.namesEvents: Self.jsonOrEvents
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

    private static let jsonOrEvents = offers([.json, .graphQLResponse, .graphQL, .multipartMixed, .eventStream])
    private static let graphQLOrEvents = offers([.graphQLResponse, .graphQL, .json, .multipartMixed, .eventStream])

    private static let wholeJSON = offers([.json, .graphQLResponse, .graphQL])
    private static let wholeGraphQL = offers([.graphQLResponse, .graphQL, .json])

    private static func offers(_ types: [GraphQLMediaType]) -> Offers {
        Offers(types.map { ($0.name, $0) })
    }
}

/// The relevant media ranges in the `Accept` fields of a request.
private struct Wishes {
    var namesGraphQL = false
    var acceptsParts = false
    var namesEvents = false

    mutating func add(_ field: HTTPField) {
        field.withUnsafeBytesOfValue { bytes in
            var elements = WeightedElements(bytes)
            while let element = elements.next() {
                guard element.weight > 0 else { continue }
                if element.isNamed("application/graphql-response+json")
                    || element.isNamed("application/graphql+json")
                {
                    namesGraphQL = true
                } else if element.isNamed("text/event-stream") {
                    namesEvents = true
                } else if element.isNamed("multipart/mixed"),
                    !element.hasParameters || Self.namesSpecification(field.value)
                {
                    acceptsParts = true
                }
            }
        }
    }

    /// Returns true if a range `multipart/mixed` has the parameter of the supported format. A client that only accepts
    /// another format, such as `deferSpec=20220824`, gets the response in one part.
    private static func namesSpecification(_ value: String) -> Bool {
        value.lowercased().split(separator: ",").contains { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
            return parts.first == "multipart/mixed" && parts.contains("incrementalspec=v0.2")
        }
    }
}
