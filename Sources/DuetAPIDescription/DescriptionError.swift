/// The errors in a description of an API.
public struct DescriptionError: Error, Sendable, CustomStringConvertible {
    /// An error and its location.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The name of the file.
        public var file: String
        /// The line, starting from 1; nil if the error has no location, for example in an empty file.
        public var line: Int?
        /// The column, starting from 1; nil if the error has no location.
        public var column: Int?
        /// The message, which includes advice.
        public var message: String

        /// `api.yaml:12:7: …`
        public var description: String {
            let place = [file] + [line, column].compactMap { $0.map(String.init) }
            return "\(place.joined(separator: ":")): \(message)"
        }
    }

    /// The errors in the order of their locations. There is at least one error.
    public let findings: [Finding]

    /// The errors, one per line.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
}
