import ArgumentParser
import DuetServer

/// The options of `duet serve` that are about caches.
struct CachingOptions: ParsableArguments {
    @Option(
        help:
            "Most seconds a cache may reuse what was read, where the schema allows more; 0: it must ask. (environment: DUET_MAX_AGE; default: as the schema says)"
    )
    var maxAge: Int?
    @Option(
        help:
            "Seconds a cache for many clients may reuse it, in place of that (s-maxage). (environment: DUET_SHARED_MAX_AGE; default: the same)"
    )
    var sharedMaxAge: Int?
    @Option(
        help:
            "Seconds a cache may go on using it while it asks for the new one. (environment: DUET_STALE_WHILE_REVALIDATE; default: 0)"
    )
    var staleWhileRevalidate: Int?
    @Flag(
        inversion: .prefixedNo,
        help:
            "Name the entities of a response in Surrogate-Key and Cache-Tag, to purge by. (environment: DUET_CACHE_TAGS; default: name them)"
    )
    var cacheTags: Bool?

    /// - Throws: `ValidationError` for a value out of range.
    func settings(_ environment: Environment) throws -> CachingSettings {
        func seconds(_ option: Int?, _ name: String) throws -> Int? {
            guard let seconds: Int = try environment.value(option, name) else { return nil }
            guard 0...31_536_000 ~= seconds else {
                throw ValidationError("--\(name) is a number of seconds from 0 to 31536000")
            }
            return seconds
        }
        var settings = CachingSettings()
        settings.maximumAge = try seconds(maxAge, "max-age")
        settings.sharedMaximumAge = try seconds(sharedMaxAge, "shared-max-age")
        settings.staleWhileRevalidate = try seconds(staleWhileRevalidate, "stale-while-revalidate")
        settings.namesEntities = try environment.value(cacheTags, "cache-tags", default: true)
        return settings
    }
}
