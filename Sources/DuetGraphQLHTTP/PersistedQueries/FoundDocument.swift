internal import DuetJSON

/// The document of a request.
struct FoundDocument: Sendable {
    /// The text of a document.
    enum Text: Sendable {
        /// The text of a request.
        case plain(String)
        /// The text of a stored document, whose hash is already computed.
        case hashed(UTF8Text)
    }

    let text: Text
    /// Registers the document. Call the function before the execution, if the document is valid and contains the
    /// requested operation. Afterwards, requests can refer to the document by its hash. The function is nil if the
    /// document must not be registered.
    let register: (@Sendable () async -> Void)?

    init(_ text: String, register: (@Sendable () async -> Void)? = nil) {
        self.text = .plain(text)
        self.register = register
    }

    init(_ text: UTF8Text) {
        self.text = .hashed(text)
        register = nil
    }
}
