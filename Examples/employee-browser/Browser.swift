import DuetClient
import Foundation

/// Executes the commands that a user types.
struct Browser {
    static let help = """
        list          the first employees
        next          the next page
        find Geo*     the employees whose first or last name matches
        show 10004    one employee, with titles and salaries
        quit          ends the program
        """

    let client: GraphQLClient
    /// The query for the page that the command `next` fetches.
    private var nextPage: EmployeesQuery?

    init(client: GraphQLClient) { self.client = client }

    /// Returns the output for a line of input.
    mutating func answer(_ line: String) async -> String {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        do throws(GraphQLClientError) {
            switch (words.first, words.dropFirst().first) {
            case ("list", nil): return try await list(EmployeesQuery())
            case ("find", let name?): return try await list(EmployeesQuery(name: name))
            case ("next", nil):
                guard let nextPage else { return "There is no next page." }
                return try await list(nextPage)
            case ("show", let id?): return try await show(id)
            default: return Self.help
            }
        } catch {
            return error.message
        }
    }

    private mutating func list(_ query: EmployeesQuery) async throws(GraphQLClientError) -> String {
        let result = try await client.fetch(query, policy: .networkElseCache)
        guard let page = result.data?.page else { return result.failure }
        nextPage = page.next.map { EmployeesQuery(name: query.name, after: $0) }
        let lines = page.employees.map(\.line) + (nextPage == nil ? [] : ["Type next for more."])
        return (lines + [result.origin]).joined(separator: "\n")
    }

    private func show(_ id: String) async throws(GraphQLClientError) -> String {
        do throws(GraphQLClientError) {
            let result = try await client.fetch(EmployeeQuery(id: id), policy: .networkElseCache)
            if result.data == nil { return result.failure }
            guard let employee = result.data?.employee else { return "There is no employee \(id)." }
            return ([employee.text, result.origin]).joined(separator: "\n")
        } catch {
            // If an employee was part of a list, the cache has the name of the employee, but not the titles.
            let result = try? await client.fetch(EmployeeNameQuery(id: id), policy: .cacheDontFetch)
            guard let result, let employee = result.data?.employee else { throw error }
            return "\(employee.line)\nThe cache has only the name.\n\(error.message)"
        }
    }
}

extension GraphQLResult {
    /// The origin of the data. For cached data, it includes the age.
    var origin: String {
        guard source == .cache, let received else { return "(from the server)" }
        let seconds = max(0, Int(Date().timeIntervalSince1970) - Int(received / 1000))
        let age =
            switch seconds {
            case ..<60: "\(seconds) s"
            case ..<3600: "\(seconds / 60) min"
            default: "\(seconds / 3600) h"
            }
        return "(from the cache, \(age) old; no valid response from the server)"
    }

    /// The messages of the errors that the service reports.
    var failure: String { errors.map(\.message).joined(separator: "\n") }
}
