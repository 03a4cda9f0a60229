import DuetSQLDatabase
import TestSupport
import Testing

@testable import DuetEmployees

@Suite("Rejected imports")
struct ImportRefusalTests {
    @Test(
        "An import rejects an invalid file with the line of the error, and loads nothing",
        arguments: ImportRefusal.all, TestBackend.available)
    func refuses(_ broken: ImportRefusal, backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            let error = try await ImportTestDirectory(broken.file, broken.contents).withDirectory { path in
                await #expect(throws: LoadError.self) {
                    try await Importer(DumpDirectory(path: path)).load(into: database)
                }
            }
            #expect(error?.code == broken.code)
            #expect(error?.location == .init(file: broken.file, line: broken.line))
            #expect(error?.message.contains(broken.message) == true, "\(error?.message ?? "")")
            #expect(error?.description.hasPrefix("\(broken.file):\(broken.line): ") == true)
            for table in EmployeeTable.allCases {
                let isEmpty = try await database.read { connection in
                    try !connection.query("SELECT 1 FROM \(table.rawValue)").next()
                }
                #expect(isEmpty, "\(table)")
            }
        }
    }

    @Test(
        "If an error occurs after many rows of a file, the import fails, and the inserted rows are rolled back",
        arguments: TestBackend.available)
    func late(backend: TestBackend) async throws {
        let rows = (0..<5_000).map { "(1,\($0),'\(CalendarDate(daysSinceEpoch: Int32($0)))','9999-01-01')" }
        let broken = rows.dropLast() + [rows[4_500]]
        let contents = "INSERT INTO `salaries` VALUES\n" + broken.joined(separator: ",\n") + ";\n"
        try await TestDatabase.with(backend) { database in
            let error = try await ImportTestDirectory("load_salaries1.dump", contents).withDirectory { path in
                await #expect(throws: LoadError.self) {
                    try await Importer(DumpDirectory(path: path)).load(into: database)
                }
            }
            #expect(error?.code == .rejectedRow)
            #expect(error?.location == .init(file: "load_salaries1.dump", line: 5_001))
            let isEmpty = try await database.read { try !$0.query("SELECT 1 FROM departments").next() }
            #expect(isEmpty)
        }
    }
}
