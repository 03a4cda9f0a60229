import DuetJSON
import Foundation

/// Cursors as documented: an array of the list's number and the values of the sort order, in base64url. Only the server
/// knows the numbers of lists. The tests read the number from one cursor of each list.
struct PlainCursors: Sendable {
    private(set) var lists: [PlainList: Int64] = [:]

    /// Stores the number of a list from one of its cursors.
    mutating func learn(_ cursor: String, of list: PlainList) throws {
        guard case .array(let values)? = Self.values(of: cursor), case .integer(let number)? = values.first else {
            throw TestResponse.UnexpectedBody(text: cursor)
        }
        lists[list] = number
    }

    /// Returns the cursor of an employee, or nil if the test has not read the number of the list.
    func cursor(of employee: PlainCompany.Employee, in list: PlainList) -> String? {
        guard let number = lists[list] else { return nil }
        let text = JSONValue.array([.integer(number)] + list.place(of: employee)).compactText
        return Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Returns the values of the sort order in a cursor.
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

/// A page of a list, with the values of its connection.
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
    /// The planned field whose value is this page.
    let field: ObjectIdentifier

    /// - Parameter employees: The employees of all pages, in the list's order.
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
