package import HTTPTypes

/// Chooses the representation that a request's `Accept` field likes best (RFC 9110 §12.5.1).
///
/// - The most specific range that matches an offer gives its weight: `text/csv` before `text/*` before `*/*`.
/// - The offer with the highest weight wins; among equals the one that was offered first.
/// - Parameters of a range are ignored: `application/json; charset=utf-8` matches `application/json`, though a range
///   without parameters goes before the same range with some.
/// - Several `Accept` fields count as one list. No `Accept` field means anything will do.
/// - A malformed element is ignored; when none is left, the field counts as absent.
package struct MediaTypeNegotiation<Representation: Sendable>: Sendable {
    /// The media types that are offered, without parameters.
    let mediaTypes: [String]
    private let offers: MediaTypeOffers
    private let representations: [Representation]

    /// Offers `offers`, the server's favourite first.
    ///
    /// - Parameter offers: Media types such as `application/json`, in any case, and what each stands for. Parameters
    ///   after a semicolon are dropped.
    package init(_ offers: [(mediaType: String, representation: Representation)]) {
        self.mediaTypes = offers.map { offer in String(offer.mediaType.prefix { $0 != ";" && $0 != " " }) }
        self.offers = MediaTypeOffers(self.mediaTypes)
        self.representations = offers.map(\.representation)
    }

    /// The representation to send, or `nil` when the request accepts none of the offers (406).
    ///
    /// The usual fields, absent, `*/*` or exactly one offered type, are answered without parsing; nothing is allocated
    /// in any case.
    package func preferred(for fields: HTTPFields) -> Representation? {
        self.offers.preferred(for: fields).map { self.representations[$0] }
    }
}
