import SeededTesting

extension SplitMix64 {
    /// Returns true with the given probability in percent.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// Returns a random element, or nil if there is none.
    mutating func element<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element? {
        elements.isEmpty ? nil : elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
    }
}
