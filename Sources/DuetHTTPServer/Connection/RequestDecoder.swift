import DuetHTTPSemantics
import NIOCore
import NIOHTTP1

/// The error for a request target that exceeds the limit.
struct RequestTargetTooLong: Error {}

/// The error for a well-formed request line whose method NIO's parser does not know.
struct UnknownMethod: Error {}

/// An HTTP/1 request decoder that adds more precise errors and more limits to NIO's decoder.
///
/// It distinguishes a request target that is too long (414) from fields that are too long (431). NIO throws
/// `HTTPParserError.headerOverflow` for both. It also distinguishes an unknown method (501) from bytes that are not a
/// request.
///
/// It limits two sizes that NIO does not limit: the bytes of a chunked body that are not content (``ChunkOverhead``),
/// and the white space around a field's value.
///
/// After a request that can switch protocols, NIO's decoder leaves all further bytes in the buffer. When this decoder
/// is removed from the pipeline, they are passed to the next handler.
///
/// NIO leaves the beginning of an unfinished target, field name or field value in the buffer. After a read that ends
/// within such an element, this decoder records which element is at the beginning of the buffer. It needs this
/// information to classify an overflow. Nearly all reads end at the end of a request. After these reads the buffer
/// is empty, so the decoder only checks that no bytes remain.
final class RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    /// The element at the beginning of the buffer.
    private enum Start {
        case line, target, field
    }

    private let decoder: HTTPRequestDecoder
    private let maximumFieldSize: Int
    private let overhead: ChunkOverhead
    private var start = Start.line
    /// The number of bytes in the buffer that the decoder has seen but not consumed.
    private var rest = 0

    /// The maximum number of new bytes that are decoded in one step. ``ChunkOverhead`` does not count the bytes of a
    /// step that contains a head or the end of a body, so this limit bounds the bytes that are not counted.
    private static let pieceSize = 8 * 1024

    /// Creates a decoder.
    /// - Parameter overhead: The counter that the decoder shares with the handler that receives the decoded parts.
    init(limits: RequestLimits, overhead: ChunkOverhead) {
        var configuration = NIOHTTPDecoderLimitConfiguration()
        configuration.maxHeaderFieldSize = limits.maximumFieldSize
        configuration.maxHeaderListSize = limits.maximumHeadSize
        configuration.maxHeaderFieldCount = limits.maximumFieldCount
        self.decoder = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: configuration)
        self.maximumFieldSize = limits.maximumFieldSize
        self.overhead = overhead
    }

    func decoderAdded(context: ChannelHandlerContext) {
        self.decoder.decoderAdded(context: context)
    }

    func decoderRemoved(context: ChannelHandlerContext) {
        self.decoder.decoderRemoved(context: context)
    }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        do {
            while try self.decodePiece(context: context, buffer: &buffer) {}
            return .needMoreData
        } catch HTTPParserError.headerOverflow where self.isTargetTooLong(in: buffer) {
            throw RequestTargetTooLong()
        } catch HTTPParserError.invalidMethod where Self.hasUnknownMethod(buffer) {
            throw UnknownMethod()
        }
    }

    /// Decodes at most ``pieceSize`` new bytes. Nearly all reads are shorter.
    /// - Returns: True if more bytes follow.
    private func decodePiece(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> Bool {
        let begin = buffer.readerIndex
        let length = min(buffer.readableBytes, self.rest + Self.pieceSize)
        let hasMore = length < buffer.readableBytes
        self.overhead.willDecode(length)
        if hasMore {
            var piece = buffer
            piece.moveWriterIndex(to: begin + length)
            _ = try self.decoder.decode(context: context, buffer: &piece)
            buffer.moveReaderIndex(to: piece.readerIndex)
            self.rest = piece.readableBytes
        } else {
            _ = try self.decoder.decode(context: context, buffer: &buffer)
            self.rest = buffer.readableBytes
        }
        if self.rest == 0 {
            self.start = .line
        } else if buffer.readerIndex > begin {
            self.start = Self.start(in: buffer, decodedFrom: begin)
        }
        // NIO's decoder rejects a target, a name or a value that exceeds `maximumFieldSize`. So if the rest exceeds
        // twice this size, it contains white space around a value.
        guard self.rest <= 2 * self.maximumFieldSize else { throw HTTPParserError.headerOverflow }
        try self.overhead.didDecode(rest: self.rest)
        return hasMore
    }

    func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        do {
            return try self.decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
        } catch HTTPParserError.headerOverflow where self.isTargetTooLong(in: buffer) {
            throw RequestTargetTooLong()
        }
    }

    /// Returns true if the first line is a well-formed request line of HTTP/1 (RFC 9112 §3) with an unknown method.
    ///
    /// Only the first line is examined. If the buffer begins with a valid request and the parser stopped at a request
    /// after it, the function returns false.
    private static func hasUnknownMethod(_ buffer: ByteBuffer) -> Bool {
        let line = buffer.readableBytesView.prefix { $0 != .lineFeed }
        let parts = line.split(separator: .space, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(\.isTokenCharacter),
            parts[2].starts(with: "HTTP/1.".utf8),
            case .RAW = HTTPMethod(rawValue: String(decoding: parts[0], as: UTF8.self))
        else { return false }
        return true
    }

    /// Returns the element that begins after the decoded bytes: a target after a method and a space, a field's value
    /// after a colon, or a line after a line feed.
    private static func start(in buffer: ByteBuffer, decodedFrom begin: Int) -> Start {
        var decoded = buffer
        decoded.moveReaderIndex(to: begin)
        let bytes = decoded.readableBytesView.dropLast(buffer.readableBytes)
        guard let line = bytes.split(separator: .lineFeed, omittingEmptySubsequences: false).last, !line.isEmpty
        else { return .line }
        return line.contains(UInt8(ascii: ":")) ? .field : .target
    }

    /// Returns true if the first line that exceeds the limit is a request line.
    private func isTargetTooLong(in buffer: ByteBuffer) -> Bool {
        var start = self.start
        for line in buffer.readableBytesView.split(separator: .lineFeed, omittingEmptySubsequences: false) {
            if line.count > self.maximumFieldSize {
                switch start {
                case .target: return true
                case .field: return false
                case .line: return line.first { $0 == .space || $0 == UInt8(ascii: ":") } == .space
                }
            }
            start = .line
        }
        return false
    }
}
