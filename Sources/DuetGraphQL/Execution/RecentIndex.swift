/// A table that finds a text by a few of its bytes, in constant time, whatever its length: the number that was stored last for a text with the
/// same bytes. The caller compares the texts.
///
/// A client can send texts that replace each other in the table. Such texts cost one comparison more than without the table.
struct RecentIndex {
    private static let count = 256
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var numbers = [Int](repeating: .max, count: count)

    /// The number in a slot; `Int.max` if it has none.
    subscript(slot: Int) -> Int {
        get { numbers[slot] }
        set { numbers[slot] = newValue }
    }

    /// The slot of a text, by its length, its first and last eight bytes and eight from its middle.
    static func slot(of text: String) -> Int {
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
        return Int((mixed &* factor) >> 56)
    }
}
