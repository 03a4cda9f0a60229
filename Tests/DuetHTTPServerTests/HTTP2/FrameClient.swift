import NIOCore
import NIOHPACK

/// A client of HTTP/2 that sends any frames, and reads the frames of the server (RFC 9113, section 4.1).
struct FrameClient {
    /// A received frame.
    struct Frame: CustomStringConvertible {
        let type: UInt8
        let flags: UInt8
        let stream: UInt32
        let content: ByteBuffer
        /// The fields of HEADERS.
        var fields: HPACKHeaders = [:]

        var endsStream: Bool { (type == FrameType.data || type == FrameType.headers) && flags & 1 == 1 }

        /// The code of RST_STREAM or GOAWAY.
        var code: UInt32? {
            switch type {
            case FrameType.reset: content.getInteger(at: content.readerIndex)
            case FrameType.goAway: content.getInteger(at: content.readerIndex + 4)
            default: nil
            }
        }

        var description: String {
            switch type {
            case FrameType.data: "\(stream) \"\(String(buffer: content))\"\(endsStream ? " end" : "")"
            case FrameType.headers: "\(stream) \(fields[":status"].joined())\(endsStream ? " end" : "")"
            case FrameType.reset: "\(stream) reset(\(code ?? 0))"
            case FrameType.goAway: "goAway(\(code ?? 0))"
            case FrameType.ping: "ping"
            default: "\(stream) frame(\(type))"
            }
        }
    }

    /// The types of frames (section 6).
    enum FrameType {
        static let data: UInt8 = 0, headers: UInt8 = 1, reset: UInt8 = 3, settings: UInt8 = 4, ping: UInt8 = 6
        static let goAway: UInt8 = 7, windowUpdate: UInt8 = 8, continuation: UInt8 = 9
    }

    static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    private var pipe: any BytePipe
    private var received = ByteBuffer()
    /// The frames that have been read while another stream was awaited.
    private var kept: [Frame] = []
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    /// The number of bytes that the server accepts for each stream, and for the connection (stream 0).
    private var windows: [UInt32: Int] = [0: 65_535]
    private var initialWindow = 65_535
    private var hasSettings = false

    /// Connects to a server by a socket.
    /// - Parameters:
    ///   - preface: The first bytes; an empty text for a client that is not one of HTTP/2.
    ///   - settings: The settings of the client.
    static func with<Value>(
        _ address: SocketAddress, preface: String = Self.preface, settings: [(UInt16, UInt32)] = [],
        _ body: (inout FrameClient) async throws -> Value
    ) async throws -> Value {
        try await SocketPipe.with(address) { pipe in
            var client = FrameClient(pipe)
            if !preface.isEmpty { try await client.begin(settings) }
            return try await body(&client)
        }
    }

    init(_ pipe: any BytePipe) { self.pipe = pipe }

    /// Sends the preface and the settings, and waits for those of the server.
    mutating func begin(_ settings: [(UInt16, UInt32)] = []) async throws {
        var first = ByteBuffer(string: Self.preface)
        var content = ByteBuffer()
        for (name, value) in settings {
            content.writeInteger(name)
            content.writeInteger(value)
        }
        first.writeImmutableBuffer(Self.frame(FrameType.settings, content: content))
        try await self.send(first)
        while !self.hasSettings {
            while !self.hasSettings, let frame = try self.nextFrame() { _ = try await self.handle(frame) }
            if !self.hasSettings { guard try await self.readMore() else { return } }
        }
    }

    // MARK: Frames

    static func frame(
        _ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, content: ByteBuffer = ByteBuffer()
    ) -> ByteBuffer {
        var frame = ByteBuffer()
        let length = UInt32(content.readableBytes)
        frame.writeInteger(UInt8(length >> 16))
        frame.writeInteger(UInt16(truncatingIfNeeded: length))
        frame.writeInteger(type)
        frame.writeInteger(flags)
        frame.writeInteger(stream)
        frame.writeImmutableBuffer(content)
        return frame
    }

