package import Foundation

/// Databases that `duet sample` has filled.
package enum SampleDatabase {
    /// Calls the body with a SQLite database in a temporary folder. The database is a copy of a sample that is created
    /// only once for each number of employees.
    /// - Parameter body: Receives the folder and the database's URL.
    package static func with<Value>(employees: Int = 20, _ body: (URL, String) async throws -> Value) async throws
        -> Value
    {
        let sample = try await Samples.shared.file(employees: employees)
        return try await TemporaryFolder.with { folder in
            let file = folder.appending(path: "sample.sqlite")
            try FileManager.default.copyItem(at: sample, to: file)
            return try await body(folder, "sqlite:\(file.path)")
        }
    }

    package static func fill(_ url: String, employees: Int, in folder: URL) async throws {
        let result = try await Program.run(
            ["sample", "--employees", String(employees)], in: folder, environment: ["DUET_DATABASE": url])
        guard result.status == 0 else { throw Transcript.Missing(phrase: "Wrote", text: result.errors) }
    }
}

/// The samples of this test run, each created once.
private actor Samples {
    static let shared = Samples()

    private static let folder = FileManager.default.temporaryDirectory
        .appending(path: "duet-samples-\(ProcessInfo.processInfo.processIdentifier)")
    private var files: [Int: Task<URL, any Error>] = [:]

    func file(employees: Int) async throws -> URL {
        let file = files[employees] ?? Task { try await TestSlots.without { try await Self.make(employees) } }
        files[employees] = file
        return try await file.value
    }

    private static func make(_ employees: Int) async throws -> URL {
        if !FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            atexit { try? FileManager.default.removeItem(at: Samples.folder) }
        }
        let file = folder.appending(path: "\(employees).sqlite")
        try await SampleDatabase.fill("sqlite:\(file.path)", employees: employees, in: folder)
        return file
    }
}
