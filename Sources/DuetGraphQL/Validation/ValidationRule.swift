/// A validation rule: each is a static property, in a file of its own.
public struct ValidationRule: Sendable {
    /// The rule's name in the reference implementation, such as `KnownDirectivesRule`.
    public let name: String
    /// Adds what the rule does in one walk; its state lives in the functions it adds.
    let register: @Sendable (inout DocumentVisitor, ValidationContext) -> Void

    /// A rule of that name.
    public init(_ name: String, register: @escaping @Sendable (inout DocumentVisitor, ValidationContext) -> Void) {
        self.name = name
        self.register = register
    }
}
