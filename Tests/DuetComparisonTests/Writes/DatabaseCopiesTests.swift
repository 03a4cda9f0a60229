import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

@testable import DuetComparison

@Suite("Copies of a database") struct DatabaseCopiesTests {
    @Test("A copy that is the original is refused, also by another path or in other letter cases")
    func guarded() async throws {
        try await TemporaryFolder.with { folder in
            let (file, link) = (folder.appending(path: "shop.db"), folder.appending(path: "link.db"))
            try Data().write(to: file)
            try Data().write(to: folder.appending(path: "other.db"))
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            let original = DatabaseURL(location: .sqlite(path: file.path))
            for path in [file.path, link.path, folder.path + "/./shop.db"] {
                #expect(throws: CopyError.self) {
                    try CopyError.check(DatabaseURL(location: .sqlite(path: path)), isNot: original)
                }
            }
            let other = DatabaseURL(location: .sqlite(path: folder.appending(path: "other.db").path))
            try CopyError.check(other, isNot: original)
            let shop = try DatabaseURL("mariadb://duet@localhost/shop")
            #expect(throws: CopyError.self) { try CopyError.check(shop, isNot: shop) }
            #expect(throws: CopyError.self) {
                try CopyError.check(try DatabaseURL("mariadb://root@127.0.0.1/Shop"), isNot: shop)
            }
            #expect(throws: CopyError.self) { try CopyError.check(other, isNot: shop) }
        }
    }

    @Test("A copy has the commits of the write-ahead log, and no copy is written over an existing file")
    func file() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write {
                try $0.executeScript("CREATE TABLE notes (id INTEGER PRIMARY KEY); INSERT INTO notes VALUES (1), (2)")
            }
            guard case .sqlite(let path) = database.url.location else { return }
            let table = ComparedTable(name: "notes", columns: ["id"])
            let state = try await TableStates.read([table], of: database.url)
            try await DatabaseCopies.with(of: database.url) { copies in
                try await copies.withCopies(2) { urls in
                    for url in urls {
                        let copied = try await TableStates.read([table], of: url)
                        #expect(copied.differences(from: state) == [])
                    }
                    try await database.write { try $0.execute("DELETE FROM notes WHERE id = 1") }
                    let changed = try await TableStates.read([table], of: database.url)
                    let copied = try await TableStates.read([table], of: urls[0])
                    #expect(copied == state && changed.differences(from: copied) == ["notes"])
                }
            }
            #expect(throws: DatabaseError.self) { try SQLiteFileCopy.copy(path, to: path) }
        }
    }
}
