import DuetJSON

/// An operation with all that is derived from its document and its variables.
struct OperationCall<Operation: GraphQLOperation>: Sendable {
    let document: OperationDocument
    let variables: JSONObject
    let selection: Selection

    init(_ operation: Operation, policies: CachePolicies) throws(GraphQLClientError) {
        do throws(ModelError) {
            document = try Operation.document()
        } catch {
            throw GraphQLClientError(error)
        }
        variables = operation.variables
        selection = document.selection(variables: variables, connections: policies.connections)
    }

    /// The same for equal operations with equal variables.
    var identity: RepeatedResponse.Request {
        RepeatedResponse.Request(hash: document.hash, variables: FieldKey("", arguments: variables))
    }
}

/// The document for the fields of a query that the cache does not have.
struct MissingPart: Sendable {
    let document: OperationDocument
    let variables: JSONObject
    let selection: Selection

    /// - Returns: `nil` if a variable is `null` that the part needs.
    init?<Query: GraphQLOperation>(
        _ map: ObjectMap, of call: OperationCall<Query>, policies: CachePolicies
    ) throws(StoreError) {
        do throws(ModelError) {
            document = try OperationDocument(
                call.document.kind, name: call.document.name.map { $0 + "Missing" }, map: map, isRegistrable: false)
        } catch {
            throw .model(error)
        }
        // The default value of a variable is in the definition, which the part does not have.
        var variables = JSONObject()
        for definition in document.variables {
            if let value = call.variables[definition.name]
                ?? call.document.variables.first(where: { $0.name == definition.name })?.defaultValue
            {
                variables[definition.name] = value
            }
        }
        // A variable with a default value is non-null in the part, and the whole query may have it null all the same.
        guard document.variables.allSatisfy({ !$0.type.hasSuffix("!") || variables[$0.name] != .null }) else {
            return nil
        }
        self.variables = variables
        selection = document.selection(variables: variables, connections: policies.connections)
    }
}
