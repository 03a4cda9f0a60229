import DuetHTTPSemantics
import DuetResourceService
import HTTPTypes
import HummingbirdCore

/// The preferences of a write that follows from the rules of a resource.
struct WritePreferences: Sendable, Hashable {
    /// True for `return=minimal` (RFC 7240 §4.2): the response has no body.
    private(set) var isMinimal = false
    /// True for `tx=rollback`: the response is that of the write, but nothing is written.
    private(set) var isRolledBack = false
    /// The value of `Preference-Applied`; nil if the request has no preference that the server knows.
    let applied: String?

    /// The preference that a write has no effect.
    static let rollback = "tx=rollback"

    /// No preferences.
    static let none = WritePreferences(Preferences([:]))

    init(_ preferences: Preferences) {
        var applied: [String] = []
        switch preferences.value(of: "return") {
        case "minimal":
            isMinimal = true
            applied.append("return=minimal")
        case "representation": applied.append("return=representation")
        default: break
        }
        if preferences.value(of: "tx") == "rollback" {
            isRolledBack = true
            applied.append(Self.rollback)
        }
        self.applied = applied.isEmpty ? nil : applied.joined(separator: ", ")
    }
}

extension RoutedRequest {
    /// The preferences from `Prefer`.
    var preferences: WritePreferences { WritePreferences(Preferences(request.headers)) }
}

extension HTTPFields {
    /// Adds the fields of the response to a write: the preferences that were applied, and the cache tags of the changed
    /// entities, so that caches can purge the stored responses with these tags.
    /// - Parameters:
    ///   - isReplayed: True if an earlier request with the same idempotency key has performed the write.
    ///   - tags: The cache tags; nil if responses have none.
    mutating func add(_ preferences: WritePreferences, isReplayed: Bool, _ tags: EntityTags?) {
        if let applied = preferences.applied { self[.preferenceApplied] = applied }
        add(isReplayed: isReplayed)
        if let tags, !preferences.isRolledBack { add(tags) }
    }
}
