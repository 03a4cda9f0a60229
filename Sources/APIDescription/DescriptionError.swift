/// The mistakes in a description of an API.
public struct DescriptionError: Error, Sendable, CustomStringConvertible {
    /// A mistake, and its place.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The name of the file.
        public var file: String
        /// The line, from 1; nil if the file cannot be read at all.
        public var line: Int?
        /// The column, from 1.
        public var column: Int?
        /// The sentence, which says what to do.
        public var message: String

        /// `api.yaml:12:7: …`
        public var description: String {
            let place = [file] + [line, column].compactMap { $0.map(String.init) }
            return "\(place.joined(separator: ":")): \(message)"
        }
    }

    /// The mistakes in the order of their places, at least one.
    public let findings: [Finding]

    /// A line for each mistake.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
}
