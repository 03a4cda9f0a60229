import Foundation
import Testing

/// What a shell writes that is given commands with curl.
func output(of commands: String) throws -> String {
    // The progress of curl belongs to people; a failed request is a failure.
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
