extension SchemaDirective {
    /// The built-in directives of every schema (specification, section 3.13).
    public static let specified: NamedList<SchemaDirective> = [include, skip, deprecated, specifiedBy, oneOf]

    /// `@include(if:)`.
    public static let include = SchemaDirective(
        "include", on: [.field, .fragmentSpread, .inlineFragment],
        arguments: [SchemaInputValue("if", "Boolean!", description: "Included when true.")],
        description: "Executes this field or fragment only when `if` is true.")

    /// `@skip(if:)`.
    public static let skip = SchemaDirective(
        "skip", on: [.field, .fragmentSpread, .inlineFragment],
        arguments: [SchemaInputValue("if", "Boolean!", description: "Skipped when true.")],
        description: "Skips this field or fragment when `if` is true.")

    /// The default reason for a deprecation.
    public static let defaultDeprecationReason = "No longer supported"

    /// `@deprecated(reason:)`.
    public static let deprecated = SchemaDirective(
        "deprecated", on: [.fieldDefinition, .argumentDefinition, .inputFieldDefinition, .enumValue],
        arguments: [
            SchemaInputValue(
                "reason", "String!", default: .string(defaultDeprecationReason),
                description: "The reason for the deprecation and the replacement, in Markdown.")
        ],
        description: "Marks an element of the schema that is no longer supported.")

    /// `@specifiedBy(url:)`.
    public static let specifiedBy = SchemaDirective(
        "specifiedBy", on: [.scalar],
        arguments: [SchemaInputValue("url", "String!", description: "The URL of the specification.")],
        description: "Provides the URL of the specification of the scalar's format.")

    /// `@oneOf`.
    public static let oneOf = SchemaDirective(
        "oneOf", on: [.inputObject],
        description: "Exactly one field of this input object must be provided, and its value must not be `null`.")
}

// MARK: - Incremental delivery

extension SchemaDirective {
    /// The directives `@defer` and `@stream`. To support incremental delivery, pass them to
    /// ``Schema/init(sdl:scalars:directives:)``.
    public static let incrementalDelivery = [`defer`, stream]

    /// `@defer(if:label:)` (incremental delivery draft).
    public static let `defer` = SchemaDirective(
        "defer", on: [.fragmentSpread, .inlineFragment],
        arguments: [
            SchemaInputValue("if", "Boolean!", default: .bool(true), description: "Deferred when true."),
            SchemaInputValue("label", "String", description: "A name for the fragment in the response."),
        ],
        description: "Delivers this fragment after the initial result.")

    /// `@stream(if:label:initialCount:)` (incremental delivery draft).
    public static let stream = SchemaDirective(
        "stream", on: [.field],
        arguments: [
            SchemaInputValue("if", "Boolean!", default: .bool(true), description: "Streamed when true."),
            SchemaInputValue("label", "String", description: "A name for the stream in the response."),
            SchemaInputValue(
                "initialCount", "Int!", default: .int(0), description: "The number of items in the initial result."),
        ],
        description: "Delivers the items of this list after the initial result.")
}
