import ArgumentParser
import Foundation

/// The access token of a client command. The command line contains at most the path of a file with the token, because
/// other users of the machine can read the command line of a process.
struct CallerToken: Sendable {
    /// The environment variable with the token.
    static let variable = "DUET_TOKEN"

    /// The token. It is part of requests only, and never of output.
    let text: String
    /// The source of the token, for reports: the option or the variable.
    let source: String

    /// Returns the token in a file, otherwise the token in the environment, otherwise nil.
    /// - Parameter file: The path of a file with the token, from the command line.
    /// - Throws: `ValidationError`, whose message does not contain the path, because the path can be a token that was
    ///   passed by mistake.
    static func read(file: String?) throws -> CallerToken? {
        if let file {
            guard let data = try? Data(contentsOf: URL(filePath: file)) else {
                throw ValidationError(
                    "--token must be the path of a readable file with the token; to pass the token itself, set \(variable)"
                )
            }
            return try CallerToken(String(decoding: data, as: UTF8.self), source: "--token")
        }
        guard let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty else { return nil }
        return try CallerToken(text, source: variable)
    }

    private init(_ text: String, source: String) throws {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        // A token in a header field has visible ASCII characters only. RFC 6750, section 2.1, permits fewer characters.
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("\(source) must contain one token, without the word Bearer and without spaces")
        }
        self.text = token
        self.source = source
    }
}
