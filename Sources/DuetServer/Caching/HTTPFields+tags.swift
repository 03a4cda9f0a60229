import DuetResourceService
import HTTPTypes

extension HTTPFields {
    /// Adds the entities of a response in the formats of caches: `Surrogate-Key` with spaces (Fastly, and the Varnish
    /// configuration of this project), and `Cache-Tag` with commas (Cloudflare, Akamai and others).
    mutating func add(_ tags: EntityTags) {
        guard !tags.names.isEmpty else { return }
        reserveCapacity(count + 2)
        append(HTTPField(name: .surrogateKey, value: tags.names.joined(separator: " ")))
        append(HTTPField(name: .cacheTag, value: tags.names.joined(separator: ",")))
    }
}
