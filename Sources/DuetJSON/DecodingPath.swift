/// The path from the root to a value that a decoder reads, as a linked list. The array of its keys is created only if a
/// `codingPath` is read, for example for an error.
package indirect enum DecodingPath {
    case root
    case key(any CodingKey, below: DecodingPath)

    /// The keys from the root to the value.
    package var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = self
        while case .key(let key, let parent) = path {
            keys.append(key)
            path = parent
        }
        return keys.reversed()
    }
}

/// The index of an element of an array.
package struct IndexKey: CodingKey {
    private let index: Int

    package init(_ index: Int) { self.index = index }

    package var intValue: Int? { index }
    package var stringValue: String { String(index) }

    package init?(intValue: Int) { self.init(intValue) }
    package init?(stringValue: String) {
        guard let index = Int(stringValue) else { return nil }
        self.init(index)
    }
}
