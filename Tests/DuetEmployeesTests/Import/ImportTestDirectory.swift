import Foundation
import Synchronization

/// A small dump of two employees in two departments, in the format of the original employees database.
struct ImportTestDirectory {
    /// The contents of the files by name. A test changes them before ``withDirectory(_:)``.
    var files: [String: String] = [
        "load_departments.dump": "INSERT INTO `departments` VALUES \n('d001','Marketing'),\n('d002','Finance');\n",
        "load_employees.dump": """
        INSERT INTO `employees` VALUES (1,'1953-09-02','Ada','Byron','F','1986-06-26'),
        (2,'1964-02-29','Alan','Mathison','M','1985-11-21');
        """,
        "load_dept_emp.dump": """
        INSERT INTO `dept_emp` VALUES (1,'d001','1986-06-26','9999-01-01'),
        (2,'d002','1996-08-03','9999-01-01');
        """,
        "load_dept_manager.dump": "INSERT INTO `dept_manager` VALUES \n(1,'d001','1985-01-01','9999-01-01');\n",
        "load_titles.dump": """
        INSERT INTO `titles` VALUES (1,'Engineer','1986-06-26','9999-01-01'),
        (2,'Staff','1996-08-03',NULL);
        """,
        "load_salaries1.dump": "INSERT INTO `salaries` VALUES (1,60117,'1986-06-26','1987-06-26');",
        "load_salaries2.dump": """
        INSERT INTO `salaries` VALUES (1,62102,'1987-06-26','9999-01-01'),
        (2,65828,'1996-08-03','9999-01-01');
        """,
    ]

    init() {}

    /// Creates the dump with one changed file, or without the file if `contents` is nil.
    init(_ file: String, _ contents: String?) {
        files[file] = contents
    }

    /// Writes the files, calls a closure with their directory, and then removes the directory.
    func withDirectory<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("duet-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, contents) in files {
            try Data(contents.utf8).write(to: directory.appendingPathComponent(name))
        }
        return try await body(directory.path)
    }
}

/// Records the values of a callback from any thread.
final class Recorder<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var recorded: [Value] { values.withLock { $0 } }

    func record(_ value: Value) { values.withLock { $0.append(value) } }
}
