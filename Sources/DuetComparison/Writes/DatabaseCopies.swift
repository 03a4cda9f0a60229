package import DuetSQLDatabase
import Foundation

/// Copies of a database. Tasks write on the copies, and never on the original.
///
/// The base is a copy that no task changes. All other copies are copies of the base, so they are equal even if other
/// programs write the original at the same time. All copies are removed at the end.
package struct DatabaseCopies: Sendable {
    private enum Base {
        case file(folder: URL)
        case mariaDB(MariaDBCopy)
    }

    /// The database of which the copies are made.
    package let original: DatabaseURL
    private let base: Base

    /// Copies a database, runs a closure, and removes all copies, even after an error or if the task is canceled.
    /// - Throws: ``CopyError`` or `DatabaseError` if the database cannot be copied.
    package static func with<Value>(
        of original: DatabaseURL, _ body: (DatabaseCopies) async throws -> Value
    ) async throws -> Value {
        switch original.location {
        case .sqlite(let path):
            let folder = FileManager.default.temporaryDirectory.appending(path: "duet-compare-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let base = folder.appending(path: baseName).path
            try CopyError.check(DatabaseURL(location: .sqlite(path: base)), isNot: original)
            try SQLiteFileCopy.copy(path, to: base)
            try Task.checkCancellation()
            return try await body(DatabaseCopies(original: original, base: .file(folder: folder)))
        case .sqliteInMemory: throw CopyError("a database in memory cannot be copied")
        case .mariaDB(let location):
            let copy = MariaDBCopy(original: location)
            return try await copy.with(copy.name, of: location.database) {
                try await body(DatabaseCopies(original: original, base: .mariaDB(copy)))
            }
        }
    }

    private static let baseName = "base.sqlite"

    /// Copies the base several times, runs a closure with the URLs of the copies, and removes these copies.
    package func withCopies<Value>(
        _ count: Int, _ body: ([DatabaseURL]) async throws -> Value
    ) async throws -> Value {
        switch base {
        case .file(let folder):
            let files = (0..<count).map { folder.appending(path: "\(UUID().uuidString)-\($0).sqlite") }
            defer {
                for file in files {
                    for suffix in ["", "-wal", "-shm", "-journal"] {
                        try? FileManager.default.removeItem(atPath: file.path + suffix)
                    }
                }
            }
            for file in files {
                try FileManager.default.copyItem(at: folder.appending(path: Self.baseName), to: file)
            }
            let urls = files.map { DatabaseURL(location: .sqlite(path: $0.path)) }
            for url in urls { try CopyError.check(url, isNot: original) }
            return try await body(urls)
        case .mariaDB(let copy): return try await withCopies((0..<count).map { "\(copy.name)_\($0)" }[...], copy, body)
        }
    }

    private func withCopies<Value>(
        _ names: ArraySlice<String>, _ copy: MariaDBCopy, made: [DatabaseURL] = [],
        _ body: ([DatabaseURL]) async throws -> Value
    ) async throws -> Value {
        guard let name = names.first else { return try await body(made) }
        return try await copy.with(name, of: copy.name) {
            try await withCopies(names.dropFirst(), copy, made: made + [copy.url(name)], body)
        }
    }
}

/// The error for a database that cannot be copied.
package struct CopyError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// Checks that a copy is another database than its original.
    /// - Throws: ``CopyError`` if it is the same file, or the same database on a server.
    package static func check(_ copy: DatabaseURL, isNot original: DatabaseURL) throws {
        switch (copy.location, original.location) {
        case (.sqlite(let copy), .sqlite(let original)):
            func identity(_ path: String) -> [Int?] {
                let resolved = URL(filePath: path).resolvingSymlinksInPath().path
                let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
                return [attributes?[.systemNumber] as? Int, attributes?[.systemFileNumber] as? Int]
            }
            let (one, other) = (identity(copy), identity(original))
            guard one.contains(nil) || one != other else {
                throw CopyError("\(copy) is the original database \(original), which no task may write")
            }
        case (.mariaDB(let copy), .mariaDB(let original)):
            guard copy.database.lowercased() != original.database.lowercased() else {
                throw CopyError("\(copy.database) is the original database, which no task may write")
            }
        default: throw CopyError("the copy is not a database of the kind of its original")
        }
    }
}
