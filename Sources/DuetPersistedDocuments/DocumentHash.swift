#if Crypto
    internal import Crypto
#else
    #error("Enable the trait \"Client\" of the package duet for DuetClient, or \"Crypto\" for other libraries.")
#endif

/// The SHA-256 hash (FIPS 180-4) of a document's text in UTF-8. A client can send the hash instead of the document.
public struct DocumentHash: Sendable, Hashable {
    // An array of 32 bytes would need reference counting at each lookup.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Creates a hash from 64 hexadecimal digits in lower case. Returns nil for any other text.
    ///
    /// Clients send lower case. If digits in upper case were also valid, the response to a query would have several
    /// cache keys.
    public init?(hexadecimal: String) {
        var text = hexadecimal
        let words = text.withUTF8 { digits -> (UInt64, UInt64, UInt64, UInt64)? in
            guard digits.count == 64, let first = Self.word(digits[0..<16]), let second = Self.word(digits[16..<32]),
                let third = Self.word(digits[32..<48]), let fourth = Self.word(digits[48..<64])
            else { return nil }
            return (first, second, third, fourth)
        }
        guard let words else { return nil }
        self.words = words
    }

    /// Creates the hash of a document's text.
    public init(of document: String) {
        var document = document
        let digest = document.withUTF8 { SHA256.hash(data: UnsafeRawBufferPointer($0)) }
        words = digest.withUnsafeBytes { bytes in
            func word(_ index: Int) -> UInt64 {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
            return (word(0), word(1), word(2), word(3))
        }
    }

    /// The 32 bytes of the hash, for a column of a database.
    package var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    /// Creates a hash from 32 bytes. Returns nil for another number of bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        func word(_ index: Int) -> UInt64 { bytes[(index * 8)..<(index * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
        words = (word(0), word(1), word(2), word(3))
    }

    private static func word(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        var word: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return word
    }

    /// Returns true if both hashes have the same bytes.
    public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    /// Hashes all 256 bits, because a client can send many hashes that have most bits in common.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension DocumentHash: CustomStringConvertible {
    /// 64 hexadecimal digits in lower case.
    public var description: String {
        [words.0, words.1, words.2, words.3].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

extension DocumentHash: Comparable {
    /// Compares the bytes. Transactions that lock rows in this order do not cause deadlocks.
    public static func < (left: Self, right: Self) -> Bool { left.words < right.words }
}
