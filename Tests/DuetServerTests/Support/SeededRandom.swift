/// Random numbers that are equal for equal seeds on every platform (SplitMix64, whose first numbers are already well
/// distributed).
struct SeededRandom {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0xD1B5_4A32_D192_ED03
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, `bound`.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Returns true with the given probability in percent.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// Returns a random element, or nil if there is none.
    mutating func element<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element? {
        elements.isEmpty ? nil : elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
    }
}
