import DuetResourceService
import HTTPTypes

extension HTTPFields {
    /// Names the entities of a response as the caches in front understand it: `Surrogate-Key` with spaces (Fastly, and the Varnish
    /// configuration that comes with this), `Cache-Tag` with commas (Cloudflare, Akamai and others).
    mutating func add(_ tags: EntityTags) {
        guard !tags.names.isEmpty else { return }
        reserveCapacity(count + 2)
        append(HTTPField(name: .surrogateKey, value: tags.names.joined(separator: " ")))
        append(HTTPField(name: .cacheTag, value: tags.names.joined(separator: ",")))
    }
}
