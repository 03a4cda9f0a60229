import DuetJSON

/// An operation: its document, the values of its variables, and the fields that it selects with these values.
struct OperationCall<Operation: GraphQLOperation>: Sendable {
    let document: OperationDocument
    let variables: JSONObject
    let selection: ResolvedSelection
    /// The caller for whom the operation began; `nil` if the store has only one cache.
    let caller: Caller?

    init(_ operation: Operation, policies: CachePolicies, caller: Caller?) throws(GraphQLClientError) {
        self.caller = caller
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

extension OperationCall {
    /// Returns the values of the variables of a document that the client has created for a part of the operation.
    /// - Returns: `nil` if a variable has a non-null type in the document of the part, but its value is `null`.
    func variables(for part: OperationDocument) -> JSONObject? {
        // The document of the part does not declare default values, so the client sends each default value as the value
        // of its variable.
        var values = JSONObject()
        for definition in part.variables {
            if let value = variables[definition.name]
                ?? document.variables.first(where: { $0.name == definition.name })?.defaultValue
            {
                values[definition.name] = value
            }
        }
        // If the query declares a nullable variable with a default value, the document of the part declares it with a
        // non-null type. The value null is then valid for the query, but not for the part.
        return part.variables.allSatisfy { !$0.type.hasSuffix("!") || values[$0.name] != .null } ? values : nil
    }
}

/// A document for the missing part of a query: the fields that are not in the cache or are stale.
struct MissingPart: Sendable {
    let document: OperationDocument
    let variables: JSONObject
    let selection: ResolvedSelection

    /// - Returns: `nil` if a variable has a non-null type in the document of the part, but its value is `null`.
    init?<Query: GraphQLOperation>(
        _ map: ObjectMap, of call: OperationCall<Query>, policies: CachePolicies
    ) throws(StoreError) {
        do throws(ModelError) {
            document = try OperationDocument(
                call.document.kind, name: call.document.name.map { $0 + "Missing" }, map: map, isRegistrable: false)
        } catch {
            throw .model(error)
        }
        guard let variables = call.variables(for: document) else { return nil }
        self.variables = variables
        selection = document.selection(variables: variables, connections: policies.connections)
    }
}
