import DuetClient
import DuetJSON
import Foundation

/// An employee in a list, decoded with `Codable`.
struct CodableRow: Codable, Hashable, Sendable {
    let id: String
    let firstName: String
    var lastName: String
}

/// A query for one employee. The query has a GraphQL document.
struct CodableRowQuery: DocumentQuery {
    struct Data: Codable, Hashable, Sendable {
        var employee: CodableRow?
    }

    static let source = "query Employee($id: ID!) { employee(id: $id) { id ...Names } } \(namesFragment)"
    var id: String
    var variables: JSONObject { ["id": .string(id)] }
}

/// A query for one employee with dates, titles and the gender.
struct CodableDetailQuery: DocumentQuery {
    enum Gender: String, Codable {
        case male = "M"
        case female = "F"
    }

    struct Title: Codable, Hashable, Sendable {
        let title: String
        let toDate: Date?
    }

    struct Employee: Codable, Hashable, Sendable {
        let id: String
        let firstName: String
        let lastName: String
        let gender: Gender
        var hireDate: Date
        let titles: [Title]
        let currentTitles: [Title]
    }

    struct Data: Codable, Hashable, Sendable {
        var employee: Employee?
    }

    static let source = """
        query EmployeeDetail($id: ID!, $current: Boolean = true) {
          employee(id: $id) {
            id
            ...Names
            gender
            hireDate
            titles { ...TitleFields }
            currentTitles: titles(current: $current) { ...TitleFields }
          }
        }
        fragment TitleFields on Title { title toDate }
        \(namesFragment)
        """
    var id: String
    var variables: JSONObject { ["id": .string(id)] }
}

/// A query for a page of employees.
struct CodableListQuery: DocumentQuery {
    struct Data: Codable, Hashable, Sendable {
        struct Page: Codable, Hashable, Sendable {
            var nodes: [CodableRow]
        }
        var employees: Page
    }

    static let source =
        "query Employees($first: Int!) { employees(first: $first) { nodes { id ...Names } } } \(namesFragment)"
    var first = 3
    var variables: JSONObject { ["first": .integer(Int64(first))] }
}

/// A mutation that changes the last name of an employee.
struct CodableRename: DocumentMutation {
    struct Data: Decodable, Sendable {
        struct Payload: Decodable, Sendable {
            let employee: CodableRow?
        }
        let updateEmployee: Payload?
    }

    static let source = """
        mutation Rename($input: UpdateEmployeeInput!) { updateEmployee(input: $input) { employee { id ...Names } } }
        \(namesFragment)
        """
    var id: String
    var lastName: String
    var variables: JSONObject { ["input": ["id": .string(id), "lastName": .string(lastName)]] }
}

private let namesFragment = "fragment Names on Employee { firstName lastName }"
