#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A text that is the same as another when their bytes are, as a key of a set or a dictionary.
///
/// `String` also takes texts for the same that only look the same: `é` in one scalar and in two. What was asked for one of them
/// would be answered for the other. And to find that out it sorts combining marks, in quadratic time if there are many, which a
/// stranger's text may have.
///
/// The hash is made once, so that a long text that is kept costs little to look for.
public struct UTF8Text: Sendable, Hashable {
    /// The text.
    public let string: String
    private let hash: Int

    /// That text.
    public init(_ string: String) {
        var string = string
        var hasher = Hasher()
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        self.string = string
        hash = hasher.finalize()
    }

    /// Whether the bytes are the same.
    public static func == (left: UTF8Text, right: UTF8Text) -> Bool {
        left.hash == right.hash && left.string.hasSameUTF8(as: right.string)
    }

    /// The bytes are what counts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

extension String {
    /// Whether both have the same bytes.
    public func hasSameUTF8(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        let count = left.count
        guard count == right.count else { return false }
        // Nearly all strings are contiguous; their bytes are compared by the word.
        return left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return memcmp(left, right, count) == 0
            }
        }.flatMap(\.self) ?? left.elementsEqual(right)
    }
}
