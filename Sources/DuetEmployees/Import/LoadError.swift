import DuetSQLDatabase
import Foundation

/// An error that occurs while a sample is loaded or a dump is imported. The database is unchanged after such an error.
package struct LoadError: Error, Sendable {
    /// The kind of failure. A later version may add codes.
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The requested size of a sample is not valid.
        package static let sampleSize = Code(rawValue: "sample-size")
        /// A table into which rows must be loaded is not empty.
        package static let tablesNotEmpty = Code(rawValue: "tables-not-empty")
        /// A directory or a file does not exist.
        package static let missingFile = Code(rawValue: "missing-file")
        /// A file cannot be read.
        package static let unreadableFile = Code(rawValue: "unreadable-file")
        /// A file does not have the expected format.
        package static let malformedFile = Code(rawValue: "malformed-file")
        /// The database rejected a row, for example because its key already exists or because it refers to a missing
        /// row.
        package static let rejectedRow = Code(rawValue: "rejected-row")
        /// The number of rows in the database differs from the number of rows that were read, or the rows do not have
        /// the expected checksums.
        package static let checkFailed = Code(rawValue: "check-failed")
    }

    /// A line in a file.
    package struct Location: Sendable, Hashable {
        /// The file's name, without its directory.
        package let file: String
        /// The one-based line number.
        package let line: Int

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }
    }

    package let code: Code
    /// A description of the problem, and the expected content or the remedy.
    package let message: String
    /// The location of the problem; nil if the problem is not in a file.
    package let location: Location?
    /// The error of the file system or the database that caused this error, if any.
    package let underlying: (any Error)?

    package init(_ code: Code, _ message: String, at location: Location? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.location = location
        self.underlying = underlying
    }
}

extension LoadError: CustomStringConvertible {
    /// The location and the message, as in `load_titles.dump:17: message`, followed by the underlying error.
    package var description: String {
        var text = location.map { "\($0.file):\($0.line): " } ?? ""
        text += message
        switch underlying {
        case nil: break
        case let error as DatabaseError: text += " (\(error.message))"
        case .some(let error): text += " (\(error.localizedDescription))"
        }
        return text
    }
}
