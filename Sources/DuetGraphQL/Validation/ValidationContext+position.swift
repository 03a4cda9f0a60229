extension ValidationContext {
    /// Which fields and types of the schema a walk is in, as numbers and unretained references, so that keeping a position and going
    /// back to it costs nothing. The context keeps the schema, and the schema what is referred to.
    struct Position {
        var fieldDefinition: Unmanaged<SchemaField>?
        /// The place in the schema of the named type; -1 where the document is wrong.
        var type: Int32 = -1
        /// Whether the type is the field's, which may have lists and non-null types around it.
        var isTypeOfField = false
        /// The place in the schema of the type that the fields of the current selection set belong to; -1 if there is none.
        var parentType: Int32 = -1
    }

    /// The type of the field, fragment or operation that the walk is in; nil where the document is wrong.
    public var type: GraphQLType? {
        if position.isTypeOfField { return fieldDefinition?.type }
        return namedType.map { .named(TypeName($0.name, index: Int(position.type))) }
    }

    /// The named type inside ``type``.
    public var namedType: NamedType? { position.type >= 0 ? schema.types[Int(position.type)] : nil }

    /// The type that the fields of the current selection set belong to.
    public var parentType: NamedType? { position.parentType >= 0 ? schema.types[Int(position.parentType)] : nil }

    /// The definition of the current field.
    public var fieldDefinition: SchemaField? { position.fieldDefinition?.takeUnretainedValue() }

    /// Makes that the field the walk is in.
    func enter(field definition: SchemaField?) {
        position.fieldDefinition = definition.map { Unmanaged.passUnretained($0) }
        position.type = definition?.typeIndex ?? -1
        position.isTypeOfField = true
    }

    /// Makes that the type the walk is in.
    func enter(type: TypeName?) {
        position.type = type?.index ?? -1
        position.isTypeOfField = false
    }

    /// Makes the type that the walk is in the one that fields are selected from.
    func enterSelectionSet() {
        position.parentType = namedType?.isComposite == true ? position.type : -1
    }
}
