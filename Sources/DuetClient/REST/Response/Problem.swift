public import DuetJSON
import Foundation
import HTTPTypes

/// The details of a problem (RFC 9457), as a server describes why it did not carry out a request.
public struct Problem: Sendable, Hashable {
    /// Identifies the type of the problem: an address, which may be relative to that of the request.
    public var type: String
    /// A short summary of the type, for a person.
    public var title: String?
    /// The status of the response, as its origin has set it.
    public var status: Int?
    /// An explanation of this occurrence, for a person.
    public var detail: String?
    /// Identifies this occurrence: an address, which may be relative to that of the request.
    public var instance: String?
    /// All other members, in their order, such as the faults of single fields.
    public var extensions: JSONObject

    /// The problem of a JSON object. A member of another type than the specification says is ignored, as §3.1 demands.
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

    /// The problem that a response contains; `nil` if it is of another media type than `application/problem+json`, or no JSON object.
    init?(type: String?, body: Data) {
        guard
            type?.prefix(while: { $0 != ";" }).trimmingOptionalWhitespace().lowercased() == "application/problem+json",
            case .object(let object) = try? JSONValue(parsing: body)
        else { return nil }
        self.init(object)
    }
}
