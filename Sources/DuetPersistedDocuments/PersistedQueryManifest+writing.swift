internal import DuetJSON

extension PersistedQueryManifest {
    /// The formats of a manifest.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Apollo's persisted query manifest.
        case apollo = "apollo-persisted-query-manifest"
        /// The operation output of older code generators.
        case operationIDs = "operation-ids"
    }

    /// Returns the manifest as JSON in UTF-8, with a newline at the end.
    ///
    /// The operations have the order of their addition. Each operation starts on a new line, so that a line-by-line
    /// diff of two manifests is readable. The bytes for equal operations are always equal.
    public func json(_ format: Format) -> [UInt8] {
        let lines = operations.map { operation in
            switch format {
            case .apollo:
                "    "
                    + Self.object(
                        [("id", operation.id), ("body", operation.document)] + Self.nameAndType(operation),
                        indentation: "    ")
            case .operationIDs:
                "  \(Self.literal(operation.id)): "
                    + Self.object(
                        Self.nameAndType(operation) + [("source", operation.document)], indentation: "  ")
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
