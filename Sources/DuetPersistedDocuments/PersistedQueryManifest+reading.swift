internal import DuetJSON
internal import Foundation

extension PersistedQueryManifest {
    /// Creates a manifest from files. Each file has one of the two formats of ``add(parsing:named:)``.
    /// - Throws: ``PersistedQueryManifestError`` for a file that cannot be read, and the errors of
    ///   ``add(parsing:named:)``.
    public init(contentsOf paths: [String]) throws(PersistedQueryManifestError) {
        self.init()
        for path in paths {
            let data: Data
            do {
                data = try Data(contentsOf: URL(fileURLWithPath: path))
            } catch {
                throw PersistedQueryManifestError(path, "the file cannot be read: \(error.localizedDescription)")
            }
            try add(parsing: Array(data), named: path)
        }
    }

    /// Adds the operations of a text in one of two formats:
    ///
    /// - Apollo's persisted query manifest, `{"format": "apollo-persisted-query-manifest", "version": 1, "operations":
    ///   [{"id": …, "body": …, "name": …, "type": …}]}`
    ///   (apollographql.com/docs/graphos/platform/security/persisted-queries);
    /// - the operation output of older code generators, an object whose keys are identifiers:
    ///   `{"id": {"name": …, "source": …}}`, or `{"id": "document"}` as Relay writes it.
    ///
    /// - Parameters:
    ///   - bytes: JSON in UTF-8.
    ///   - source: The name of the text for messages, such as its file.
    /// - Throws: ``PersistedQueryManifestError`` for bytes that are not a manifest, and the errors of ``add(_:from:)``.
    ///   After an error, the manifest contains the operations that precede the error.
    public mutating func add(parsing bytes: [UInt8], named source: String) throws(PersistedQueryManifestError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...])
        } catch {
            throw PersistedQueryManifestError(source, "this is not JSON: \(error)")
        }
        guard case .object(let object) = value else {
            throw PersistedQueryManifestError(source, "this is \(value.typeName); \(Self.expectation)")
        }
        if object["format"] == .string(Format.apollo.rawValue) {
            try addManifest(object, source)
        } else if case .array = object["operations"] {
            let format = object["format"].map { if case .string(let text) = $0 { "\"\(text)\"" } else { $0.typeName } }
            throw PersistedQueryManifestError(
                source, "the member \"format\" is \(format ?? "missing"); \(Self.expectation)")
        } else {
            try addOperationOutput(object, source)
        }
    }

    private static let expectation =
        "a manifest is an object with \"format\": \"apollo-persisted-query-manifest\" and \"operations\", or an object that "
        + "maps each id to a document or to {\"name\", \"source\"}"

    private mutating func addManifest(_ object: JSONObject, _ source: String) throws(PersistedQueryManifestError) {
        guard object["version"] == .integer(1) else {
            throw PersistedQueryManifestError(
                source, "the member \"version\" must be 1; other versions of Apollo's manifest are not supported")
        }
        guard case .array(let operations) = object["operations"] else {
            throw PersistedQueryManifestError(source, "the member \"operations\" must be an array")
        }
        for (index, operation) in operations.enumerated() {
            let place = "operations[\(index)]"
            guard case .object(let members) = operation else {
                throw PersistedQueryManifestError(source, "\(place) is \(operation.typeName); it must be an object")
            }
            let id = try Self.text("id", of: members, place, source)
            let document = try Self.text("body", of: members, place, source)
            try add(id: id, document: document, members, place, source)
        }
    }

    private mutating func addOperationOutput(
        _ object: JSONObject, _ source: String
    ) throws(PersistedQueryManifestError) {
        for member in object.members {
            let place = "the value of \"\(member.key)\""
            switch member.value {
            case .string(let document):
                try add(Operation(id: member.key, document: document), from: source)
            case .object(let members):
                let document = try Self.text("source", of: members, place, source)
                try add(id: member.key, document: document, members, place, source)
            default:
                throw PersistedQueryManifestError(source, "\(place) is \(member.value.typeName); \(Self.expectation)")
            }
        }
    }

    private mutating func add(
        id: String, document: String, _ members: JSONObject, _ place: String, _ source: String
    ) throws(PersistedQueryManifestError) {
        let name = members["name"] == nil ? nil : try Self.text("name", of: members, place, source)
        let type = members["type"] == nil ? nil : try Self.text("type", of: members, place, source)
        try add(Operation(id: id, document: document, name: name, type: type), from: source)
    }

    private static func text(
        _ name: String, of members: JSONObject, _ place: String, _ source: String
    ) throws(PersistedQueryManifestError) -> String {
        switch members[name] {
        case .string(let text): return text
        case nil:
            throw PersistedQueryManifestError(source, "\(place) has no member \"\(name)\"; \(expectation)")
        case .some(let value):
            throw PersistedQueryManifestError(
                source, "the member \"\(name)\" of \(place) is \(value.typeName); it must be a string")
        }
    }
}
