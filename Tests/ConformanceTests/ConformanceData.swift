import DuetGraphQL
import Foundation
import Testing

/// The cases of an external test suite, in files with one JSON object per line. The environment variable
/// `DUET_CONFORMANCE` names their folder.
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

    static let documents: [Case] = {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent("documents.jsonl")) else {
            print("Notice: no conformance data at \(folder.path); set DUET_CONFORMANCE to run these tests")
            return []
        }
        return data.split(separator: 0x0A).compactMap { line in
            do {
                return try JSONDecoder().decode(Case.self, from: line)
            } catch {
                print("Notice: a line of the conformance data cannot be read: \(error)")
                return nil
            }
        }
    }()

    static func documents(of kind: String) -> [Case] { documents.filter { $0.kind == kind } }

    /// Returns a message with this library's quotation marks replaced by apostrophes, which the suite uses.
    static func normalized(_ message: String) -> String { message.replacing("\"", with: "'") }
}

extension ConformanceData.Case: CustomTestStringConvertible {
    var testDescription: String { "\(id) \(rule ?? kind)" }
}
