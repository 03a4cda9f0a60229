/// The name of one element of a schema, such as `Query.employee(id:)` (specification, section 2.14).
public enum SchemaCoordinate: Sendable, Hashable {
    /// `Type`.
    case type(String)
    /// `Type.member`: a field, an input field or an enum value.
    case member(type: String, name: String)
    /// `Type.field(argument:)`.
    case argument(type: String, field: String, name: String)
    /// `@directive`.
    case directive(String)
    /// `@directive(argument:)`.
    case directiveArgument(directive: String, name: String)

    /// Parses a coordinate. Unlike a document, a coordinate contains no white space.
    /// - Throws: A syntax error with its location.
    public init(parsing text: String) throws(GraphQLError) {
        var reader = CoordinateReader(text)
        if try reader.skip(UInt8(ascii: "@")) {
            let directive = try reader.name()
            if let argument = try reader.argument() {
                self = .directiveArgument(directive: directive, name: argument)
            } else {
                self = .directive(directive)
            }
        } else {
            let type = try reader.name()
            if try reader.skip(UInt8(ascii: ".")) {
                let member = try reader.name()
                if let argument = try reader.argument() {
                    self = .argument(type: type, field: member, name: argument)
                } else {
                    self = .member(type: type, name: member)
                }
            } else {
                self = .type(type)
            }
        }
        guard reader.isAtEnd else { throw reader.expected("<EOF>") }
    }
}

extension SchemaCoordinate: CustomStringConvertible {
    /// The coordinate in its written form.
    public var description: String {
        switch self {
        case .type(let name): name
        case .member(let type, let name): "\(type).\(name)"
        case .argument(let type, let field, let name): "\(type).\(field)(\(name):)"
        case .directive(let name): "@\(name)"
        case .directiveArgument(let directive, let name): "@\(directive)(\(name):)"
        }
    }
}

private struct CoordinateReader {
    let source: Source
    var position = 0

    init(_ text: String) { source = Source(text, name: "Schema coordinate") }

    var isAtEnd: Bool { position == source.bytes.count }

    mutating func skip(_ byte: UInt8) throws(GraphQLError) -> Bool {
        try checkCharacter()
        guard !isAtEnd, source.bytes[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func expect(_ byte: UInt8) throws(GraphQLError) {
        guard try skip(byte) else { throw expected("\"\(Character(Unicode.Scalar(byte)))\"") }
    }

    mutating func name() throws(GraphQLError) -> String {
        try checkCharacter()
        guard !isAtEnd, Lexer.isNameStart(source.bytes[position]) else {
            if !isAtEnd, Lexer.isDigit(source.bytes[position]) { throw invalidCharacter() }
            throw expected("Name")
        }
        let start = position
        while !isAtEnd, Lexer.isNameContinue(source.bytes[position]) { position += 1 }
        return String(decoding: source.bytes[start..<position], as: UTF8.self)
    }

    /// Reads `(name:)`, if present.
    mutating func argument() throws(GraphQLError) -> String? {
        guard try skip(UInt8(ascii: "(")) else { return nil }
        let name = try name()
        try expect(UInt8(ascii: ":"))
        try expect(UInt8(ascii: ")"))
        return name
    }

    func expected(_ what: String) -> GraphQLError {
        var found = "<EOF>"
        if !isAtEnd {
            let rest = source.bytes[position...]
            let name = rest.prefix(while: Lexer.isNameContinue)
            found =
                name.isEmpty
                ? "\"\(String(decoding: rest.prefix(1), as: UTF8.self))\""
                : "Name \"\(String(decoding: name.prefix(200), as: UTF8.self))\""
        }
        return .syntax("Expected \(what), found \(found).", at: source.location(at: position))
    }

    /// Throws an error if the current character cannot occur in a coordinate.
    private func checkCharacter() throws(GraphQLError) {
        guard !isAtEnd else { return }
        let byte = source.bytes[position]
        if Lexer.isNameContinue(byte) || [0x28, 0x29, 0x2E, 0x3A, 0x40].contains(byte) { return }
        throw invalidCharacter()
    }

    private func invalidCharacter() -> GraphQLError {
        let character = source.bytes.withUnsafeBufferPointer { Lexer($0).describe(at: position) }
        return .syntax("Invalid character: \(character).", at: source.location(at: position))
    }
}
