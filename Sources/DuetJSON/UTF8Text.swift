#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A text that is compared by its bytes, for use as a key of a set or a dictionary.
///
/// `String` treats canonically equivalent texts as equal, such as `é` as one scalar and as two scalars. With `String`
/// as the key, the value of one text would be returned for another text. The comparison of strings also sorts combining
/// marks. This takes quadratic time for a text with many combining marks, and a client can send such a text.
///
/// The hash is computed once, so that repeated lookups of a long text are fast.
public struct UTF8Text: Sendable, Hashable {
    /// The text.
    public let string: String
    private let hash: Int

    /// Creates a key from the text.
    public init(_ string: String) {
        var string = string
        var hasher = Hasher()
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        self.string = string
        hash = hasher.finalize()
    }

    /// Returns true if the bytes are equal.
    public static func == (left: UTF8Text, right: UTF8Text) -> Bool {
        left.hash == right.hash && left.string.hasSameUTF8(as: right.string)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

extension String {
    /// Returns true if both strings have the same bytes.
    public func hasSameUTF8(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        // Almost all strings are contiguous.
        return left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in
                UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
            }
        }.flatMap(\.self) ?? left.elementsEqual(right)
    }
}

extension String {
    /// True if the text contains the character U+0000.
    package var containsNUL: Bool {
        utf8.withContiguousStorageIfAvailable {
            UnsafeRawBufferPointer($0).firstIndex(of: 0, in: 0..<$0.count) != nil
        } ?? utf8.contains(0)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the index of the first occurrence of a byte in a range of the buffer; nil if there is none.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard let base = baseAddress, !range.isEmpty else { return nil }
        // `memchr` compares several bytes at once.
        return memchr(base + range.lowerBound, Int32(byte), range.count).map { UnsafeRawPointer($0) - base }
    }

    /// Returns true if both buffers have the same bytes.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let left = baseAddress, let right = other.baseAddress else { return true }
        // `memcmp` compares the bytes by words.
        return memcmp(left, right, count) == 0
    }
}
