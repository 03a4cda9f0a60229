extension ObjectMap {
    /// Adds the fields of another selection of the same object, as CollectFields and CollectSubfields do
    /// (specification, section 6.3.2).
    /// - Parameter positions: The lookup of this map's fields by response name. Pass the same variable in all calls on
    ///   one map.
    /// - Throws: ``ModelError`` with the code `conflict`.
    mutating func merge(_ other: ObjectMap, _ positions: inout FieldPositions) throws(ModelError) {
        for field in other.fields { try merge(field, &positions) }
        for typeCase in other.typeCases { try merge(typeCase) }
    }

    /// Adds a field.
    /// - Parameter positions: The lookup of this map's fields by response name. Pass the same variable in all calls on
    ///   one map.
    /// - Throws: ``ModelError`` with the code `conflict`.
    mutating func merge(_ field: FieldMap, _ positions: inout FieldPositions) throws(ModelError) {
        guard let position = positions.position(of: field.responseName, in: fields) else {
            fields.append(field)
            return
        }
        guard fields[position].name == field.name, fields[position].arguments == field.arguments else {
            throw ModelError(
                .conflict,
                "Two fields of \(modelName.isEmpty ? "one object" : modelName) have the response name \(field.responseName), but different names or arguments. Give one of the fields an alias."
            )
        }
        for reader in field.readers where !fields[position].readers.contains(reader) {
            fields[position].readers.append(reader)
        }
        var object = field.object
        if fields[position].conditions != field.conditions {
            // The merged field must be selected if the conditions of at least one selection are true. One list of
            // conditions cannot express this, so the field gets no conditions. Instead, the subfields of each selection
            // get the conditions of this selection.
            fields[position].object = fields[position].object?.adding(fields[position].conditions)
            object = object?.adding(field.conditions)
            fields[position].conditions = []
        }
        guard let object else { return }
        if fields[position].object == nil {
            fields[position].object = object
        } else {
            var positions = FieldPositions()
            try fields[position].object?.merge(object, &positions)
        }
    }

    /// Adds the fields of a type case.
    /// - Throws: ``ModelError`` with the code `conflict`.
    mutating func merge(_ typeCase: TypeCase) throws(ModelError) {
        if let index = typeCases.firstIndex(where: { $0.typeName == typeCase.typeName }) {
            var positions = FieldPositions()
            try typeCases[index].object.merge(typeCase.object, &positions)
        } else {
            typeCases.append(typeCase)
        }
    }

    /// Returns a map of the same fields with additional conditions.
    func adding(_ conditions: [FieldCondition]) -> ObjectMap {
        guard !conditions.isEmpty else { return self }
        var map = self
        for index in map.fields.indices {
            let own = map.fields[index].conditions
            map.fields[index].conditions = conditions + own.filter { !conditions.contains($0) }
        }
        for index in map.typeCases.indices {
            map.typeCases[index].object = map.typeCases[index].object.adding(conditions)
        }
        return map
    }
}
