import DuetAPIDescription
import DuetComparison
import DuetJSON

/// A file of custom tasks for `duet compare` and for the page of `duet serve`.
struct TaskFile {
    /// The tasks as JSON.
    let json: [UInt8]
    /// The tasks for `duet compare`.
    let scenarios: [Scenario]

    /// Reads tasks from a YAML or JSON file, in the format that `docs/comparison.md` describes.
    /// - Throws: `TaskFileFault` with the file and the location; `DescriptionFileError` if the file cannot be read.
    init(_ path: String) throws {
        let text = try DescriptionFile.text(path, as: .tasks)
        do {
            json = Array(try YAMLDocument.json(of: text, file: path).compactText.utf8)
            scenarios = try Scenario.tasks(in: json)
        } catch let error as TaskFileError {
            throw TaskFileFault(description: error.description(of: path))
        } catch let error as DescriptionError {
            throw TaskFileFault(description: "\(error)")
        }
    }
}

/// An error in a file of tasks, with its location.
struct TaskFileFault: Error, CustomStringConvertible {
    let description: String
}
