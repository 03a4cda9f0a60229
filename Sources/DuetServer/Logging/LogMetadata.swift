import Logging

/// Metadata of one log event: what the logger carries, what its provider adds, and what the event says, the later
/// going before the earlier.
enum LogMetadata {
    /// The members in the order of their names. The event's error adds `error.message` and `error.type`.
    static func merge(
        _ carried: Logger.Metadata, provider: Logger.MetadataProvider?, event: LogEvent
    ) -> [(key: String, value: Logger.MetadataValue)] {
        var merged = carried
        if let provided = provider?.get(), !provided.isEmpty {
            merged.merge(provided) { _, new in new }
        }
        if let said = event.metadata, !said.isEmpty {
            merged.merge(said) { _, new in new }
        }
        if let error = event.error {
            merged["error.message"] = "\(error)"
            merged["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        return Self.sorted(merged)
    }

    /// The members in the order of their names, so that lines can be compared.
    static func sorted(_ metadata: Logger.Metadata) -> [(key: String, value: Logger.MetadataValue)] {
        metadata.count < 2 ? Array(metadata) : metadata.sorted { $0.key < $1.key }
    }
}
