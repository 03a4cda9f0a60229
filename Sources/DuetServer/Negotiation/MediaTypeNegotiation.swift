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
    fileprivate struct Offer: Sendable {
        let name: [UInt8]
        let typeLength: Int
        let representation: Representation
    }

    private let offers: [Offer]

    /// Offers `offers`, the server's favourite first.
    ///
    /// - Parameter offers: Media types such as `application/json`, in any case, and what each stands for. Parameters
    ///   after a semicolon are dropped.
    package init(_ offers: [(mediaType: String, representation: Representation)]) {
        self.offers = offers.map { offer in
            let name = offer.mediaType.utf8.prefix { $0 != .semicolon && $0 != .space }.map(\.lowercased)
            let typeLength = name.firstIndex(of: .slash) ?? name.count
            return Offer(name: name, typeLength: typeLength, representation: offer.representation)
        }
    }

    /// The representation to send, or `nil` when the request accepts none of the offers (406).
    ///
    /// The usual fields, absent, `*/*` or exactly one offered type, are answered without parsing; nothing is allocated
    /// in any case.
    package func preferred(for fields: HTTPFields) -> Representation? {
        guard let first = fields.firstIndex(where: { $0.name == .accept }) else { return self.offers.first?.representation }
        if let offer = fields[first].withUnsafeBytesOfValue(self.exactMatch),
            !fields[(first + 1)...].contains(where: { $0.name == .accept })
        {
            return offer.representation
        }
        return self.bestMatch(for: fields[first...])
    }

    private func exactMatch(_ value: UnsafeBufferPointer<UInt8>) -> Offer? {
        if value.equalsIgnoringCase("*/*") { return self.offers.first }
        return self.offers.first { $0.name.elementsEqual(value) }
    }

    private func bestMatch(for fields: HTTPFields.SubSequence) -> Representation? {
        var best: Offer?
        var bestWeight = 0
        for offer in self.offers {
            guard let weight = Self.weight(of: offer, in: fields) else { return self.offers.first?.representation }
            if weight > bestWeight {
                best = offer
                bestWeight = weight
            }
        }
        return best?.representation
    }

    /// The weight of `offer` in thousandths, 0 if it is not acceptable, `nil` if no field holds a well-formed range.
    private static func weight(of offer: Offer, in fields: HTTPFields.SubSequence) -> Int? {
        var weight = 0
        var specificity = Specificity.none
        var isEmpty = true
        for field in fields where field.name == .accept {
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
}

/// How closely a media range describes a media type, from not at all to exactly.
private enum Specificity: Int, Comparable {
    case none, anything, type, exactWithParameters, exact

    static func < (left: Specificity, right: Specificity) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension MediaTypeNegotiation.Offer {
    /// How closely `element` describes this offer; `nil` if it is no media range at all.
    fileprivate func specificity(of element: WeightedElements.Element) -> Specificity? {
        let range = element.name
        guard let slash = range.firstIndex(of: .slash), slash > 0, slash + 1 < range.count else { return nil }
        if range.count == 3, range[0] == .asterisk, range[2] == .asterisk { return .anything }
        if range[0] == .asterisk, slash == 1 { return nil }
        guard slash == self.typeLength, self.hasPrefix(range, count: slash) else { return Specificity.none }
        if slash + 2 == range.count, range[slash + 1] == .asterisk { return .type }
        guard range.count == self.name.count, self.hasPrefix(range, count: range.count) else { return Specificity.none }
        return element.hasParameters ? .exactWithParameters : .exact
    }

    private func hasPrefix(_ range: UnsafeBufferPointer<UInt8>, count: Int) -> Bool {
        for index in 0..<count where range[index].lowercased != self.name[index] {
            return false
        }
        return true
    }
}
