internal import DuetJSON

/// A parser for documents (specification, section 2). It reads UTF-8 bytes, applies ``ParserLimits``, and stops at the
/// first error. Nested selection sets, values and types are read without recursion.
public struct Parser: ~Copyable {
    var lexer: Lexer
    var token = Token(kind: .startOfFile, start: 0, end: 0)
    /// The end of the token before ``token``.
    var lastEnd: UInt32 = 0
    let limits: ParserLimits
    /// The number of tokens that the document may still contain.
    private var tokensLeft: Int
    private var depth = 0
    private var failure: (message: String, offset: Int)?
    private var names: NameTable
    /// The storage of the lists of the document, filled after the whole text is read.
    let nodes = DocumentNodes()
    var selections: NodeBuffer<StoredSelection>
    var arguments: NodeBuffer<Argument>
    var directives: NodeBuffer<Directive>
    /// The selections of selection sets that are not closed yet.
    var openSelections = NodeBuffer<StoredSelection>(capacity: 16)

    private init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ParserLimits) {
        // The capacities are estimates for a typical document that is formatted on several lines. The buffers grow if
        // necessary.
        names = NameTable(capacity: min(bytes.count / 50, 500))
        selections = NodeBuffer(capacity: min(bytes.count / 20, 1_000))
        arguments = NodeBuffer(capacity: min(bytes.count / 40, 500))
        directives = NodeBuffer(capacity: min(bytes.count / 100, 200))
        lexer = Lexer(bytes)
        self.limits = limits
        tokensLeft = limits.tokens
    }

    /// Parses a document.
    /// - Throws: A syntax error with its location.
    public static func parse(_ source: Source, limits: ParserLimits = .request) throws(GraphQLError) -> Document {
        let definitions = try run(source, limits) { (parser) throws(ParsingStopped) in try parser.definitions() }
        return Document(source: source, definitions: definitions)
    }

    /// Parses a document.
    /// - Throws: A syntax error with its location.
    public static func parse(_ text: String, limits: ParserLimits = .request) throws(GraphQLError) -> Document {
        try parse(Source(text), limits: limits)
    }

    /// Parses a text that consists of one value.
    /// - Parameters:
    ///   - source: The text.
    ///   - isConstant: True if a variable in the value is an error.
    ///   - limits: The limits of the text.
    /// - Throws: A syntax error with its location.
    public static func parseValue(
        _ source: Source, isConstant: Bool = false, limits: ParserLimits = .request
    ) throws(GraphQLError) -> Literal {
        try run(source, limits) { (parser) throws(ParsingStopped) in
            let value = try parser.value(isConstant: isConstant)
            try parser.expect(.endOfFile)
            return value
        }
    }

    /// Parses a text that consists of one type, such as `[Int!]!`.
    /// - Throws: A syntax error with its location.
    public static func parseType(
        _ source: Source, limits: ParserLimits = .request
    ) throws(GraphQLError) -> TypeReference {
        try run(source, limits) { (parser) throws(ParsingStopped) in
            let type = try parser.typeReference()
            try parser.expect(.endOfFile)
            return type
        }
    }

    private static func run<Result>(
        _ source: Source, _ limits: ParserLimits, _ body: (inout Parser) throws(ParsingStopped) -> Result
    ) throws(GraphQLError) -> Result {
        var failure = ("Unexpected <EOF>.", 0)
        let result = source.bytes.withUnsafeBufferPointer { bytes -> Result? in
            guard bytes.count <= min(limits.sourceBytes, Int(UInt32.max) - 16) else {
                failure = ("Document is larger than \(limits.sourceBytes) bytes. Parsing aborted.", 0)
                return nil
            }
            if let invalid = Source.invalidByte(in: bytes) {
                failure = invalid
                return nil
            }
            var parser = Parser(bytes, limits: limits)
            do {
                try parser.advance()
                let result = try body(&parser)
                parser.fillNodes()
                return result
            } catch {
                failure = parser.failure ?? parser.lexer.failure ?? failure
                return nil
            }
        }
        guard let result else { throw .syntax(failure.0, at: source.location(at: failure.1)) }
        return result
    }
}

// MARK: - Tokens

extension Parser {
    private consuming func fillNodes() {
        let nodes = nodes
        nodes.fill(names: names.names, selections: selections, arguments: arguments, directives: directives)
    }

    mutating func fail(_ message: String, at offset: UInt32) -> ParsingStopped {
        failure = (message, Int(offset))
        return ParsingStopped()
    }

    mutating func unexpected(_ token: Token? = nil) -> ParsingStopped {
        let token = token ?? self.token
        return fail("Unexpected \(describe(token)).", at: token.start)
    }

