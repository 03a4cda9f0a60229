/// The error for a response that differs from the one that a scenario expects.
struct UnexpectedAnswer: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
