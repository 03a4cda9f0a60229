import Foundation
import ProcessTesting

/// A GraphQL document and its hash, as clients of automatic persisted queries send them.
struct PersistedQuery: Sendable {
    /// The document. It must not contain characters that need escaping in JSON.
    let text: String
    /// The SHA-256 hash in 64 hexadecimal digits.
    let hash: String

    init(_ text: String, in folder: URL) async throws {
        let result = try await Program.shell("printf %s \"$TEXT\" | sha256sum", in: folder, environment: ["TEXT": text])
        guard result.status == 0 else { throw Transcript.Missing(phrase: "a hash", text: result.errors) }
        self.text = text
        hash = String(result.output.prefix(64))
    }

    private var extensions: String { #"{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"# }

    /// The target of a GET request with the hash and without the text.
    var target: String {
        let encoded = extensions.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? extensions
        return "/graphql?extensions=\(encoded)"
    }

    /// Returns the body of a POST request: the hash and the text, which registers the query, or only the hash.
    /// - Parameter variables: A JSON object.
    func body(withText: Bool, variables: String = "{}") -> String {
        let member = withText ? "\"query\":\"\(text)\"," : ""
        return "{\(member)\"variables\":\(variables),\"extensions\":\(extensions)}"
    }
}
