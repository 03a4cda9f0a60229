/// A model of aggregates, or of groups with their keys and aggregates, over REST. Its coding keys are the names of the
/// members, and the request of the model follows from them:
///
///     struct CountrySales: AggregateDecodable {
///         let country: String?
///         let count: Int
///         let revenue: String?
///
///         enum CodingKeys: String, CodingKey, CaseIterable {
///             case country = "customer.country", count, revenue = "total.sum"
///         }
///     }
///
///     let sales: [CountrySales] = try await service.invoke(
///         .get, "orders", arguments: CountrySales.arguments(["sort": "-total.sum", "first": 20]))
///
/// A model without keys of groups is one object. In GraphQL, a ``DataDecodable`` model reads the same values with
/// ``DynamicDecoder/value(at:_:alias:arguments:as:fileID:line:)``.
public protocol AggregateDecodable: Decodable, Sendable {
    /// The names of the members: keys of groups such as `customer.country`, and aggregates such as `total.sum`.
    associatedtype CodingKeys: CodingKey, CaseIterable

    /// The names of the members that are keys of groups.
    static var groupKeys: [String] { get }
}

extension AggregateDecodable {
    /// The default: all members except `count` and the names of a field with a function, such as `total.sum`. Implement
    /// the property if a relation has a field with the name of a function: the key `customer.count` looks like an
    /// aggregate.
    public static var groupKeys: [String] {
        let functions: Set<Substring> = ["count", "countDistinct", "sum", "avg", "min", "max"]
        return members.filter { name in
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return name != "count" && !(parts.count == 2 && functions.contains(parts[1]))
        }
    }

    private static var members: [String] { CodingKeys.allCases.map(\.stringValue) }

    /// The names of the members that are aggregates.
    private static var aggregates: [String] {
        let keys = groupKeys
        return members.filter { !keys.contains($0) }
    }

    /// Returns the arguments that request the model from a list: `group`, if the model has keys of groups, and
    /// `aggregate`.
    /// - Parameter others: Further arguments of the request, such as filters of the rows, `having`, `sort` and `first`.
    public static func arguments(_ others: WebServiceArguments = [:]) -> WebServiceArguments {
        var arguments = others
        for (name, members) in [("group", groupKeys), ("aggregate", aggregates)] where !members.isEmpty {
            arguments[name] = members.joined(separator: ",")
        }
        return arguments
    }

    /// Returns the arguments that request the model for a to-many relation of each row, as the member of the row whose
    /// name is that of the relation and `Aggregate`. The rows of the relation are omitted, unless the further arguments
    /// have a number of them, such as `orders.first`. A model with keys of groups is a programming error, because the
    /// aggregates of a relation are one object.
    /// - Parameters:
    ///   - relation: The name of the relation. For a relation of a relation, the names are separated by dots.
    ///   - others: Further arguments of the request.
    public static func arguments(of relation: String, _ others: WebServiceArguments = [:]) -> WebServiceArguments {
        let keys = groupKeys
        precondition(
            keys.isEmpty, "the aggregates of a relation have no keys of groups: \(keys.joined(separator: ", "))")
        var arguments = others
        arguments.add("details", relation)
        arguments["\(relation).aggregate"] = aggregates.joined(separator: ",")
        if arguments["\(relation).first"] == nil { arguments["\(relation).first"] = 0 }
        return arguments
    }
}
