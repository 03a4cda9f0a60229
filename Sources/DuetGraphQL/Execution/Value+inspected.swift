extension Value {
    /// A description for messages. It contains at most two levels of nesting, 10 items of a list, 100 fields of an
    /// object, and 1,000 characters of a string.
    var inspected: String { inspected(depth: 0) }

    private static let maximumTextLength = 1_000
    private static let maximumItems = 10
    private static let maximumDepth = 2

    private func inspected(depth: Int) -> String {
        switch self {
        case .string(let text) where text.utf8.count > Self.maximumTextLength:
            return Value.string(String(text.prefix(Self.maximumTextLength)) + "…").description
        case .list(let items):
            if items.isEmpty { return "[]" }
            if depth >= Self.maximumDepth { return "[Array]" }
            var shown = items.prefix(Self.maximumItems).map { $0.inspected(depth: depth + 1) }
            let rest = items.count - shown.count
            if rest > 0 { shown.append(rest == 1 ? "... 1 more item" : "... \(rest) more items") }
            return "[" + shown.joined(separator: ", ") + "]"
        case .object(let fields):
            if fields.isEmpty { return "{}" }
            if depth >= Self.maximumDepth { return "[Object]" }
            var shown = fields.prefix(100).map { "\($0.name): \($0.value.inspected(depth: depth + 1))" }
            if fields.count > shown.count { shown.append("…") }
            return "{ " + shown.joined(separator: ", ") + " }"
        default: return description
        }
    }
}
