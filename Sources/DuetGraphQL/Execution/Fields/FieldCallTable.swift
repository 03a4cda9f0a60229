/// A table with the ``FieldCall`` of each field that a ``FieldExecutor`` executes. The same call is used for all
/// objects.
struct FieldCallTable {
    /// The calls. The index is the ID of the field's plan position minus ``firstID``, so a lookup is an array access.
    private var calls: ContiguousArray<Unmanaged<FieldCall>?> = []
    private var firstID = 0
    /// The calls of fields whose IDs are far from ``firstID``.
    private var distantContexts: [Int: Unmanaged<FieldCall>] = [:]
    /// All calls. This array retains them, and the other properties refer to them without reference counting.
    private var owned: [FieldCall] = []

    private static let maximumDistance = 256

    /// Returns the call of a field; nil if the coercion of its arguments failed.
    @inline(__always)
    mutating func call(of field: PlannedField, _ operation: OperationContext) -> Unmanaged<FieldCall>? {
        let index = Int(field.planPosition.id) - firstID
        if index >= 0, index < calls.count, let call = calls[index] { return call }
        return makeCall(of: field, operation)
    }

    @inline(never)
    private mutating func makeCall(
        of field: PlannedField, _ operation: OperationContext
    ) -> Unmanaged<FieldCall>? {
        let id = Int(field.planPosition.id)
        if let call = distantContexts[id] { return call }
        guard let call = try? FieldCall(field, operation) else { return nil }
        let reference = Unmanaged.passUnretained(call)
        owned.append(call)
        if calls.isEmpty { firstID = id }
        let index = id - firstID
        if index >= 0, index < Self.maximumDistance {
            while calls.count <= index { calls.append(nil) }
            calls[index] = reference
        } else {
            distantContexts[id] = reference
        }
        return reference
    }
}
