import AsyncHTTPClient
import DuetComparison
import DuetEmployees
import DuetPersistedQueries
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import Foundation
import Logging
import NIOCore
import ServerTestSupport
import ServiceLifecycle
import TestSupport

/// A running server with its own database and a client.
struct TestServer: Sendable {
    let client: APIClient
    let database: Database
    let statements: StatementLog
    private let group: ServiceGroup

    init(client: APIClient, database: Database, statements: StatementLog, group: ServiceGroup) {
        self.client = client
        self.database = database
        self.statements = statements
        self.group = group
    }

    /// Begins the server's graceful shutdown, as SIGTERM does.
    func shutDown() async {
        await group.triggerGracefulShutdown()
    }
}

extension ValueEncoding {
    /// The encoding of the published example.
    static var published: ValueEncoding {
        get throws {
            guard let zone = TimeZone(identifier: "America/New_York") else { throw MissingTimeZone() }
            return ValueEncoding(dates: .epochMilliseconds(in: zone))
        }
    }

    struct MissingTimeZone: Error {}
}

extension RouteTable {
    /// The routes of the server of the employees database.
    static var employees: RouteTable {
        get throws {
            var settings = ServerSettings()
            settings.representations = [.employeeThumbnail]
            return RouteTable(try Catalogue.employees.get(), settings: settings)
        }
    }
}

extension Logger {
    /// A logger without output.
    static var silent: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

/// Runs the real server on a free port, with a new database that has the given data, while the closure runs. The
/// closure `service` can replace the service of the employees database. With `access`, the API has roles.
func withServer(
    _ backend: TestBackend, data: TestData = .crew, settings: ServerSettings = ServerSettings(),
    access: AccessSettings? = nil, tasks: TaskSource = .file(Scenario.sampleTasks), logger: Logger = .silent,
    encoding: ValueEncoding? = nil, configuration: DatabaseConfiguration? = nil,
    service change: (ResourceService) throws -> ResourceService = { $0 },
    _ body: @Sendable @escaping (TestServer) async throws -> Void
) async throws {
    let statements = StatementLog()
    let observer = Observer(logger: logger)
    let observe: DatabaseObserver = {
        statements.note($0)
        observer.database($0)
    }
    try await TestDatabase.with(backend, configuration: configuration, observer: observe) { database in
        try await data.load(into: database)
        statements.removeAll()
        try await runServer(
            database, transport: try .of(backend), settings: settings, access: access, tasks: tasks, encoding: encoding,
            statements: statements,
            logger: logger, observer: observer, service: change, body)
    }
}

/// Runs the real server with an existing database.
func runServer(
    _ database: Database, transport: TestTransport = .http1, settings: ServerSettings = ServerSettings(),
    access: AccessSettings? = nil, tasks: TaskSource = .file(Scenario.sampleTasks), encoding: ValueEncoding? = nil,
    requestTimeout: Duration = .seconds(600),
    statements: StatementLog = StatementLog(), logger: Logger = .silent, observer: Observer? = nil,
    service change: (ResourceService) throws -> ResourceService = { $0 },
    _ body: @Sendable @escaping (TestServer) async throws -> Void
) async throws {
    var settings = settings
    settings.port = 0
    settings.identity = try await transport.identity()
    settings.representations = [.employeeThumbnail]
    // All suites run concurrently, possibly on busy machines. Registered queries have enough time to reach the store.
    settings.graphQL.persistedQueries.configuration.storeTimeout = .seconds(60)
    var service = try change(
        .employees(database: database, encoding: try encoding ?? .published, requestTimeout: requestTimeout))
    // A short read that exceeds the default time runs again in the pool. Its statements would be counted twice.
    service.directReadBudget?.time = .seconds(600)
    try await RunningServer.with(logger: logger) {
        try DuetServer(
            service: service, access: access, tasks: tasks, queryDatabase: database, settings: settings,
            observer: observer ?? Observer(logger: logger), logger: logger, onRunning: $0)
    } _: { port, group in
        let client = try await APIClient(port: port, transport: transport)
        do {
            try await body(TestServer(client: client, database: database, statements: statements, group: group))
        } catch {
            try await client.shutDown()
            throw error
        }
        try await client.shutDown()
    }
}

extension TestServer {
    /// Returns every operation of the server, with values for the parameters of its path.
    func operations() throws -> [(method: String, path: String)] {
        try RouteTable.employees.operations.map { method, path in
            let filled = path.replacing("{employeeNumber}", with: "20001").replacing("{departmentNumber}", with: "d005")
                .replacing("{code}", with: "conflict").replacing("{requestID}", with: "one")
                .replacing("/explorer/{version}", with: PageFiles.all.path).replacing("{folder}", with: "explorer")
                .replacing("{name}", with: "main.js")
            guard !filled.contains("{") else { throw UnknownParameter(path: path) }
            return (method, filled)
        }
    }

    struct UnknownParameter: Error { let path: String }
}
