/// The names of a document as strings. The number of a name is its index in ``names``. Documents repeat names, and a
/// lookup is cheaper than the creation of a string. Therefore a cache maps the bytes of a recently read name to its
/// number. The cache has one entry for each hash, so a lookup takes constant time. A new name replaces a cached name
/// with the same hash. If the replaced name occurs again, it is added to ``names`` again.
struct NameTable: ~Copyable {
    // Not private: in Swift 6.3, a debug build fails if a private type is the element of `NodeBuffer`, which is in
    // another file.
    struct Entry {
        /// The bytes of a name with at most 16 bytes. For a longer name, the first word has the length of the name in
        /// its upper half and 1 in its lowest byte, and the second word is the offset of the name in the document.
        var key: (UInt64, UInt64) = (0, 0)
        var number: UInt32 = 0
    }

    private static let size = 128
    private(set) var names: NodeBuffer<String>
    private var entries: NodeBuffer<Entry>

    init(capacity: Int) {
        names = NodeBuffer(capacity: capacity)
        entries = NodeBuffer(repeating: Entry(), count: Self.size)
    }

    /// Returns the number of the name at the offset.
    @inline(__always)
    mutating func number(in bytes: UnsafeBufferPointer<UInt8>, at start: Int, count: Int) -> UInt32 {
        guard count <= 16, start + 16 <= bytes.count else { return longName(bytes[start..<(start + count)]) }
        let text = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + start)
        let mask = ~UInt64(0) &>> UInt64(truncatingIfNeeded: -count &* 8)
        var key = (text.loadUnaligned(as: UInt64.self).littleEndian, UInt64(0))
        if count <= 8 {
            key.0 &= mask
        } else {
            key.1 = text.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian & mask
        }
        let place = Int(truncatingIfNeeded: ((key.0 ^ (key.1 &* 31)) &* 0x9E37_79B9_7F4A_7C15) &>> 57)
        let entry = entries[place]
        if entry.key.0 == key.0, entry.key.1 == key.1 { return entry.number }
        let number = add(bytes[start..<(start + count)])
        entries[place] = Entry(key: key, number: number)
        return number
    }

    /// Returns the number of a name that does not fit into a key, or that begins in the last 15 bytes of the document.
    @inline(never)
    private mutating func longName(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
        guard text.count > 16, text.count < 256 else { return add(text) }
        var hash = UInt32(text.count)
        for byte in text { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let place = Int(hash &>> 25)
        let key = entries[place].key
        // No name contains the byte 1, so no short name has such a key.
        if key.0 & 0xFF == 1, Int(key.0 &>> 32) == text.count,
            text.base[Int(key.1)..<(Int(key.1) + text.count)].elementsEqual(text)
        {
            return entries[place].number
        }
        let number = add(text)
        entries[place] = Entry(key: (UInt64(text.count) &<< 32 | 1, UInt64(text.startIndex)), number: number)
        return number
    }

    @inline(never)
    private mutating func add(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
        names.append(String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self))
        return UInt32(truncatingIfNeeded: names.count - 1)
    }
}
