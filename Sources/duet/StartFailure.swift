import APIDescription
import ArgumentParser
import DuetResourceService
import DuetSQLDatabase
import Employees
import Foundation

/// How a command ends when what it needs, a database or a port, cannot be used: one line on standard error, and status 69
/// (`EX_UNAVAILABLE` of sysexits.h).
enum StartFailure {
    /// Tells the person what is wrong, if `error` is about the database.
    /// - Returns: what to throw in its place.
    static func reported(_ error: any Error) -> any Error {
        switch error {
        case let error as SchemaError: report(error.message)
        case let error as DatabaseError: report("the database cannot be used: \(error)")
        case let error as DescriptionError: report("the description has mistakes:\n\(error)", status: 66)
        case let error as DescriptionMismatch:
            report("the database does not have what the description names:\n\(error)", status: 66)
        case let error as DescriptionFileError: report("\(error)", status: 66)
        case let error as TaskFileFault: report("the tasks have a mistake:\n\(error)", status: 66)
        case let error as CatalogueError: report("the API cannot be made: \(error)")
        default: error
        }
    }

    /// Tells the person, and gives the status.
    /// - Parameter status: by default `EX_UNAVAILABLE`.
    static func report(_ message: String, status: Int32 = 69) -> ExitCode {
        FileHandle.standardError.write(Data("duet: \(message)\n".utf8))
        return ExitCode(status)
    }
}
