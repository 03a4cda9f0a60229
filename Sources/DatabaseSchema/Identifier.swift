/// The bytes of a name, because a `String` is equal to another one with other bytes (`é` in one and in two scalars),
/// and a table's name is not.
struct Identifier: Hashable, Comparable {
    private let bytes: [UInt8]

    init(_ name: String) {
        bytes = Array(name.utf8)
    }

    /// The name with ASCII letters in lower case, as SQLite compares names (sqlite.org/lang_keywords.html).
    init(folding name: String) {
        bytes = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}
