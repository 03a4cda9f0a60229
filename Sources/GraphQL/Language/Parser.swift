/// Reads documents (specification, section 2): a recursive descent over UTF-8 bytes that is bounded by ``ParserLimits`` and
/// stops at the first error.
public struct Parser {
    var lexer: Lexer
    var token = Token(kind: .startOfFile, start: 0, end: 0)
    /// Where the token before ``token`` ends.
    var lastEnd: UInt32 = 0
    let limits: ParserLimits
    private var tokens = 0
    private var depth = 0
    private var failure: (message: String, offset: Int)?
    /// The long names read last, so that a name that stands in a document often is one string. A place is overwritten by the
    /// next name that comes to it, so a lookup never takes long.
    private var internedNames: [(start: UInt32, count: UInt32, value: String)] = []

    private init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ParserLimits) {
        lexer = Lexer(bytes)
        self.limits = limits
    }

    /// Reads a document.
    /// - Throws: a syntax error with the one place it is at.
    public static func parse(_ source: Source, limits: ParserLimits = .request) throws(GraphQLError) -> Document {
        let definitions = try run(source, limits) { (parser) throws(ParsingStopped) in try parser.definitions() }
        return Document(source: source, definitions: definitions)
    }

    /// Reads a document.
    /// - Throws: a syntax error with the one place it is at.
    public static func parse(_ text: String, limits: ParserLimits = .request) throws(GraphQLError) -> Document {
        try parse(Source(text), limits: limits)
    }

    /// Reads one value, and nothing else.
    /// - Parameter isConstant: whether a variable in it is an error.
    /// - Throws: a syntax error with the one place it is at.
    public static func parseValue(
        _ source: Source, isConstant: Bool = false, limits: ParserLimits = .request
    ) throws(GraphQLError) -> Literal {
        try run(source, limits) { (parser) throws(ParsingStopped) in
            let value = try parser.value(isConstant: isConstant)
            try parser.expect(.endOfFile)
            return value
        }
    }

    /// Reads one type, such as `[Int!]!`, and nothing else.
    /// - Throws: a syntax error with the one place it is at.
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
            if let offset = UTF8Validation.firstInvalidByte(in: bytes) {
                failure = ("Invalid character: byte \(bytes[offset]) is not UTF-8.", offset)
                return nil
            }
            var parser = Parser(bytes, limits: limits)
            do {
                try parser.advance()
                return try body(&parser)
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
        if token.kind != .endOfFile {
            tokens += 1
            if tokens > limits.tokens {
                throw fail("Document contains more that \(limits.tokens) tokens. Parsing aborted.", at: token.start)
            }
        }
    }

    mutating func expect(_ kind: Token.Kind) throws(ParsingStopped) {
        guard try skip(kind) else {
            throw fail("Expected \(kind.description), found \(describe(token)).", at: token.start)
        }
    }

    /// Steps over a token of that kind, if there is one.
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

    /// Goes one level deeper; ``leave()`` comes back.
    mutating func enter() throws(ParsingStopped) {
        depth += 1
        if depth > limits.depth { throw fail("Document is nested too deeply. Parsing aborted.", at: token.start) }
    }

    mutating func leave() { depth -= 1 }

    func range(from start: UInt32) -> SourceRange { SourceRange(start: start, end: lastEnd) }

    /// The token for a message: its kind, and its value if it has one.
    func describe(_ token: Token) -> String {
        let value: String
        switch token.kind {
        case .name, .int, .float: value = text(of: token)
        case .string, .blockString: value = lexer.value(of: token)
        default: return token.kind.description
        }
        // A message need not repeat a megabyte.
        let shown = value.utf8.count <= 1_000 ? value : String(value.unicodeScalars.prefix(1_000)) + "…"
        return "\(token.kind.text) \"\(shown)\""
    }

    func text(of token: Token) -> String {
        String(decoding: lexer.bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
    }
}

// MARK: - Names

extension Parser {
    mutating func name() throws(ParsingStopped) -> Name {
        guard token.kind == .name else {
            throw fail("Expected Name, found \(describe(token)).", at: token.start)
        }
        let name = Name(nameText(), start: token.start)
        try advance()
        return name
    }

    /// The text of a name token.
    mutating func nameText() -> String {
        let count = token.end - token.start
        // A string of up to 15 bytes needs no memory of its own.
        guard count > 15, count < 256 else { return text(of: token) }
        let bytes = UnsafeBufferPointer(rebasing: lexer.bytes[Int(token.start)..<Int(token.end)])
        var hash = UInt32(count)
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let place = Int(hash >> 16 & 63)
        if internedNames.isEmpty { internedNames = Array(repeating: (0, 0, ""), count: 64) }
        let known = internedNames[place]
        if known.count == count,
            lexer.bytes[Int(known.start)..<Int(known.start + known.count)].elementsEqual(bytes)
        {
            return known.value
        }
        let value = String(decoding: bytes, as: UTF8.self)
        internedNames[place] = (token.start, count, value)
        return value
    }
}
