/// A model of a row that mutations can write. The client creates the documents of these mutations from the model.
///
/// ```swift
/// struct Order: WritableModel {
///     static let typeName: String? = "Order"
///     let id: Int
///     let total: String
///
///     init(from decoder: DynamicDecoder) throws(ModelError) {
///         id = try decoder.value("id")
///         total = try decoder.value("total")
///     }
/// }
///
/// let created = try await client.create(Order.self, input: ["customerId": 1, "total": "9.95"])
/// ```
public protocol WritableModel: DataDecodable {
    /// The names of the mutations. The default derives them from ``DataDecodable/typeName``.
    static var mutations: MutationNames { get }
}

extension WritableModel {
    /// The names that follow from the name of the GraphQL type, as in Duet's server.
    public static var mutations: MutationNames { MutationNames(type: typeName ?? "\(Self.self)") }
}
