import Foundation
import SQLDatabase
import TestSupport

/// Databases that `duet sample` has filled.
enum SampleDatabase {
    /// A SQLite file in a folder of its own.
    /// - Parameter body: is given the folder and the database's URL.
    static func with<Value>(employees: Int = 20, _ body: (URL, String) async throws -> Value) async throws -> Value {
        try await TemporaryFolder.with { folder in
            let url = "sqlite:\(folder.appending(path: "sample.sqlite").path)"
            try await fill(url, employees: employees, in: folder)
            return try await body(folder, url)
        }
    }

    static func fill(_ url: String, employees: Int, in folder: URL) async throws {
        let result = try await Program.run(
            ["sample", "--employees", String(employees)], in: folder, environment: ["DUET_DATABASE": url])
        guard result.status == 0 else { throw Transcript.Missing(phrase: "Wrote", text: result.errors) }
    }
}

extension DatabaseURL {
    /// With the password, as a program needs it; ``description`` hides it.
    var text: String {
        switch location {
        case .sqlite(let path): return "sqlite:\(path)"
        case .mariaDB(let location):
            var components = URLComponents()
            components.scheme = "mariadb"
            components.user = location.user
            components.password = location.password
            components.host = location.host
            components.port = location.port
            components.path = "/" + location.database
            components.queryItems = location.socket.map { [URLQueryItem(name: "socket", value: $0)] }
            return components.string ?? ""
        }
    }
}
