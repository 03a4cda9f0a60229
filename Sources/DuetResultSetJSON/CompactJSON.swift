import DuetJSON

/// Writes JSON texts that are stored in the database to a response.
enum CompactJSON {
    /// The maximum depth of nested arrays and objects.
    private static let maximumDepth = 512

    /// Writes a JSON text without insignificant white space, so that the output has no line breaks.
    /// - Parameter target: Memory whose size is at least the size of the text.
    /// - Returns: The number of written bytes; nil if the text is not valid JSON.
    static func write(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int? {
        guard isJSON(Array(bytes)) || isJSON(withSmallNumbers(bytes)) else { return nil }
        var output = target
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                continue
            }
            output.storeBytes(of: byte, as: UInt8.self)
            output += 1
        }
        return output - target
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONTape(parsing: bytes, maximumDepth: maximumDepth)) != nil
    }

    /// Returns the text with long numbers truncated. Databases accept numbers that are too large for a 64-bit
    /// floating-point number, but the JSON parser rejects them. The result is used only to validate the text.
    private static func withSmallNumbers(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var small: [UInt8] = []
        var isInString = false
        var isEscaped = false
        var isExponent = false
        var digits = 0
        for byte in bytes {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                isInString = byte == UInt8(ascii: "\"")
                if (0x30...0x39).contains(byte) {
                    digits += 1
                    if digits > (isExponent ? 2 : 15) { continue }
                } else {
                    let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                    isExponent = byte | 0x20 == UInt8(ascii: "e") || isExponent && isSign
                    digits = 0
                }
            }
            small.append(byte)
        }
        return small
    }
}
