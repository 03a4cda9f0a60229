/// The contexts of the fields that a ``FieldExecutor`` has executed. It makes one for each field, whatever the number of objects.
struct FieldContextTable {
    /// The contexts by the ID of the field's plan position, minus ``firstID``; a field's lookup is an array access.
    private var contexts: ContiguousArray<Unmanaged<FieldContext>?> = []
    private var firstID = 0
    /// The contexts of fields whose IDs are far from ``firstID``.
    private var distantContexts: [Int: Unmanaged<FieldContext>] = [:]
    /// All contexts, which the other properties refer to without counting references.
    private var owned: [FieldContext] = []

    private static let maximumDistance = 256

    /// The context of a field; nil if the coercion of its arguments failed.
    @inline(__always)
    mutating func context(of field: PlannedField, _ operation: OperationContext) -> Unmanaged<FieldContext>? {
        let index = Int(field.planPosition.id) - firstID
        if index >= 0, index < contexts.count, let context = contexts[index] { return context }
        return makeContext(of: field, operation)
    }

    @inline(never)
    private mutating func makeContext(
        of field: PlannedField, _ operation: OperationContext
    ) -> Unmanaged<FieldContext>? {
        let id = Int(field.planPosition.id)
        if let context = distantContexts[id] { return context }
        guard let context = try? FieldContext(field, operation) else { return nil }
        let reference = Unmanaged.passUnretained(context)
        owned.append(context)
        if contexts.isEmpty { firstID = id }
        let index = id - firstID
        if index >= 0, index < Self.maximumDistance {
            while contexts.count <= index { contexts.append(nil) }
            contexts[index] = reference
        } else {
            distantContexts[id] = reference
        }
        return reference
    }
}
