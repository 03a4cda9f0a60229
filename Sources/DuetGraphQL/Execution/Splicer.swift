internal import NIOCore

/// Puts the segments of a response together, each where its hole is.
struct Splicer {
    let segments: [Segment]
    private(set) var output: ByteBuffer

    init(_ segments: [Segment], into output: ByteBuffer) {
        self.segments = segments
        self.output = output
    }

    /// Appends a piece of a segment, its holes filled.
    mutating func append(segment index: Int, piece: Int) {
        let piece = segments[index].pieces[piece]
        guard !piece.isNull else {
            output.writeStaticString("null")
            return
        }
        if piece.holes.isEmpty { return copy(index, piece.start..<piece.end) }
        let segment = segments[index]
        var position = piece.start
        var hole = piece.holes.lowerBound
        var region = piece.regions.lowerBound
        while true {
            while region < piece.regions.upperBound,
                !segment.regions[region].isNull || segment.regions[region].start < position
            {
                region += 1
            }
            while hole < piece.holes.upperBound, segment.holes[hole].offset < position { hole += 1 }
            let nextRegion = region < piece.regions.upperBound ? segment.regions[region].start : Int.max
            let nextHole = hole < piece.holes.upperBound ? segment.holes[hole].offset : Int.max
            if nextRegion == Int.max, nextHole == Int.max { break }
            copy(index, position..<min(nextRegion, nextHole))
            if nextRegion <= nextHole {
                output.writeStaticString("null")
                position = segment.regions[region].end
                region += 1
            } else {
                position = nextHole
                if case .piece(let filler, let piece) = segment.holes[hole].filling {
                    append(segment: filler, piece: piece)
                } else {
                    output.writeStaticString("null")
                }
                hole += 1
            }
        }
        copy(index, position..<max(position, piece.end))
    }

    private mutating func copy(_ segment: Int, _ range: Range<Int>) {
        segments[segment].buffer.withUnsafeReadableBytes { bytes in
            _ = output.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }
}
