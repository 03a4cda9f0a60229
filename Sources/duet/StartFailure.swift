import ArgumentParser
import DuetAPIDescription
import DuetEmployees
import DuetHTTPServer
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import Foundation

/// Reports that a required resource, such as a database or a port, cannot be used. The command prints the message on
/// standard error and exits with status 69 (`EX_UNAVAILABLE` of sysexits.h), or with a more specific status.
enum StartFailure {
    /// Prints a message if the error is about the database, a description, the API or a tasks file.
    /// - Parameter values: The policy for values in the message.
    /// - Returns: The error to throw: an exit code after a message, otherwise the given error.
    static func reported(_ error: any Error, _ values: LogValues = .included) -> any Error {
        switch error {
        case let error as SchemaError: report(error.message)
        case let error as DatabaseError: report("the database cannot be used: \(values.text(error))")
        case let error as DescriptionError: report("the description has errors:\n\(error)", status: 66)
        case let error as DescriptionMismatch:
            report("the description does not match the database:\n\(error)", status: 66)
        case let error as DescriptionFileError: report("\(error)", status: 66)
        case let error as TaskFileFault: report("the tasks have an error:\n\(error)", status: 66)
        case let error as TLSIdentity.Unusable: report("the certificate cannot be used: \(error)", status: 66)
        case let error as CatalogueError: report("the API cannot be created: \(error)")
        default: error
        }
    }

    /// Prints a message and returns the exit code.
    /// - Parameter status: The exit status. The default is `EX_UNAVAILABLE`.
    static func report(_ message: String, status: Int32 = 69) -> ExitCode {
        FileHandle.standardError.write(Data("duet: \(message)\n".utf8))
        return ExitCode(status)
    }
}
