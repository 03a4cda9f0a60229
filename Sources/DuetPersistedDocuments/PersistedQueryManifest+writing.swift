internal import DuetJSON

extension PersistedQueryManifest {
    /// The forms in which a manifest is written.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Apollo's persisted query manifest.
        case apollo = "apollo-persisted-query-manifest"
        /// The operation output of the older code generators.
        case operationIDs = "operation-ids"
    }

    /// The manifest as JSON in UTF-8, one operation after the other in their order, with a newline at the end. The same operations
    /// always give the same bytes, with lines of their own, so that a difference of two manifests can be read.
    public func json(_ format: Format) -> [UInt8] {
        let lines = operations.map { operation in
            switch format {
            case .apollo:
                "    "
                    + Self.object(
                        [("id", operation.id), ("body", operation.document.string)] + Self.nameAndType(operation),
                        indentation: "    ")
            case .operationIDs:
                "  \(Self.literal(operation.id)): "
                    + Self.object(
                        Self.nameAndType(operation) + [("source", operation.document.string)], indentation: "  ")
            }
        }.joined(separator: ",\n")
        let text =
            switch format {
            case .apollo:
                """
                {
                  "format": "apollo-persisted-query-manifest",
                  "version": 1,
                  "operations": [\(lines.isEmpty ? "" : "\n\(lines)\n  ")]
                }
                """
            case .operationIDs: lines.isEmpty ? "{}" : "{\n\(lines)\n}"
            }
        return Array("\(text)\n".utf8)
    }

    private static func nameAndType(_ operation: Operation) -> [(String, String)] {
        [operation.name.map { ("name", $0) }, operation.type.map { ("type", $0) }].compactMap(\.self)
    }

    private static func object(_ members: [(name: String, text: String)], indentation: String) -> String {
        let lines = members.map { "\(indentation)  \(literal($0.name)): \(literal($0.text))" }
        return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
    }

    private static func literal(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: JSONBytes.longestString(utf8Count: bytes.count)) { target in
                guard let start = target.baseAddress else { return 0 }
                return JSONBytes.write(string: UnsafeRawBufferPointer(bytes), to: UnsafeMutableRawPointer(start))
            }
        }
    }
}
