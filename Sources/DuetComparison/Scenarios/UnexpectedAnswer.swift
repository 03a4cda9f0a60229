/// The error for a response that does not match the scenario.
struct UnexpectedAnswer: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
