internal import DuetJSON

extension Source {
    /// Returns the text without white space, comments and commas, except for necessary separators. The result parses to
    /// the same document.
    /// - Throws: A syntax error if the text contains an invalid token.
    public func strippingIgnoredCharacters() throws(GraphQLError) -> String {
        var failure = ("", 0)
        let stripped = bytes.withUnsafeBufferPointer { bytes -> String? in
            if let invalid = Source.invalidByte(in: bytes) {
                failure = invalid
                return nil
            }
            var lexer = Lexer(bytes)
            do {
                return try Self.stripped(&lexer)
            } catch {
                failure = lexer.failure ?? failure
                return nil
            }
        }
        guard let stripped else { throw .syntax(failure.0, at: location(at: failure.1)) }
        return stripped
    }

    private static func stripped(_ lexer: inout Lexer) throws(ParsingStopped) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(lexer.bytes.count)
        var needsSpace = false
        while true {
            let token = try lexer.next()
            if token.kind == .endOfFile { return String(decoding: text, as: UTF8.self) }
            // Without a space, `1...` would be an invalid number.
            if needsSpace, !token.kind.isPunctuator || token.kind == .spread { text.append(0x20) }
            needsSpace = !token.kind.isPunctuator
            if token.kind == .blockString {
                text.append(contentsOf: BlockString.literal(lexer.value(of: token), minimized: true).utf8)
            } else {
                text.append(contentsOf: lexer.bytes[Int(token.start)..<Int(token.end)])
            }
        }
    }
}
