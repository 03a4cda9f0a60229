/// A function that finds the words in a name, for any common way of joining words.
enum WordBoundaries {
    private enum Kind {
        case upper, lower, digit, separator

        init(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .upper
            case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: self = .lower
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit
            default: self = .separator
            }
        }
    }

    /// Returns the ranges of the words. Non-ASCII bytes count as lower-case letters.
    ///
    /// A word begins after a separator, at an upper-case letter after a lower-case letter or a digit (`orderDate`,
    /// `mp3Player`), and at the last of several upper-case letters before a lower-case letter (`HTTPStatus`). An `s`
    /// that follows several upper-case letters and ends a word belongs to the same word as these letters (`IDs`).
    static func words(in bytes: [UInt8]) -> [Range<Int>] {
        let kinds = bytes.map(Kind.init)
        var words: [Range<Int>] = []
        var start: Int?
        func close(at end: Int) {
            if let start, start < end { words.append(start..<end) }
            start = nil
        }
        for (index, kind) in kinds.enumerated() {
            guard let first = start else {
                if kind != .separator { start = index }
                continue
            }
            switch (kinds[index - 1], kind) {
            case (_, .separator): close(at: index)
            case (.lower, .upper), (.digit, .upper):
                close(at: index)
                start = index
            case (.upper, .lower) where index - 2 >= first && kinds[index - 2] == .upper:
                let isPlural =
                    bytes[index] == UInt8(ascii: "s") && (index + 1 == kinds.count || kinds[index + 1] != .lower)
                if !isPlural {
                    close(at: index - 1)
                    start = index - 1
                }
            default: break
            }
        }
        close(at: kinds.count)
        return words
    }
}
