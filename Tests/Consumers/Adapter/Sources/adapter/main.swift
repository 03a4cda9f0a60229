import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import NIOCore

let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
defer {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
}
var configuration = DatabaseConfiguration()
configuration.createsMissingFile = true
let database = Database(try DatabaseURL("sqlite:\(file.path)"), configuration: configuration)
try await database.write { connection in
    try connection.executeScript(
        """
        CREATE TABLE departments (dept_no INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE employees (emp_no INTEGER PRIMARY KEY, dept_no INTEGER NOT NULL, name TEXT NOT NULL);
        INSERT INTO departments VALUES (1, 'Development'), (2, 'Research');
        INSERT INTO employees VALUES (10, 1, 'Ada'), (11, 1, 'Grace');
        """)
}
let response = try await database.read { connection in
    let departments = try connection.query("SELECT dept_no AS number, name FROM departments ORDER BY dept_no")
    let adapter = ResultSetAdapter(departments, on: connection, encoding: ValueEncoding(dates: .iso))
    adapter.attach(
        "employees", for: "number",
        "SELECT dept_no, name FROM employees WHERE dept_no IN (:number) ORDER BY dept_no, emp_no")
    var json = ByteBuffer()
    _ = try adapter.write(.json, to: &json)
    return String(buffer: json)
}
await database.close()
print(response)
