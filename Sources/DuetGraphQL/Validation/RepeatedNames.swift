extension RandomAccessCollection where Index == Int {
    /// Returns the names that occur more than once, each with all its occurrences, in the order of their first
    /// occurrences.
    func repeatedNames(_ name: (Element) -> Name) -> [[Name]] {
        guard mayRepeat(name) else { return [] }
        return map(name).repeated()
    }

    /// Returns false only if each name occurs once. A long list is not searched; the result is then true.
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
