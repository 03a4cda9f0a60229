import DuetSQLDatabase
import Foundation

/// Why a sample or an import could not be loaded. Nothing is in the database then that was not there before.
package struct LoadError: Error, Sendable {
    /// What kind of failure it is. Open: a later version may add codes.
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// A sample of that size cannot be made.
        package static let sampleSize = Code(rawValue: "sample-size")
        /// A table to load into holds rows already.
        package static let tablesNotEmpty = Code(rawValue: "tables-not-empty")
        /// A directory or a file is not there.
        package static let missingFile = Code(rawValue: "missing-file")
        /// A file cannot be read.
        package static let unreadableFile = Code(rawValue: "unreadable-file")
        /// A file is not of the original's form.
        package static let malformedFile = Code(rawValue: "malformed-file")
        /// The database refused a row: a duplicate, or a reference to nothing.
        package static let rejectedRow = Code(rawValue: "rejected-row")
        /// The database does not hold what was read, or not what was published.
        package static let checkFailed = Code(rawValue: "check-failed")
    }

    /// A line in a file that was being read.
    package struct Location: Sendable, Hashable {
        /// The file's name, without its directory.
        package let file: String
        /// From 1 on.
        package let line: Int

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }
    }

    package let code: Code
    /// What is wrong and what was expected, or what to do.
    package let message: String
    /// Where it was found, if it was in a file.
    package let location: Location?
    /// The file system's or the database's error, if there was one.
    package let underlying: (any Error)?

    package init(_ code: Code, _ message: String, at location: Location? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.location = location
        self.underlying = underlying
    }
}

extension LoadError: CustomStringConvertible {
    /// `load_titles.dump:17: what is wrong`, with what the system said at the end.
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
