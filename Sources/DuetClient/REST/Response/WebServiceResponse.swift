import DuetHTTPSemantics
public import Foundation
public import HTTPTypes

/// A response with a 2xx status: its content and its head.
public struct WebServiceResponse<Content> {
    /// The content.
    public var content: Content
    /// The status and the header fields.
    public var head: HTTPResponse
    /// The address of the request.
    public var address: URL

    /// Creates a response.
    public init(_ content: Content, head: HTTPResponse, address: URL) {
        self.content = content
        self.head = head
        self.address = address
    }

    /// The entity tag, which identifies this state of the resource.
    public var entityTag: EntityTag? { head.headerFields[.eTag].flatMap(EntityTag.init) }

    /// A precondition for a write: the resource still has the state of this response.
    /// - Throws: ``WebServiceError`` with the code ``WebServiceError/Code-swift.enum/invalidRequest`` if the response
    ///   has no strong entity tag.
    public var unchanged: Precondition {
        get throws(WebServiceError) {
            guard let entityTag, !entityTag.isWeak else {
                throw WebServiceError(
                    .invalidRequest,
                    "The response has no strong entity tag, which a precondition requires. Write without a precondition, or read a resource whose responses have a strong entity tag.",
                    head: head)
            }
            return .ifMatch(entityTag)
        }
    }

    /// Returns the address of the first link with the relation type (`Link`, RFC 8288), such as `next`.
    public func link(_ relation: String) -> URL? {
        LinkField.target(relation: relation, in: head.headerFields)
            .flatMap { URL(string: $0, relativeTo: address)?.absoluteURL }
    }

    /// Returns the response with transformed content.
    public func map<Other, Failure: Error>(
        _ transform: (Content) throws(Failure) -> Other
    ) throws(Failure) -> WebServiceResponse<Other> {
        WebServiceResponse<Other>(try transform(content), head: head, address: address)
    }
}

extension WebServiceResponse: Sendable where Content: Sendable {}

/// The links of a response (`Link`, RFC 8288 §3).
enum LinkField {
    /// Returns the target of the first link with the relation type. The target is not resolved: it may be relative.
    static func target(relation: String, in fields: HTTPFields) -> String? {
        for var value in fields[values: .link] {
            if let target = value.withUTF8({ Self.target(relation: relation, in: FieldValueScanner($0)) }) {
                return target
            }
        }
        return nil
    }

    private static func target(relation: String, in scanner: FieldValueScanner) -> String? {
        var scanner = scanner
        while !scanner.isAtEnd {
            guard let link = Self.link(&scanner) else { break }
            if link.relations.contains(where: { $0.lowercased() == relation.lowercased() }) { return link.target }
        }
        return nil
    }

    private static func link(_ scanner: inout FieldValueScanner) -> (target: String, relations: [Substring])? {
        while scanner.consume(.comma) || scanner.consume(.space) || scanner.consume(.tab) {}
        guard scanner.consume(UInt8(ascii: "<")) else { return nil }
        let target = scanner.text(until: ">")
        guard scanner.consume(UInt8(ascii: ">")) else { return nil }
        var relations: [Substring]?
        scanner.skipWhitespace()
        while scanner.consume(.semicolon) {
            scanner.skipWhitespace()
            let name = scanner.text(until: "=;,")
            guard scanner.consume(.equals) else { continue }
            scanner.skipWhitespace()
            let value = scanner.value(until: ";,")
            // §3.3: only the first `rel` parameter is used.
            if name.lowercased() == "rel", relations == nil { relations = value.split(separator: " ") }
            scanner.skipWhitespace()
        }
        return (target, relations ?? [])
    }
}
