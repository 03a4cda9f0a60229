/// A table of numbers for texts. It finds a number by a few bytes of the text, in constant time. Of two texts with the
/// same bytes in these places, the table has the number of the one that was stored last, so the caller compares the
/// texts.
///
/// Texts that replace each other in the table cost a comparison and the search of the table more than without it.
struct RecentIndex {
    private static let count = 256
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var numbers = [Int](repeating: .max, count: count)

    /// The number in a slot; `Int.max` if it has none.
    subscript(slot: Int) -> Int {
        get { numbers[slot] }
        set { numbers[slot] = newValue }
    }

    /// The slot of a text, by its length, its first and last eight bytes and eight from its middle, and of a short
    /// name.
    static func slot(of text: String, named name: String?) -> Int {
        let mixed =
            text.utf8.withContiguousStorageIfAvailable { bytes -> UInt64 in
                let bytes = UnsafeRawBufferPointer(bytes)
                let count = bytes.count
                guard count >= 8 else { return bytes.reduce(UInt64(count)) { $0 << 8 | UInt64($1) } }
                let first = bytes.loadUnaligned(as: UInt64.self)
                let middle = bytes.loadUnaligned(fromByteOffset: count / 2 - 4, as: UInt64.self)
                let last = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
                return ((UInt64(count) &* 31 ^ first) &* factor ^ middle) &* factor ^ last
            } ?? 0
        let number = name?.utf8.prefix(32).reduce(1) { $0 &* 31 &+ UInt64($1) } ?? 0
        return Int(((mixed ^ number) &* factor) >> 56)
    }
}
