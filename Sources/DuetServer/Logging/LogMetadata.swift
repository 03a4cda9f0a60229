import Logging

/// The metadata of a log event, merged from the logger, its metadata provider and the event. A later source overrides
/// the earlier sources.
enum LogMetadata {
    typealias Member = (key: String, value: Logger.MetadataValue)

    /// Returns the members sorted by name. The event's error adds `error.message` and `error.type`.
    static func merge(
        _ carried: Logger.Metadata, provider: Logger.MetadataProvider?, event: LogEvent, _ values: LogValues
    ) -> [Member] {
        var members: [Member] = []
        if let error = event.error {
            members.append(("error.message", "\(values.text(error))"))
            members.append(("error.type", "\(String(reflecting: type(of: error)))"))
        }
        if let said = event.metadata { Self.add(said, to: &members) }
        if let provider { Self.add(provider.get(), to: &members) }
        Self.add(carried, to: &members)
        return members.count < 2 ? members : members.sorted { $0.key < $1.key }
    }

    /// Returns the members sorted by name, so that lines are comparable.
    static func sorted(_ metadata: Logger.Metadata) -> [Member] {
        metadata.count < 2 ? Array(metadata) : metadata.sorted { $0.key < $1.key }
    }

    /// Adds the members whose names are not in the list yet. There are few members, so a linear search is faster than
    /// hashing.
    private static func add(_ metadata: Logger.Metadata, to members: inout [Member]) {
        let present = members.count
        members.reserveCapacity(present + metadata.count)
        for member in metadata where !members[..<present].contains(where: { $0.key == member.key }) {
            members.append(member)
        }
    }
}
