internal import NIOCore

/// Fills the holes of a response: calls the resolvers that answer later, in an order that lets each batch resolver be called
/// once for its place in the plan, and everything else as early as possible.
///
/// A batch or a subtree is resolved as soon as no hole is left above its place, as only those can lead to more objects there.
final class HoleScheduler {
    /// All segments; the first is the response's root.
    private(set) var segments: [Segment] = []
    private(set) var errors: [FieldError] = []
    private let operation: OperationContext
    /// How many holes are not yet filled, by the number of their place.
    private var outstanding: [Int32: Int] = [:]
    /// Holes of batches and subtrees that are not yet resolved, by the number of their place.
    private var groups: [Int32: Group] = [:]
    /// Which groups wait for a place's holes, by the number of that place.
    private var blocked: [Int32: [Int32]] = [:]
    private var unsettled: [Int32] = []
    private var readySubtrees: [ObjectIdentifier: Int] = [:]
    private var jobs: [Job] = []
    private var nextJob = 0
    /// Whether any value became null because of a hole in it, so that holes can be dead.
    private var hasNulls = false

    private struct Group {
        let field: PlannedField
        var holes: [HoleReference] = []
    }

    private struct Job {
        let resolver: PendingWork.Resolver
        var holes: [HoleReference]
    }

    init(_ operation: OperationContext) { self.operation = operation }

    // MARK: - Segments

    /// Adds a segment and what it leaves to do.
    func add(_ segment: consuming Segment) {
        errors += segment.errors
        segment.errors = []
        if segment.pieces.contains(where: \.isNull) { hasNulls = true }
        segments.append(segment)
        enqueueHoles(of: segments.count - 1, from: 0)
    }

    /// Takes the root segment out, to write on in it.
    func takeRoot() -> Segment {
        let root = segments[0]
        segments[0].buffer = ByteBuffer()
        return root
    }

    /// Puts the root segment back, with what was written since.
    func putBackRoot(_ segment: consuming Segment, holesBefore: Int) {
        errors += segment.errors
        segment.errors = []
        segments[0] = segment
        enqueueHoles(of: 0, from: holesBefore)
    }

    /// Whether the whole of a piece is null.
    func isNull(segment: Int, piece: Int) -> Bool { segments[segment].pieces[piece].isNull }

    /// The records of `@defer` and `@stream` that are still wanted; they are taken out.
    func takeDeferred() -> [DeferredRecord] {
        var records: [DeferredRecord] = []
        for index in segments.indices where !segments[index].deferred.isEmpty {
            records += segments[index].deferred.filter {
                !hasNulls || !isDead(segment: index, region: $0.region, piece: $0.piece)
            }
            segments[index].deferred = []
        }
        return records
    }

    /// The errors in the order of the response, whatever the order in which they came.
    var orderedErrors: [FieldError] {
        guard errors.count > 1 else { return errors }
        let placed = errors.enumerated().map { (offset: $0, place: $1.path?.order ?? [], error: $1) }
        return placed.sorted { left, right in
            if left.place == right.place { return left.offset < right.offset }
            return left.place.lexicographicallyPrecedes(right.place)
        }.map(\.error)
    }

    // MARK: - Holes

    private func enqueueHoles(of segment: Int, from first: Int) {
        for hole in first..<max(first, segments[segment].holes.count) {
            let field = segments[segment].holes[hole].field
            let reference = HoleReference(segment: segment, hole: hole)
            if hasNulls, isDead(reference) { continue }
            guard case .asynchronous(let resolver) = field.resolution else { continue }
            outstanding[field.planPosition.id, default: 0] += 1
            switch resolver {
            case .async(let resolve): jobs.append(Job(resolver: .async(resolve), holes: [reference]))
            case .sync, .events: jobs.append(Job(resolver: .unsupported, holes: [reference]))
            case .batch, .subtree:
                if groups[field.planPosition.id] == nil {
                    groups[field.planPosition.id] = Group(field: field)
                    unsettled.append(field.planPosition.id)
                }
                groups[field.planPosition.id]?.holes.append(reference)
            }
        }
    }

