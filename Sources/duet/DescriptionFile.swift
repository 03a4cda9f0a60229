import DuetAPIDescription
import Foundation

/// Reads and writes files of API descriptions, and reads files of tasks.
enum DescriptionFile {
    /// The path that means the standard input.
    static let standardInput = "-"

    /// Returns the name of a file for messages.
    static func name(of path: String) -> String { path == standardInput ? "<stdin>" : path }

    /// The kind of content of a file, for error messages.
    enum Content {
        case description, tasks

        /// The advice on how to get such a file.
        var origin: String {
            switch self {
            case .description: "create a description with duet introspect"
            case .tasks: "see docs/comparison.md for the format of a tasks file"
            }
        }
    }

    /// The maximum size of a file in bytes. The limit exists because a device or a pipe may be endless.
    static let maximumSize = 64 << 20

    /// Reads the text of a file.
    /// - Throws: `DescriptionFileError` if the file cannot be read as text, or if it is larger than ``maximumSize``.
    static func text(_ path: String, as content: Content = .description) throws -> String {
        var isFolder: ObjCBool = false
        if path != standardInput {
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw DescriptionFileError("there is no file \(path); \(content.origin)")
            }
            guard !isFolder.boolValue else {
                throw DescriptionFileError(
                    "\(path) is a folder, not a \(content == .tasks ? "tasks file" : "description")")
            }
        }
        var data = Data()
        do {
            let file =
                try path == standardInput ? .standardInput : FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            while data.count <= maximumSize, let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
                data.append(piece)
            }
        } catch {
            throw DescriptionFileError("\(name(of: path)) cannot be read: \(error.localizedDescription)")
        }
        guard data.count <= maximumSize else {
            throw DescriptionFileError(
                "\(name(of: path)) is larger than \(maximumSize >> 20) MiB, the maximum size of a \(content == .tasks ? "tasks file" : "description")"
            )
        }
        guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
            throw DescriptionFileError(
                "\(name(of: path)) is not UTF-8 text, which \(content == .tasks ? "tasks" : "descriptions") must be")
        }
        return text
    }

    /// - Throws: `ExitCode` 73 after a message if the file exists.
    static func checkIsNew(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw StartFailure.report(
                "\(path) exists and may contain your changes; choose another file, or compare it with the database: duet diff \(path) --database URL",
                status: 73)
        }
    }

    /// Writes a description, and the JSON Schema of descriptions in the same folder.
    /// - Throws: `ExitCode` 73 after a message.
    static func write(_ text: String, to path: String) throws {
        let file = URL(fileURLWithPath: path)
        let schema = file.deletingLastPathComponent().appending(path: DescriptionSchema.fileName)
        do {
            try Data(text.utf8).write(to: file, options: .withoutOverwriting)
            try Data(DescriptionSchema.text.utf8).write(to: schema)
        } catch {
            throw StartFailure.report("\(path) cannot be written: \(error.localizedDescription)", status: 73)
        }
    }
}

/// The error for a description or a tasks file that cannot be read as text, or that is too large.
struct DescriptionFileError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
