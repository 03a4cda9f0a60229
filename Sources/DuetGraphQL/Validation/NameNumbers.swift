/// Assigns a number to each name.
///
/// Most documents have few, short names. A fast hash finds these names in a small table. If the table has no free place
/// for a name, the name is stored in a dictionary. A client can provoke collisions in the table, but cannot predict the
/// hashes of the dictionary.
struct NameNumbers {
    private(set) var names: [String] = []
    private var table: [Int32] = Array(repeating: -1, count: 256)
    private var others: [String: Int32] = [:]
    private static let probes = 6

    /// Returns the number of a name. A new name gets the next number.
    mutating func number(of name: String) -> Int32 {
        let start = Self.hash(name)
        for probe in 0..<Self.probes {
            let place = (start &+ probe) & 255
            let known = table[place]
            if known < 0 {
                table[place] = Int32(names.count)
                return add(name)
            }
            if names[Int(known)].utf8.count == name.utf8.count, names[Int(known)] == name { return known }
        }
        if let known = others[name] { return known }
        others[name] = Int32(names.count)
        return add(name)
    }

    private mutating func add(_ name: String) -> Int32 {
        names.append(name)
        return Int32(names.count - 1)
    }

    private static func hash(_ name: String) -> Int {
        var hash = UInt32(truncatingIfNeeded: name.utf8.count)
        for byte in name.utf8.prefix(15) { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int(hash >> 12)
    }
}
