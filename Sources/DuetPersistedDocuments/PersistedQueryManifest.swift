package import DuetJSON

/// The documents that an operator gives a server before its first request, each under an identifier that the client's team has chosen.
///
/// An identifier is any string. Most tools use the SHA-256 of the text.
public struct PersistedQueryManifest: Sendable {
    /// An operation of a manifest.
    public struct Operation: Sendable, Hashable {
        /// The identifier that a client sends in place of the document.
        public let id: String
        /// The document, compared by its bytes.
        package let text: UTF8Text
        /// The operation's name; nil if the manifest has none.
        public let name: String?
        /// `query`, `mutation` or `subscription`; nil if the manifest does not have it.
        public let type: String?

        /// The text of the document: the operation with the fragments that it needs.
        public var document: String { text.string }

        /// Makes an operation.
        /// - Parameters:
        ///   - id: the identifier that a client sends in place of the document.
        ///   - document: the text of the document: the operation with the fragments that it needs.
        ///   - name: the operation's name.
        ///   - type: `query`, `mutation` or `subscription`.
        public init(id: String, document: String, name: String? = nil, type: String? = nil) {
            self.id = id
            text = UTF8Text(document)
            self.name = name
            self.type = type
        }
    }

    /// The operations in the order they were added.
    public private(set) var operations: [Operation] = []
    /// The source of each operation, such as a file, for messages.
    public private(set) var sources: [String] = []
    private var byID: [UTF8Text: Int] = [:]
    private var byHash: [DocumentHash: Int] = [:]

    /// Makes a manifest without operations.
    public init() {}

    /// Adds an operation. An operation that the manifest already has under the same identifier is ignored.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - source: The file of the operation, for messages.
    /// - Throws: ``PersistedQueryManifestError`` for an empty identifier, a document without a character, and an identifier that another
    ///   document already has.
    public mutating func add(_ operation: Operation, from source: String = "manifest") throws(PersistedQueryManifestError) {
        guard !operation.id.isEmpty else {
            throw PersistedQueryManifestError(source, "an operation has the empty string for an id; give it another")
        }
        guard operation.document.utf8.contains(where: { $0 > 0x20 }) else {
            throw PersistedQueryManifestError(source, "the document of the id \"\(operation.id)\" is empty")
        }
        // By the hash of its text; and, if the identifier has the form of a hash, by that.
        let hashes = [DocumentHash(of: operation.document), DocumentHash(hexadecimal: operation.id)]
            .compactMap(\.self)
        let id = UTF8Text(operation.id)
        for other in [byID[id]] + hashes.map({ byHash[$0] }) {
            guard let other, operations[other].text != operation.text else { continue }
            throw conflict(between: operation, source, and: other)
        }
        guard byID[id] == nil else { return }
        byID[id] = operations.count
        for hash in hashes where byHash[hash] == nil { byHash[hash] = operations.count }
        operations.append(operation)
        sources.append(source)
    }

    /// Returns the document with an identifier; nil if there is none. Identifiers are compared by their bytes.
    public func document(named id: String) -> String? { text(named: id)?.string }

    /// Returns the document with a hash: the hash of its text, or its identifier. Nil if there is none.
    public func document(_ hash: DocumentHash) -> String? { text(hash)?.string }

    /// Returns true if the manifest has a document with exactly this text.
    public func contains(_ document: String) -> Bool { contains(UTF8Text(document)) }

    /// Returns the document with an identifier; nil if there is none.
    package func text(named id: String) -> UTF8Text? {
        byID[UTF8Text(id)].map { operations[$0].text }
    }

    /// Returns the document with a hash; nil if there is none.
    package func text(_ hash: DocumentHash) -> UTF8Text? {
        byHash[hash].map { operations[$0].text }
    }

    /// Returns true if the manifest has a document with exactly this text.
    package func contains(_ document: UTF8Text) -> Bool {
        guard !byHash.isEmpty else { return false }
        return text(DocumentHash(of: document.string)) == document
    }

    private func conflict(
        between operation: Operation, _ source: String, and other: Int
    ) -> PersistedQueryManifestError {
        let elsewhere = sources[other] == source ? "" : " in \(sources[other])"
        guard UTF8Text(operations[other].id) == UTF8Text(operation.id) else {
            return PersistedQueryManifestError(
                source,
                "the ids \"\(operation.id)\" and \"\(operations[other].id)\"\(elsewhere) have different documents, and one of "
                    + "the ids is the SHA-256 of the other's document; correct the ids")
        }
        return PersistedQueryManifestError(
            source,
            "the id \"\(operation.id)\" stands for another document\(elsewhere) already; remove one of the two, or give it "
                + "another id")
    }
}

/// An error of a manifest.
public struct PersistedQueryManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let source: String
    /// A message that says what is wrong and what to do.
    public let message: String

    init(_ source: String, _ message: String) {
        self.source = source
        self.message = message
    }

    /// The file and the message, on one line.
    public var description: String { "\(source): \(message)" }
}
