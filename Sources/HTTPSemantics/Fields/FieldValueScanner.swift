/// Reads the bytes of one field value from left to right (RFC 9110 §5.6).
///
/// The scanner borrows the bytes: it must not outlive the closure that provides them.
struct FieldValueScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next byte, or `nil` at the end.
    var next: UInt8? {
        self.position < self.bytes.count ? self.bytes[self.position] : nil
    }

    var isAtEnd: Bool {
        self.position >= self.bytes.count
    }

    /// The bytes of `range`, which must come from this scanner.
    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self.bytes[range])
    }

    /// Skips one byte.
    mutating func advance() {
        self.position += 1
    }

    /// Skips `byte` if it is the next one.
    /// - Returns: True if it was.
    mutating func consume(_ byte: UInt8) -> Bool {
        guard self.next == byte else { return false }
        self.position += 1
        return true
    }

    /// Skips optional whitespace (`OWS`, RFC 9110 §5.6.3).
    mutating func skipWhitespace() {
        while let byte = self.next, byte == .space || byte == .tab {
            self.position += 1
        }
    }

    /// Skips the bytes that satisfy `predicate` and returns their range, which may be empty.
    mutating func bytes(while predicate: (UInt8) -> Bool) -> Range<Int> {
        let start = self.position
        while let byte = self.next, predicate(byte) {
            self.position += 1
        }
        return start..<self.position
    }

    /// Skips a quoted string (RFC 9110 §5.6.4).
    /// - Returns: True if the string is complete.
    mutating func skipQuotedString() -> Bool {
        guard self.consume(.quote) else { return false }
        while let byte = self.next {
            self.position += 1
            if byte == .quote { return true }
            if byte == .backslash { self.position += 1 }
        }
        return false
    }

    /// Skips the rest of the current list element, up to its comma or the end. Commas in quoted strings do not count.
    mutating func skipElement() {
        while let byte = self.next, byte != .comma {
            if byte == .quote {
                if !self.skipQuotedString() { self.position = self.bytes.count }
            } else {
                self.position += 1
            }
        }
    }
}

extension UInt8 {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var asterisk: UInt8 { 0x2A }
    static var comma: UInt8 { 0x2C }
    static var hyphen: UInt8 { 0x2D }
    static var dot: UInt8 { 0x2E }
    static var slash: UInt8 { 0x2F }
    static var semicolon: UInt8 { 0x3B }
    static var equals: UInt8 { 0x3D }
    static var backslash: UInt8 { 0x5C }

    var isDigit: Bool {
        self &- 0x30 < 10
    }

    /// The ASCII letter in lower case; every other byte as it is.
    var lowercased: UInt8 {
        self &- 0x41 < 26 ? self | 0x20 : self
    }

    /// `tchar`, the bytes of a token (RFC 9110 §5.6.2).
    var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns true if these bytes are `name` in any case.
    /// - Parameter name: ASCII in lower case.
    func equalsIgnoringCase(_ name: StaticString) -> Bool {
        guard self.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<self.count where self[index].lowercased != name.utf8Start[index] {
            return false
        }
        return true
    }
}
