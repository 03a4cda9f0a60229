import DuetClient

/// An employee in the list.
struct Employee: DataDecodable {
    static let typeName: String? = "Employee"
    let id: String
    let firstName: String
    let lastName: String

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        firstName = try decoder.value("firstName")
        lastName = try decoder.value("lastName")
    }
}
