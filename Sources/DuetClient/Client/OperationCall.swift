import DuetJSON

/// An operation with its document, its variables, and the selection for these variables.
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

    /// The identity of the call. Calls of the same operation with equal variables have equal identities.
    var identity: RepeatedResponse.Request {
        RepeatedResponse.Request(hash: document.hash, variables: FieldKey("", arguments: variables))
    }
}

/// A document that selects only the fields of a query that the cache does not have.
struct MissingPart: Sendable {
    let document: OperationDocument
    let variables: JSONObject
    let selection: Selection

    /// - Returns: `nil` if the part requires a variable whose value is `null`.
    init?<Query: GraphQLOperation>(
        _ map: ObjectMap, of call: OperationCall<Query>, policies: CachePolicies
    ) throws(StoreError) {
        do throws(ModelError) {
            document = try OperationDocument(
                call.document.kind, name: call.document.name.map { $0 + "Missing" }, map: map, isRegistrable: false)
        } catch {
            throw .model(error)
        }
        // The document of the part does not declare default values, so the client sends them as values of the
        // variables.
        var variables = JSONObject()
        for definition in document.variables {
            if let value = call.variables[definition.name]
                ?? call.document.variables.first(where: { $0.name == definition.name })?.defaultValue
            {
                variables[definition.name] = value
            }
        }
        // In the document of the part, a variable with a default value has a non-null type. The value of the variable
        // in the whole query may be null.
        guard document.variables.allSatisfy({ !$0.type.hasSuffix("!") || variables[$0.name] != .null }) else {
            return nil
        }
        self.variables = variables
        selection = document.selection(variables: variables, connections: policies.connections)
    }
}
