/// The bytes of a name. Two equal `String` values can have different bytes, for example the composed and the decomposed
/// form of `é`, but a database treats such names as different.
struct Identifier: Hashable, Comparable {
    private let bytes: [UInt8]

    init(_ name: String) {
        bytes = Array(name.utf8)
    }

    /// Creates the identifier of the name with ASCII letters in lower case. SQLite compares names in this form.
    init(folding name: String) {
        bytes = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}
