import DuetJSON
import Foundation

/// Cursors as they are documented: an array of the list's number and the values that its rows are ordered by, in base64url. Which
/// number a list has is the server's secret; the tests take it from one cursor of each list.
struct PlainCursors: Sendable {
    private(set) var lists: [PlainList: Int64] = [:]

    /// Learns the number of a list from a cursor of it.
    mutating func learn(_ cursor: String, of list: PlainList) throws {
        guard case .array(let values)? = Self.values(of: cursor), case .integer(let number)? = values.first else {
            throw TestResponse.UnexpectedBody(text: cursor)
        }
        lists[list] = number
    }

    /// The cursor of an employee; nil in a list that has shown none.
    func cursor(of employee: PlainCompany.Employee, in list: PlainList) -> String? {
        guard let number = lists[list] else { return nil }
        let text = JSONValue.array([.integer(number)] + list.place(of: employee)).compactText
        return Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The place that a cursor tells.
    static func place(of cursor: String) -> [JSONValue]? {
        guard case .array(let values)? = values(of: cursor) else { return nil }
        return Array(values.dropFirst())
    }

    private static func values(of cursor: String) -> JSONValue? {
        var text = cursor.replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 > 0 { text += "=" }
        return Data(base64Encoded: text).flatMap { try? JSONValue(parsing: $0) }
    }
}

/// A page of a list, with what a connection says about it.
struct PlainPage: Sendable {
    /// An employee on the page.
    struct Edge: Sendable {
        let employee: PlainCompany.Employee
        let cursor: String?
    }

    let edges: [Edge]
    let hasNextPage: Bool
    let hasPreviousPage: Bool
    let totalCount: Int
    /// The field that it is the value of.
    let field: ObjectIdentifier

    /// - Parameter employees: of all pages, in the list's order.
    init(
        _ employees: [PlainCompany.Employee], of list: PlainList, _ cursors: PlainCursors, first: Int, after: String?,
        field: ObjectIdentifier
    ) {
        var rest = employees[...]
        if let place = after.flatMap(PlainCursors.place) {
            rest = rest.drop { !list.precedes(place, list.place(of: $0)) }
        }
        edges = rest.prefix(first).map { Edge(employee: $0, cursor: cursors.cursor(of: $0, in: list)) }
        hasNextPage = rest.count > first
        hasPreviousPage = after != nil
        totalCount = employees.count
        self.field = field
    }
}
