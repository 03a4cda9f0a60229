internal import NIOCore

extension PreparedOperation {
    /// Fills the only hole of a response, if a subtree resolver is to do that: so it is with every request for one field of a service
    /// whose root fields take their subtrees over. The scheduler would come to the same, with more to keep account of.
    /// - Returns: the errors; nil, and nothing is done, if there is anything else to do.
    func fillOnlyHole(of root: inout Segment, _ operation: OperationContext) async -> [FieldError]? {
        guard root.holes.count == 1, root.holes[0].region < 0, root.deferred.isEmpty,
            case .later(.subtree(let resolver)) = root.holes[0].field.resolution
        else { return nil }
        let hole = root.holes[0]
        let tail = root.buffer.getBytes(at: hole.offset, length: root.buffer.writerIndex - hole.offset) ?? []
        root.buffer.moveWriterIndex(to: hole.offset)
        let head = root.buffer
        root.buffer = ByteBuffer()
        var filled = await PendingWork.resolveSubtree(
            hole, owner: HoleReference(segment: 0, hole: 0), resolver, operation, head)
        root.holes = []
        root.pieces[0].holes = 0..<0
        if filled.pieces[0].isNull {
            root.pieces[0].isNull = true
            root.buffer = head
        } else if filled.pieces[0].start == hole.offset, hole.offset > 0 {
            root.buffer = filled.buffer
        } else {
            root.buffer = head
            root.buffer.writeBuffer(&filled.buffer)
        }
        root.buffer.writeBytes(tail)
        root.pieces[0].end = root.buffer.writerIndex
        return root.errors + filled.errors
    }
}
