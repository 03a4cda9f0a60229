import DuetJSON
import DuetPersistedQueries
import DuetSQLDatabase
import Logging
import Testing

@testable import DuetServer

@Suite("Values in logs") struct LogValuesTests {
    struct UnknownError: Error, CustomStringConvertible {
        let description = "the row has secret"
    }

    /// Errors whose messages quote the value `secret`, and infrastructure errors without it.
    private static let errors: [(error: any Error, withoutValues: String)] = [
        (
            DatabaseError(
                .uniqueViolation, "Duplicate entry 'secret' for key 'PRIMARY'", backendCode: "23000/1062",
                statement: "INSERT INTO t VALUES (?)"),
            "the database reports unique-violation [23000/1062]; statement: INSERT INTO t VALUES (?)"
        ),
        (
            DatabaseError(.constraintViolation, "Data too long: 'secret'", backendCode: "22001/1406"),
            "the database reports constraint-violation [22001/1406]"
        ),
        (
            DatabaseError(.failed, "Incorrect DATE value: 'secret'", backendCode: "HY000/1525"),
            "the database reports failed [HY000/1525]"
        ),
        (DatabaseError(.syntax, "near \"secret\"", backendCode: "1"), "the database reports syntax [1]"),
        (DatabaseError(.ioError, "disk I/O error", backendCode: "10"), "disk I/O error [10]"),
        (DatabaseError(.unavailable, "Can't connect to server on '10.0.0.1'"), "Can't connect to server on '10.0.0.1'"),
        (UnknownError(), "an error of the type DuetServerTests.LogValuesTests.UnknownError"),
    ]

    /// Returns the lines of all observations of an observer that can contain an error.
    private func lines(of error: any Error, _ values: LogValues) throws -> [String] {
        try LogHandlerTests.lines(.text, level: .trace, values: values) { logger in
            let observer = Observer(logger: logger, values: values)
            observer(.failure(requestID: "1", error))
            observer(.cutOff(requestID: "1", error))
            observer(.persistedQuery(.storeFailed(.lookup, error)))
            if let error = error as? DatabaseError { observer.database(.readRetried(error)) }
            logger.error("A service failed", error: error)
        }
    }

    @Test("Without values, the log has the kind of an error, and no message that can quote a value")
    func errors() throws {
        for (error, expected) in Self.errors {
            for line in try lines(of: error, .omitted) {
                #expect(
                    !line.contains("secret") && line.contains("\"\(expected.replacing("\"", with: "\\\""))\""),
                    "\(line)")
            }
            for line in try lines(of: error, .included) where "\(error)".contains("secret") {
                #expect(line.contains("secret"), "\(line)")
            }
        }
    }

    @Test(
        "Without values, the log has the resource, the relation and the names of parameters of a request",
        arguments: [
            ("/employees/10004", "/employees/*"),
            ("/employees/10004/titles?first=5&name=", "/employees/*/titles?first=*&name=*"),
            ("/employees/1/departments/d005", "/employees/*/departments/*"), ("//employees//10004", "/employees/*"),
            ("/employees?filter={\"a\":1}&secret&se cret=1", "/employees?filter=*&*&*=*"), ("/a%2Fsecret", "/*"),
            ("/graphql?query={a}&variables={}", "/graphql?query=*&variables=*"), ("/", "/"), ("http://host/a/b", "*"),
            ("*", "*"),
        ])
    func targets(target: String, expected: String) {
        #expect(LogValues.omitted.target(target) == expected)
        #expect(LogValues.included.target(target) == target)
    }
}
