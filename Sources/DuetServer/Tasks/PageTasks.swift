import DuetJSON
import DuetResourceService
import NIOCore
import Synchronization

/// The tasks of the page at `/` for one description of an API.
///
/// The tasks of a description need a row of the database. They are made when the page first asks for them, so that a server starts without its
/// database, and are then stored. Another description has other tasks, in a value of their own.
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

    /// The tasks as JSON, in an array. It is empty if no table has rows; then the next call looks again.
    /// - Throws: As ``CatalogueTasks/init(_:)``.
    func json() async throws -> ByteBuffer {
        if let tasks = stored.withLock({ $0 }) { return tasks }
        guard let made = try await CatalogueTasks(service)?.json else { return ByteBuffer(string: "[]") }
        let tasks = ByteBuffer(string: made.compactText)
        stored.withLock { $0 = tasks }
        return tasks
    }
}

extension Catalogue {
    /// The keys of the resources as JSON, for a page that finds the row of an address in a list.
    var keys: ByteBuffer {
        let resources = resources.filter(\.hasItems).map { resource -> JSONValue in
            ["name": .string(resource.name), "key": .array(resource.key.map { .string($0) })]
        }
        return ByteBuffer(string: JSONValue.array(resources).compactText)
    }
}
