import ArgumentParser
import DuetServer

/// The options of `duet serve` for caching.
struct CachingOptions: ParsableArguments {
    /// The valid ages in seconds. The maximum is one year.
    private static let ages = 0...31_536_000

    static let maxAge = Setting<Int, Int?>(
        "max-age", "Upper limit of the time that a cache may reuse a response without revalidation",
        default: nil, defaultText: "no limit; the API description specifies the time", in: ages, unit: "seconds"
    ) { $0 }
    static let sharedMaxAge = Setting<Int, Int?>(
        "shared-max-age",
        "Value of s-maxage: the maximum time that a shared cache may reuse a response without revalidation",
        default: nil, defaultText: "none; shared caches use max-age", in: ages, unit: "seconds"
    ) { $0 }
    static let staleWhileRevalidate = Setting<Int, Int?>(
        "stale-while-revalidate",
        "Maximum time that a cache may reuse a stale response while it revalidates the response",
        default: nil, defaultText: "0", in: ages, unit: "seconds"
    ) { $0 }
    static let cacheTags = Setting(
        "cache-tags",
        "Send cache tags in Surrogate-Key and Cache-Tag, so that caches can purge responses by tag",
        default: CachingSettings().namesEntities)

    @Option(Self.maxAge) var maxAge: Int?
    @Option(Self.sharedMaxAge) var sharedMaxAge: Int?
    @Option(Self.staleWhileRevalidate) var staleWhileRevalidate: Int?
    @Flag(Self.cacheTags) var cacheTags: Bool?

    /// - Throws: `ValidationError` for an invalid value.
    func settings() throws -> CachingSettings {
        var settings = CachingSettings()
        settings.maximumAge = try Self.maxAge.value(maxAge)
        settings.sharedMaximumAge = try Self.sharedMaxAge.value(sharedMaxAge)
        settings.staleWhileRevalidate = try Self.staleWhileRevalidate.value(staleWhileRevalidate)
        settings.namesEntities = try Self.cacheTags.value(cacheTags)
        return settings
    }
}
