import DuetSQLDatabase

/// The functions of the values of a field, which have a common GraphQL type.
enum AggregateKind: Hashable, CaseIterable {
    /// All functions.
    case number
    /// All functions except sums and averages.
    case ordered
    /// The numbers of values, of different values, and of true values.
    case boolean
    /// The numbers of values and of different values.
    case distinct
    /// The number of values.
    case counted

    init(_ type: FieldType) {
        let functions = type.aggregateFunctions
        self =
            if functions.contains(.avg) {
                .number
            } else if functions.contains(.sum) {
                .boolean
            } else if functions.contains(.min) {
                .ordered
            } else {
                functions.contains(.countDistinct) ? .distinct : .counted
            }
    }

    /// The name of the enum of the functions.
    var functionType: String {
        switch self {
        case .number: "NumberAggregateFunction"
        case .ordered: "OrderedAggregateFunction"
        case .boolean: "BooleanAggregateFunction"
        case .distinct: "DistinctAggregateFunction"
        case .counted: "CountAggregateFunction"
        }
    }
}

extension FieldType {
    /// The name of the GraphQL type of a field's aggregates.
    var aggregateTypeName: String {
        switch AggregateKind(self) {
        case .number, .ordered: "\(graphQLName)Aggregate"
        case .boolean: "BooleanAggregate"
        case .distinct: "DistinctAggregate"
        case .counted: "CountAggregate"
        }
    }
}

extension AggregateFunction {
    /// A sentence for the documentation.
    var description: String {
        switch self {
        case .count: "The number of values that are not null."
        case .countDistinct: "The number of different values that are not null."
        case .sum: "The exact sum of the values; null if there are none. Of true or false, the number of true values."
        case .avg: "The average of the values; null if there are none."
        case .min: "The smallest value; null if there is none."
        case .max: "The greatest value; null if there is none."
        }
    }
}

extension DatePart {
    /// A sentence for the documentation.
    var description: String {
        switch self {
        case .year: "The year: 2024."
        case .quarter: "The quarter: `2024-Q1`."
        case .month: "The month: `2024-03`."
        case .week: "The week of ISO 8601: `2024-W09`."
        case .day: "The day: `2024-03-05`."
        case .hour: "The hour: `2024-03-05T14`."
        case .weekday: "The day of the week, from 1 (Monday) to 7 (Sunday)."
        }
    }
}
