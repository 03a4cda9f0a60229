import ArgumentParser
import DuetServer
import Foundation
import PersistedQueries

/// The options of `duet serve` that are about persisted queries.
struct PersistedQueryOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help:
            "Let clients register queries and ask for them by their hash. (environment: DUET_AUTOMATIC_PERSISTED_QUERIES; default: let them)"
    )
    var automaticPersistedQueries: Bool?
    @Option(
        name: .customLong("persisted-queries"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "Manifests of queries that are known from the start: Apollo's persisted query manifest, or a map of ids to operations. (environment: DUET_PERSISTED_QUERIES, with commas)",
            valueName: "file"), completion: .file(extensions: ["json"]))
    var manifests: [String] = []
    @Flag(
        inversion: .prefixedNo,
        help: "Answer nothing but what the manifests list. (environment: DUET_PERSISTED_ONLY; default: answer all)")
    var persistedOnly: Bool?
    @Flag(
        inversion: .prefixedNo,
        help:
            "Keep registered queries in the database, for other servers and the next start. (environment: DUET_PERSISTED_QUERY_STORE; default: keep)"
    )
    var persistedQueryStore: Bool?
    @Option(
        help:
            "Seconds a registered query is kept after its last use. (environment: DUET_PERSISTED_QUERY_TTL; default: 2592000)"
    )
    var persistedQueryTTL: Int?
    @Option(
        help:
            "Most bytes of registered queries in memory. (environment: DUET_PERSISTED_QUERY_MEMORY; default: 33554432)")
    var persistedQueryMemory: Int?
    @Option(
        help:
            "Most registered queries in the database. (environment: DUET_MAX_PERSISTED_QUERIES; default: 100000)")
    var maxPersistedQueries: Int?

    /// - Throws: `ValidationError` for a value out of range, `StartFailure` for a manifest that cannot be used.
    func settings(_ environment: Environment) throws -> PersistedQuerySettings {
        var settings = PersistedQuerySettings()
        settings.isAutomatic = try environment.value(
            automaticPersistedQueries, "automatic-persisted-queries", default: true)
        settings.isExclusive = try environment.value(persistedOnly, "persisted-only", default: false)
        settings.isShared = try environment.value(persistedQueryStore, "persisted-query-store", default: true)
        var configuration = PersistedQueriesConfiguration()
        configuration.timeToLive = .seconds(
            try environment.number(persistedQueryTTL, "persisted-query-ttl", 2_592_000, in: 1...3_155_760_000))
        configuration.maximumMemory = try environment.number(
            persistedQueryMemory, "persisted-query-memory", configuration.maximumMemory, in: 0...(1 << 40))
        configuration.maximumRows = try environment.number(
            maxPersistedQueries, "max-persisted-queries", configuration.maximumRows, in: 1...1_000_000_000)
        settings.configuration = configuration
        let listed: String = try environment.value(nil, "persisted-queries", default: "")
        let files =
            manifests.isEmpty ? listed.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } : manifests
        guard !settings.isExclusive || !files.isEmpty else {
            throw ValidationError(
                "--persisted-only needs --persisted-queries: without a manifest nothing could be asked")
        }
        do throws(PersistedQueryManifestError) {
            settings.manifest = try PersistedQueryManifest(contentsOf: files)
        } catch {
            throw StartFailure.report(error.description, status: 66)
        }
        guard !settings.isExclusive || !settings.manifest.operations.isEmpty else {
            throw StartFailure.report(
                "\(files.joined(separator: ", ")): no operation is listed, and with --persisted-only nothing else could be asked",
                status: 66)
        }
        return settings
    }
}
