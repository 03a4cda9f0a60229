package import HTTPTypes

/// Chooses the representation that the `Accept` field of a request prefers (RFC 9110 §12.5.1).
///
/// - The most specific range that matches an offer determines its weight: `text/csv` before `text/*` before `*/*`.
/// - The offer with the highest weight is chosen; among equals, the first one.
/// - Parameters of a range are ignored: `application/json; charset=utf-8` matches `application/json`. A range without
///   parameters has precedence over the same range with parameters.
/// - Several `Accept` fields count as one list. A request without an `Accept` field accepts all media types.
/// - Malformed elements are ignored. A field with no other elements counts as absent.
package struct MediaTypeNegotiation<Representation: Sendable>: Sendable {
    /// The media types of the offers, without parameters.
    package let mediaTypes: [String]
    private let offers: MediaTypeOffers
    private let representations: [Representation]

    /// A negotiation of these offers.
    ///
    /// - Parameter offers: Media types such as `application/json`, in any case, and their representations. The first
    ///   offer has the server's preference. Parameters after a semicolon are dropped.
    package init(_ offers: [(mediaType: String, representation: Representation)]) {
        self.mediaTypes = offers.map { offer in String(offer.mediaType.prefix { $0 != ";" && $0 != " " }) }
        self.offers = MediaTypeOffers(self.mediaTypes)
        self.representations = offers.map(\.representation)
    }

    /// The representation to send.
    ///
    /// The usual fields are not parsed: none, `*/*`, or exactly one offered type. No memory is allocated in any case.
    /// - Returns: `nil` if the request accepts none of the offers, which is 406.
    package func preferred(for fields: HTTPFields) -> Representation? {
        self.offers.preferred(for: fields).map { self.representations[$0] }
    }
}
