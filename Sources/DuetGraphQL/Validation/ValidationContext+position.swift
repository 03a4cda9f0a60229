extension ValidationContext {
    /// The current field definition and types in a walk. A position contains numbers and unretained references, so it
    /// is cheap to save and restore. The context retains the schema, and the schema retains the referenced objects.
    struct Position {
        var fieldDefinition: Unmanaged<SchemaField>?
        /// The schema's index of the current named type; -1 if the document is invalid here.
        var type: Int32 = -1
        /// True if the current type is the type of ``fieldDefinition``, including its lists and non-null types; false
        /// if it is the named type of a fragment or an operation.
        var isTypeOfField = false
        /// The schema's index of the type from which the fields of the current selection set are selected; -1 if there
        /// is none.
        var parentType: Int32 = -1
    }

    /// The type of the current field, fragment or operation; nil if the document is invalid here.
    public var type: GraphQLType? {
        if position.isTypeOfField { return fieldDefinition?.type }
        return namedType.map { .named(TypeName($0.name, index: Int(position.type))) }
    }

    /// The named type inside ``type``; nil if the document is invalid here.
    public var namedType: NamedType? { position.type >= 0 ? schema.types[Int(position.type)] : nil }

    /// The type from which the fields of the current selection set are selected; nil if there is none.
    public var parentType: NamedType? { position.parentType >= 0 ? schema.types[Int(position.parentType)] : nil }

    /// The definition of the current field; nil if there is none.
    public var fieldDefinition: SchemaField? { position.fieldDefinition?.takeUnretainedValue() }

    /// Enters a field with the definition.
    func enter(field definition: SchemaField?) {
        position.fieldDefinition = definition.map { Unmanaged.passUnretained($0) }
        position.type = definition?.typeIndex ?? -1
        position.isTypeOfField = true
    }

    /// Enters a fragment or operation with the type.
    func enter(type: TypeName?) {
        position.type = type?.index ?? -1
        position.isTypeOfField = false
    }

    /// Sets the parent type of the selected fields to the current type.
    func enterSelectionSet() {
        position.parentType = namedType?.isComposite == true ? position.type : -1
    }
}
