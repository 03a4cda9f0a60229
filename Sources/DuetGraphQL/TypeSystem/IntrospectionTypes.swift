/// The types and fields of introspection (specification, sections 4.1 and 4.2). The engine provides the resolvers of
/// these fields.
public enum IntrospectionTypes {
    /// `__Schema`, `__Type` and the types that they refer to.
    public static let all: NamedList<NamedType> = [
        .object(schema), .object(type), .enum(typeKind), .object(field), .object(inputValue), .object(enumValue),
        .object(directive), .enum(directiveLocation),
    ]

    /// `__typename: String!`, on every object, interface and union.
    public static let typeNameField = SchemaField(
        "__typename", "String!", description: "The name of the object's type.")
    /// `__schema: __Schema!`, on the query root type.
    public static let schemaField = SchemaField("__schema", "__Schema!", description: "The schema of this service.")
    /// `__type(name:): __Type`, on the query root type.
    public static let typeField = SchemaField(
        "__type", "__Type", arguments: [SchemaInputValue("name", "String!")],
        description: "The type with the name, if it exists.")

    private static let includeDeprecated = [SchemaInputValue("includeDeprecated", "Boolean!", default: false)]

    private static let schema = ObjectType(
        "__Schema",
        fields: [
            SchemaField("description", "String"),
            SchemaField("types", "[__Type!]!", description: "All types of the schema."),
            SchemaField("queryType", "__Type!", description: "The root type of queries."),
            SchemaField(
                "mutationType", "__Type", description: "The root type of mutations, if the service supports them."),
            SchemaField(
                "subscriptionType", "__Type",
                description: "The root type of subscriptions, if the service supports them."),
            SchemaField("directives", "[__Directive!]!", description: "All directives of the schema."),
        ], description: "The schema of a service: its types, root types and directives.")

    private static let type = ObjectType(
        "__Type",
        fields: [
            SchemaField("kind", "__TypeKind!"), SchemaField("name", "String"), SchemaField("description", "String"),
            SchemaField("specifiedByURL", "String"),
            SchemaField("fields", "[__Field!]", arguments: includeDeprecated),
            SchemaField("interfaces", "[__Type!]"), SchemaField("possibleTypes", "[__Type!]"),
            SchemaField("enumValues", "[__EnumValue!]", arguments: includeDeprecated),
            SchemaField("inputFields", "[__InputValue!]", arguments: includeDeprecated),
            SchemaField("ofType", "__Type"), SchemaField("isOneOf", "Boolean"),
        ], description: "A named type, a list or a non-null type. `kind` determines which fields have a value.")

    private static let typeKind = EnumType(
        "__TypeKind",
        values: [
            SchemaEnumValue("SCALAR", description: "A scalar. `specifiedByURL` may have a value."),
            SchemaEnumValue("OBJECT", description: "An object. `fields` and `interfaces` have a value."),
            SchemaEnumValue(
                "INTERFACE", description: "An interface. `fields`, `interfaces` and `possibleTypes` have a value."),
            SchemaEnumValue("UNION", description: "A union. `possibleTypes` has a value."),
            SchemaEnumValue("ENUM", description: "An enum. `enumValues` has a value."),
            SchemaEnumValue("INPUT_OBJECT", description: "An input object. `inputFields` has a value."),
            SchemaEnumValue("LIST", description: "A list. `ofType` has a value."),
            SchemaEnumValue("NON_NULL", description: "A non-null type. `ofType` has a value."),
        ], description: "The kinds of types.")

    private static let field = ObjectType(
        "__Field",
        fields: [
            SchemaField("name", "String!"), SchemaField("description", "String"),
            SchemaField("args", "[__InputValue!]!", arguments: includeDeprecated), SchemaField("type", "__Type!"),
            SchemaField("isDeprecated", "Boolean!"), SchemaField("deprecationReason", "String"),
        ], description: "A field of an object or interface type.")

    private static let inputValue = ObjectType(
        "__InputValue",
        fields: [
            SchemaField("name", "String!"), SchemaField("description", "String"), SchemaField("type", "__Type!"),
            SchemaField("defaultValue", "String", description: "The default value as a literal."),
            SchemaField("isDeprecated", "Boolean!"), SchemaField("deprecationReason", "String"),
        ], description: "An argument of a field or directive, or a field of an input object.")

    private static let enumValue = ObjectType(
        "__EnumValue",
        fields: [
            SchemaField("name", "String!"), SchemaField("description", "String"),
            SchemaField("isDeprecated", "Boolean!"), SchemaField("deprecationReason", "String"),
        ], description: "A value of an enum.")

    private static let directive = ObjectType(
        "__Directive",
        fields: [
            SchemaField("name", "String!"), SchemaField("description", "String"),
            SchemaField("isRepeatable", "Boolean!"), SchemaField("locations", "[__DirectiveLocation!]!"),
            SchemaField("args", "[__InputValue!]!", arguments: includeDeprecated),
        ], description: "A directive, which changes the execution of an operation or annotates a schema.")

    private static let directiveLocation = EnumType(
        "__DirectiveLocation", values: DirectiveLocation.allCases.map { SchemaEnumValue($0.rawValue) },
        description: "A location at which a directive may occur.")
}