    /// Encodes fields without compression (RFC 7541, section 6.2.2).
    static func block(_ fields: [(String, String)]) -> ByteBuffer {
        func write(_ text: String, to block: inout ByteBuffer) {
            var rest = text.utf8.count
            if rest < 127 {
                block.writeInteger(UInt8(rest))
            } else {
                block.writeInteger(UInt8(127))
                rest -= 127
                while rest >= 128 {
                    block.writeInteger(UInt8(rest % 128 + 128))
                    rest /= 128
                }
                block.writeInteger(UInt8(rest))
            }
            block.writeString(text)
        }
        var block = ByteBuffer()
        for (name, value) in fields {
            block.writeInteger(UInt8(0))
            write(name, to: &block)
            write(value, to: &block)
        }
        return block
    }

    /// The usual pseudo-header fields.
    static func request(_ path: String, method: String = "GET") -> [(String, String)] {
        [(":method", method), (":scheme", "http"), (":path", path), (":authority", "a")]
    }

    /// Returns the frames of the head of a request: HEADERS, and CONTINUATION for each further 16 KiB.
    static func head(_ fields: [(String, String)], stream: UInt32, endsStream: Bool = true) -> ByteBuffer {
        var block = Self.block(fields)
        var frames = ByteBuffer()
        var type = FrameType.headers
        repeat {
            let piece = block.readSlice(length: min(16_384, block.readableBytes)) ?? ByteBuffer()
            let flags: UInt8 = (block.readableBytes == 0 ? 4 : 0) | (type == FrameType.headers && endsStream ? 1 : 0)
            frames.writeImmutableBuffer(Self.frame(type, flags: flags, stream: stream, content: piece))
            type = FrameType.continuation
        } while block.readableBytes > 0
        return frames
    }

    // MARK: Requests

    func send(_ bytes: ByteBuffer) async throws { try await self.pipe.write(bytes) }

    /// Sends a request without a body, or the head of one with a body.
    func send(
        _ stream: UInt32, _ method: String = "GET", _ path: String, fields: [(String, String)] = [],
        endsStream: Bool = true
    ) async throws {
        try await self.send(
            Self.head(Self.request(path, method: method) + fields, stream: stream, endsStream: endsStream))
    }

    func send(_ stream: UInt32, body: String, endsStream: Bool) async throws {
        try await self.send(
            Self.frame(FrameType.data, flags: endsStream ? 1 : 0, stream: stream, content: ByteBuffer(string: body)))
    }

    /// Permits the server to send more.
    func openWindow(_ stream: UInt32, by count: UInt32) async throws {
        try await self.send(
            Self.frame(FrameType.windowUpdate, stream: stream, content: ByteBuffer(integer: count)))
    }

    /// Permits the server to send everything.
    func openWindows(_ stream: UInt32) async throws {
        for stream in [0, stream] { try await self.openWindow(stream, by: 1 << 30) }
    }

    func reset(_ stream: UInt32) async throws {
        try await self.send(Self.frame(FrameType.reset, stream: stream, content: ByteBuffer(integer: UInt32(8))))
    }

    func closeOutput() async throws { try await self.pipe.closeOutput() }

    // MARK: Responses

    /// Reads the next frame, except SETTINGS, WINDOW_UPDATE and PING. It answers pings.
    /// - Returns: nil at the end of the connection.
    mutating func frame() async throws -> Frame? {
        if !self.kept.isEmpty { return self.kept.removeFirst() }
        return try await self.newFrame()
    }

    private mutating func newFrame() async throws -> Frame? {
        while true {
            while let frame = try self.nextFrame() {
                if try await !self.handle(frame) { return frame }
            }
            guard try await self.readMore() else { return nil }
        }
    }

