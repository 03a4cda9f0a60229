import DuetClient

/// A query for the data of ``PeopleModel``. A GraphQL document defines the query.
struct CodablePeopleQuery: DocumentQuery {
    struct Person: Decodable, Sendable {
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
    }

    struct Data: Decodable, Sendable {
        let people: [Person]
    }

    static let source = """
        { people { id firstName middleName street city country postalCode telephone electronicMail company department profession
          nationality salary birthDate hireDate manager lastName } }
        """
}
