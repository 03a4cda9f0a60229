import Foundation
import TestSupport
import Testing

@testable import DuetSQLDatabase

@Suite("Databases that refuse writes")
struct RefusedWriteTests {
    @Test(
        "A write to a full database throws an error with the code full, and the database remains usable",
        arguments: TestBackend.available)
    func full(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, _ in
            try await database.write { connection in
                try connection.executeScript(
                    backend == .sqlite
                        ? "CREATE TABLE things (text TEXT)"
                        : "SET max_heap_table_size = 16384; CREATE TABLE things (text CHAR(250)) ENGINE = MEMORY")
            }
            let error = await failure {
                try await database.write { connection in
                    if backend == .sqlite { _ = try connection.query("PRAGMA max_page_count = 4").rows() }
                    for _ in 0..<10_000 {
                        try connection.execute(
                            "INSERT INTO things VALUES (:text)",
                            ["text": .text(String(repeating: "x", count: 250))])
                    }
                }
            }
            #expect(error?.code == .full)
            #expect(error?.backendCode == (backend == .sqlite ? "13" : "HY000/1114"))
            try await expectAnswer(from: database, writing: true)
        }
    }

    @Test(
        "SQLite's result codes for a full disk, a read-only file and I/O errors are mapped to error codes",
        arguments: [
            (13, DatabaseError.Code.full), (8, .readOnly), (264, .readOnly), (520, .readOnly), (776, .readOnly),
            (1032, .readOnly), (1288, .readOnly), (1544, .readOnly), (10, .ioError), (266, .ioError), (778, .ioError),
            (1034, .ioError), (6666, .ioError), (14, .unavailable),
        ] as [(Int32, DatabaseError.Code)])
    func sqliteCodes(result: Int32, code: DatabaseError.Code) {
        #expect(DatabaseError.sqlite(result, nil).code == code)
    }

    @Test("Only a failed sync leaves the result of SQLite's COMMIT unknown")
    func failedSync() {
        #expect(DatabaseError.sqlite(1034, nil).isFailedSync)
        #expect(!DatabaseError.sqlite(778, nil).isFailedSync)
        #expect(DatabaseError.sqlite(1034, nil).duringCommit.code == .commitOutcomeUnknown)
    }

    @Test(
        "MariaDB's error numbers for a full disk, a read-only server and file errors are mapped to error codes",
        .enabled(if: TestBackend.available.contains(.mariaDB)),
        arguments: [
            (20, "Disk is full writing 'x' (Errcode: 28)", DatabaseError.Code.full),
            (1021, "Disk full (x)", .full), (1114, "The table 'x' is full", .full),
            (1026, "Error writing file 'x' (errno: 28 \"No space left on device\")", .full),
            (1026, "Error writing file 'x' (errno: 5 \"Input/output error\")", .ioError),
            (1030, "Got error 28 \"No space left on device\" from storage engine InnoDB", .full),
            (1030, "Got error 135 \"No more room in record file\" from storage engine MyISAM", .full),
            (1030, "Got error 5 \"Input/output error\" from storage engine InnoDB", .ioError),
            (1030, "Got error 168 \"Unknown (generic) error from engine\" from storage engine x", .failed),
            (1024, "Error reading file 'x' (errno: 5 \"Input/output error\")", .ioError),
            (1036, "Table 'x' is read only", .readOnly), (1290, "--read-only", .readOnly),
            (1792, "READ ONLY transaction", .readOnly), (1836, "Running in read-only mode", .readOnly),
        ])
    func mariaDBNumbers(number: Int, message: String, code: DatabaseError.Code) async throws {
        try await withRecorder(.mariaDB) { database, recorder in
            let quoted = message.replacing("'", with: "''")
            let error = await failure {
                try await database.write { connection in
                    try connection.executeScript(
                        "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = \(number), MESSAGE_TEXT = '\(quoted)'")
                }
            }
            #expect(error?.code == code, "\(String(describing: error))")
            // The connection remains usable. After a refusal by a read-only server, a new connection may reach another
            // server, because the name of the server can have changed.
            try await expectAnswer(from: database)
            #expect(recorder.opened == (code == .readOnly ? 2 : 1))
        }
    }
}
