import Foundation

/// A reader that reads a file byte by byte and counts the lines. Only one chunk of the file is in memory.
struct ByteReader {
    /// The file's name, for messages.
    let file: String
    /// The one-based line number of the next byte.
    private(set) var line = 1

    private let nextChunk: () throws -> [UInt8]
    private var chunk: [UInt8] = []
    private var position = 0
    private var bytesBeforeChunk = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - file: The file's name, for messages.
    ///   - nextChunk: A closure that returns the next bytes, or an empty array at the end.
    init(file: String, nextChunk: @escaping () throws -> [UInt8]) {
        self.file = file
        self.nextChunk = nextChunk
    }

    /// Opens a file.
    /// - Throws: ``LoadError`` with the code `unreadableFile`.
    init(contentsOf url: URL, chunkSize: Int = 256 * 1024) throws(LoadError) {
        let name = url.lastPathComponent
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: url)
        } catch {
            throw LoadError(.unreadableFile, "\(name) cannot be opened", underlying: error)
        }
        self.init(file: name) {
            [UInt8](try handle.read(upToCount: chunkSize) ?? Data())
        }
    }

    /// The number of bytes that have been read.
    var bytesRead: Int { bytesBeforeChunk + position }

    /// Returns the next byte without consuming it; `nil` at the end.
    mutating func peek() throws(LoadError) -> UInt8? {
        if position < chunk.count { return chunk[position] }
        return try refill() ? chunk[position] : nil
    }

    /// Consumes the byte that ``peek()`` returned.
    mutating func advance() {
        if chunk[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    /// Consumes and returns the next byte; `nil` at the end.
    mutating func next() throws(LoadError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        advance()
        return byte
    }

    private mutating func refill() throws(LoadError) -> Bool {
        guard !isAtEnd else { return false }
        bytesBeforeChunk += chunk.count
        position = 0
        do {
            chunk = try nextChunk()
        } catch {
            throw LoadError(
                .unreadableFile, "reading failed", at: .init(file: file, line: line), underlying: error)
        }
        isAtEnd = chunk.isEmpty
        return !isAtEnd
    }
}
