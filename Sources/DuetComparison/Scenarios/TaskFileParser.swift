import DuetJSON

/// The parser of the tasks file. `docs/comparison.md` describes its format.
enum TaskFileParser {
    /// Parses all tasks of a file.
    /// - Parameter bytes: A JSON array of tasks.
    /// - Throws: ``TaskFileError`` for the first fault.
    static func scenarios(in bytes: [UInt8]) throws -> [Scenario] {
        let file: JSONValue
        do { file = try JSONValue(parsing: bytes) } catch { throw TaskFileError(reason: "is not JSON: \(error)") }
        return try scenarios(in: file)
    }

    /// Reads all tasks.
    /// - Parameter file: An array of tasks.
    /// - Throws: ``TaskFileError`` for the first fault.
    static func scenarios(in file: JSONValue) throws -> [Scenario] {
        guard case .array(let tasks) = file else { throw TaskFileError(reason: "is not an array of tasks") }
        var names: Set<String> = []
        return try tasks.enumerated().map { index, value in
            guard case .object(let members) = value, case .string(let name)? = members["name"] else {
                throw TaskFileError(task: "\(index + 1)", member: "name", reason: "is missing or not a text")
            }
            let task = DeclaredTask(name: name, members: members)
            guard names.insert(name).inserted else {
                throw task.fault("name", "is already the name of an earlier task")
            }
            return try task.scenario()
        }
    }
}

/// An error in the tasks file.
package struct TaskFileError: Error, CustomStringConvertible {
    var task: String?
    var member: String?
    let reason: String

    /// The task, the member and the reason, on one line.
    package var description: String { description(of: "tasks.json") }

    /// Returns the description with a different file name.
    package func description(of file: String) -> String {
        "\(file)\(task.map { ", task \($0)" } ?? "")\(member.map { ", member \($0)" } ?? "") \(reason)"
    }
}
