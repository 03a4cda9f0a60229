/// The elements of a field such as `Accept` or `Accept-Encoding`. An element is a name with parameters. The parameter
/// `q` is the weight (RFC 9110 §12.4.2).
///
/// Malformed elements are skipped. The field contains preferences, so an error in one element does not invalidate the
/// other elements.
package struct WeightedElements {
    /// A name and its weight.
    package struct Element {
        /// The name: a token, a media range, or an asterisk.
        let name: UnsafeBufferPointer<UInt8>
        /// The weight in thousandths; 1000 without `q`.
        package let weight: Int
        /// True if the element has parameters other than the weight.
        package let hasParameters: Bool

        /// Returns true if the element's name equals `name`, ignoring case.
        /// - Parameter name: ASCII in lower case.
        package func isNamed(_ name: StaticString) -> Bool {
            self.name.equalsIgnoringCase(name)
        }
    }

    private var scanner: FieldValueScanner

    /// Creates a sequence of the elements of a field value.
    /// - Parameter bytes: The bytes of the field value. They must outlive the sequence and its elements.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.scanner = FieldValueScanner(bytes)
    }

    /// Returns the next well-formed element; `nil` at the end of the field.
    package mutating func next() -> Element? {
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

    /// Parses `qvalue`: a number from 0 to 1 with up to three decimals. Some clients send further decimals, which are
    /// ignored.
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
