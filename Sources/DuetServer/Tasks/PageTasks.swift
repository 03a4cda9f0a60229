import DuetJSON
import DuetResourceService
import NIOCore
import Synchronization

/// The tasks of the page at `/` for one description of an API.
///
/// To generate tasks from a description, the server needs a row of the database. It generates the tasks when the page
/// first requests them, so that it can start without its database. The tasks are then cached. Each description has a
/// separate instance.
final class PageTasks: Sendable {
    private let service: ResourceService
    private let stored: Mutex<ByteBuffer?>

    init(_ source: TaskSource, _ service: ResourceService) {
        self.service = service
        let file: ByteBuffer? =
            switch source {
            case .file(let bytes): ByteBuffer(bytes: bytes)
            case .description: nil
            }
        stored = Mutex(file)
    }

    /// Returns the tasks as a JSON array. The array is empty if no table has rows; the next call then reads the
    /// database again.
    /// - Throws: The errors of ``CatalogueTasks/init(_:)``.
    func json() async throws -> ByteBuffer {
        if let tasks = stored.withLock({ $0 }) { return tasks }
        guard let made = try await CatalogueTasks(service)?.json else { return ByteBuffer(string: "[]") }
        let tasks = ByteBuffer(string: made.compactText)
        stored.withLock { $0 = tasks }
        return tasks
    }
}

extension Catalogue {
    /// The keys of the resources as JSON. The page uses the keys to find, among the rows of a list, the row that a path
    /// identifies.
    var keys: ByteBuffer {
        let resources = resources.filter(\.hasItems).map { resource -> JSONValue in
            ["name": .string(resource.name), "key": .array(resource.key.map { .string($0) })]
        }
        return ByteBuffer(string: JSONValue.array(resources).compactText)
    }
}
