import DuetClient
import DuetJSON
import HTTPTypes

/// A response of about 700 kB with 900 objects: people with 18 fields each.
enum Payload {
    static let count = 900

    /// - Parameter typeName: The `__typename` of each person; nil to omit the field.
    static func response(lastName: String = "Koblick", typeName: String? = nil) -> [UInt8] {
        var text = #"{"data":{"people":["#
        for person in 0..<count {
            if person > 0 { text += "," }
            text += "{" + (typeName.map { #""__typename":"\#($0)","# } ?? "") + #""id":"\#(person)","#
            for field in PersonModel.textFields { text += #""\#(field)":"\#(field) of the person number \#(person)","# }
            for field in PersonModel.numberFields { text += #""\#(field)":\#(person * 7919),"# }
            text += #""lastName":"\#(lastName)"}"#
        }
        return Array((text + "]}}").utf8)
    }
}

struct PersonModel: DataDecodable {
    static let typeName: String? = "Person"
    static let textFields = [
        "firstName", "middleName", "street", "city", "country", "postalCode", "telephone", "electronicMail", "company",
        "department", "profession", "nationality",
    ]
    static let numberFields = ["salary", "birthDate", "hireDate", "manager"]

    let id: String
    let firstName: String
    let middleName: String
    let street: String
    let city: String
    let country: String
    let postalCode: String
    let telephone: String
    let electronicMail: String
    let company: String
    let department: String
    let profession: String
    let nationality: String
    let salary: Int
    let birthDate: Int
    let hireDate: Int
    let manager: Int
    let lastName: String

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        firstName = try decoder.value("firstName")
        middleName = try decoder.value("middleName")
        street = try decoder.value("street")
        city = try decoder.value("city")
        country = try decoder.value("country")
        postalCode = try decoder.value("postalCode")
        telephone = try decoder.value("telephone")
        electronicMail = try decoder.value("electronicMail")
        company = try decoder.value("company")
        department = try decoder.value("department")
        profession = try decoder.value("profession")
        nationality = try decoder.value("nationality")
        salary = try decoder.value("salary")
        birthDate = try decoder.value("birthDate")
        hireDate = try decoder.value("hireDate")
        manager = try decoder.value("manager")
        lastName = try decoder.value("lastName")
    }
}

struct PeopleModel: DataDecodable {
    let people: [PersonModel]
    init(from decoder: DynamicDecoder) throws(ModelError) { people = try decoder.value("people") }
}

struct PeopleQuery: GraphQLQuery {
    typealias Data = PeopleModel
}

extension CachePolicies {
    static let people = CachePolicies(keyFields: ["Person": ["id"]])
}

/// A transport that returns the same response to each request.
struct ConstantTransport: GraphQLTransport {
    let bytes: [UInt8]

    func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
        GraphQLReply(.init(status: .ok), body: bytes)
    }
}
