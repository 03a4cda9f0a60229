/// The state that validation rules read during a walk: the document, the schema, and the current position.
///
/// A context belongs to one walk on one thread.
public final class ValidationContext {
    /// The document.
    public let document: Document
    /// The schema. For a type-system document, it is the schema that the document extends. If the document does not
    /// extend a schema, it is a schema without types, with the built-in directives only.
    public let schema: Schema
    /// True if the document extends the schema or is executed against the schema; false if the document defines a
    /// schema.
    public let hasSchema: Bool
    /// The maximum number of reported errors.
    public let maximumErrors: Int
    /// True if messages suggest known names for unknown names.
    public let suggestsNames: Bool
    /// The reported errors.
    public private(set) var errors: [GraphQLError] = []
    private var suggestionBudget = Suggestions.budget
    /// True if a limit is reached, so that the walk can stop.
    public private(set) var isAborted = false
    /// For each error, its *place*: a number that determines the order of the errors.
    private var places: [UInt32] = []
    private var currentPlace: UInt32 = 0
    private var remainingWork: Int
    /// The fragments and variables that the document's definitions use. The object is created when a rule first
    /// requests it.
    var sharedUsages: DocumentUsages?

    /// The maximum number of locations of an error.
    private static let longestLocations = 100
    /// The maximum number of bytes of a message.
    static let longestMessage = 10_000
    /// The maximum work for a type-system document; see ``spend(_:)``. This work takes a few hundredths of a second.
    static let work = 5_000_000

    /// The current operation.
    public internal(set) var operation: OperationDefinition?
    /// The current fragment definition.
    public internal(set) var fragment: FragmentDefinition?
    /// The current field definition and types.
    var position = Position()
    /// The definition of the current directive.
    public internal(set) var directive: SchemaDirective?
    /// True if the walk is in a directive, even if the directive is unknown.
    public internal(set) var isInDirective = false
    /// The definition of the current argument.
    public internal(set) var argument: SchemaInputValue?
    /// The required type of the current literal, or of a variable in its position.
    public internal(set) var inputType: GraphQLType?
    /// The type of the list or input object around the current literal.
    public internal(set) var parentInputType: GraphQLType?
    /// The default value of the argument or input field of the current literal; nil for a list item.
    public internal(set) var defaultValue: Value?

    /// The fragment definitions by name. If a name is repeated, the first definition is used.
    public private(set) lazy var fragments: [String: FragmentDefinition] = Dictionary(
        document.fragments.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })

    /// Creates a context for a document that is executed against a schema.
    public init(
        document: Document, schema: Schema, maximumErrors: Int = 100, suggestsNames: Bool = true,
        maximumWork: Int = 5_000_000
    ) {
        self.document = document
        self.schema = schema
        self.maximumErrors = maximumErrors
        self.suggestsNames = suggestsNames
        remainingWork = maximumWork
        hasSchema = true
    }

    /// Creates a context for a type-system document, and for the schema that it extends, if any.
    init(typeSystem document: Document, extending schema: Schema?, maximumErrors: Int, suggestsNames: Bool) {
        self.document = document
        self.schema = schema ?? .empty
        self.maximumErrors = maximumErrors
        self.suggestsNames = suggestsNames
        remainingWork = Self.work
        hasSchema = schema != nil
    }

    /// Adds an error with the locations of the ranges.
    public func report(_ message: String, at ranges: SourceRange...) { report(message, at: ranges) }

    /// Adds an error with the locations of the ranges.
    /// - Parameters:
    ///   - message: The message.
    ///   - ranges: The ranges in the document.
    ///   - place: The place of the error among all errors, from ``reservePlace()``; nil for the current position of the
    ///     walk.
    public func report(_ message: String, at ranges: [SourceRange], place: UInt32? = nil) {
        guard !isAborted else { return }
        guard errors.count < maximumErrors else {
            abort("Too many validation errors, error limit reached. Validation aborted.")
            return
        }
        let locations = ranges.prefix(Self.longestLocations).map(document.source.location(of:))
        errors.append(GraphQLError(Self.shortened(message), locations: locations))
        places.append(place ?? currentPlace)
    }

    /// Returns a place for errors that are found later, but belong to the current position of the walk. A place is a
    /// number that determines the order of the errors.
    public func reservePlace() -> UInt32 {
        currentPlace += 1
        defer { currentPlace += 1 }
        return currentPlace
    }

    /// Counts work that can grow faster than the size of the document.
    /// - Returns: True if the work can continue. Otherwise an error reports that the document is rejected.
    public func spend(_ work: Int) -> Bool {
        remainingWork -= work
        if remainingWork < 0, !isAborted { abort("Document is too complex to be validated. Validation aborted.") }
        return !isAborted
    }

    private func abort(_ message: String) {
        errors.append(GraphQLError(message))
        places.append(.max)
        isAborted = true
    }

    /// Limits the length of a message, which may contain names of any length.
    private static func shortened(_ message: String) -> String {
        guard message.utf8.count > longestMessage else { return message }
        return String(decoding: message.utf8.prefix(longestMessage), as: UTF8.self) + "…"
    }

    /// The reported errors, in the order of the document.
    var orderedErrors: [GraphQLError] {
        if zip(places, places.dropFirst()).allSatisfy({ $0 <= $1 }) { return errors }
        return errors.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { errors[$0] }
    }

    /// Returns " Did you mean …?" for a message about an unknown name. The result is empty if suggestions are disabled.
    public func didYouMean(
        _ name: String, among options: @autoclosure () -> [String], prefix: String = ""
    ) -> String {
        guard suggestsNames, suggestionBudget > 0 else { return "" }
        return Suggestions.didYouMean(
            Suggestions.nearest(to: name, among: options(), budget: &suggestionBudget), prefix: prefix)
    }
}
