/// The last object type that ResolveAbstractType returned. It is cached, because the objects of a list often have the
/// same type.
struct LastAbstractType {
    let abstract: AbstractSelection
    let selection: PlannedSelection
    /// The Swift type of the source; nil if values of this Swift type can have different object types.
    let sourceType: ObjectIdentifier?
}

extension FieldExecutor {
    /// Writes the object of a field or list item whose type is an object type.
    @inline(never)
    mutating func completeObject(_ value: ResolvedValue, _ selection: PlannedSelection) -> Bool {
        if case .object(let source) = value {
            if let test = operation.resolvedSchema.typeTest(of: selection.type), !test(source) {
                return failObject(value, selection.type.name)
            }
            return executeCollectedFields(of: selection, source)
        }
        guard let source = source(of: value) else { return failObject(value, selection.type.name) }
        return completeObject(.object(source), selection)
    }

    /// Writes the object of a field or list item whose type is an interface or a union.
    @inline(never)
    mutating func completeAbstract(
        _ value: ResolvedValue, _ abstract: AbstractSelection, _ field: PlannedField
    ) -> Bool {
        guard let source = source(of: value) else { return failObject(value, abstract.type.name) }
        guard let selection = selection(from: abstract, source, value, field) else { return false }
        return executeCollectedFields(of: selection, source)
    }

    /// Determines the object type of a source (ResolveAbstractType), and returns the selected fields of this type; nil
    /// after an error. The source is the Swift value of the object.
    private mutating func selection(
        from abstract: AbstractSelection, _ source: any Sendable, _ value: ResolvedValue, _ field: PlannedField
    ) -> PlannedSelection? {
        do {
            let sourceType = ObjectIdentifier(Swift.type(of: source))
            if let last = lastAbstractType, last.abstract === abstract, last.sourceType == sourceType {
                return last.selection
            }
            let type = try operation.resolvedSchema.objectType(of: source, as: abstract.type, field: field, operation)
            let selection: PlannedSelection
            if let last = lastAbstractType, last.abstract === abstract, last.selection.type === type {
                selection = last.selection
            } else {
                selection = try abstract.selection(for: type)
            }
            lastAbstractType = LastAbstractType(
                abstract: abstract, selection: selection,
                sourceType: operation.resolvedSchema.isBound(sourceType, to: type, as: abstract.type) ? sourceType : nil
            )
            if let test = operation.resolvedSchema.typeTest(of: type), !test(source) {
                throw Self.notAnObject(value, type.name)
            }
            return selection
        } catch {
            addError(error)
            return nil
        }
    }

    private func source(of value: ResolvedValue) -> (any Sendable)? {
        switch value {
        case .object(let source): source
        case .value(.object(let fields)): fields
        default: nil
        }
    }

    private mutating func failObject(_ value: ResolvedValue, _ type: String) -> Bool {
        addError(Self.notAnObject(value, type))
        return false
    }

    private static func notAnObject(_ value: ResolvedValue, _ type: String) -> CompletionError {
        let source: (any Any.Type)? = if case .object(let source) = value { Swift.type(of: source) } else { nil }
        return CompletionError(
            "Expected value of type \"\(type)\" but got: \(value.leafValue?.inspected ?? "another value").",
            source: source)
    }
}
