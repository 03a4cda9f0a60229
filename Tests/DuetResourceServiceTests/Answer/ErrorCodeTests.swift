import DuetResourceService
import Testing

@Suite("Error codes") struct ErrorCodeTests {
    @Test("A code that is created from its text has the status of the code")
    func known() {
        for code in [ServiceError.Code.unknownParameter, .conflict, .databaseReadOnly] {
            let created = ServiceError.Code(rawValue: code.rawValue)
            #expect(created == code && created.status == code.status && created.retryAfter == code.retryAfter)
            #expect(!created.isCustom && created.missingNoun == nil)
        }
    }

    @Test("The code of a missing row has the noun of its resource, even if another code has the same text")
    func missing() {
        let code = ServiceError.Code(rawValue: "unknown-employee")
        #expect(code == .unknown("employee") && code.missingNoun == "employee" && code.status == 404 && !code.isCustom)
        let parameter = ServiceError.Code.unknown("parameter")
        #expect(parameter.missingNoun == "parameter" && parameter.status == 404)
        #expect(parameter != .unknownParameter && ServiceError.Code.unknownParameter.status == 400)
    }

    @Test("A code that the service does not declare has the status of an internal error")
    func custom() {
        let code = ServiceError.Code(rawValue: "too-many-orders")
        #expect(code.isCustom && code.status == 500 && code.rawValue == "too-many-orders")
    }
}
