/// Functions that create the suggestion "Did you mean …?" of a message, with the known names that are most similar to
/// an unknown name.
public enum Suggestions {
    /// The maximum number of names in a message.
    private static let shown = 5
    /// The maximum length of a compared name. A comparison takes time in proportion to the product of the two lengths.
    private static let longestName = 200
    /// The maximum number of character pairs that are compared for one document. These comparisons take a few
    /// hundredths of a second. After this maximum, messages contain no suggestions.
    static let budget = 2_000_000

    /// Returns the sentence for a message, with a leading space. It is empty if no known name is similar.
    public static func didYouMean(_ name: String, among options: [String], prefix: String = "") -> String {
        didYouMean(nearest(to: name, among: options), prefix: prefix)
    }

    /// Returns the sentence for a message, with a leading space. It is empty if there are no suggestions.
    public static func didYouMean(_ suggestions: [String], prefix: String = "") -> String {
        guard !suggestions.isEmpty else { return "" }
        let quoted = suggestions.prefix(shown).map { "\"\($0)\"" }
        let list =
            switch quoted.count {
            case 1: quoted[0]
            case 2: "\(quoted[0]) or \(quoted[1])"
            default: quoted.dropLast().joined(separator: ", ") + ", or " + quoted[quoted.count - 1]
            }
        return " Did you mean " + (prefix.isEmpty ? "" : prefix + " ") + list + "?"
    }

    /// Returns the options with a small edit distance to a name, the most similar first.
    public static func nearest(to name: String, among options: [String]) -> [String] {
        var budget = budget
        return nearest(to: name, among: options, budget: &budget)
    }

    static func nearest(to name: String, among options: [String], budget: inout Int) -> [String] {
        guard name.utf8.count <= longestName else { return [] }
        var distances = LexicalDistance(to: name)
        let threshold = Int(Double(name.utf8.count) * 0.4) + 1
        var found: [String: Int] = [:]
        for option in options where abs(option.utf8.count - name.utf8.count) <= threshold {
            budget -= name.utf8.count * option.utf8.count
            if budget < 0 { return [] }
            if let distance = distances.measure(option, atMost: threshold) { found[option] = distance }
        }
        return found.sorted { left, right in
            left.value != right.value ? left.value < right.value : naturallyPrecedes(left.key, right.key)
        }.map(\.key)
    }

    /// Returns true if a name precedes another name in natural order, which compares digits as numbers.
    static func naturallyPrecedes(_ left: String, _ right: String) -> Bool {
        let a = Array(left.utf8)
        let b = Array(right.utf8)
        var i = 0
        var j = 0
        while i < a.count, j < b.count {
            if Lexer.isDigit(a[i]), Lexer.isDigit(b[j]) {
                let first = number(a, &i)
                let second = number(b, &j)
                if first != second { return first < second }
            } else {
                if a[i] != b[j] { return a[i] < b[j] }
                i += 1
                j += 1
            }
        }
        return a.count < b.count
    }

    private static func number(_ bytes: [UInt8], _ position: inout Int) -> Double {
        var number = 0.0
        repeat {
            number = number * 10 + Double(bytes[position] - 0x30)
            position += 1
        } while position < bytes.count && Lexer.isDigit(bytes[position]) && number > 0
        return number
    }
}

/// The number of insertions, deletions, substitutions and transpositions that convert one name to another. Names that
/// differ only in case have the distance 1.
private struct LexicalDistance {
    private let name: String
    private let lowercased: [UInt8]
    private var rows: [[Int]]

    init(to name: String) {
        self.name = name
        lowercased = Array(name.lowercased().utf8)
        rows = Array(repeating: Array(repeating: 0, count: lowercased.count + 1), count: 3)
    }

    /// Returns the distance, or nil if it exceeds `threshold`.
    mutating func measure(_ option: String, atMost threshold: Int) -> Int? {
        if option == name { return 0 }
        var longer = Array(option.lowercased().utf8)
        var shorter = lowercased
        if longer == shorter { return 1 }
        if longer.count < shorter.count { swap(&longer, &shorter) }
        guard longer.count - shorter.count <= threshold else { return nil }
        for column in 0...shorter.count { rows[0][column] = column }
        for row in 1..<(longer.count + 1) {
            let above = (row - 1) % 3
            let current = row % 3
            rows[current][0] = row
            var smallest = row
            for column in 1..<(shorter.count + 1) {
                let cost = longer[row - 1] == shorter[column - 1] ? 0 : 1
                var cell = min(
                    rows[above][column] + 1, rows[current][column - 1] + 1, rows[above][column - 1] + cost)
                if row > 1, column > 1, longer[row - 1] == shorter[column - 2], longer[row - 2] == shorter[column - 1] {
                    cell = min(cell, rows[(row - 2) % 3][column - 2] + 1)
                }
                smallest = min(smallest, cell)
                rows[current][column] = cell
            }
            if smallest > threshold { return nil }
        }
        let distance = rows[longer.count % 3][shorter.count]
        return distance <= threshold ? distance : nil
    }
}
