package import Foundation

/// A folder for one test, which is removed after the test.
package enum TemporaryFolder {
    package static func with<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        try await TestSlots.with { try await withNewFolder(body) }
    }

    private static func withNewFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "duet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
