package import DuetJSON

/// The documents that an operator configures before a server starts. Each document has an identifier that the client's
/// team chooses.
///
/// An identifier is any string that is not empty. Most tools use the SHA-256 hash of the text.
public struct PersistedQueryManifest: Sendable {
    /// An operation of a manifest.
    public struct Operation: Sendable, Hashable {
        /// The identifier that a client sends instead of the document.
        public let id: String
        /// The document, which is compared by its bytes.
        package let text: UTF8Text
        /// The operation's name; nil if the manifest does not contain it.
        public let name: String?
        /// `query`, `mutation` or `subscription`; nil if the manifest does not contain the type.
        public let type: String?

        /// The text of the document: the operation with the fragments that it needs.
        public var document: String { text.string }

        /// Creates an operation whose identifier is the SHA-256 hash of its document, in hexadecimal digits.
        /// - Parameters:
        ///   - document: The text of the document: the operation with the fragments that it needs.
        ///   - name: The operation's name.
        ///   - type: `query`, `mutation` or `subscription`.
        public init(document: String, name: String? = nil, type: String? = nil) {
            self.init(id: DocumentHash(of: document).description, document: document, name: name, type: type)
        }

        /// Creates an operation.
        /// - Parameters:
        ///   - id: The identifier that a client sends instead of the document.
        ///   - document: The text of the document: the operation with the fragments that it needs.
        ///   - name: The operation's name.
        ///   - type: `query`, `mutation` or `subscription`.
        public init(id: String, document: String, name: String? = nil, type: String? = nil) {
            self.id = id
            text = UTF8Text(document)
            self.name = name
            self.type = type
        }
    }

    /// The operations in the order of their addition.
    public private(set) var operations: [Operation] = []
    /// The source of each operation, such as a file, for messages.
    public private(set) var sources: [String] = []
    private var byID: [UTF8Text: Int] = [:]
    private var byHash: [DocumentHash: Int] = [:]

    /// Creates a manifest without operations.
    public init() {}

    /// Adds an operation. The operation is ignored if the manifest already contains the same document with the same
    /// identifier.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - source: The file of the operation, for messages.
    /// - Throws: ``PersistedQueryManifestError`` for an empty identifier, for a document that only contains white
    ///   space, and for an identifier that already identifies a different document. The SHA-256 hash of a document's
    ///   text counts as an identifier of the document, so a conflict with this hash is an error, too.
    public mutating func add(_ operation: Operation, from source: String = "manifest")
        throws(PersistedQueryManifestError)
    {
        guard !operation.id.isEmpty else {
            throw PersistedQueryManifestError(source, "the id of an operation is empty; set an id")
        }
        guard operation.document.utf8.contains(where: { $0 > 0x20 }) else {
            throw PersistedQueryManifestError(
                source,
                "the document of the id \"\(operation.id)\" is empty; set the document, or remove the operation")
        }
        // A document is found by the hash of its text. If its identifier consists of 64 hexadecimal digits in lower
        // case, it is also found by this identifier as a hash.
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

    /// Returns the document with an identifier; nil if the identifier is unknown. Identifiers are compared by their
    /// bytes.
    public func document(named id: String) -> String? { text(named: id)?.string }

    /// Returns the document whose text has the hash, or whose identifier is the hash; nil if the hash is unknown.
    public func document(_ hash: DocumentHash) -> String? { text(hash)?.string }

    /// Returns true if the manifest contains a document with exactly this text.
    public func contains(_ document: String) -> Bool { contains(UTF8Text(document)) }

    /// Returns the document with an identifier; nil if the identifier is unknown.
    package func text(named id: String) -> UTF8Text? {
        byID[UTF8Text(id)].map { operations[$0].text }
    }

    /// Returns the document with a hash; nil if the hash is unknown.
    package func text(_ hash: DocumentHash) -> UTF8Text? {
        byHash[hash].map { operations[$0].text }
    }

    /// Returns true if the manifest contains a document with exactly this text.
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
                    + "the ids is the SHA-256 of the other id's document; correct the ids")
        }
        return PersistedQueryManifestError(
            source,
            "the id \"\(operation.id)\" already identifies another document\(elsewhere); remove one of the documents, or "
                + "change its id")
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

    /// The file and the message in one line.
    public var description: String { "\(source): \(message)" }
}
