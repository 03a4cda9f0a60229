internal import NIOCore

/// A stretch of the response, with holes where fields answer later. The response's root is one; the values of the fields that
/// filled holes together are another.
struct Segment: Sendable {
    var buffer: ByteBuffer
    var holes: [Hole] = []
    var regions: [Region] = []
    /// The values in it: one for the root, or one for each hole it fills.
    var pieces: [Piece] = []
    var deferred: [DeferredRecord] = []
    var errors: [FieldError] = []
}

/// A field whose value comes later.
struct Hole: Sendable {
    /// Where in its segment the value belongs.
    let offset: Int
    let field: PlannedField
    let source: any Sendable
    let path: ResponsePath
    /// The innermost nullable value around it, in its segment; -1 if there is none.
    let region: Int
    /// The segment's piece that it is in.
    let piece: Int
    var filling: Filling = .open
}

/// What became of a hole.
enum Filling: Sendable {
    case open
    case null
    /// A piece of another segment.
    case piece(segment: Int, piece: Int)
}

/// A nullable value with holes in it. If one of them cannot be null and is, this becomes null.
struct Region: Sendable {
    let start: Int
    var end: Int
    /// The nullable value around it, in the same segment; -1 if there is none.
    let parent: Int
    let piece: Int
    var isNull = false
}

/// A whole value in a segment.
struct Piece: Sendable {
    let start: Int
    var end: Int
    /// The holes and regions in it.
    var holes: Range<Int>
    var regions: Range<Int>
    /// Whether it is null where null is not allowed, so that something around it becomes null.
    var isNull = false
    /// The hole it fills; nil for the root.
    var owner: HoleReference?
}

/// A hole's place among all segments.
struct HoleReference: Sendable {
    let segment: Int
    let hole: Int
}

/// Fields of an object, or items of a list, that are answered after the response's first part.
struct DeferredRecord: Sendable {
    enum Work: Sendable {
        /// The fields of `@defer` for one object.
        case fields(DeferredFieldSet, source: any Sendable)
        /// The rest of a list with `@stream`, from that index on.
        case items(RemainingItems, index: Int, field: PlannedField, item: PlannedOutput)
    }

    let work: Work
    let path: ResponsePath?
    let region: Int
    let piece: Int
}

/// An error and the field it is about. The path is spelt out when the response is written.
struct FieldError: Sendable {
    var error: GraphQLError
    let path: ResponsePath?

    /// As the response shows it.
    var located: GraphQLError {
        guard error.path == nil, let path else { return error }
        var located = error
        located.path = path.elements
        return located
    }
}

/// The items of a list that are not written yet. One task at a time asks for them.
final class RemainingItems: @unchecked Sendable {
    private let nextItem: () throws -> ResolvedValue?
    /// An item that was asked for already.
    private var first: ResolvedValue?

    init(first: ResolvedValue, _ next: @escaping () throws -> ResolvedValue?) {
        self.first = first
        nextItem = next
    }

    func next() throws -> ResolvedValue? {
        if let item = first {
            first = nil
            return item
        }
        return try nextItem()
    }
}
