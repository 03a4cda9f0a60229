import Foundation
import ProcessTesting

/// A GraphQL document and its hash, as clients of automatic persisted queries send them.
struct PersistedQuery: Sendable {
    /// Without characters that would have to be escaped in JSON.
    let text: String
    /// SHA-256 in 64 hexadecimal digits.
    let hash: String

    init(_ text: String, in folder: URL) async throws {
        let result = try await Program.shell("printf %s \"$TEXT\" | sha256sum", in: folder, environment: ["TEXT": text])
        guard result.status == 0 else { throw Transcript.Missing(phrase: "a hash", text: result.errors) }
        self.text = text
        hash = String(result.output.prefix(64))
    }

    private var extensions: String { #"{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"# }

    /// For GET, without the text.
    var target: String {
        let encoded = extensions.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? extensions
        return "/graphql?extensions=\(encoded)"
    }

    /// For POST: hash and text, which registers, or the hash alone.
    /// - Parameter variables: a JSON object.
    func body(withText: Bool, variables: String = "{}") -> String {
        let member = withText ? "\"query\":\"\(text)\"," : ""
        return "{\(member)\"variables\":\(variables),\"extensions\":\(extensions)}"
    }
}
