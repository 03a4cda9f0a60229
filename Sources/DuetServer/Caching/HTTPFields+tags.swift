import DuetResourceService
import HTTPTypes

extension HTTPFields {
    /// Adds the names of a response's entities in the two formats that caches support: `Surrogate-Key`, separated by
    /// spaces (Fastly, and the Varnish configuration of this project), and `Cache-Tag`, separated by commas
    /// (Cloudflare, Akamai and others).
    mutating func add(_ tags: EntityTags) {
        guard !tags.names.isEmpty else { return }
        reserveCapacity(count + 2)
        append(HTTPField(name: .surrogateKey, value: tags.names.joined(separator: " ")))
        append(HTTPField(name: .cacheTag, value: tags.names.joined(separator: ",")))
    }
}
