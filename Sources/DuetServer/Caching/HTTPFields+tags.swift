import DuetResourceService
import HTTPTypes

extension HTTPFields {
    /// Adds the cache tags of a response, which identify the entities of the response, in two header fields:
    /// `Surrogate-Key` for Fastly and for the Varnish configuration of this project, and `Cache-Tag` for Cloudflare,
    /// Akamai and others. Spaces separate the tags in `Surrogate-Key`, and commas separate the tags in `Cache-Tag`.
    mutating func add(_ tags: EntityTags) {
        guard !tags.names.isEmpty else { return }
        reserveCapacity(count + 2)
        append(HTTPField(name: .surrogateKey, value: tags.names.joined(separator: " ")))
        append(HTTPField(name: .cacheTag, value: tags.names.joined(separator: ",")))
    }
}
