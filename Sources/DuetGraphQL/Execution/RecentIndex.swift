/// A table that maps texts to numbers in constant time. The slot of a text depends on a few of its bytes. If two texts
/// have the same slot, the table stores only the number of the later text. A number can therefore belong to another
/// text, so the caller must compare the texts.
///
/// If the number of a text was replaced, the lookup of the text costs a comparison in addition to the regular lookup.
struct RecentIndex {
    private static let count = 256
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var numbers = [Int](repeating: .max, count: count)

    /// The number in a slot; `Int.max` if the slot is empty.
    subscript(slot: Int) -> Int {
        get { numbers[slot] }
        set { numbers[slot] = newValue }
    }

    /// Returns the slot of a text and a short name. The slot depends on the length of the text, on eight bytes at the
    /// beginning, in the middle and at the end of the text, and on the name.
    @inline(__always)
    static func slot(of text: UnsafeRawBufferPointer, named name: String?) -> Int {
        let count = text.count
        var mixed = UInt64(count)
        if count >= 8 {
            let first = text.loadUnaligned(as: UInt64.self)
            let middle = text.loadUnaligned(fromByteOffset: count / 2 - 4, as: UInt64.self)
            let last = text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            mixed = ((mixed &* 31 ^ first) &* factor ^ middle) &* factor ^ last
        } else {
            for byte in text { mixed = mixed << 8 | UInt64(byte) }
        }
        if let name { mixed ^= number(of: name) }
        return Int((mixed &* factor) >> 56)
    }

    /// Returns a number that depends on the first 32 bytes of a name. It is not inlined, because most requests have no
    /// name.
    @inline(never)
    private static func number(of name: String) -> UInt64 {
        name.utf8.prefix(32).reduce(1) { $0 &* 31 &+ UInt64($1) }
    }
}
