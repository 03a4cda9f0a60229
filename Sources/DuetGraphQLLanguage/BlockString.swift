/// Decodes and prints block strings (specification, section 2.10.4). All functions take linear time.
package enum BlockString {
    /// Returns the value of a block string (BlockStringValue), from the text between the triple quotes.
    static func value(of raw: Slice<UnsafeBufferPointer<UInt8>>, hasEscapes: Bool) -> String {
        let lines = lines(of: raw)
        var commonIndent = Int.max
        var firstLine: Int?
        var lastLine = -1
        for (index, line) in lines.enumerated() {
            let indent = raw[line].prefix { $0 == 0x20 || $0 == 0x09 }.count
            if indent == line.count { continue }
            if firstLine == nil { firstLine = index }
            lastLine = index
            if index != 0 { commonIndent = min(commonIndent, indent) }
        }
        guard let firstLine else { return "" }
        var value: [UInt8] = []
        value.reserveCapacity(raw.count)
        for index in firstLine...lastLine {
            if index != firstLine { value.append(0x0A) }
            let line = lines[index]
            append(raw[line].dropFirst(index == 0 ? 0 : min(commonIndent, line.count)), to: &value, hasEscapes)
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func lines(of raw: Slice<UnsafeBufferPointer<UInt8>>) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = raw.startIndex
        var position = start
        while position < raw.endIndex {
            let byte = raw[position]
            position += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            lines.append(start..<(position - 1))
            if byte == 0x0D, position < raw.endIndex, raw[position] == 0x0A { position += 1 }
            start = position
        }
        lines.append(start..<raw.endIndex)
        return lines
    }

    /// Appends a line, with `\"""` replaced by `"""`.
    private static func append(
        _ line: Slice<UnsafeBufferPointer<UInt8>>, to value: inout [UInt8], _ hasEscapes: Bool
    ) {
        guard hasEscapes else { return value.append(contentsOf: line) }
        let quote = UInt8(ascii: "\"")
        var position = line.startIndex
        while position < line.endIndex {
            if line[position] == UInt8(ascii: "\\"), position + 3 < line.endIndex, line[position + 1] == quote,
                line[position + 2] == quote, line[position + 3] == quote
            {
                value.append(contentsOf: [quote, quote, quote])
                position += 4
            } else {
                value.append(line[position])
                position += 1
            }
        }
    }

    /// Returns true if a value can be printed as a block string: parsing the block string must return the same value.
    package static func canPrint(_ value: String) -> Bool {
        if value.isEmpty { return true }
        var isEmptyLine = true
        var hasIndent = false
        var hasCommonIndent = true
        var isFirstLine = true
        for byte in value.utf8 {
            switch byte {
            case 0x00...0x08, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F: return false
            case 0x0A:
                if isEmptyLine, isFirstLine { return false }
                isFirstLine = false
                isEmptyLine = true
                hasIndent = false
            case 0x09, 0x20: hasIndent = hasIndent || isEmptyLine
            default:
                hasCommonIndent = hasCommonIndent && hasIndent
                isEmptyLine = false
            }
        }
        if isEmptyLine { return false }
        return !hasCommonIndent || isFirstLine
    }

    /// Returns a value as a block string. The triple quotes are on separate lines if this is easier to read and
    /// `minimized` is false.
    package static func literal(_ value: String, minimized: Bool = false) -> String {
        var isSingleLine = true
        // The parser ignores the indentation of the text directly after the opening quotes. If all other lines are
        // empty or indented, a newline must precede the first line, so that the parser does not remove the common
        // indentation.
        var needsLeadingNewline = true
        var escaped: [UInt8] = []
        escaped.reserveCapacity(value.utf8.count)
        var quotes = 0
        var isLineStart = false
        for byte in value.utf8 {
            if isLineStart, byte != 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { needsLeadingNewline = false }
            isLineStart = byte == 0x0A || byte == 0x0D
            if isLineStart { isSingleLine = false }
            escaped.append(byte)
            quotes = byte == UInt8(ascii: "\"") ? quotes + 1 : 0
            if quotes == 3 {
                escaped.insert(UInt8(ascii: "\\"), at: escaped.count - 3)
                quotes = 0
            }
        }
        needsLeadingNewline = needsLeadingNewline && !isSingleLine
        let endsInTripleQuotes = escaped.suffix(4).elementsEqual(#"\""""#.utf8)
        let needsTrailingNewline =
            value.utf8.last == UInt8(ascii: "\"") && !endsInTripleQuotes || value.utf8.last == UInt8(ascii: "\\")
        let isSpread =
            !minimized
            && (!isSingleLine || value.utf16.count > 70 || needsTrailingNewline || endsInTripleQuotes)
        let startsWithSpace = value.utf8.first == 0x20 || value.utf8.first == 0x09
        var result = "\"\"\""
        if isSpread && !(isSingleLine && startsWithSpace) || needsLeadingNewline { result += "\n" }
        result += String(decoding: escaped, as: UTF8.self)
        if isSpread || needsTrailingNewline { result += "\n" }
        return result + "\"\"\""
    }
}
