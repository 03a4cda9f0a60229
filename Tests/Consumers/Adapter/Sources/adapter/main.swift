import DuetResultSetJSON
import DuetSQLDatabase

let database = Database(try DatabaseURL("sqlite::memory:"))
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
    let adapter = ResultSetAdapter(departments, on: connection)
    try adapter.attach(
        "employees", for: "number",
        AttachedQuery(select: "name", from: "employees", key: "dept_no", orderBy: ["emp_no"]))
    return try adapter.text()
}
await database.close()
print(response)
