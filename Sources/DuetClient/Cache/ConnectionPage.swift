import DuetJSON

/// The page of a connection that a field asks for (GraphQL Cursor Connections Specification, section 4).
struct ConnectionPage: Sendable {
    /// The cursor that the page follows.
    let after: String?
    /// The cursor that the page precedes.
    let before: String?
    /// The arguments that are the same for all pages.
    let otherArguments: JSONObject

    private static let pageArguments: Set<String> = ["first", "after", "last", "before"]

    init(_ arguments: JSONObject) {
        after = Self.cursor(arguments["after"])
        before = Self.cursor(arguments["before"])
        otherArguments = JSONObject(
            arguments.members.filter { !Self.pageArguments.contains($0.key) }.map { ($0.key, $0.value) })
    }

    private static func cursor(_ value: JSONValue?) -> String? {
        if case .string(let cursor)? = value { cursor } else { nil }
    }

    /// True for the page that begins the list.
    var isFirst: Bool { after == nil && before == nil }

    /// A part of the keys of objects on this page, so that those without identity have other keys than on other pages.
    var keySuffix: String { after.map { ":after:\($0)" } ?? before.map { ":before:\($0)" } ?? "" }
}
