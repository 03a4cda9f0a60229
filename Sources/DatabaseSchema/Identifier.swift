/// The bytes of a name. Two equal `String` values can have different bytes (`é` as one scalar and as two scalars), but
/// a database treats them as different names.
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
