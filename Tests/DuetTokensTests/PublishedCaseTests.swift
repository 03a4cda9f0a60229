import DuetJSON
import DuetTokens
import Foundation
import Testing

/// Cases of Wycheproof, in a file with one JSON object per line. The environment variable `DUET_JOSE` contains the path
/// of its folder. By default, the folder is `../shared/data/jose`. Without the file, the test is skipped.
@Suite("Published cases of signatures and keys")
struct PublishedCaseTests {
    private static let folder: URL =
        if let path = ProcessInfo.processInfo.environment["DUET_JOSE"] {
            URL(fileURLWithPath: path)
        } else {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("../shared/data/jose")
        }

    static let file = folder.appendingPathComponent("jws.jsonl").standardizedFileURL

    /// True if the test runs: the file exists, or `DUET_JOSE` is set. If the variable is set and the file is missing,
    /// the test fails.
    static let isEnabled =
        ProcessInfo.processInfo.environment["DUET_JOSE"] != nil || FileManager.default.fileExists(atPath: file.path)

    /// The cases whose result contradicts a specification, with the reason. They are refused.
    private static let contradictions = [
        // The key has `"alg": "PS256"`, the token PS384. RFC 7517 §4.4: the key is for PS256. Other cases of the
        // collection require that a key for PS512 refuses PS384.
        "json_web_signature_test.json 346",
        // The payload has a question mark, which is not in the alphabet, and which the signature does not cover
        // (RFC 7515 §5.2, step 2).
        "json_web_signature_test.json 373",
    ]

    @Test(
        "Each case is answered as the collection says",
        .enabled(if: isEnabled, "needs the cases in ../shared/data/jose"))
    func cases() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        var count = 0
        for line in text.split(separator: "\n") {
            let value = try JSONValue(parsing: line.utf8)
            guard case .string(let token)? = value["jws"], case .string(let result)? = value["result"],
                case .string(let file)? = value["file"], let id = value["id"]?.integerValue,
                let keys = value["keys"]
            else {
                Issue.record("a case lacks a member: \(line.prefix(100))")
                continue
            }
            let name = "\(file) \(id)"
            let isValid = result == "valid" && !Self.contradictions.contains(name)
            #expect(Self.isValid(token, keys) == isValid, "\(name): \(value["comment"] ?? .null)")
            count += 1
        }
        #expect(count > 200)
    }

    /// Returns true if a signature is valid. The payloads of the cases are not claims.
    private static func isValid(_ token: String, _ keys: JSONValue) -> Bool {
        guard let keys = try? JSONWebKeySet(reading: keys.compactBytes),
            let token = try? CompactJWS(reading: Array(token.utf8))
        else { return false }
        return (try? keys.checkSignature(of: token)) != nil
    }
}
