/// A validation rule. Each rule is a static property in its own file.
public struct ValidationRule: Sendable {
    /// The rule's name in the reference implementation, such as `KnownDirectivesRule`.
    public let name: String
    /// Registers the functions of the rule for one walk. The functions capture the state of the rule.
    let register: @Sendable (inout DocumentVisitor, ValidationContext) -> Void

    /// Creates a rule with the name.
    public init(_ name: String, register: @escaping @Sendable (inout DocumentVisitor, ValidationContext) -> Void) {
        self.name = name
        self.register = register
    }
}
