import DuetAPIDescription
import DuetComparison
import DuetJSON
import DuetResourceService
import DuetServer

/// A file of custom tasks for `duet compare` and for the page of `duet serve`.
struct TaskFile {
    /// The tasks for the page of `duet serve`.
    let source: TaskSource
    /// The tasks for `duet compare`.
    let scenarios: [Scenario]

    /// Reads tasks from a YAML or JSON file, in the format that `docs/comparison.md` describes.
    /// - Throws: `TaskFileFault` with the file and the location; `DescriptionFileError` if the file cannot be read.
    init(_ path: String) throws {
        let text = try DescriptionFile.text(path, as: .tasks)
        do {
            let tasks = try YAMLDocument.json(of: text, file: path)
            scenarios = try Scenario.tasks(in: tasks)
            source = .file(Array(tasks.compactText.utf8))
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

extension TaskSource {
    /// The tasks for the employees database.
    static let employees = TaskSource.file(Scenario.sampleTasks)

    /// The tasks that are generated from the description of the database.
    static let description = TaskSource.generated { service in
        guard case .array(let tasks)? = try await CatalogueTasks(service)?.json else { return nil }
        guard service.catalogue.hasDerivedWrites else { return .array(tasks) }
        return .array(tasks + (try await CatalogueWriteTasks(service).pageTasks))
    }
}