    /// Makes jobs of the groups that nothing can be added to any more.
    private func settle() {
        guard !unsettled.isEmpty else { return }
        let places = unsettled
        unsettled = []
        for place in places {
            guard let group = groups[place] else { continue }
            var above = group.field.planPosition.parent
            var blocker: Int32?
            while let current = above {
                if outstanding[current.id] != nil { blocker = current.id }
                above = current.parent
            }
            if let blocker {
                blocked[blocker, default: []].append(place)
            } else {
                groups[place] = nil
                enqueue(group)
            }
        }
        readySubtrees = [:]
    }

    private func enqueue(_ group: Group) {
        guard case .asynchronous(let resolver) = group.field.resolution else { return }
        switch resolver {
        case .batch(let resolve): jobs.append(Job(resolver: .batch(resolve), holes: group.holes))
        case .subtree(let resolver):
            if let job = readySubtrees[ObjectIdentifier(resolver)] {
                jobs[job].holes += group.holes
            } else {
                readySubtrees[ObjectIdentifier(resolver)] = jobs.count
                jobs.append(Job(resolver: .subtree(resolver), holes: group.holes))
            }
        default: break
        }
    }

    private func finished(_ field: PlannedField, _ count: Int = 1) {
        let id = field.planPosition.id
        let left = (outstanding[id] ?? 0) - count
        if left > 0 {
            outstanding[id] = left
        } else {
            outstanding[id] = nil
            if let waiting = blocked.removeValue(forKey: id) { unsettled += waiting }
        }
    }

    // MARK: - Null propagation

    /// Whether a value around it became null.
    private func isDead(_ reference: HoleReference) -> Bool {
        let hole = segments[reference.segment].holes[reference.hole]
        return isDead(segment: reference.segment, region: hole.region, piece: hole.piece)
    }

    private func isDead(segment: Int, region: Int, piece: Int) -> Bool {
        var (segment, region, piece) = (segment, region, piece)
        while true {
            while region >= 0 {
                if segments[segment].regions[region].isNull { return true }
                region = segments[segment].regions[region].parent
            }
            let current = segments[segment].pieces[piece]
            if current.isNull { return true }
            guard let owner = current.owner else { return false }
            let hole = segments[owner.segment].holes[owner.hole]
            (segment, region, piece) = (owner.segment, hole.region, hole.piece)
        }
    }

    /// A hole's value is null where null is not allowed: the innermost nullable value around it becomes null.
    private func propagateNull(from reference: HoleReference) {
        hasNulls = true
        var reference = reference
        while true {
            let hole = segments[reference.segment].holes[reference.hole]
            if hole.region >= 0 {
                segments[reference.segment].regions[hole.region].isNull = true
                return
            }
            segments[reference.segment].pieces[hole.piece].isNull = true
            guard let owner = segments[reference.segment].pieces[hole.piece].owner else { return }
            reference = owner
        }
    }

    // MARK: - Running

    /// Fills all holes.
    /// - Throws: `CancellationError` if the task is cancelled.
    func run() async throws(CancellationError) {
        while true {
            settle()
            guard nextJob < jobs.count else { break }
            if jobs.count - nextJob == 1 {
                guard let work = nextWork() else { continue }
                let output = handOver(work)
                integrate(await work.perform(operation, output: output?.buffer ?? ByteBuffer()), work, output?.rest)
            } else {
                await runConcurrently()
            }
            if Task.isCancelled { throw CancellationError() }
        }
        // Lists end early when the task is cancelled, so nothing that was written then may be used.
        if Task.isCancelled { throw CancellationError() }
        jobs = []
        nextJob = 0
    }

