import DuetJSON
import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting

extension WritableShop {
    /// Reads all pages of a list, and returns its elements.
    /// - Parameter size: The number of elements on a page.
    func pages(_ path: String, size: Int = 1) async throws -> [JSONValue] {
        var elements: [JSONValue] = []
        var next: String? = "\(path)&first=\(size)"
        while let target = next, elements.count < 1_000 {
            let page = try await send("GET", target)
            guard page.status == 200 else { throw UnexpectedAnswer(description: "\(target): \(page.body)") }
            elements += page.elements
            next = page.headers.first(name: "Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        return elements
    }

    private struct UnexpectedAnswer: Error, CustomStringConvertible { let description: String }
}

extension HTTPAnswer {
    /// The elements of the body, if it is an array.
    var elements: [JSONValue] { if case .array(let elements)? = try? json { elements } else { [] } }
}

extension String {
    /// The text as a value in a query string.
    var queryValue: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}

extension ResultSet {
    /// Reads all rows.
    func rows() throws -> [[SQLValue]] {
        defer { close() }
        var rows: [[SQLValue]] = []
        while try next() { rows.append(columns.indices.map { value(at: $0) }) }
        return rows
    }
}
