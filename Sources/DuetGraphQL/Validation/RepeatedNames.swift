extension RandomAccessCollection where Index == Int {
    /// The names that stand here more than once, each with all its places, in the order of their first places.
    func repeatedNames(_ name: (Element) -> Name) -> [[Name]] {
        guard mayRepeat(name) else { return [] }
        return map(name).repeated()
    }

    /// Whether a closer look is worth its cost: false only if every name stands here once.
    private func mayRepeat(_ name: (Element) -> Name) -> Bool {
        guard count > 1 else { return false }
        guard count <= 8 else { return true }
        for index in indices {
            let value = name(self[index]).value
            for earlier in startIndex..<index where name(self[earlier]).value == value { return true }
        }
        return false
    }
}
