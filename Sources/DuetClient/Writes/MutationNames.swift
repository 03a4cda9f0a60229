/// The names of the mutations that write the rows of a type, and of their arguments.
public struct MutationNames: Sendable, Hashable {
    /// The mutation with the argument `input`: `createOrder`.
    public var create: String
    /// The mutation with the arguments of the key, `patch` and `ifMatch`: `updateOrder`.
    public var update: String
    /// The mutation with the arguments `input`, `ifMatch` and `ifNoneMatch`: `upsertOrder`.
    public var upsert: String
    /// The mutation with the arguments of the key and `ifMatch`: `deleteOrder`.
    public var delete: String
    /// The type of `input` of ``create``: `CreateOrderInput`.
    public var createInput: String
    /// The type of `patch` of ``update``: `UpdateOrderInput`.
    public var updateInput: String
    /// The type of `input` of ``upsert``: `UpsertOrderInput`.
    public var upsertInput: String
    /// The field of the payloads that contains the row: `order`.
    public var row: String
    /// The field of the payload of ``delete`` that contains the key of the removed row.
    public var deletedKey = "deletedId"
    /// The arguments of the key, with their types.
    public var key = [VariableDefinition("id", "ID!")]

    /// Creates the names that follow from the name of a GraphQL type.
    public init(type: String) {
        create = "create\(type)"
        update = "update\(type)"
        upsert = "upsert\(type)"
        delete = "delete\(type)"
        createInput = "Create\(type)Input"
        updateInput = "Update\(type)Input"
        upsertInput = "Upsert\(type)Input"
        row = type.prefix(1).lowercased() + type.dropFirst()
    }
}
