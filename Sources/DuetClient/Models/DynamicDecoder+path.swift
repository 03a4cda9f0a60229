extension DynamicDecoder {
    /// Reads a value in an object below this object, without a model of the object in between:
    ///
    ///     orderCount = try decoder.value(at: "ordersAggregate", "count")
    ///     revenue = try decoder.value(at: "ordersAggregate", "total", "sum")
    ///
    /// The method is for objects without identity, such as aggregates and the keys of groups. It does not select
    /// `__typename` of the objects. If ``CachePolicies`` identify an object, read it with a model.
    /// - Parameters:
    ///   - first: The name of the field of this object.
    ///   - rest: The names of the fields below it. The last one is the field with the value.
    ///   - alias: The response name of the first field, if it differs from the name. It is required if the model reads
    ///     the field twice with different arguments.
    ///   - arguments: The arguments of the first field. They are evaluated only when the document is created.
    ///   - as: The type of the value. If an object on the path can be null, it must be an optional.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Throws: ``ModelError``.
    public func value<Value: FieldDecodable>(
        at first: String, _ rest: String..., alias: String? = nil, arguments: @autoclosure () -> Arguments = [:],
        as: Value.Type = Value.self, fileID: StaticString = #fileID, line: Int = #line
    ) throws(ModelError) -> Value {
        let responseName = alias ?? first
        guard case .mapping(let decoder) = source else { return try value([responseName] + rest) }
        do throws(ModelError) {
            return try decoder.value(
                FieldMap(first, alias: alias, arguments: arguments()), below: rest, maximumDepth: nil,
                at: SourcePlace(fileID: fileID.description, line: line))
        } catch {
            throw error.below(.field(responseName))
        }
    }

    private func value<Value: FieldDecodable>(_ path: [String]) throws(ModelError) -> Value {
        var below = path[...]
        var decoder = self
        do throws(ModelError) {
            while let name = below.popFirst() {
                guard let value = try decoder.member(name) else {
                    if let absent = Value.absent { return absent }
                    throw RecordDecoder.missing
                }
                // A null in place of an object is the value.
                if below.isEmpty || value.isNull { return try Value.decode(value) }
                decoder = try value.object()
            }
            throw ModelError(.missing, "The path is empty.")
        } catch {
            throw path.dropLast(below.count).reversed().reduce(error) { $0.below(.field($1)) }
        }
    }

    /// Returns the value of a field; `nil` if the cache does not have it.
    private func member(_ name: String) throws(ModelError) -> ResponseValue? {
        switch source {
        case .response(let decoder): try decoder.member(name)
        case .cached(let decoder): try decoder.member(name)
        case .mapping: nil
        }
    }
}
