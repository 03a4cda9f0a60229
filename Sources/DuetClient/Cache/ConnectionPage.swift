import DuetJSON

/// The page of a connection that a field requests (GraphQL Cursor Connections Specification, section 4).
struct ConnectionPage: Sendable {
    /// The cursor before the page.
    let after: String?
    /// The cursor after the page.
    let before: String?
    /// The maximum number of objects, counted from the beginning.
    let first: Int?
    /// The arguments that are equal for all pages.
    let otherArguments: JSONObject

    private static let pageArguments: Set<String> = ["first", "after", "last", "before"]

    /// - Returns: `nil` for the end of a list (`last` without a cursor), which is a separate list: it does not continue
    ///   another page.
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

    /// A suffix for the keys of the page's objects. It distinguishes objects without identity from those of other
    /// pages.
    var keySuffix: String {
        after.map { ":after:\($0)" } ?? before.map { ":before:\($0)" } ?? ""
    }

    // The fields of a connection and of its page info.
    static let listKeys: [FieldKey] = ["edges", "nodes"]
    static let pageInfo: FieldKey = "pageInfo"
    static let startCursor: FieldKey = "startCursor"
    static let endCursor: FieldKey = "endCursor"
    static let hasPreviousPage: FieldKey = "hasPreviousPage"
    static let hasNextPage: FieldKey = "hasNextPage"
}
