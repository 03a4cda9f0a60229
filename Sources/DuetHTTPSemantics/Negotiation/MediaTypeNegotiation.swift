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

/// The media types of a ``MediaTypeNegotiation`` without their representations.
struct MediaTypeOffers: Sendable {
    fileprivate struct Offer: Sendable {
        let name: [UInt8]
        let typeLength: Int
    }

    private let offers: [Offer]

    init(_ mediaTypes: [String]) {
        self.offers = mediaTypes.map { mediaType in
            let name = mediaType.utf8.prefix { $0 != .semicolon && $0 != .space }.map(\.lowercased)
            return Offer(name: name, typeLength: name.firstIndex(of: .slash) ?? name.count)
        }
    }

    /// Returns the index of the offer that the `Accept` fields prefer; `nil` if they accept no offer.
    func preferred(for fields: HTTPFields) -> Int? {
        guard !self.offers.isEmpty else { return nil }
        let name = HTTPField.Name.accept
        guard let first = fields.firstIndex(where: { $0.name == name }) else { return 0 }
        if let exact = fields[first].withUnsafeBytesOfValue(self.exactMatch),
            !fields[(first + 1)...].contains(where: { $0.name == name })
        {
            return exact
        }
        return self.bestMatch(for: fields[first...])
    }

    private func exactMatch(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
        if value.equalsIgnoringCase("*/*") { return 0 }
        return self.offers.firstIndex { $0.name.count == value.count && $0.name.elementsEqual(value) }
    }

    private func bestMatch(for fields: HTTPFields.SubSequence) -> Int? {
        var best: Int?
        var bestWeight = 0
        for (index, offer) in self.offers.enumerated() {
            guard let weight = Self.weight(of: offer, in: fields) else { return 0 }
            if weight > bestWeight { (best, bestWeight) = (index, weight) }
        }
        return best
    }

    /// Returns the weight of `offer` in thousandths; 0 if it is not acceptable, `nil` if no field contains a
    /// well-formed range.
    private static func weight(of offer: Offer, in fields: HTTPFields.SubSequence) -> Int? {
        let name = HTTPField.Name.accept
        var weight = 0
        var specificity = Specificity.none
        var isEmpty = true
        for field in fields where field.name == name {
            field.withUnsafeBytesOfValue { bytes in
                var elements = WeightedElements(bytes)
                while let element = elements.next() {
                    guard let match = offer.specificity(of: element) else { continue }
                    isEmpty = false
                    if match > specificity {
                        (weight, specificity) = (element.weight, match)
                    } else if match == specificity, match != .none {
                        weight = max(weight, element.weight)
                    }
                }
            }
        }
        return isEmpty ? nil : weight
    }

    /// The precision with which a media range matches a media type, in ascending order.
    fileprivate enum Specificity: Int, Comparable {
        case none, anything, type, exactWithParameters, exact

        static func < (left: Specificity, right: Specificity) -> Bool {
            left.rawValue < right.rawValue
        }
    }
}

extension MediaTypeOffers.Offer {
    /// Returns the precision with which `element` matches this offer; `nil` if it is not a media range.
    fileprivate func specificity(of element: WeightedElements.Element) -> MediaTypeOffers.Specificity? {
        let range = element.name
        guard let slash = range.firstIndex(of: .slash), slash > 0, slash + 1 < range.count else { return nil }
        if range[0] == .asterisk, slash == 1 {
            return range.count == 3 && range[2] == .asterisk ? .anything : nil
        }
        guard slash == self.typeLength, self.hasPrefix(range, count: slash) else {
            return MediaTypeOffers.Specificity.none
        }
        if slash + 2 == range.count, range[slash + 1] == .asterisk { return .type }
        guard range.count == self.name.count, self.hasPrefix(range, count: range.count) else {
            return MediaTypeOffers.Specificity.none
        }
        return element.hasParameters ? .exactWithParameters : .exact
    }

    private func hasPrefix(_ range: UnsafeBufferPointer<UInt8>, count: Int) -> Bool {
        for index in 0..<count where range[index].lowercased != self.name[index] {
            return false
        }
        return true
    }
}