    mutating func advance() throws(ParsingStopped) {
        lastEnd = token.end
        token = try lexer.next()
        tokensLeft -= 1
        if tokensLeft < 0, token.kind != .endOfFile { throw tooManyTokens() }
    }

    @inline(never)
    private mutating func tooManyTokens() -> ParsingStopped {
        // The misspelling is that of graphql-js.
        fail("Document contains more that \(limits.tokens) tokens. Parsing aborted.", at: token.start)
    }

    @inline(__always)
    mutating func expect(_ kind: Token.Kind) throws(ParsingStopped) {
        guard token.kind == kind else { throw expected(kind) }
        if kind != .endOfFile { try advance() }
    }

    @inline(never)
    private mutating func expected(_ kind: Token.Kind) -> ParsingStopped {
        fail("Expected \(kind.description), found \(describe(token)).", at: token.start)
    }

    /// Skips the token if it has the kind, and returns true if it was skipped.
    @inline(__always)
    mutating func skip(_ kind: Token.Kind) throws(ParsingStopped) -> Bool {
        guard token.kind == kind else { return false }
        if kind != .endOfFile { try advance() }
        return true
    }

    mutating func expect(keyword: StaticString) throws(ParsingStopped) {
        guard try skip(keyword: keyword) else {
            throw fail("Expected \"\(keyword)\", found \(describe(token)).", at: token.start)
        }
    }

    mutating func skip(keyword: StaticString) throws(ParsingStopped) -> Bool {
        guard isKeyword(keyword) else { return false }
        try advance()
        return true
    }

    func isKeyword(_ keyword: StaticString) -> Bool {
        guard token.kind == .name, Int(token.end - token.start) == keyword.utf8CodeUnitCount else { return false }
        for offset in 0..<keyword.utf8CodeUnitCount
        where lexer.bytes[Int(token.start) + offset] != keyword.utf8Start[offset] { return false }
        return true
    }

    /// Enters a nesting level, which ``leave()`` leaves.
    mutating func enter() throws(ParsingStopped) {
        depth += 1
        if depth > limits.depth { throw fail("Document is nested too deeply. Parsing aborted.", at: token.start) }
    }

    mutating func leave() { depth -= 1 }

    func range(from start: UInt32) -> SourceRange { SourceRange(start: start, end: lastEnd) }

    /// Returns the token as text for a message: its kind, and its value if it has one.
    func describe(_ token: Token) -> String {
        let value: String
        switch token.kind {
        case .name, .int, .float: value = text(of: token)
        case .string, .blockString: value = lexer.value(of: token)
        default: return token.kind.description
        }
        // A long value is truncated in the message.
        let shown = value.utf8.count <= 1_000 ? value : String(value.unicodeScalars.prefix(1_000)) + "…"
        return "\(token.kind.text) \"\(shown)\""
    }

    func text(of token: Token) -> String {
        String(decoding: lexer.bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
    }
}

// MARK: - Names

extension Parser {
    @inline(__always)
    mutating func storedName() throws(ParsingStopped) -> StoredSelection.StoredName {
        guard token.kind == .name else { throw expected(.name) }
        let name = StoredSelection.StoredName(number: nameNumber(), start: token.start)
        try advance()
        return name
    }

    mutating func name() throws(ParsingStopped) -> Name {
        let name = try storedName()
        return Name(names.names[Int(name.number)], start: name.start)
    }

    /// Returns the text of a name token.
    mutating func nameText() -> String { names.names[Int(nameNumber())] }

    @inline(__always)
    private mutating func nameNumber() -> UInt32 {
        names.number(in: lexer.bytes, at: Int(token.start), count: Int(token.end - token.start))
    }
}

/// The limits of a parser. Regardless of the limits, parsing takes time and memory in proportion to the size of the
/// text.
public struct ParserLimits: Sendable, Hashable {
    /// The maximum size of a source, in bytes.
    public var sourceBytes: Int
    /// The maximum number of tokens of a document. Comments and commas are not tokens.
    public var tokens: Int
    /// The maximum combined nesting depth of selection sets, list and object values, and list types. Code that walks a
    /// document can recurse to this depth. For the default, a stack of 512 KiB is sufficient.
    public var depth: Int

    /// Creates limits for documents that clients send.
    public init(sourceBytes: Int = 2 << 20, tokens: Int = 100_000, depth: Int = 200) {
        self.sourceBytes = sourceBytes
        self.tokens = tokens
        self.depth = depth
    }

    /// Limits for executable documents: 2 MiB, 100,000 tokens, 200 levels.
    public static let request = ParserLimits()
    /// Limits for type-system documents that a service defines, not a client: 64 MiB, ten million tokens, 200 levels.
    public static let schema = ParserLimits(sourceBytes: 64 << 20, tokens: 10_000_000)
}
