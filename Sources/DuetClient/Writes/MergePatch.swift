public import DuetJSON
import Foundation

/// The members that differ between two values of a resource, as a JSON Merge Patch (RFC 7396).
public struct MergePatch: Sendable, Hashable, Encodable {
    /// The patch.
    public let json: JSONValue

    /// Creates a patch from JSON.
    public init(_ json: JSONValue) { self.json = json }

    /// Creates the patch that changes one JSON value into another. A member that only the old value has becomes `null`.
    public init(from old: JSONValue, to new: JSONValue) { json = Self.difference(old, new) }

    /// Encodes the patch.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    private static func difference(_ old: JSONValue, _ new: JSONValue) -> JSONValue {
        // Only objects are merged. Any other value, such as an array, is replaced as a whole.
        guard case .object(let before) = old, case .object(let after) = new else { return new }
        var patch = JSONObject()
        for member in after.members {
            guard let value = before[member.key] else {
                patch[member.key] = member.value
                continue
            }
            if value != member.value { patch[member.key] = difference(value, member.value) }
        }
        for member in before.members where after[member.key] == nil { patch[member.key] = .null }
        return .object(patch)
    }
}
