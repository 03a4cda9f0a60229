/// The elements of a field like `Accept` or `Accept-Encoding`: names with parameters, one of which may be the weight
/// `q` (RFC 9110 §12.4.2).
///
/// A malformed element is stepped over, as if it were not there: these fields are wishes, and a mistake in one wish
/// is no reason to refuse the others.
struct WeightedElements {
    struct Element {
        /// The name: a token, a media range, or an asterisk.
        let name: UnsafeBufferPointer<UInt8>
        /// The weight in thousandths: 1000 without a `q`.
        let weight: Int
        /// Whether there were parameters beside the weight.
        let hasParameters: Bool
    }

    private var scanner: FieldValueScanner

    /// Reads `bytes`, which must outlive this value and its elements.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.scanner = FieldValueScanner(bytes)
    }

    /// The next well-formed element, or `nil` at the end of the field.
    mutating func next() -> Element? {
        while true {
            self.scanner.skipWhitespace()
            if self.scanner.consume(.comma) { continue }
            if self.scanner.isAtEnd { return nil }
            if let element = self.element() { return element }
            self.scanner.skipElement()
        }
    }

    private mutating func element() -> Element? {
        let name = self.scanner.bytes { $0.isTokenCharacter || $0 == .slash }
        guard !name.isEmpty else { return nil }
        var weight = 1000
        var hasParameters = false
        while true {
            self.scanner.skipWhitespace()
            if self.scanner.isAtEnd || self.scanner.next == .comma {
                return Element(name: self.scanner.slice(name), weight: weight, hasParameters: hasParameters)
            }
            guard self.scanner.consume(.semicolon) else { return nil }
            self.scanner.skipWhitespace()
            let parameter = self.scanner.bytes(while: \.isTokenCharacter)
            if parameter.isEmpty { continue }
            guard self.scanner.consume(.equals) else { return nil }
            if self.scanner.slice(parameter).equalsIgnoringCase("q") {
                guard let value = self.weight() else { return nil }
                weight = value
            } else {
                hasParameters = true
                if self.scanner.next == .quote {
                    guard self.scanner.skipQuotedString() else { return nil }
                } else if self.scanner.bytes(while: \.isTokenCharacter).isEmpty {
                    return nil
                }
            }
        }
    }

    /// `qvalue`: 0 to 1 with up to three decimals; further decimals, which some clients send, are read and dropped.
    private mutating func weight() -> Int? {
        let whole: Int
        switch self.scanner.next {
        case UInt8(ascii: "0"): whole = 0
        case UInt8(ascii: "1"): whole = 1000
        default: return nil
        }
        self.scanner.advance()
        guard self.scanner.consume(.dot) else { return whole }
        var fraction = 0
        var unit = 100
        while let byte = self.scanner.next, byte.isDigit {
            fraction += Int(byte - 0x30) * unit
            unit /= 10
            self.scanner.advance()
        }
        return whole + fraction <= 1000 ? whole + fraction : nil
    }
}
