import Foundation

/// Sends requests with curl.
enum Curl {
    /// Returns the head and the body of the response.
    /// - Throws: An error if curl fails, or if the status is not a success status.
    static func send(_ url: String, json: String? = nil, fields: [String] = []) throws -> String {
        try run(
            [url] + fields.flatMap { ["--header", $0] }
                + (json.map { ["--header", "Content-Type: application/json", "--data-binary", $0] } ?? []))
    }

    /// Sends a file as the body of a POST. curl streams it.
    static func send(_ url: String, file: URL, mediaType: String) throws -> String {
        try run([url, "--request", "POST", "--upload-file", file.path, "--header", "Content-Type: \(mediaType)"])
    }

    /// Returns the entity tag of the response from an address.
    static func entityTag(_ url: String) throws -> String {
        guard let tag = try send(url).firstMatch(of: /(?i)etag: *(".*?")/)?.1 else {
            throw Duet.Failure(description: "\(url) has no entity tag")
        }
        return String(tag)
    }

    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["curl", "--silent", "--show-error", "--fail", "--include"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Duet.Failure(description: "curl failed: \(arguments.joined(separator: " ")): \(output)")
        }
        return output
    }
}
