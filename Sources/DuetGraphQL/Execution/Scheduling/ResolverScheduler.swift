internal import NIOCore

/// Calls the asynchronous resolvers of a response until all fields are complete.
///
/// A resolver of a single object is called as soon as the object exists. A batch or subtree resolver is called once for
/// its ``PlanPosition``, when all fields above this position are complete. Until then, an incomplete field above the
/// position can add objects.
final class ResolverScheduler {
    let operation: OperationContext
    /// All parts of the response. The first part contains `data` or the incremental data.
    var parts: [ResponsePart] = []
    var errors: [ExecutionError] = []
    /// The number of incomplete fields, by the ID of their plan position. A position without incomplete fields has no
    /// entry.
    var incompleteCounts: [Int32: Int] = [:]
    /// The groups without a scheduled call, by the ID of their plan position.
    var groups: [Int32: FieldGroup] = [:]
    /// The groups that are blocked by an incomplete plan position above them, by the ID of that position.
    var blockedGroups: [Int32: [Int32]] = [:]
    /// The IDs of the plan positions of groups that may have become ready.
    var groupsToCheck: [Int32] = []
    /// The index of the scheduled call of each subtree resolver, for groups that become ready at the same time.
    var subtreeCalls: [ObjectIdentifier: Int] = [:]
    var scheduledCalls: [ScheduledCall] = []
    var nextCallIndex = 0
    /// True if null propagated from an incomplete field. In this case, an incomplete field can be nullified: it has no
    /// effect on the response, because an enclosing position is null.
    var hasPropagatedNull = false

    /// Incomplete fields at one plan position. One call resolves them.
    struct FieldGroup {
        let field: PlannedField
        var fields: [IncompleteFieldReference] = []
    }

    struct ScheduledCall {
        let resolver: ResolverCall.Resolver
        var fields: [IncompleteFieldReference]
    }

    init(_ operation: OperationContext) { self.operation = operation }

    // MARK: - Running

    /// Calls resolvers until all fields are complete.
    /// - Throws: `CancellationError` if the task is canceled.
    func run() async throws(CancellationError) {
        while true {
            scheduleReadyGroups()
            guard nextCallIndex < scheduledCalls.count else { break }
            if scheduledCalls.count - nextCallIndex == 1 {
                guard let call = nextCall() else { continue }
                let response = takeResponse(for: call)
                let results = await call.execute(operation, output: response?.buffer ?? ByteBuffer())
                add(results, of: call, response?.surroundings)
            } else {
                await runConcurrently()
            }
            if Task.isCancelled { throw CancellationError() }
        }
        // Cancellation ends lists early, so the bytes must not be used.
        if Task.isCancelled { throw CancellationError() }
        scheduledCalls = []
        nextCallIndex = 0
    }

    private func runConcurrently() async {
        let operation = operation
        await withTaskGroup(of: (ResolverCall, [ResponsePart]).self) { group in
            var running = 0
            while true {
                scheduleReadyGroups()
                while running < max(1, operation.resolvedSchema.options.maximumConcurrentResolvers), !Task.isCancelled,
                    let call = nextCall()
                {
                    running += 1
                    group.addTask { (call, await call.execute(operation)) }
                }
                guard running > 0, let (call, results) = await group.next() else { return }
                running -= 1
                add(results, of: call, nil)
            }
        }
    }

    /// Returns the next scheduled call without its nullified fields; nil if no call is scheduled.
    private func nextCall() -> ResolverCall? {
        while nextCallIndex < scheduledCalls.count {
            let call = scheduledCalls[nextCallIndex]
            nextCallIndex += 1
            let needed = hasPropagatedNull ? call.fields.filter { !isNullified($0) } : call.fields
            if needed.count < call.fields.count {
                for reference in call.fields where isNullified(reference) {
                    decrementIncompleteCount(of: parts[reference.part].incompleteFields[reference.field].field)
                }
                scheduleReadyGroups()
            }
            if needed.isEmpty { continue }
            if nextCallIndex == scheduledCalls.count {
                scheduledCalls = []
                nextCallIndex = 0
            }
            return ResolverCall(
                resolver: call.resolver, fields: needed.map { parts[$0.part].incompleteFields[$0.field] },
                references: needed)
        }
        return nil
    }
}
