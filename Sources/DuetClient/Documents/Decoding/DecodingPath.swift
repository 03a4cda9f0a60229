/// The path from the root to a value, as a linked list. The array of its keys is created only if a `codingPath` is
/// read, for example for an error.
indirect enum DecodingPath {
    case root
    case key(any CodingKey, below: DecodingPath)

    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = self
        while case .key(let key, let parent) = path {
            keys.append(key)
            path = parent
        }
        return keys.reversed()
    }
}

/// The index of an element of a list.
struct IndexKey: CodingKey {
    private let index: Int

    init(_ index: Int) { self.index = index }

    var intValue: Int? { index }
    var stringValue: String { String(index) }

    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) {
        guard let index = Int(stringValue) else { return nil }
        self.init(index)
    }
}
