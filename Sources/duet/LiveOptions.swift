import ArgumentParser
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import Logging

/// The options of `duet serve` for live queries.
struct LiveOptions: ParsableArguments {
    private static let standard = LiveSettings()

    static let interval = Setting(
        "live-interval",
        "Interval at which watched data is read again if the database does not report the commits of other programs",
        default: standard.detection.unknownInterval, in: 0.1...3600)
    static let pollInterval = Setting(
        "live-poll-interval",
        "Interval at which MariaDB, or a SQLite file that is not in WAL mode, is asked for commits of other programs while clients watch data",
        default: standard.detection.pollInterval, in: 0.01...60)
    static let watchers = Setting(
        "live-watchers", "Maximum number of live queries of all clients", default: standard.limits.watchers,
        in: 0...1_000_000)
    static let watchersPerCaller = Setting(
        "live-watchers-per-caller",
        "Maximum number of live queries of one caller, whom the claim sub of a token identifies",
        default: standard.limits.watchersPerCaller, in: 1...1_000_000)
    static let heartbeat = Setting(
        "live-heartbeat", "Interval of the comments that keep a silent stream of events open",
        default: standard.heartbeatInterval, in: 1...3600)

    @Option(Self.interval) var liveInterval: Double?
    @Option(Self.pollInterval) var livePollInterval: Double?
    @Option(Self.watchers) var liveWatchers: Int?
    @Option(Self.watchersPerCaller) var liveWatchersPerCaller: Int?
    @Option(Self.heartbeat) var liveHeartbeat: Double?

    /// - Throws: `ValidationError` for an invalid value.
    func settings() throws -> LiveSettings {
        var settings = LiveSettings()
        settings.detection.unknownInterval = try Self.interval.value(liveInterval)
        settings.detection.pollInterval = try Self.pollInterval.value(livePollInterval)
        settings.limits.watchers = try Self.watchers.value(liveWatchers)
        settings.limits.watchersPerCaller = try Self.watchersPerCaller.value(liveWatchersPerCaller)
        settings.heartbeatInterval = try Self.heartbeat.value(liveHeartbeat)
        return settings
    }

    /// Logs if the database does not report the commits of other programs.
    func logDetection(of database: Database, _ settings: LiveSettings, _ logger: Logger) async {
        guard await !database.reportsCommits() else { return }
        logger.notice(
            "The database does not report the commits of other programs, so live queries are read again at an interval. With a binary log (log_bin), MariaDB reports them",
            metadata: ["seconds": "\(settings.detection.unknownInterval / Duration.seconds(1))"])
    }
}
