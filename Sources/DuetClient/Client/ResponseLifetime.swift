import HTTPTypes

/// How long a response is fresh, and if it may be stored, by its `Cache-Control` field (RFC 9111, section 5.2.2).
struct ResponseLifetime {
    /// False for `no-store`.
    private(set) var mayStore = true
    /// The time of `max-age`; none for `no-cache`; `nil` without either.
    private(set) var maximumAge: Duration?

    init(_ fields: HTTPFields) {
        for directive in (fields[.cacheControl] ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1).map { part in
                part.trimmingPrefix { $0 == " " || $0 == "\t" }.lowercased()
            }
            switch parts.first {
            case "no-store": mayStore = false
            case "no-cache": maximumAge = .zero
            case "max-age":
                if maximumAge == nil, let seconds = parts.last.flatMap(Int64.init) { maximumAge = .seconds(seconds) }
            default: break
            }
        }
    }
}
