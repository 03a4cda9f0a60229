extension RandomAccessCollection where Index == Int {
    /// Returns all occurrences of each name that occurs more than once. The names are in the order of their first
    /// occurrences.
    func repeatedNames(_ name: (Element) -> Name) -> [[Name]] {
        guard mayRepeat(name) else { return [] }
        return map(name).repeated()
    }

    /// Returns true if a name may occur more than once. If the list has more than eight names, the function returns
    /// true without a search.
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
