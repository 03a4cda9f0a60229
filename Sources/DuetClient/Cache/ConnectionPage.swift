import DuetJSON

/// The arguments of a field that request one page of a connection (GraphQL Cursor Connections Specification, section
/// 4).
struct ConnectionPage: Sendable {
    /// The argument `after`: the page begins after this cursor.
    let after: String?
    /// The argument `before`: the page ends before this cursor.
    let before: String?
    /// The argument `first`: the maximum number of objects, counted from the beginning of the page.
    let first: Int?
    /// The arguments that have the same value for all pages, such as a filter.
    let otherArguments: JSONObject

    private static let pageArguments: Set<String> = ["first", "after", "last", "before"]

    /// - Returns: `nil` if the arguments request the last objects of a list (`last` without a cursor). These objects
    ///   are cached as a separate list, because they neither follow nor precede a cached page.
    init?(_ arguments: JSONObject) {
        after = Self.cursor(arguments["after"])
        before = Self.cursor(arguments["before"])
        first = arguments["first"]?.integerValue.map { Int(clamping: $0) }
        if after == nil, before == nil, arguments["last"] ?? .null != .null { return nil }
        otherArguments = JSONObject(
            arguments.members.filter { !Self.pageArguments.contains($0.key) }.map { ($0.key, $0.value) })
    }

    private static func cursor(_ value: JSONValue?) -> String? {
        if case .string(let cursor)? = value { cursor } else { nil }
    }

    /// True for the first page of the list.
    var isFirst: Bool { after == nil && before == nil }

    /// A suffix for the keys of the page's objects without identity. It makes these keys different on each page.
    var keySuffix: String {
        after.map { ":after:\($0)" } ?? before.map { ":before:\($0)" } ?? ""
    }

    // The keys of the fields of a connection and of its page info.
    static let listKeys: [FieldKey] = ["edges", "nodes"]
    static let pageInfo: FieldKey = "pageInfo"
    static let startCursor: FieldKey = "startCursor"
    static let endCursor: FieldKey = "endCursor"
    static let hasPreviousPage: FieldKey = "hasPreviousPage"
    static let hasNextPage: FieldKey = "hasNextPage"
}
