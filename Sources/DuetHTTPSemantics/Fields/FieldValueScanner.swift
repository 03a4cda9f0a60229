/// Reads the bytes of one field value from left to right (RFC 9110 §5.6).
///
/// The scanner borrows the bytes. It must not outlive the closure that provides them. The functions that parse entity
/// tags are inlinable for speed, because every conditional request uses them.
@usableFromInline package struct FieldValueScanner {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    @usableFromInline package internal(set) var position = 0

    @inlinable package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next byte, or `nil` at the end.
    @inlinable package var next: UInt8? {
        self.position < self.bytes.count ? self.bytes[self.position] : nil
    }

    @inlinable package var isAtEnd: Bool {
        self.position >= self.bytes.count
    }

    /// Returns the bytes of `range`, which must come from this scanner.
    @inlinable package func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self.bytes[range])
    }

    /// Skips one byte.
    package mutating func advance() {
        self.position += 1
    }

    /// Skips `byte` if it is the next byte.
    /// - Returns: True if the byte was skipped.
    @inlinable package mutating func consume(_ byte: UInt8) -> Bool {
        guard self.next == byte else { return false }
        self.position += 1
        return true
    }

    /// Skips optional whitespace (`OWS`, RFC 9110 §5.6.3).
    @inlinable package mutating func skipWhitespace() {
        while let byte = self.next, byte == .space || byte == .tab {
            self.position += 1
        }
    }

    /// Skips the bytes that satisfy `predicate` and returns their range, which may be empty.
    @inlinable package mutating func bytes(while predicate: (UInt8) -> Bool) -> Range<Int> {
        let start = self.position
        while let byte = self.next, predicate(byte) {
            self.position += 1
        }
        return start..<self.position
    }

    /// Skips a quoted string (RFC 9110 §5.6.4).
    /// - Returns: True if the string is complete.
    package mutating func skipQuotedString() -> Bool {
        guard self.consume(.quote) else { return false }
        while let byte = self.next {
            self.position += 1
            if byte == .quote { return true }
            if byte == .backslash { self.position += 1 }
        }
        return false
    }

    /// Skips the rest of the current list element, up to its comma or the end. Commas in quoted strings are not
    /// separators.
    package mutating func skipElement() {
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
    @inlinable package static var tab: UInt8 { 0x09 }
    @inlinable package static var lineFeed: UInt8 { 0x0A }
    @inlinable package static var space: UInt8 { 0x20 }
    @inlinable package static var quote: UInt8 { 0x22 }
    @inlinable package static var asterisk: UInt8 { 0x2A }
    @inlinable package static var comma: UInt8 { 0x2C }
    @inlinable package static var hyphen: UInt8 { 0x2D }
    @inlinable package static var dot: UInt8 { 0x2E }
    @inlinable package static var slash: UInt8 { 0x2F }
    @inlinable package static var semicolon: UInt8 { 0x3B }
    @inlinable package static var equals: UInt8 { 0x3D }
    @inlinable package static var backslash: UInt8 { 0x5C }

    @inlinable package var isDigit: Bool {
        self &- 0x30 < 10
    }

    /// The ASCII letter in lower case; any other byte is unchanged.
    @inlinable package var lowercased: UInt8 {
        self &- 0x41 < 26 ? self | 0x20 : self
    }

    /// `tchar`, the bytes of a token (RFC 9110 §5.6.2).
    @inlinable package var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns true if the bytes equal `name`, ignoring case.
    /// - Parameter name: ASCII in lower case.
    @inlinable package func equalsIgnoringCase(_ name: StaticString) -> Bool {
        guard self.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<self.count where self[index].lowercased != name.utf8Start[index] {
            return false
        }
        return true
    }
}
