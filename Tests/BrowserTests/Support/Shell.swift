import Foundation
import Testing

/// Runs shell commands and returns their output.
func output(of commands: String) throws -> String {
    // curl shows no progress, and fails if the status of a response is an error.
    let stream = try #require(popen("curl() { command curl --silent --show-error --fail \"$@\"; }\n\(commands)", "r"))
    var bytes: [UInt8] = []
    while true {
        let byte = getc(stream)
        guard byte != EOF else { break }
        bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    #expect(pclose(stream) == 0)
    return String(decoding: bytes, as: UTF8.self)
}
