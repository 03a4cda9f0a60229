import APIDescription
import Comparison
import DuetJSON

/// A team's own tasks, for `duet compare` and for the page of `duet serve`.
struct TaskFile {
    /// The tasks as JSON.
    let json: [UInt8]
    /// The same tasks for `duet compare`.
    let scenarios: [Scenario]

    /// Reads tasks from a file of YAML or JSON, in the form that `docs/comparison.md` describes.
    /// - Throws: `TaskFileFault`, which names the file and the place; `DescriptionFileError` if it cannot be read.
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

/// A mistake in a file of tasks, with its place.
struct TaskFileFault: Error, CustomStringConvertible {
    let description: String
}
