import DuetJSON
package import NIOCore
import Yams

/// The OpenAPI document that is compiled in, as it was written and as JSON.
package struct OpenAPIDocument: Sendable {
    package let yaml = ByteBuffer(string: Self.text)

    package init() {}

    private static let text = String(decoding: PackageResources.openapi_yaml, as: UTF8.self)

    /// Parsed on the first request for it, because parsing takes longer than the rest of a server's start.
    private static let parsed = Result {
        var writer = JSONWriter(capacity: text.utf8.count)
        writer.write(try Yams.compose(yaml: text).map(JSONValue.init) ?? .null)
        return writer.buffer
    }

    /// The same as JSON.
    /// - Throws: `YamlError` if the document is not YAML.
    package var json: ByteBuffer { get throws { try Self.parsed.get() } }
}

extension JSONValue {
    /// A YAML node under YAML's core schema; mappings keep their order.
    fileprivate init(_ node: Node) {
        switch node {
        case .mapping(let mapping):
            var object = JSONObject()
            for (key, value) in mapping { object[key.string ?? ""] = JSONValue(value) }
            self = .object(object)
        case .sequence(let sequence): self = .array(sequence.map { JSONValue($0) })
        case .scalar(let scalar):
            // Quoted text is text, whatever it looks like.
            if scalar.style == .singleQuoted || scalar.style == .doubleQuoted {
                self = .string(scalar.string)
            } else if node.null != nil {
                self = .null
            } else if let bool = node.bool {
                self = .bool(bool)
            } else if let integer = node.int {
                self = .integer(Int64(integer))
            } else if let double = node.float {
                self = .double(double)
            } else {
                self = .string(scalar.string)
            }
        case .alias: self = .null
        }
    }
}
