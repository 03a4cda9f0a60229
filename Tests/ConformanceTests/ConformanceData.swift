import Foundation
import Testing

/// The cases of an external test suite, in files with one JSON object per line. The environment variable
/// `DUET_CONFORMANCE` contains the path of their folder. By default, the folder is `../shared/conformance`.
enum ConformanceData {
    struct Case: Decodable, Sendable {
        struct Failure: Decodable, Sendable {
            var message: String
            var locations: [Location]?
        }
        struct Location: Decodable, Sendable, Hashable {
            var line: Int
            var column: Int
        }

        var id: String
        var kind: String
        var rule: String?
        var source: String?
        var schema: String?
        var printed: String?
        var error: Failure?
        var errors: [Failure]?
    }

    static let folder: URL =
        if let path = ProcessInfo.processInfo.environment["DUET_CONFORMANCE"] {
            URL(fileURLWithPath: path)
        } else {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("../shared/conformance")
        }

    /// Returns true if the tests of a file run: the file exists, or `DUET_CONFORMANCE` is set. If the variable is set
    /// and the file is missing, the tests fail.
    static func has(_ file: String) -> Bool {
        ProcessInfo.processInfo.environment["DUET_CONFORMANCE"] != nil
            || FileManager.default.fileExists(atPath: folder.appendingPathComponent(file).path)
    }

    /// Calls a closure for each line of a file. An error of the closure is recorded as an issue. Otherwise, a line that
    /// cannot be read would reduce the number of cases unnoticed.
    static func forEachLine(of file: String, _ body: (Data) throws -> Void) throws {
        let data = try Data(contentsOf: folder.appendingPathComponent(file))
        for (index, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            do {
                try body(line)
            } catch {
                Issue.record("\(file), line \(index + 1): \(error)")
            }
        }
    }

    static func documents() throws -> [Case] {
        var cases: [Case] = []
        try forEachLine(of: "documents.jsonl") { cases.append(try JSONDecoder().decode(Case.self, from: $0)) }
        return cases
    }

    /// Returns a message with this library's quotation marks replaced by apostrophes, which the suite uses.
    static func normalized(_ message: String) -> String { message.replacing("\"", with: "'") }
}

extension ConformanceData.Case: CustomTestStringConvertible {
    var testDescription: String { "\(id) \(rule ?? kind)" }
}
