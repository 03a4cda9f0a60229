import ArgumentParser
import CoreMetrics
import DuetAPIDescription
import DuetEmployees
import DuetHTTPServer
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

extension LogFormat: ExpressibleByArgument {}

/// `duet serve`: the HTTP server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a database over HTTP.",
        discussion: """
            Without --database, the first start creates a sample of \(SampleCommand.employees.defaultValue.grouped) \
            employees in .duet/employees.sqlite. The server writes to employees databases that duet has created, and to \
            any other database only if its description permits it. The API of such a database is defined by the description given with --api; without a \
            description, the API is derived from the tables at start. SIGTERM and SIGINT shut the server down gracefully.

            Exit status: 0 after a shutdown, 64 for invalid options, 69 if the database or the port cannot be used, 1 \
            for other errors.
            """)

    /// The log levels of swift-log.
    enum LogLevel: String, ExpressibleByArgument, CaseIterable {
        case trace, debug, info, notice, warning, error, critical

        var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
    }

    private static let standard = ServerSettings()
    /// The default pool sizes. A SQLite connection uses one core; a MariaDB connection mostly waits.
    private static let poolSizes = (sqlite: 4, mariaDB: DatabaseConfiguration().poolSize)

    static let host = Setting("host", "Address to listen on", valueName: "address", default: standard.host)
    static let port = Setting(
        "port", "TCP port to listen on; 0 for any free port", default: standard.port, in: 0...65_535)
    static let poolSize = Setting<Int, Int?>(
        "pool-size", "Maximum number of database connections",
        default: nil, defaultText: "\(poolSizes.sqlite) for SQLite, \(poolSizes.mariaDB) for MariaDB", in: 1...1024
    ) { $0 }
    static let acquireTimeout = Setting(
        "acquire-timeout", "Maximum time that a request waits for a database connection",
        default: DatabaseConfiguration().acquireTimeout)
    static let statementTimeout = Setting(
        "statement-timeout", "Maximum time that a statement runs",
        default: DatabaseConfiguration.defaultStatementTimeout)
    static let requestTimeout = Setting(
        "request-timeout",
        "Maximum total time of a request in the database, including waits for a connection and retries; for an export, of each part",
        default: ResourceService.defaultRequestTimeout)
    static let migrate = Setting(
        "migrate", "Apply missing schema migrations at start; with --no-migrate, fail if one is missing",
        default: true)
    static let singleWriter = Setting(
        "single-writer",
        "Assume that this process is the only writer to MariaDB, so that revalidation can skip the database",
        default: DatabaseConfiguration().isSingleWriter)
    static let api = Setting<String, String?>(
        "api", "Description of the API in YAML or JSON", valueName: "file", default: nil,
        defaultText: "employees; for any other database, derived from the tables", requirement: "a file"
    ) { $0 }
    static let tasks = Setting<String, String?>(
        "tasks", "Tasks of the page at /, in YAML or JSON, as described in docs/comparison.md", valueName: "file",
        default: nil,
        defaultText: "the tasks for employees; for any other database, tasks generated from the API description",
        requirement: "a file"
    ) { $0 }
    static let expose = Setting(
        "expose",
        "Allow other machines to access a database other than employees. --host can then be any address, and the server accepts every Host if --hosts is not set. With tokens, the option is not needed",
        default: false)
    static let hosts = Setting<String, [String]>(
        "hosts",
        "Host names of the server in addition to localhost and --host, separated by commas; other hosts are rejected",
        valueName: "names", default: [],
        defaultText:
            "none; any host with --expose or with tokens, or if employees is served on an address other than 127.0.0.1 and ::1",
        requirement:
            "a list of host names and IP addresses without scheme and port, such as shop.example.com,192.168.1.5"
    ) { list in
        let names = list.split(separator: ",")
        let hosts = names.compactMap { HostName($0.trimmingCharacters(in: .whitespaces))?.text }
        return hosts.isEmpty || hosts.count < names.count ? nil : hosts
    }
    static let dates = Setting<APIDescription.Dates, APIDescription.Dates?>(
        "dates", "Format of dates", valueName: "format", default: nil,
        defaultText: "milliseconds for employees; otherwise the format in the API description, or iso",
        requirement: "one of \(APIDescription.Dates.allCases.map(\.rawValue).joined(separator: ", "))"
    ) { $0 }
    static let timeZone = Setting<String, String?>(
        "time-zone", "Time zone of dates in milliseconds: a date is the start of its day in this time zone",
        valueName: "name",
        default: nil,
        defaultText: "America/New_York for employees; otherwise the time zone in the API description, or UTC",
        requirement: "the name of a time zone"
    ) { $0 }
    static let compressionLevel = Setting(
        "compression-level", "Compression level of gzip", default: Int(standard.compressionLevel), in: 1...9)
    static let maxConnections = Setting(
        "max-connections", "Maximum number of client connections",
        default: standard.maximumConnections, in: 1...1_000_000)
    static let maxURISize = Setting(
        "max-uri-size", "Maximum size of a request target",
        default: standard.maximumTargetSize, in: 8_000...1_048_576, unit: "bytes")
    static let maxHeaderSize = Setting(
        "max-header-size", "Maximum size of a request header",
        default: standard.limits.maximumHeadSize, in: 4_096...1_048_576, unit: "bytes")
    static let maxBodySize = Setting(
        "max-body-size", "Maximum size of a request body",
        default: standard.maximumBodySize, in: 1_024...1_073_741_824, unit: "bytes")
    static let maxImportSize = Setting(
        "max-import-size", "Maximum size of the body of an import",
        default: standard.imports.maximumSize, in: 1_024...1_099_511_627_776, unit: "bytes")
    static let maxAnswerSize = Setting(
        "max-answer-size",
        "Maximum size of a response body, except for exports, which are streamed",
        default: ResourceService.defaultMaximumAnswerSize, in: 65_536...1_073_741_824, unit: "bytes")
    static let maxScan = Setting<String, Int?>(
        "max-scan",
        "Maximum number of rows that a statement can examine without returning them, on SQLite; 0 or none for no limit",
        valueName: "rows", default: ResourceService.defaultMaximumScan,
        defaultText: "\(ResourceService.defaultMaximumScan)",
        requirement: "a number from 0 to \(ResourceService.largestMaximumScan), or none"
    ) { text in
        guard text != "none" else { return .some(nil) }
        guard let count = Int(text), (0...ResourceService.largestMaximumScan).contains(count) else { return nil }
        return .some(count == 0 ? nil : count)
    }
    static let headTimeout = Setting(
        "head-timeout", "Maximum time to receive a request header", default: Duration(standard.limits.headTimeout))
    static let bodyTimeout = Setting(
        "body-timeout", "Maximum time to receive a request body", default: Duration(standard.limits.bodyTimeout))
    static let importTimeout = Setting(
        "import-timeout", "Maximum time to receive the body of an import, and maximum time of its transaction",
        default: standard.imports.timeout)
    static let idleTimeout = Setting(
        "idle-timeout", "Maximum time that a connection is idle between requests",
        default: Duration(standard.limits.idleTimeout))
    static let writeTimeout = Setting(
        "write-timeout", "Maximum time that a client may pause reading a response",
        default: Duration(standard.limits.writeTimeout))
    static let idempotencyLifetime = Setting(
        "idempotency-lifetime",
        "Time for which a write with an idempotency key can be repeated; later, its record is removed",
        default: standard.idempotencyLifetime, in: 60...31_536_000)
    static let shutdownTimeout = Setting(
        "shutdown-timeout", "Maximum time to complete active requests at shutdown",
        default: standard.shutdownTimeout)
    static let debugStatements = Setting(
        "debug-statements",
        """
        Record the SQL of the last requests and serve it at /debug/requests/{requestID}/statements. Do not use this on \
        a public server
        """, default: standard.keepsStatements)
    static let logValues = Setting(
        "log-values",
        "Log values of rows, and keys and parameter values of requests; with false, errors and request targets are logged without them",
        valueName: "true or false", default: true)
    static let logLevel = Setting(
        "log-level", "Minimum level of log messages; debug logs each request", valueName: "level",
        default: LogLevel.info)
    static let logFormat = Setting(
        "log-format", "Format of the log", valueName: "format", default: LogFormat.suited(to: .standardError),
        defaultText: "text on a terminal, otherwise json")

    @OptionGroup var databaseServers: DatabaseServerOptions
    @Option(Self.api) var api: String?
    @Option(Self.tasks) var tasks: String?
    @Option(Self.host) var host: String?
    @Option(Self.port) var port: Int?
    @Flag(Self.expose) var expose: Bool?
    @Option(Self.hosts) var hosts: String?
    @Option(Self.poolSize) var poolSize: Int?
    @Option(Self.acquireTimeout) var acquireTimeout: Double?
    @Option(Self.statementTimeout) var statementTimeout: Double?
    @Option(Self.requestTimeout) var requestTimeout: Double?
    @Flag(Self.migrate) var migrate: Bool?
    @Flag(Self.singleWriter) var singleWriter: Bool?
    @Option(Self.dates) var dates: APIDescription.Dates?
    @Option(Self.timeZone) var timeZone: String?
    @Option(Self.compressionLevel) var compressionLevel: Int?
    @Option(Self.maxConnections) var maxConnections: Int?
    @Option(Self.maxURISize) var maxURISize: Int?
    @Option(Self.maxHeaderSize) var maxHeaderSize: Int?
    @Option(Self.maxBodySize) var maxBodySize: Int?
    @Option(Self.maxImportSize) var maxImportSize: Int?
    @Option(Self.maxAnswerSize) var maxAnswerSize: Int?
    @Option(Self.maxScan) var maxScan: String?
    @Option(Self.headTimeout) var headTimeout: Double?
    @Option(Self.bodyTimeout) var bodyTimeout: Double?
    @Option(Self.importTimeout) var importTimeout: Double?
    @Option(Self.idleTimeout) var idleTimeout: Double?
    @Option(Self.writeTimeout) var writeTimeout: Double?
    @Option(Self.idempotencyLifetime) var idempotencyLifetime: Double?
    @Option(Self.shutdownTimeout) var shutdownTimeout: Double?
    @OptionGroup(title: "Options for sockets and the admin address") var listening: ListeningOptions
    @OptionGroup(title: "Options for encrypted connections and HTTP/2") var tls: TLSOptions
    @OptionGroup(title: "Options for roles and tokens") var callers: CallerOptions
    @OptionGroup(title: "Caching options") var caching: CachingOptions
    @OptionGroup(title: "Options for live queries") var live: LiveOptions
    @OptionGroup(title: "GraphQL options") var graphQL: GraphQLOptions
    // This group is not a part of the GraphQL options: a debug build of ArgumentParser validates the options of a group
    // several times for each level.
    @OptionGroup(title: "Persisted query options") var persistedQueries: PersistedQueryOptions
    @OptionGroup(title: "Options for traces") var tracing: TracingOptions
    @Flag(Self.debugStatements) var debugStatements: Bool?
    @Option(Self.logLevel) var logLevel: LogLevel?
    @Option(Self.logValues) var logValues: Bool?
    @Option(Self.logFormat) var logFormat: LogFormat?

    func run() async throws {
        // A SIGHUP during the start reloads the description as soon as the server runs.
        let reloads = await UnixSignalsSequence(trapping: .sighup)
        let manager = try ServiceManager()
        // Options are validated before the database and the port are opened.
        let description: APIDescription?
        let tasksPath = try Self.tasks.value(tasks)
        let tasksSource = tasksPath.map { _ in Self.tasks.source(tasks) }
        let ownTasks: TaskSource?
        let identity: TLSIdentity?
        do {
            description = try Self.api.value(api).map(ForeignDatabase.description)
            ownTasks = try Self.ownTasks(tasksPath)
            identity = try tls.identity()
        } catch {
            throw StartFailure.reported(error)
        }
        let encodings = EncodingOptions(
            dates: try Self.dates.value(dates), timeZone: try Self.timeZone.value(timeZone),
            source: Self.timeZone.source(timeZone))
        _ = try encodings.encoding(of: description ?? APIDescription.employees)
        _ = try Self.hosts.value(hosts)
        var wanted = try settings()
        let location = try databaseServers.location()
        if location.hasSeveralServers {
            wanted.positions = try databaseServers.tokens()
            guard try !Self.singleWriter.value(singleWriter) else {
                throw ValidationError(
                    "\(Self.singleWriter.source(singleWriter)) cannot be combined with several database servers, because a replica can have older rows"
                )
            }
        }
        wanted.identity = identity
        wanted.strictTransportSecurity = try tls.transportSecurity()
        try listening.apply(to: &wanted, manager, host: host, port: port)
        let answerSize = try Self.maxAnswerSize.value(maxAnswerSize)
        let maximumScan = try Self.maxScan.value(maxScan)
        let requestTimeout = try Self.requestTimeout.value(requestTimeout)
        let values: LogValues = try Self.logValues.value(logValues) ? .included : .omitted
        let traces = try tracing.traces()
        let logger = try logger(values, traces == nil ? nil : .trace)
        let metrics = PrometheusMetricsFactory()
        // Libraries that use swift-metrics report to this factory.
        MetricsSystem.bootstrap(metrics)
        let observer = Observer(logger: logger, values: values, metrics: metrics)
        let exporter = traces?.install(observer)
        let callers = try await self.callers.callers { observer.tokenKeys($0) }
        callers.logWarnings(logger)
        let served: ServedDatabase
        do {
            if let description { _ = try Self.access(description, callers, tasksSource) }
            served = try await openDatabase(location, description, observer: observer)
        } catch {
            throw StartFailure.reported(error, values)
        }
        let database = served.database
        let hooks = served.isOwn ? EmployeeHooks.all : [:]
        let makeService: @Sendable (APIDescription) throws -> ResourceService = { api in
            var service = ResourceService(
                api.catalogue, database: database, encoding: try encodings.encoding(of: api),
                maximumAnswerSize: answerSize, requestTimeout: requestTimeout,
                hooks: hooks)
            service.maximumScan = maximumScan
            return service
        }
        var queryDatabase: Database?
        do {
            let access = try Self.access(served.api, callers, tasksSource)
            let isOpenForWrites = access == nil && served.api.catalogue.hasDerivedWrites
            try restrictAddress(
                &wanted, isOwn: served.isOwn, hasTokens: access?.authenticator != nil,
                isOpenForWrites: isOpenForWrites)
            let isRestricted = Self.isLocal(wanted) && wanted.allowedHosts != nil
            try Self.checkWrites(served.api, access, database, isRestricted: isRestricted)
            Self.log(served.omissions, logger)
            if location.hasSeveralServers {
                let secret = SecretVariable.value(of: DatabaseServerOptions.secretVariable)
                await DatabaseServerWatch.begin(database, hasSecret: secret != nil, logger)
            }
            await live.logDetection(of: database, wanted.live, logger)
            let settings = fittingOpenFiles(wanted, logger)
            queryDatabase = try await persistedQueries.store(beside: database, isOwn: served.isOwn)
            let isInteractive = isatty(STDOUT_FILENO) == 1
            let server = try DuetServer(
                service: try makeService(served.api), access: access,
                tasks: ownTasks ?? (served.isOwn ? .employees : .description),
                queryDatabase: queryDatabase, settings: settings, observer: observer, logger: logger
            ) { addresses in
                if isInteractive || logger.logLevel <= .info {
                    Greeting(served, access).print(addresses, isEncrypted: identity != nil)
                }
                manager.notifyReady()
            }
            let path = try Self.api.value(api)
            let certificate = identity.map { CertificateWatch(identity: $0, logger: logger) }
            let reload: @Sendable () async throws -> APIReloader.Reloaded = {
                // The server stops accepting a withdrawn key even if the description has an error.
                try callers.keys?.file?.reload()
                callers.logWarnings(logger)
                let definitionChanges = database.definitionChanges
                let readable = try await ForeignDatabase.api(path.map(ForeignDatabase.description), of: database)
                Self.log(readable.omissions, logger)
                let access = try Self.access(readable.api, callers, tasksSource)
                try Self.checkWrites(readable.api, access, database, isRestricted: isRestricted)
                return APIReloader.Reloaded(
                    service: try makeService(readable.api), access: access,
                    tasks: try Self.ownTasks(tasksPath) ?? .description,
                    definitionChanges: definitionChanges)
            }
            let reloader = APIReloader(
                server: server, database: database, certificate: certificate, logger: logger, values: values,
                signals: reloads, reload: served.isOwn ? nil : reload)
            let watch = location.hasSeveralServers ? DatabaseServerWatch(database: database) : nil
            let others: [(any Service)?] = [watch, callers.keys?.remote, certificate, manager.shutdownNotifier]
            // The services shut down in the opposite order.
            let services: [any Service] =
                (exporter.map { [$0] } ?? []) + [server, reloader] + others.compactMap(\.self)
            try await serve(services, settings, logger)
        } catch {
            if queryDatabase !== database { await queryDatabase?.close() }
            await database.close()
            throw StartFailure.reported(error, values)
        }
        if queryDatabase !== database { await queryDatabase?.close() }
        await database.close()
    }

    /// Returns the settings for the roles of a description; nil if it has no roles.
    /// - Parameter tasksSource: The option or variable with the file of the tasks; nil if there is none.
    /// - Throws: `ValidationError` if the options do not fit the description.
    private static func access(
        _ api: APIDescription, _ callers: ConfiguredCallers, _ tasksSource: String?
    ) throws -> AccessSettings? {
        let access = try callers.access(api)
        if access != nil, let tasksSource {
            throw ValidationError(
                "\(tasksSource) cannot be combined with roles, because a caller must not see the tasks of other roles; without the option, the server generates tasks for each role"
            )
        }
        return access
    }

    /// Logs the parts of the database that the API omits.
    private static func log(_ omissions: [String], _ logger: Logger) {
        for omission in omissions {
            logger.warning("The API omits a part of the database", metadata: ["omission": "\(omission)"])
        }
    }

    /// Reads the tasks from a file; nil without a path.
    private static func ownTasks(_ path: String?) throws -> TaskSource? {
        try path.map { try TaskFile($0).source }
    }

    /// Runs the server until it receives a termination signal.
    private func serve(_ services: [any Service], _ settings: ServerSettings, _ logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = settings.shutdownTimeout
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as DuetServer.StartError {
            throw StartFailure.report(listening.message(for: error, host: host, port: port))
        }
    }

    /// Restricts the host names of requests, to prevent DNS rebinding. Also restricts access to a database other than
    /// employees to this machine. The option `--expose` removes the second restriction and, without `--hosts`, also the
    /// first. Tokens have the same effect, because a request without a token receives only what the operator gives to
    /// everyone.
    /// - Parameters:
    ///   - isOwn: True for the employees database, which is served to other machines if `--host` is an address that
    ///     they reach.
    ///   - isOpenForWrites: True if every client may write. Then `--expose` has no effect.
    /// - Throws: `ValidationError`.
    private func restrictAddress(
        _ settings: inout ServerSettings, isOwn: Bool, hasTokens: Bool, isOpenForWrites: Bool
    ) throws {
        let hosts = try Self.hosts.value(hosts)
        let isExposed = try (Self.expose.value(expose) && !isOpenForWrites) || hasTokens
        let isLocal = Self.isLocal(settings)
        // Without `--hosts`, other machines may use any name of this machine.
        if hosts.isEmpty, isExposed || isOwn && !isLocal { return }
        guard isExposed || isOwn || isLocal || isOpenForWrites else {
            let source = settings.addresses == nil ? Self.host.source(host) : "the socket of the service manager"
            throw ValidationError(
                """
                \(source): this database is only served to this machine, on 127.0.0.1 or ::1; \
                use --\(Self.expose.name) to let other machines read it
                """)
        }
        let names = settings.listeningAddresses.compactMap(\.host).map { $0.contains(":") ? "[\($0)]" : $0 }
        settings.allowedHosts = ServerSettings.localHosts.union(names + hosts)
    }

    /// True if only this machine can reach the server.
    private static func isLocal(_ settings: ServerSettings) -> Bool {
        settings.listeningAddresses.allSatisfy(\.isOfThisMachine)
    }

    /// Rejects a description with writes that this server must not, or cannot, serve. Without roles, every client may
    /// write, so only clients on this machine may be clients.
    /// - Throws: `ValidationError`.
    private static func checkWrites(
        _ api: APIDescription, _ access: AccessSettings?, _ database: Database, isRestricted: Bool
    ) throws {
        guard api.catalogue.hasDerivedWrites else { return }
        guard access != nil || isRestricted else {
            throw ValidationError(
                """
                the description permits writes, and without roles every client may write, so the API is only served to this \
                machine, on 127.0.0.1 or ::1, even with --\(Self.expose.name); add roles to the description, or restart \
                the server on one of these addresses
                """)
        }
        guard !database.isReadOnly else {
            throw ValidationError(
                "the description permits writes, but the database was opened for reading; restart the server")
        }
    }

    /// Limits the number of connections to the number of files that the process may open.
    private func fittingOpenFiles(_ wanted: ServerSettings, _ logger: Logger) -> ServerSettings {
        // The database, the event loops and the log need open files, too.
        let most = max(16, FileLimit.raise() - 256)
        guard wanted.maximumConnections > most else { return wanted }
        let setting = Self.maxConnections.source(maxConnections)
        logger.notice(
            "The number of connections is lower than \(setting), because of the limit on open files (ulimit -n)",
            metadata: ["connections": "\(most)"])
        var settings = wanted
        settings.maximumConnections = most
        return settings
    }

    /// - Parameters:
    ///   - location: The location of the database.
    ///   - description: The description given by `--api`.
    private func openDatabase(
        _ location: DatabaseLocation, _ description: APIDescription?, observer: Observer
    ) async throws -> ServedDatabase {
        let url = location.first
        let poolSize = try Self.poolSize.value(poolSize)
        var configuration = DatabaseConfiguration(
            poolSize: poolSize ?? (url.isSQLite ? Self.poolSizes.sqlite : Self.poolSizes.mariaDB))
        configuration.acquireTimeout = try Self.acquireTimeout.value(acquireTimeout)
        configuration.statementTimeout = try Self.statementTimeout.value(statementTimeout)
        configuration.isSingleWriter = try Self.singleWriter.value(singleWriter)
        try databaseServers.apply(to: &configuration)
        // An invalid value is reported before the sample is created.
        let appliesMigrations = try Self.migrate.value(migrate)
        if let description {
            return try await .foreign(location, configuration, description) { observer.database($0) }
        }
        switch try await ForeignDatabase.content(of: await location.readable()) {
        case .otherTables:
            return try await .foreign(location, configuration, nil) { observer.database($0) }
        case .noTables:
            throw StartFailure.report(
                "\(url) has no tables; create tables, or fill it with a sample: duet sample --database \(url)")
        case .employees: break
        }
        if case .sqlite(let path) = url.location {
            if url.description == DatabaseOptions.database.defaultValue, !FileManager.default.fileExists(atPath: path) {
                try await makeSample(path)
            }
            guard FileManager.default.fileExists(atPath: path) else {
                throw StartFailure.report(
                    "the SQLite file \(path) does not exist; create it with: duet sample --database \(url)")
            }
            try await DatabaseOptions.prepareFile(path, createIfMissing: false)
        }
        let database = location.database(configuration) { observer.database($0) }
        await database.checkServers()
        do {
            try await EmployeeSchema.prepare(database, appliesMigrations: appliesMigrations)
        } catch {
            await database.close()
            throw error
        }
        return ServedDatabase(database: database, api: try APIDescription.employees, kind: .employees)
    }

    /// Creates the sample under a temporary name, so that an interrupted start does not leave an incomplete sample.
    private func makeSample(_ path: String) async throws {
        FileHandle.standardError.write(Data("Creating the sample database \(path) …\n".utf8))
        let unfinished = path + ".new"
        DatabaseOptions.removeFile(unfinished)
        let generator = try SampleGenerator(
            employees: SampleCommand.employees.defaultValue, seed: SampleCommand.seed.defaultValue)
        _ = try await DatabaseOptions.withDatabase(DatabaseURL(location: .sqlite(path: unfinished))) {
            try await SampleLoader(generator).load(into: $0) { _, _ in }
        }
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    }

    private func settings() throws -> ServerSettings {
        var settings = ServerSettings()
        settings.host = try Self.host.value(host)
        settings.port = try Self.port.value(port)
        settings.maximumConnections = try Self.maxConnections.value(maxConnections)
        settings.maximumTargetSize = try Self.maxURISize.value(maxURISize)
        settings.maximumBodySize = try Self.maxBodySize.value(maxBodySize)
        settings.imports.maximumSize = try Self.maxImportSize.value(maxImportSize)
        settings.imports.timeout = try Self.importTimeout.value(importTimeout)
        settings.caching = try caching.settings()
        settings.live = try live.settings()
        settings.compressionLevel = Int32(try Self.compressionLevel.value(compressionLevel))
        settings.shutdownTimeout = try Self.shutdownTimeout.value(shutdownTimeout)
        settings.idempotencyLifetime = try Self.idempotencyLifetime.value(idempotencyLifetime)
        settings.keepsStatements = try Self.debugStatements.value(debugStatements)
        settings.representations = [.employeeThumbnail]
        settings.graphQL = try graphQL.settings(persistedQueries)
        settings.acceptsPlainHTTP2 = try TLSOptions.http2Plaintext.value(tls.http2Plaintext)
        settings.limits.headTimeout = TimeAmount(try Self.headTimeout.value(headTimeout))
        settings.limits.bodyTimeout = TimeAmount(try Self.bodyTimeout.value(bodyTimeout))
        settings.limits.idleTimeout = TimeAmount(try Self.idleTimeout.value(idleTimeout))
        settings.limits.writeTimeout = TimeAmount(try Self.writeTimeout.value(writeTimeout))
        settings.limits.maximumHeadSize = settings.maximumTargetSize + (try Self.maxHeaderSize.value(maxHeaderSize))
        settings.limits.maximumFieldSize = max(settings.maximumTargetSize + 1_024, 16_384)
        settings.limits.maximumExpectedBodySize = settings.maximumBodySize
        return settings
    }

    private func logger(_ values: LogValues, _ provider: Logger.MetadataProvider?) throws -> Logger {
        let format = try Self.logFormat.value(logFormat)
        let level = try Self.logLevel.value(logLevel).level
        LoggingSystem.bootstrap(format.handlerFactory(level: level, values: values), metadataProvider: provider)
        return Logger(label: "duet")
    }
}

extension DatabaseURL {
    fileprivate var isSQLite: Bool { if case .sqlite = location { true } else { false } }
}