    private func runConcurrently() async {
        let operation = operation
        await withTaskGroup(of: (PendingWork, [Segment]).self) { group in
            var running = 0
            while true {
                settle()
                while running < operation.schema.options.maximumConcurrentResolvers, !Task.isCancelled,
                    let work = nextWork()
                {
                    running += 1
                    group.addTask { (work, await work.perform(operation)) }
                }
                guard running > 0, let (work, segments) = await group.next() else { return }
                running -= 1
                integrate(segments, work, nil)
            }
        }
    }

    /// The next job whose holes are still wanted.
    private func nextWork() -> PendingWork? {
        while nextJob < jobs.count {
            let job = jobs[nextJob]
            nextJob += 1
            let wanted = hasNulls ? job.holes.filter { !isDead($0) } : job.holes
            if wanted.count < job.holes.count {
                for reference in job.holes where isDead(reference) {
                    finished(segments[reference.segment].holes[reference.hole].field)
                }
                settle()
            }
            if wanted.isEmpty { continue }
            if nextJob == jobs.count {
                jobs = []
                nextJob = 0
            }
            return PendingWork(
                resolver: job.resolver, holes: wanted.map { segments[$0.segment].holes[$0.hole] }, owners: wanted)
        }
        return nil
    }

    /// The response around its one hole.
    private struct Handover {
        let head: [UInt8]
        let tail: [UInt8]
        static let longestHead = 4_096
    }

    /// Takes the response itself to be written on, if the work is the one hole in it.
    private func handOver(_ work: PendingWork) -> (buffer: ByteBuffer, rest: Handover)? {
        guard case .subtree = work.resolver, work.holes.count == 1, segments.count == 1, segments[0].holes.count == 1,
            work.holes[0].offset <= Handover.longestHead
        else { return nil }
        var buffer = segments[0].buffer
        segments[0].buffer = ByteBuffer()
        let offset = work.holes[0].offset
        let rest = Handover(
            head: buffer.getBytes(at: 0, length: offset) ?? [],
            tail: buffer.getBytes(at: offset, length: buffer.writerIndex - offset) ?? [])
        buffer.moveWriterIndex(to: offset)
        return (buffer, rest)
    }

    /// The response with a subtree appended, or as it was before if that is null.
    private func takeBack(_ result: consuming Segment, _ rest: Handover) {
        let start = result.pieces[0].start
        guard start == rest.head.count, start > 0 else {
            segments[0].buffer = ByteBuffer(bytes: rest.head)
            segments[0].buffer.writeBytes(rest.tail)
            return integrate(result)
        }
        errors += result.errors
        let inserted = result.pieces[0].end - start
        segments[0].buffer = result.buffer
        segments[0].buffer.writeBytes(rest.tail)
        segments[0].holes = []
        for index in segments[0].pieces.indices {
            segments[0].pieces[index].holes = 0..<0
            segments[0].pieces[index].end += inserted
        }
        for index in segments[0].regions.indices { segments[0].regions[index].end += inserted }
    }

    private func integrate(_ results: consuming [Segment], _ work: PendingWork, _ rest: Handover?) {
        if let rest {
            takeBack(results[0], rest)
        } else {
            for result in results { integrate(result) }
        }
        for hole in work.holes { finished(hole.field) }
    }

    private func integrate(_ result: consuming Segment) {
        let index = segments.count
        let isWanted = !hasNulls || result.pieces.contains { piece in piece.owner.map { !isDead($0) } ?? true }
        guard isWanted else { return }
        errors += result.errors
        result.errors = []
        let pieces = result.pieces
        segments.append(result)
        for (place, piece) in pieces.enumerated() {
            guard let owner = piece.owner else { continue }
            if piece.isNull {
                propagateNull(from: owner)
            } else {
                segments[owner.segment].holes[owner.hole].filling = .piece(segment: index, piece: place)
            }
        }
        enqueueHoles(of: index, from: 0)
    }
}