    /// Handles SETTINGS, WINDOW_UPDATE and PING. Returns false for other frames.
    private mutating func handle(_ frame: Frame) async throws -> Bool {
        var content = frame.content
        switch frame.type {
        case FrameType.settings:
            guard frame.flags & 1 == 0 else { break }
            while let (name, value) = content.readMultipleIntegers(as: (UInt16, UInt32).self) {
                if name == 4 { self.initialWindow = Int(value) }
            }
            self.hasSettings = true
            try? await self.send(Self.frame(FrameType.settings, flags: 1))
        case FrameType.windowUpdate:
            let increment: UInt32 = content.readInteger() ?? 0
            self.windows[frame.stream, default: self.initialWindow] += Int(increment)
        case FrameType.ping:
            guard frame.flags & 1 == 0 else { break }
            try? await self.send(Self.frame(FrameType.ping, flags: 1, content: content))
        default: return false
        }
        return true
    }

    /// Sends a POST with a body of any length.
    mutating func upload(_ body: String, stream: UInt32, path: String) async throws {
        try await self.send(stream, "POST", path, endsStream: false)
        var rest = ByteBuffer(string: body)
        while rest.readableBytes > 0 {
            let window = min(self.windows[0] ?? 0, self.windows[stream, default: self.initialWindow], 16_384)
            if let piece = rest.readSlice(length: min(window, rest.readableBytes)), piece.readableBytes > 0 {
                self.windows[0, default: 0] -= piece.readableBytes
                self.windows[stream, default: self.initialWindow] -= piece.readableBytes
                let flags: UInt8 = rest.readableBytes == 0 ? 1 : 0
                try await self.send(Self.frame(FrameType.data, flags: flags, stream: stream, content: piece))
            } else {
                while let frame = try self.nextFrame() { _ = try await self.handle(frame) }
                if min(self.windows[0] ?? 0, self.windows[stream, default: self.initialWindow]) <= 0 {
                    guard try await self.readMore() else { return }
                }
            }
        }
    }

    /// Reads all bytes until the end of the connection.
    mutating func text() async throws -> String {
        while try await self.readMore() {}
        return String(buffer: self.received)
    }

    /// Reads frames until the end of the connection, or until the condition holds for a frame.
    mutating func frames(until isLast: (Frame) -> Bool = { _ in false }) async throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try await self.frame() {
            frames.append(frame)
            if isLast(frame) { break }
        }
        return frames
    }

    /// Reads the response of a stream: its status and its body. Frames of other streams are kept for later calls.
    mutating func response(_ stream: UInt32) async throws -> String {
        var frames = self.kept.filter { $0.stream == stream }
        self.kept.removeAll { $0.stream == stream }
        func isLast(_ frame: Frame) -> Bool { frame.endsStream || frame.type == FrameType.reset }
        while !(frames.last.map(isLast) ?? false), let frame = try await self.newFrame() {
            if frame.stream == stream { frames.append(frame) } else { self.kept.append(frame) }
        }
        return Self.text(frames)
    }

    /// Joins the frames of a response: `200 body`, and a reset if there is one.
    static func text(_ frames: [Frame]) -> String {
        let status = frames.flatMap { $0.fields[":status"] }
        let body = frames.filter { $0.type == FrameType.data }.map { String(buffer: $0.content) }.joined()
        let resets = frames.compactMap { $0.type == FrameType.reset ? "reset(\($0.code ?? 0))" : nil }
        return (status + (body.isEmpty ? [] : [body]) + resets).joined(separator: " ")
    }

    private mutating func nextFrame() throws -> Frame? {
        guard let start = self.received.getBytes(at: self.received.readerIndex, length: 9) else { return nil }
        let length = Int(start[0]) << 16 | Int(start[1]) << 8 | Int(start[2])
        guard self.received.readableBytes >= 9 + length else { return nil }
        self.received.moveReaderIndex(forwardBy: 9)
        var content = self.received.readSlice(length: length) ?? ByteBuffer()
        let stream = start[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var frame = Frame(type: start[3], flags: start[4], stream: stream, content: content)
        if frame.type == FrameType.headers { frame.fields = try self.decoder.decodeHeaders(from: &content) }
        return frame
    }

    private mutating func readMore() async throws -> Bool {
        guard let bytes = try await self.pipe.read() else { return false }
        self.received.writeImmutableBuffer(bytes)
        return true
    }
}
