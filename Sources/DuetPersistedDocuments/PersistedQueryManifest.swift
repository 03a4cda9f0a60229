public import DuetJSON

/// Documents that an operator gives the server before its first request, each under an identifier that the client's team has
/// chosen: mostly the SHA-256 of the text, but it may be any string.
public struct PersistedQueryManifest: Sendable {
    /// An operation of a manifest.
    public struct Operation: Sendable, Hashable {
        /// What a client sends in place of the document.
        public let id: String
        /// The text, with the fragments that the operation needs.
        public let document: UTF8Text
        /// The operation's name, where the manifest says one.
        public let name: String?
        /// `query`, `mutation` or `subscription`, where the manifest says it.
        public let type: String?

        /// An operation.
        public init(id: String, document: UTF8Text, name: String? = nil, type: String? = nil) {
            self.id = id
            self.document = document
            self.name = name
            self.type = type
        }
    }

    /// The operations in the order they were given.
    public private(set) var operations: [Operation] = []
    /// Where each of them was given, for messages: a file.
    public private(set) var sources: [String] = []
    private var byID: [UTF8Text: Int] = [:]
    private var byHash: [DocumentHash: Int] = [:]

    /// A manifest without operations.
    public init() {}

    /// Adds an operation. One that is there already, under the same identifier, may be given again.
    /// - Parameter source: the file it is from, for messages.
    /// - Throws: ``PersistedQueryManifestError`` for an identifier or a document without a character, and for an identifier that
    ///   stands for another document already.
    public mutating func add(_ operation: Operation, from source: String) throws(PersistedQueryManifestError) {
        guard !operation.id.isEmpty else {
            throw PersistedQueryManifestError(source, "an operation has the empty string for an id; give it another")
        }
        guard operation.document.string.utf8.contains(where: { $0 > 0x20 }) else {
            throw PersistedQueryManifestError(source, "the document of the id \"\(operation.id)\" is empty")
        }
        // Under the hash of its text; and, if the identifier could be one, as that.
        let hashes = [DocumentHash(of: operation.document.string), DocumentHash(hexadecimal: operation.id)]
            .compactMap(\.self)
        let id = UTF8Text(operation.id)
        for other in [byID[id]] + hashes.map({ byHash[$0] }) {
            guard let other, operations[other].document != operation.document else { continue }
            throw conflict(between: operation, source, and: other)
        }
        guard byID[id] == nil else { return }
        byID[id] = operations.count
        for hash in hashes where byHash[hash] == nil { byHash[hash] = operations.count }
        operations.append(operation)
        sources.append(source)
    }

    /// The document of an identifier.
    public func document(named id: String) -> UTF8Text? {
        byID[UTF8Text(id)].map { operations[$0].document }
    }

    /// The document of a hash: whose text has it, or whose identifier it is.
    public func document(_ hash: DocumentHash) -> UTF8Text? {
        byHash[hash].map { operations[$0].document }
    }

    /// Whether exactly this document is one of the manifest.
    public func contains(_ document: UTF8Text) -> Bool {
        guard !byHash.isEmpty else { return false }
        return self.document(DocumentHash(of: document.string)) == document
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

/// Why a manifest cannot be used.
public struct PersistedQueryManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let source: String
    /// What is wrong with it, and what to do.
    public let message: String

    init(_ source: String, _ message: String) {
        self.source = source
        self.message = message
    }

    /// The file and what is wrong with it, on one line.
    public var description: String { "\(source): \(message)" }
}
