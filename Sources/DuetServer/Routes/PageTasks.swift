import DuetBoundedCache
package import DuetJSON
package import DuetResourceService
import NIOCore
import Synchronization

/// The source of the tasks of the page at `/`, a JSON array. `docs/comparison.md` describes the tasks.
package enum TaskSource: Sendable {
    /// The content of a file of tasks in JSON.
    case file([UInt8])
    /// A function that generates the tasks for a service. It returns nil if no table has rows.
    case generated(@Sendable (ResourceService) async throws -> JSONValue?)

    /// A source without tasks.
    package static let empty = TaskSource.file(Array("[]".utf8))
}

/// The tasks of the page at `/` for one description of an API.
///
/// To generate tasks from a description, the server needs a row of the database. It generates the tasks when the page
/// first requests them, so that it can start without its database. The tasks are then cached. Each description has a
/// separate instance. If the API has roles, each role has one, and the cached tasks belong to callers with the same
/// claims, because the tasks contain values of rows.
final class PageTasks: Sendable {
    private let source: TaskSource
    private let service: ResourceService
    private let stored = Mutex(SegmentedLRU<BodyDigest?, ByteBuffer>(maximumCount: 100))

    init(_ source: TaskSource, _ service: ResourceService) {
        self.source = source
        self.service = service
    }

    /// Returns the tasks as a JSON array. The array is empty if no table has rows; the next call then reads the
    /// database again.
    /// - Throws: The errors of ``TaskSource/generated(_:)``.
    func json(for caller: Caller?) async throws -> ByteBuffer {
        if let tasks = stored.withLock({ $0.use(caller?.fingerprint) }) { return tasks }
        let tasks: ByteBuffer
        switch source {
        case .file(let bytes): tasks = ByteBuffer(bytes: bytes)
        case .generated(let generate):
            guard let made = try await generate(caller?.restrict(service) ?? service) else {
                return ByteBuffer(string: "[]")
            }
            tasks = ByteBuffer(string: made.compactText)
        }
        stored.withLock { _ = $0.insert(tasks, for: caller?.fingerprint) }
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
