package import HTTPTypes

/// Chooses the representation that the `Accept` field of a request prefers (RFC 9110 §12.5.1). An *offer* is a media
/// type that the server can send. A *range* is an element of `Accept`, such as `text/*`.
///
/// - The most specific range that matches an offer determines the weight of the offer: `text/csv` precedes `text/*`,
///   and `text/*` precedes `*/*`.
/// - The offer with the highest weight is chosen. Among offers with the same weight, the first offer is chosen.
/// - Matching ignores the parameters of a range: `application/json; charset=utf-8` matches `application/json`. If
///   `Accept` contains a media type both without and with parameters, the weight of the range without parameters
///   applies.
/// - Several `Accept` fields are treated as one list. A request without an `Accept` field accepts all media types.
/// - Malformed elements are ignored. A field that only contains malformed elements is treated as absent.
package struct MediaTypeNegotiation<Representation: Sendable>: Sendable {
    /// The media types of the offers, without parameters.
    package let mediaTypes: [String]
    private let offers: MediaTypeOffers
    private let representations: [Representation]

    /// Creates a negotiation with offers.
    ///
    /// - Parameter offers: Media types such as `application/json`, in any case, and their representations. The server
    ///   prefers the first offer. Parameters after a semicolon are removed.
    package init(_ offers: [(mediaType: String, representation: Representation)]) {
        self.mediaTypes = offers.map { offer in String(offer.mediaType.prefix { $0 != ";" && $0 != " " }) }
        self.offers = MediaTypeOffers(self.mediaTypes)
        self.representations = offers.map(\.representation)
    }

    /// Returns the representation to send.
    ///
    /// The most frequent cases need no parsing: an absent field, `*/*`, or exactly one offered type. The function never
    /// allocates memory.
    /// - Returns: `nil` if the request accepts none of the offers. The status is then 406.
    package func preferred(for fields: HTTPFields) -> Representation? {
        self.offers.preferred(for: fields).map { self.representations[$0] }
    }
}
