internal import NIOCore

/// Joins the parts of a response: it copies a value and inserts the values of its incomplete fields.
struct ResponseAssembler {
    let parts: [ResponsePart]
    private(set) var output: ByteBuffer

    init(_ parts: [ResponsePart], into output: ByteBuffer) {
        self.parts = parts
        self.output = output
    }

    /// Appends a value with the values of its incomplete fields.
    mutating func append(_ reference: SerializedValueReference) {
        let value = parts[reference.part].values[reference.value]
        guard !value.isNull else {
            output.writeStaticString("null")
            return
        }
        if value.incompleteFields.isEmpty { return copy(reference.part, value.start..<value.end) }
        let part = parts[reference.part]
        var offset = value.start
        var fieldIndex = value.incompleteFields.lowerBound
        var positionIndex = value.nullablePositions.lowerBound
        while true {
            // Skip the content of a nullable position that became null.
            while positionIndex < value.nullablePositions.upperBound,
                !part.nullablePositions[positionIndex].isNull || part.nullablePositions[positionIndex].start < offset
            {
                positionIndex += 1
            }
            while fieldIndex < value.incompleteFields.upperBound, part.incompleteFields[fieldIndex].offset < offset {
                fieldIndex += 1
            }
            let nextNull =
                positionIndex < value.nullablePositions.upperBound
                ? part.nullablePositions[positionIndex].start : Int.max
            let nextField =
                fieldIndex < value.incompleteFields.upperBound ? part.incompleteFields[fieldIndex].offset : Int.max
            if nextNull == Int.max, nextField == Int.max { break }
            copy(reference.part, offset..<min(nextNull, nextField))
            if nextNull <= nextField {
                output.writeStaticString("null")
                offset = part.nullablePositions[positionIndex].end
                positionIndex += 1
            } else {
                offset = nextField
                if let completion = part.incompleteFields[fieldIndex].completion {
                    append(completion)
                } else {
                    output.writeStaticString("null")
                }
                fieldIndex += 1
            }
        }
        copy(reference.part, offset..<max(offset, value.end))
    }

    private mutating func copy(_ part: Int, _ range: Range<Int>) {
        parts[part].buffer.withUnsafeReadableBytes { bytes in
            _ = output.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }
}
