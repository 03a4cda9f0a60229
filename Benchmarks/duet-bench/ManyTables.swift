import DuetGraphQL
import DuetSQLDatabase
import Foundation

/// Measures databases without an API description: a database with 300 tables, and the employees sample.
enum ManyTables {
    private static let count = 300

    /// Measures `duet introspect`, the start of a server, the introspection query of GraphQL, and the memory of the
    /// server.
    /// - Parameter employees: The path of the employees sample.
    static func measure(employees: String, folder: URL, rounds: Int, seconds: Int, _ report: Report) async throws {
        let url = try await database(count, folder: folder)
        let described = folder.appending(path: "described")
        func introspection(_ url: String) throws -> Double {
            try (0..<rounds).map { _ in
                // `duet introspect` does not overwrite files, so remove the files of the previous round.
                try? FileManager.default.removeItem(at: described)
                try FileManager.default.createDirectory(at: described, withIntermediateDirectories: true)
                let output = described.appending(path: "api.yaml").path
                return try self.seconds { try Duet.run(["introspect", url, "--output", output]) }
            }.median
        }
        report.note(
            "duet introspect: \(text(try introspection("sqlite:" + employees))) s for employees, "
                + "\(text(try introspection(url))) s for \(count) tables (goal: under 1 s)")
        let starts = try (0..<rounds).map { _ in
            var server: ServerProcess?
            defer { server?.stop() }
            return try self.seconds { server = try Duet.serve(environment: ["DUET_DATABASE": url]) }
        }
        let server = try Duet.serve(environment: ["DUET_DATABASE": url])
        defer { server.stop() }
        let load = Load(base: server.base, seconds: seconds, connections: 1)
        let target = Target(path: "/graphql", document: IntrospectionQuery.standard)
        let queries = try (0..<rounds).map { _ in 1000 / (try load.rate(target)) }.median
        report.note(
            "\(count) tables without a description: a start takes \(text(starts.median)) s (goal: under 1 s), "
                + "the introspection query \(Int(queries.rounded())) ms (goal: under 50 ms), "
                + "resident memory is \(server.usage.residentMemory >> 10) MiB (goal: under 95 MiB)")
        try Roles.measureStart(url, folder: folder, rounds: rounds, report)
        try await measureOpenAPI(folder: folder, report)
    }

    /// Measures only the start of a server with many roles.
    static func measureRoles(folder: URL, rounds: Int, _ report: Report) async throws {
        try Roles.measureStart(try await database(count, folder: folder), folder: folder, rounds: rounds, report)
    }

    /// Creates a database with a number of tables, and returns its URL.
    private static func database(_ count: Int, folder: URL) async throws -> String {
        let path = folder.appending(path: "\(count)-tables.sqlite").path
        // The file must exist, because opening a database does not create it.
        try Data().write(to: URL(filePath: path))
        let url = "sqlite:" + path
        let database = Database(try DatabaseURL(url))
        try await database.write { try $0.executeScript(script(count)) }
        await database.close()
        return url
    }

    /// Measures the first request for the OpenAPI document of 1,000 tables, in each format.
    private static func measureOpenAPI(folder: URL, _ report: Report) async throws {
        let url = try await database(1000, folder: folder)
        for format in ["json", "yaml"] {
            let server = try Duet.serve(environment: ["DUET_DATABASE": url])
            defer { server.stop() }
            let before = server.usage.residentMemory
            let time = try seconds { _ = try Curl.send("\(server.base)/openapi.\(format)") }
            report.note(
                "1,000 tables: the first /openapi.\(format) takes \(text(time)) s (goal: under 2 s), and resident memory "
                    + "grows from \(before >> 10) to at most \(server.usage.peakMemory >> 10) MiB")
        }
    }

    /// The SQL script that creates the tables. Each table has a foreign key to the previous table.
    private static func script(_ count: Int) -> String {
        (0..<count).map { number in
            let reference = number == 0 ? "" : ", previous_id INTEGER REFERENCES table_\(number - 1) (id)"
            return """
                CREATE TABLE table_\(number) (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL, price DECIMAL(9,2),
                    made_on DATE, note TEXT, is_open BOOLEAN\(reference));
                INSERT INTO table_\(number) (id, name) VALUES (1, 'one');

                """
        }.joined()
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private static func text(_ seconds: Double) -> String { String(format: "%.2f", seconds) }
}
