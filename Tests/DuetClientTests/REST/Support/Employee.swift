import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting

/// An employee in the format of the server's REST API.
struct Employee: Codable, Sendable, Equatable {
    struct Title: Codable, Sendable, Equatable {
        var title: String
        var fromDate: Date
        var toDate: Date?
    }

    var employeeNumber: Int
    var firstName: String
    var lastName: String
    var birthDate: Date?
    var hireDate: Date?
    var titles: [Title]?
}

/// The fields of a new employee.
struct NewEmployee: Codable, Sendable {
    var firstName = "Anna"
    var lastName = "Ångström"
    var birthDate = Date(timeIntervalSince1970: 533_797_200)
    var gender = "F"
    var hireDate = Date(timeIntervalSince1970: 817_794_000)
}

extension WebServiceProxy {
    /// Creates a proxy for the REST API of a server.
    init(_ server: Server, transport: any HTTPTransport = DefaultTransport.make()) throws {
        guard let address = URL(string: server.base) else { throw URLError(.badURL) }
        self.init(baseURL: address, transport: transport)
    }

    /// Creates an employee on the server.
    func makeEmployee(_ employee: NewEmployee = NewEmployee()) async throws -> Employee {
        try await invoke(.post, "employees", content: .json(employee))
    }
}
