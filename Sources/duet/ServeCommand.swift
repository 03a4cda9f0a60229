import ArgumentParser
import CoreMetrics
import DuetServer
import EmployeeService
import Foundation
import Logging
import NIOCore
import PrometheusMetrics
import ResultSetJSON
import SQLDatabase
import ServiceLifecycle
import UnixSignals

extension LogFormat: ExpressibleByArgument {}

/// `duet serve`: the HTTP server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the employees database over HTTP.",
        discussion: """
            Without --database the server makes a sample of 10,000 employees in .duet/employees.sqlite when it starts for \
            the first time. Missing migrations of the schema are applied at start. SIGTERM and SIGINT end it gracefully.

            Exit status: 0 after a shutdown, 64 for wrong options, 69 if the database or the port cannot be used, 1 otherwise.
            """)

    /// As swift-log names them.
    enum LogLevel: String, ExpressibleByArgument, CaseIterable {
        case trace, debug, info, notice, warning, error, critical

        var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
    }

    enum DateForm: String, ExpressibleByArgument, CaseIterable {
        case milliseconds, iso
    }

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The address to listen on. (environment: DUET_HOST; default: 127.0.0.1)")
    var host: String?
    @Option(help: "The port to listen on; 0 for any free one. (environment: DUET_PORT; default: 8080)")
    var port: Int?
    @Option(help: "Most database connections. (environment: DUET_POOL_SIZE; default: 4 for SQLite, 8 for MariaDB)")
    var poolSize: Int?
    @Option(help: "Seconds a request waits for a connection. (environment: DUET_ACQUIRE_TIMEOUT; default: 5)")
    var acquireTimeout: Double?
    @Option(help: "Seconds a statement may run. (environment: DUET_STATEMENT_TIMEOUT; default: 30)")
    var statementTimeout: Double?
    @Option(
        help:
            "Maximum number of seconds for a whole request, from the moment it has been read; exports excepted. (environment: DUET_REQUEST_TIMEOUT; default: 30)"
    )
    var requestTimeout: Double?
    @Flag(
        inversion: .prefixedNo,
        help: "Apply missing migrations at start, or refuse to start. (environment: DUET_MIGRATE; default: apply)")
    var migrate: Bool?
    @Flag(
        inversion: .prefixedNo,
        help:
            "Nobody but this process writes to MariaDB, so that it knows what has changed and a 304 need not ask. (environment: DUET_SINGLE_WRITER; default: no)"
    )
    var singleWriter: Bool?
    @Option(help: "How dates are written: milliseconds or iso. (environment: DUET_DATES; default: milliseconds)")
    var dates: DateForm?
    @Option(help: "The zone whose midnight a date is. (environment: DUET_TIME_ZONE; default: America/New_York)")
    var timeZone: String?
    @Option(help: "Effort of gzip, 1 to 9. (environment: DUET_COMPRESSION_LEVEL; default: 3)")
    var compressionLevel: Int?
    @Option(help: "Most connections of clients at once. (environment: DUET_MAX_CONNECTIONS; default: 4096)")
    var maxConnections: Int?
    @Option(help: "Longest request target in bytes. (environment: DUET_MAX_URI_SIZE; default: 32768)")
    var maxURISize: Int?
    @Option(help: "Longest request header in bytes. (environment: DUET_MAX_HEADER_SIZE; default: 65536)")
    var maxHeaderSize: Int?
    @Option(help: "Longest request body in bytes. (environment: DUET_MAX_BODY_SIZE; default: 1048576)")
    var maxBodySize: Int?
    @Option(
        help:
            "Largest answer in bytes, exports aside; its making takes some times as much memory. (environment: DUET_MAX_ANSWER_SIZE; default: 33554432)"
    )
    var maxAnswerSize: Int?
    @Option(help: "Seconds a client has for a request's header. (environment: DUET_HEAD_TIMEOUT; default: 10)")
    var headTimeout: Double?
    @Option(help: "Seconds a client has for a request's body. (environment: DUET_BODY_TIMEOUT; default: 30)")
    var bodyTimeout: Double?
    @Option(help: "Seconds a connection may be idle between requests. (environment: DUET_IDLE_TIMEOUT; default: 75)")
    var idleTimeout: Double?
    @Option(help: "Seconds a client may stop reading a response. (environment: DUET_WRITE_TIMEOUT; default: 30)")
    var writeTimeout: Double?
    @Option(help: "Seconds requests may take to end at shutdown. (environment: DUET_SHUTDOWN_TIMEOUT; default: 20)")
    var shutdownTimeout: Double?
    @OptionGroup(title: "Caching options") var caching: CachingOptions
    @OptionGroup(title: "GraphQL options") var graphQL: GraphQLOptions
    @Flag(
        inversion: .prefixedNo,
        help:
            "Keep the SQL text of the last requests' statements, and tell it at /debug/requests/{requestID}/statements. Not for a server that strangers reach. (environment: DUET_DEBUG_STATEMENTS; default: do not)"
    )
    var debugStatements: Bool?
    @Option(
        help:
            "trace, debug (every request), info, notice, warning or error. (environment: DUET_LOG_LEVEL; default: info)"
    )
    var logLevel: LogLevel?
    @Option(help: "text or json. (environment: DUET_LOG_FORMAT; default: text on a terminal, else json)")
    var logFormat: LogFormat?

    func run() async throws {
        let environment = Environment()
        let encoding = try encoding(environment)
        let wanted = try settings(environment)
        let answerSize = try environment.number(
            maxAnswerSize, "max-answer-size", 32 << 20, in: 65_536...1_073_741_824)
        let requestTimeout = try duration(environment, requestTimeout, "request-timeout", 30)
        let logger = try logger(environment)
        let settings = Self.fittingOpenFiles(wanted, logger)
        let metrics = PrometheusMetricsFactory()
        // For what libraries count.
        MetricsSystem.bootstrap(metrics)
        let observer = Observer(logger: logger, metrics: metrics)
        let database: Database
        do {
            database = try await openDatabase(environment, observer: observer)
        } catch {
            throw StartFailure.reported(error)
        }
        let isInteractive = isatty(STDOUT_FILENO) == 1
        let server = try DuetServer(
            service: EmployeeService(
                database: database, encoding: encoding, maximumAnswerSize: answerSize, requestTimeout: requestTimeout),
            settings: settings, observer: observer, logger: logger
        ) { port in
            let base = "http://\(settings.host == "0.0.0.0" ? "127.0.0.1" : settings.host):\(port)"
            if isInteractive || logger.logLevel <= .info { Self.greet(base) }
        }
        var configuration = ServiceGroupConfiguration(
            services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = settings.shutdownTimeout
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError {
            await database.close()
            throw StartFailure.report(
                error.errnoCode == EADDRINUSE
                    ? "port \(settings.port) of \(settings.host) is in use by another process; choose one with --port"
                    : "port \(settings.port) of \(settings.host) cannot be listened on: \(String(cString: strerror(error.errnoCode)))"
            )
        } catch is SocketAddressError.UnknownHost {
            await database.close()
            throw StartFailure.report(
                "\(settings.host) is no address of this machine; choose one with --host, such as 127.0.0.1 or 0.0.0.0")
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }

    /// As many connections as the system lets the process have.
    private static func fittingOpenFiles(_ wanted: ServerSettings, _ logger: Logger) -> ServerSettings {
        // Files of the database, of the event loops and of the log have their place besides the connections.
        let most = max(16, FileLimit.raise() - 256)
        guard wanted.maximumConnections > most else { return wanted }
        logger.notice(
            "Fewer connections than --max-connections: the system allows no more open files (ulimit -n)",
            metadata: ["connections": "\(most)"])
        var settings = wanted
        settings.maximumConnections = most
        return settings
    }

    private static func greet(_ base: String) {
        print(
            """
            Duet serves on \(base). Try:

              curl '\(base)/employees/10004?details=titles&details=salaries'
              curl -i '\(base)/employees?name=Geo*&first=5&sort=-hireDate'
              curl -H 'Accept: text/csv' '\(base)/employees/10004/salaries'
              curl \(base)/graphql -H 'Content-Type: application/json' -d '{"query":"{ employee(id: 10004) { lastName titles { title } } }"}'

            In a browser, \(base)/ puts both styles side by side, \(base)/graphql is a page to write queries on.

            """)
        fflush(nil)
    }

    private func openDatabase(_ environment: Environment, observer: Observer) async throws -> Database {
        let url = try database.url()
        var configuration = DatabaseConfiguration(
            poolSize: try environment.number(poolSize, "pool-size", url.isSQLite ? 4 : 8, in: 1...1024))
        configuration.acquireTimeout = try duration(environment, acquireTimeout, "acquire-timeout", 5)
        configuration.statementTimeout = try duration(environment, statementTimeout, "statement-timeout", 30)
        configuration.isSingleWriter = try environment.value(singleWriter, "single-writer", default: false)
        // Read before anything is made, so that a mistake in it makes nothing.
        let appliesMigrations = try environment.value(migrate, "migrate", default: true)
        if case .sqlite(let path) = url.location {
            if url.description == DatabaseOptions.standard, !FileManager.default.fileExists(atPath: path) {
                try await makeSample(path)
            }
            try await DatabaseOptions.prepareFile(path, createIfMissing: false)
        }
        let database = Database(url, configuration: configuration) { observer.database($0) }
        do {
            try await Schema.prepare(database, appliesMigrations: appliesMigrations)
        } catch {
            await database.close()
            throw error
        }
        return database
    }

    /// Made under another name first, so that a start that is cut off leaves no half of a sample behind.
    private func makeSample(_ path: String) async throws {
        FileHandle.standardError.write(Data("Making the sample database \(path) …\n".utf8))
        let unfinished = path + ".new"
        DatabaseOptions.removeFile(unfinished)
        var options = DatabaseOptions()
        options.database = "sqlite:\(unfinished)"
        let generator = try SampleGenerator(employees: 10_000, seed: 1)
        _ = try await options.withDatabase { try await SampleLoader(generator).load(into: $0) { _, _ in } }
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    }

    private func duration(
        _ environment: Environment, _ option: Double?, _ name: String, _ standard: Double
    ) throws -> Duration {
        let seconds = try environment.value(option, name, default: standard)
        guard seconds > 0, seconds <= 86_400 else {
            throw ValidationError("--\(name) is a number of seconds above 0, at most a day")
        }
        return .milliseconds(Int64(seconds * 1000))
    }

    private func settings(_ environment: Environment) throws -> ServerSettings {
        func timeAmount(_ option: Double?, _ name: String, _ standard: Double) throws -> TimeAmount {
            TimeAmount(try duration(environment, option, name, standard))
        }
        var settings = ServerSettings()
        settings.host = try environment.value(host, "host", default: settings.host)
        settings.port = try environment.number(port, "port", settings.port, in: 0...65_535)
        settings.maximumConnections = try environment.number(
            maxConnections, "max-connections", settings.maximumConnections, in: 1...1_000_000)
        settings.maximumTargetSize = try environment.number(
            maxURISize, "max-uri-size", settings.maximumTargetSize, in: 8_000...1_048_576)
        settings.maximumBodySize = try environment.number(
            maxBodySize, "max-body-size", settings.maximumBodySize, in: 1_024...1_073_741_824)
        settings.caching = try caching.settings(environment)
        settings.compressionLevel = Int32(
            try environment.number(compressionLevel, "compression-level", Int(settings.compressionLevel), in: 1...9))
        settings.shutdownTimeout = try duration(environment, shutdownTimeout, "shutdown-timeout", 20)
        settings.keepsStatements = try environment.value(debugStatements, "debug-statements", default: false)
        settings.graphQL = try graphQL.settings(environment)
        settings.limits.headTimeout = try timeAmount(headTimeout, "head-timeout", 10)
        settings.limits.bodyTimeout = try timeAmount(bodyTimeout, "body-timeout", 30)
        settings.limits.idleTimeout = try timeAmount(idleTimeout, "idle-timeout", 75)
        settings.limits.writeTimeout = try timeAmount(writeTimeout, "write-timeout", 30)
        settings.limits.maximumHeadSize =
            settings.maximumTargetSize
            + (try environment.number(maxHeaderSize, "max-header-size", 65_536, in: 4_096...1_048_576))
        settings.limits.maximumFieldSize = max(settings.maximumTargetSize + 1_024, 16_384)
        settings.limits.maximumExpectedBodySize = settings.maximumBodySize
        return settings
    }

    private func encoding(_ environment: Environment) throws -> ValueEncoding {
        switch try environment.value(dates, "dates", default: DateForm.milliseconds) {
        case .iso: return ValueEncoding(dates: .iso)
        case .milliseconds:
            let name = try environment.value(timeZone, "time-zone", default: "America/New_York")
            // The list of names is asked for a reason: it brings Foundation's time zones into a statically linked program.
            guard !TimeZone.knownTimeZoneIdentifiers.isEmpty, let zone = TimeZone(identifier: name) else {
                throw ValidationError(
                    "--time-zone knows no \"\(name)\"; it takes names such as America/New_York, Europe/Berlin or UTC, and needs the system's time zone data (tzdata)"
                )
            }
            return ValueEncoding(dates: .epochMilliseconds(in: zone))
        }
    }

    private func logger(_ environment: Environment) throws -> Logger {
        let format = try environment.value(logFormat, "log-format", default: LogFormat.suited(to: .standardError))
        let level = try environment.value(logLevel, "log-level", default: LogLevel.info).level
        LoggingSystem.bootstrap(format.handlerFactory(level: level), metadataProvider: nil)
        return Logger(label: "duet")
    }
}

extension DatabaseURL {
    fileprivate var isSQLite: Bool { if case .sqlite = location { true } else { false } }
}
