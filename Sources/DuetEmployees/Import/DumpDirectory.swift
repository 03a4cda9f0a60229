package import Foundation

/// The files of a dump of the MySQL sample database `employees`, in an order in which they can be loaded. In this
/// module, *the original* is that database (github.com/datacharmer/test_db).
///
/// If the directory contains `employees.sql`, the files are those in its lines `source load_….dump`. Otherwise, they
/// are all `load_….dump` files in the directory.
package struct DumpDirectory: Sendable {
    /// A `load_….dump` file with the rows of one table.
    struct File: Sendable {
        let url: URL
        let table: EmployeeTable
        /// The size in bytes.
        let size: Int
    }

    /// The URL of the directory.
    package let url: URL
    let files: [File]

    /// - Parameter path: A directory with `employees.sql`, or at least with the `load_….dump` files.
    /// - Throws: ``LoadError``: `missingFile` if the directory or a file does not exist, or if a table has no file;
    ///   `unreadableFile` if a file cannot be read; `malformedFile` if `employees.sql` is too long.
    package init(path: String) throws(LoadError) {
        let url = URL(fileURLWithPath: path, isDirectory: true)
        let script = url.appendingPathComponent(Self.scriptName)
        let listed: [String]
        do {
            listed = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        } catch {
            throw LoadError(
                .missingFile, "\(path) is not a readable directory; expected a directory with load_….dump files",
                underlying: error)
        }
        let names = listed.contains(Self.scriptName) ? try Self.sources(in: script) : listed
        var files: [File] = []
        for name in names {
            guard let table = Self.table(ofFile: name) else { continue }
            files.append(try Self.file(name, table, in: url))
        }
        self.url = url
        self.files = EmployeeTable.allCases.flatMap { table in files.filter { $0.table == table } }
        for table in EmployeeTable.allCases where !files.contains(where: { $0.table == table }) {
            let hint = listed.contains(Self.scriptName) ? ", and a line in \(Self.scriptName) that sources it" : ""
            throw LoadError(
                .missingFile,
                "\(path) has no file for the table \(table.rawValue); expected load_\(table.rawValue).dump\(hint)")
        }
    }

    /// The total size of all files in bytes.
    var size: Int { files.reduce(0) { $0 + $1.size } }

    private static let scriptName = "employees.sql"
    private static let maximumScriptSize = 1024 * 1024

    private static func file(_ name: String, _ table: EmployeeTable, in directory: URL) throws(LoadError) -> File {
        let url = directory.appendingPathComponent(name)
        do {
            let values = try url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
            guard values.isRegularFile == true, let size = values.fileSize else {
                throw LoadError(.unreadableFile, "\(name) is not a file")
            }
            return File(url: url, table: table, size: size)
        } catch let error as LoadError {
            throw error
        } catch {
            throw LoadError(.missingFile, "\(name) is not in \(directory.path)", underlying: error)
        }
    }

    /// Returns the file names in the `source` lines of the script.
    private static func sources(in script: URL) throws(LoadError) -> [String] {
        var reader = try ByteReader(contentsOf: script)
        var bytes: [UInt8] = []
        while let byte = try reader.next() {
            bytes.append(byte)
            guard bytes.count <= maximumScriptSize else {
                throw LoadError(
                    .malformedFile,
                    "the script is longer than \(maximumScriptSize.grouped) bytes; expected a few source lines",
                    at: .init(file: scriptName, line: reader.line))
            }
        }
        var names: [String] = []
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let words = line.split { $0.isWhitespace || $0 == ";" }
            if words.count >= 2, words[0].lowercased() == "source" { names.append(String(words[1])) }
        }
        return names
    }

    /// Returns the table for a file name: `load_salaries2.dump` contains salaries. Returns `nil` for any other file
    /// name and for a path.
    private static func table(ofFile name: String) -> EmployeeTable? {
        guard name.hasPrefix("load_"), name.hasSuffix(".dump") else { return nil }
        var stem = name.dropFirst("load_".count).dropLast(".dump".count)
        while stem.last?.isNumber == true { stem.removeLast() }
        return EmployeeTable(rawValue: String(stem))
    }
}
