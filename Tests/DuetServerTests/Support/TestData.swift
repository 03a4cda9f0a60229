import DuetEmployees
import DuetJSON
import DuetResourceService
import DuetSQLDatabase

/// The contents of the database of a test.
enum TestData: Sendable {
    /// Tables without rows.
    case empty
    /// The given number of employees from the sample generator.
    case sample(Int)
    /// A few employees with cases that generated data lacks; see ``Crew``.
    case crew
    /// A sample and the crew.
    case sampleAndCrew(Int)

    func load(into database: Database) async throws {
        switch self {
        case .empty: break
        case .sample(let count): try await Self.loadSample(count, into: database)
        case .crew:
            try await database.write { connection in
                try connection.execute("INSERT INTO departments VALUES ('d005', 'Development')")
                try connection.execute("INSERT INTO departments VALUES ('d009', 'Customer Service')")
                try connection.execute("INSERT INTO departments VALUES ('x1', 'Forschung & Café')")
                try Crew.insert(connection)
            }
        case .sampleAndCrew(let count):
            try await Self.loadSample(count, into: database)
            try await database.write { try Crew.insert($0) }
        }
    }

    private static func loadSample(_ count: Int, into database: Database) async throws {
        _ = try await SampleLoader(try SampleGenerator(employees: count, seed: 1)).load(into: database)
    }
}

/// Employees from number 20001 with edge cases: apostrophes, quotes, other scripts, wildcard characters, equal sort
/// keys, an end that is NULL, periods of zero days and empty histories.
enum Crew {
    static let people: [(number: Int, birth: String, first: String, last: String, gender: String, hire: String)] = [
        (20001, "1960-01-02", "Miles", "O'Brien", "M", "1990-05-05"),
        (20002, "1960-01-02", "Zoë", "Brien", "F", "1990-05-05"),
        (20003, "1961-03-04", "李", "Brien", "F", "1990-05-05"),
        (20004, "1961-03-04", "Says \"hi\"", "Back\\slash", "M", "1991-06-06"),
        (20005, "1962-05-06", "What?", "100%", "M", "1992-07-07"),
        (20006, "1962-05-06", "What!", "100 of", "M", "1992-07-07"),
        (20007, "1963-07-08", "a_b", "[bracket]", "F", "1993-08-08"),
        (20008, "1963-07-08", "aXb", "bracket", "F", "1993-08-08"),
        (20009, "1964-09-10", "pi|pe", "Star*", "M", "1994-09-09"),
        (20010, "1964-09-10", "😀", "\u{1F4A9}, \"x\"", "F", "1995-12-01"),
        (20011, "1965-11-12", "trailing ", "Zed", "F", "1996-02-29"),
        (20012, "1965-11-12", "trailing", "zed", "M", "9998-12-31"),
    ]

    static func insert(_ connection: Connection) throws {
        for person in people {
            try connection.execute(
                "INSERT INTO employees VALUES (:number, :birth, :first, :last, :gender, :hire)",
                [
                    "number": .integer(Int64(person.number)), "birth": date(person.birth), "first": .text(person.first),
                    "last": .text(person.last), "gender": .text(person.gender), "hire": date(person.hire),
                ])
        }
        try connection.executeScript(
            """
            INSERT INTO titles VALUES (20001, 'Engineer', '1990-05-05', '1995-12-01');
            INSERT INTO titles VALUES (20001, 'Senior Engineer', '1995-12-01', NULL);
            INSERT INTO titles VALUES (20002, 'Staff', '1990-05-05', '1990-05-05');
            INSERT INTO titles VALUES (20002, 'Senior Staff', '1990-05-05', '9999-01-01');
            INSERT INTO titles VALUES (20003, 'Gepäck, "schwer"', '1990-05-05', '2000-01-01');
            INSERT INTO salaries VALUES (20001, 40000, '1990-05-05', '1990-05-05');
            INSERT INTO salaries VALUES (20001, 41000, '1991-05-05', '9999-01-01');
            INSERT INTO salaries VALUES (20003, 2147483647, '1990-05-05', '9999-01-01');
            INSERT INTO dept_emp VALUES (20001, 'd005', '1990-05-05', '9999-01-01');
            INSERT INTO dept_emp VALUES (20002, 'd005', '1990-05-05', '1999-01-01');
            INSERT INTO dept_emp VALUES (20002, 'd009', '1999-01-01', '9999-01-01');
            INSERT INTO dept_emp VALUES (20003, 'd009', '1990-05-05', '1990-05-05');
            INSERT INTO dept_manager VALUES (20001, 'd005', '1991-01-01', '9999-01-01');
            INSERT INTO dept_manager VALUES (20002, 'd005', '1990-05-05', '1991-01-01')
            """)
    }

    private static func date(_ text: String) -> Arguments.Argument {
        CalendarDate(iso: text).map { .date($0) } ?? .null
    }
}
