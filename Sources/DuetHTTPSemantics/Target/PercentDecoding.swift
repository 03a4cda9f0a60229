/// Decodes percent-encoded bytes (RFC 3986 §2.1).
enum PercentDecoding {
    /// The error of bytes that cannot be decoded to text.
    enum Failure: Error {
        /// A percent sign is not followed by two hexadecimal digits.
        case malformedEscape
        /// The decoded bytes are not UTF-8.
        case invalidUTF8
    }

    /// Returns the decoded text.
    /// - Parameters:
    ///   - bytes: Encoded text in UTF-8.
    ///   - plusIsSpace: True for `application/x-www-form-urlencoded`, in which a plus sign is a space. In a path, a
    ///     plus sign has no special meaning.
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool) -> Result<String, Failure> {
        guard bytes.contains(where: { $0 == .percent || plusIsSpace && $0 == .plus }) else {
            return .success(String(decoding: bytes, as: UTF8.self))
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { decoded in
            guard let count = Self.decode(bytes, plusIsSpace: plusIsSpace, into: decoded) else {
                return .failure(.malformedEscape)
            }
            guard let text = String(validating: decoded[..<count], as: UTF8.self) else { return .failure(.invalidUTF8) }
            return .success(text)
        }
    }

    /// Decodes `bytes` into `target`, whose capacity is at least `bytes.count`.
    /// - Returns: The number of decoded bytes; `nil` if a percent sign lacks its digits.
    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var source = 0
        var count = 0
        while source < bytes.count {
            switch bytes[source] {
            case .percent:
                guard source + 2 < bytes.count,
                    let high = bytes[source + 1].hexadecimalValue,
                    let low = bytes[source + 2].hexadecimalValue
                else { return nil }
                target.initializeElement(at: count, to: high << 4 | low)
                source += 3
            case .plus where plusIsSpace:
                target.initializeElement(at: count, to: .space)
                source += 1
            case let byte:
                target.initializeElement(at: count, to: byte)
                source += 1
            }
            count += 1
        }
        return count
    }
}

extension String {
    /// The text of a path segment without percent-encoding (RFC 3986 §2.1); `nil` if a percent sign lacks its digits,
    /// or the decoded bytes are not UTF-8.
    package var percentDecoded: String? {
        guard self.utf8.contains(.percent) else { return self }
        var text = self
        return try? text.withUTF8 { PercentDecoding.decode($0, plusIsSpace: false) }.get()
    }
}
