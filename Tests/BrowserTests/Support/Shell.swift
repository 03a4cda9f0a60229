import Foundation
import Testing

/// Returns the output of a shell that runs commands with curl.
func output(of commands: String) throws -> String {
    // The progress output of curl is suppressed. A failed request is an error.
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
