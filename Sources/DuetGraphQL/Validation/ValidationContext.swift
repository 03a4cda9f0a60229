/// What validation rules know while a document is walked through: the document, the schema, and where the walk is.
///
/// One context belongs to one walk on one thread.
public final class ValidationContext {
    /// The document.
    public let document: Document
    /// The schema. For a type-system document it is the one that is extended; if there is none, it has no types and the specified
    /// directives.
    public let schema: Schema
    /// Whether the document extends a schema, or is executed against it; false for one that defines a schema of its own.
    public let hasSchema: Bool
    /// The most errors that are reported.
    public let maximumErrors: Int
    /// Whether messages suggest known names for unknown ones.
    public let suggestsNames: Bool
    /// What was reported.
    public private(set) var errors: [GraphQLError] = []
    private var suggestionBudget = Suggestions.budget
    /// Whether there are as many errors as may be, so that the walk need not go on.
    public private(set) var isAborted = false
    /// For each error, where it stands among the others.
    private var places: [UInt32] = []
    private var currentPlace: UInt32 = 0
    private var remainingWork: Int
    /// The definitions, fragments and variables of the document, once a rule has asked for them.
    var sharedUsages: DocumentUsages?

    /// The most locations an error has.
    private static let longestLocations = 100
    /// The most bytes a message has.
    static let longestMessage = 10_000
    /// How much work of a kind that can grow faster than the document is done for one; some hundredths of a second.
    static let work = 5_000_000

    /// The operation that the walk is in.
    public internal(set) var operation: OperationDefinition?
    /// The fragment definition that the walk is in.
    public internal(set) var fragment: FragmentDefinition?
    /// Which fields and types of the schema the walk is in.
    var position = Position()
    /// The definition of the current directive.
    public internal(set) var directive: SchemaDirective?
    /// Whether the walk is in a directive, known or not.
    public internal(set) var isInDirective = false
    /// The definition of the current argument.
    public internal(set) var argument: SchemaInputValue?
    /// The type that the current literal, or a variable in its place, must have.
    public internal(set) var inputType: GraphQLType?
    /// The type of the list or input object around the current literal.
    public internal(set) var parentInputType: GraphQLType?
    /// The default value of the argument or input field that the current literal is for; nil for a list's item.
    public internal(set) var defaultValue: Value?

    /// The fragment definitions by name; of two with one name, the first.
    public private(set) lazy var fragments: [String: FragmentDefinition] = Dictionary(
        document.fragments.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })

    /// A context for a document that is executed against a schema.
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

    /// A context for a type-system document, and for the schema it extends, if it does.
    init(typeSystem document: Document, extending schema: Schema?, maximumErrors: Int, suggestsNames: Bool) {
        self.document = document
        self.schema = schema ?? .empty
        self.maximumErrors = maximumErrors
        self.suggestsNames = suggestsNames
        remainingWork = Self.work
        hasSchema = schema != nil
    }

    /// Adds an error about those places of the document.
    public func report(_ message: String, at ranges: SourceRange...) { report(message, at: ranges) }

    /// Adds an error about those places of the document.
    /// - Parameter place: where the error stands among the others, from ``reservePlace()``; nil for the place that the walk has
    ///   come to.
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

    /// A place for errors that are found later, but are about what the walk has come to now.
    public func reservePlace() -> UInt32 {
        currentPlace += 1
        defer { currentPlace += 1 }
        return currentPlace
    }

    /// Counts work of a kind that can grow faster than the document.
    /// - Returns: whether to go on. If not, an error says that the document is refused.
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

    /// A message repeats names of the document, which may be of any length.
    private static func shortened(_ message: String) -> String {
        guard message.utf8.count > longestMessage else { return message }
        return String(decoding: message.utf8.prefix(longestMessage), as: UTF8.self) + "…"
    }

    /// What was reported, in the order of the document.
    var orderedErrors: [GraphQLError] {
        if zip(places, places.dropFirst()).allSatisfy({ $0 <= $1 }) { return errors }
        return errors.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { errors[$0] }
    }

    /// " Did you mean …?" for a message about an unknown name; empty if suggestions are off.
    public func didYouMean(
        _ name: String, among options: @autoclosure () -> [String], prefix: String = ""
    ) -> String {
        guard suggestsNames, suggestionBudget > 0 else { return "" }
        return Suggestions.didYouMean(
            Suggestions.nearest(to: name, among: options(), budget: &suggestionBudget), prefix: prefix)
    }
}
