import DuetHTTPSemantics
public import DuetJSON
import Foundation
import HTTPTypes

/// Problem details (RFC 9457): a server's description of an error.
public struct Problem: Sendable, Hashable {
    /// The identifier of the problem type: a URI reference, which may be relative to the address of the request.
    public var type: String
    /// A short, human-readable summary of the type.
    public var title: String?
    /// The HTTP status that the origin server set for this occurrence.
    public var status: Int?
    /// A human-readable explanation of this occurrence.
    public var detail: String?
    /// The identifier of this occurrence: a URI reference, which may be relative to the address of the request.
    public var instance: String?
    /// All other members, in order, such as the validation errors of individual fields.
    public var extensions: JSONObject

    /// Creates a problem from a JSON object. If the type of a member does not match the specification, the member is
    /// ignored, as §3.1 requires.
    public init(_ object: JSONObject) {
        func text(_ name: String) -> String? {
            if case .string(let text) = object[name] { text } else { nil }
        }
        type = text("type") ?? "about:blank"
        title = text("title")
        status = object["status"]?.integerValue.flatMap(Int.init(exactly:))
        detail = text("detail")
        instance = text("instance")
        let standard: Set = ["type", "title", "status", "detail", "instance"]
        extensions = JSONObject(object.members.filter { !standard.contains($0.key) }.map { ($0.key, $0.value) })
    }

    /// Parses the problem in a response. Returns `nil` if the media type is not `application/problem+json` or the body
    /// is not a JSON object.
    init?(type: String?, body: Data) {
        guard
            type?.prefix(while: { $0 != ";" }).trimmingOptionalWhitespace().lowercased() == "application/problem+json",
            case .object(let object) = try? JSONValue(parsing: body)
        else { return nil }
        self.init(object)
    }
}
