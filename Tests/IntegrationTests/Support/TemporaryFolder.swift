import Foundation
import TestSupport

/// A folder for one test, removed after it.
enum TemporaryFolder {
    static func with<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        try await TestSlots.with { try await withNewFolder(body) }
    }

    private static func withNewFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "duet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}

/// The checkout that the tests were built from.
enum Checkout {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// The paths of the documents, in Markdown.
    static func documents() throws -> [String] {
        let names = try ["", "docs/"].flatMap { directory in
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: directory).path)
                .map { directory + $0 }
        }
        return names.filter { $0.hasSuffix(".md") }.sorted()
    }

    /// The first 10,000 employees of the original's data, which are not part of the repository.
    static let publishedData = folder.appending(path: "../shared/data/employees-10k").standardizedFileURL

    static var hasPublishedData: Bool {
        FileManager.default.fileExists(atPath: publishedData.appending(path: "employees.sql").path)
    }
}
