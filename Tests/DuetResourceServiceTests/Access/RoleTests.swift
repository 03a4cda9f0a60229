import DuetGraphQL
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("A role") struct RoleTests {
    // MARK: The reduced database

    @Test(
        "REST requests are answered as if what the role does not see did not exist", arguments: TestBackend.available,
        RoleLibrary.all)
    func rest(_ backend: TestBackend, _ library: RoleLibrary) async throws {
        try await library.withServices(backend) { service, twin in
            #expect(service.catalogue.operations.map(\.path) == twin.catalogue.operations.map(\.path))
            let forbidden = Self.forbidden.filter { request in
                request.target.prefixMatch(of: /\w+/).map { twin.catalogue[String($0.output)] != nil } ?? false
            }
            let requests = try await RequestEnumeration(twin, keysOf: service).rest + forbidden
            #expect(requests.count > 15)
            let styles = (RESTRequests(service), RESTRequests(twin))
            for request in requests {
                let expected = await ConditionTests.outcome(request, styles.1, twin)
                #expect(await ConditionTests.outcome(request, styles.0, service) == expected, "\(request)")
            }
        }
    }

    /// Requests that name fields and relations which a role of ``RoleLibrary`` does not see.
    private static let forbidden: [RequestEnumeration.REST] = [
        "authors?fields=born", "authors?born=1815-12-10", "authors?born.gt=1815-12-10", "authors?sort=born",
        #"authors?filter={"born":{"null":true}}"#, "authors/1?fields=name,born", "authors?details=copies",
        #"authors?filter={"books":{"some":{"price":{"gt":1}}}}"#, "authors?details=books&books.fields=price",
        "authors?details=books&books.sort=published", "books?sort=price", "books?price.lt=9", "books?details=copies",
        #"books?filter={"copies":{"none":{"shelf":{"eq":"A"}}}}"#, "books?details=author.mentor", "books?fields=price",
        "books/b1?details=author", "loans?copyNumber=1", "loans?fields=copyNumber", "loans?details=copy",
        "loans?after=x", "loans?open=true", "loans?sort=lentOn&first=1",
        #"loans?filter={"copy":{"copyNumber":{"eq":1}}}"#, "authors?aggregate=count,name.max",
        "authors?aggregate=born.max", "authors?group=born&aggregate=count", "authors?group=mentor.born",
        "books?group=author.name,language&aggregate=count", "books?aggregate=price.sum", "books?group=published",
        "books?group=author.born&aggregate=count", "loans?aggregate=count", "copies?aggregate=count",
        "authors?details=books&books.aggregate=count,title.min", "authors?details=books&books.aggregate=price.max",
        #"books?group=language&aggregate=count&having={"price.sum":{"gt":1}}"#, "books?group=language&sort=-price.sum",
    ].flatMap { target in [RequestEnumeration.REST(target: target)] }

    @Test(
        "GraphQL queries are answered as if what the role does not see did not exist",
        arguments: TestBackend.available, RoleLibrary.all)
    func graphQL(_ backend: TestBackend, _ library: RoleLibrary) async throws {
        try await library.withServices(backend) { service, twin in
            #expect(try GraphQLStyle.sdl(of: service.catalogue) == GraphQLStyle.sdl(of: twin.catalogue))
            let requests = try await RequestEnumeration(twin, keysOf: service).graphQL
            let styles = (try GraphQLStyle(service), try GraphQLStyle(twin))
            for request in requests {
                let expected = try await ConditionTests.outcome(request, styles.1)
                #expect(try await ConditionTests.outcome(request, styles.0) == expected, "\(request)")
            }
        }
    }

    // MARK: Claims

    private static let languages = Role(
        "reader", reads: ["books": .init(where: .not(.compare("language", .in, [.parameter("languages")])))])

    @Test(
        "A missing claim, null and a value of another type refuse the request, also in a negation",
        arguments: TestBackend.available)
    func claims(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { whole async throws in
            let service = try whole.restricted(to: Self.languages)
            for (claims, code) in [
                ([:], .claimMissing), (["languages": .null], .claimMissing), (["languages": "EN"], .claimMismatch),
                (["languages": [1]], .claimMismatch), (["languages": ["DE"]], .claimMismatch),
                (["languages": [.null]], .claimMismatch),
                (["languages": .array(Array(repeating: "EN", count: 1_001))], .claimMismatch),
            ] as [(JSONObject, ServiceError.Code)] {
                for target in ["books", "books/b1", "books?first=1&count=true"] {
                    do {
                        let answer = try await service.with(claims, of: Self.languages).restBody(target)
                        Issue.record("\(claims) \(target): \(answer)")
                    } catch {
                        #expect(ServiceError(describing: error).code == code, "\(claims) \(target)")
                    }
                }
            }
            let everything = try await service.with(["languages": []], of: Self.languages).restBody("books?count=true")
            #expect(everything.hasSuffix(" of 4"))
            let many: JSONValue = .array(Array(repeating: "EN", count: 1_000))
            let french = try await service.with(["languages": many], of: Self.languages).restBody("books?fields=isbn")
            #expect(french == #"[{"isbn":"b3"}]"#)
        }
    }

    @Test("A claim is a value and never a part of the statement", arguments: TestBackend.available)
    func injection(_ backend: TestBackend) async throws {
        let role = Role("r", reads: ["authors": .init(where: .compare("name", .equal, [.parameter("name")]))])
        try await Library.withService(backend) { whole async throws in
            let service = try whole.restricted(to: role)
            for (name, numbers) in [
                ("x' OR '1'='1", "[]"), ("Ada' or 1 eq 1 or '", "[]"), ("O'Dee *", #"[{"authorNumber":4}]"#),
                ("*", "[]"), ("%", "[]"), ("", "[]"),
            ] {
                let claims: JSONObject = ["name": .string(name)]
                #expect(try await service.with(claims, of: role).restBody("authors?fields=authorNumber") == numbers)
            }
        }
    }

    @Test("A Boolean filter can use fields and resources that the role does not see, and sees the rows of the role")
    func flags() async throws {
        var resources = try Library.catalogue().resources
        let index = try #require(resources.firstIndex { $0.name == "books" })
        resources[index].filters = [
            NamedFilter(
                "old", .flag(whenTrue: .compare("published", .less, [.integer(2000)]), whenFalse: .everything),
                description: "Before 2000."),
            NamedFilter(
                "available",
                .flag(
                    whenTrue: .related("copies", exists: true, .everything),
                    whenFalse: .related("copies", exists: false, .everything)), description: "With a copy."),
            NamedFilter("cost", .compare(["price"], .equal), description: "The price."),
            NamedFilter(
                "shelf", .some(relation: "copies", field: "shelf", and: .everything), description: "The shelf."),
        ]
        let catalogue = try Catalogue(resources, description: "A library.")
        let role = Role("r", reads: ["books": .init(fields: .only(["isbn", "title"]))])
        try await Library.withService(.sqlite, catalogue: catalogue) { whole async throws in
            let service = try whole.restricted(to: role)
            #expect(service.catalogue["books"]?.filters.map(\.name) == ["old", "available"])
            #expect(
                try await service.restBody("books?old=true&fields=isbn") == #"[{"isbn":"b1"},{"isbn":"b4"}]"#)
            #expect(try await service.restBody("books?available=true&fields=isbn") == "[]")
            #expect(try await service.restBody("books?available=false&count=true").hasSuffix(" of 4"))
        }
    }

    // MARK: Errors

    @Test("A role with an error is refused, and the error names the resource and the part")
    func errors() throws {
        let catalogue = try Library.catalogue()
        func error(_ reads: [String: Role.Read]) -> RoleError? {
            do {
                _ = try catalogue.restricted(to: Role("r", reads: reads))
                return nil
            } catch {
                return error
            }
        }
        let unknown = error(["boks": .init()])
        #expect(unknown?.description == "there is no resource boks" && unknown?.member == .resource)
        #expect(error(["books": .init(fields: .except(["prize"]))])?.description == "books has no field prize")
        #expect(error(["books": .init(fields: .only([]))])?.member == .fields)
        #expect(
            error(["books": .init(fields: .only(["isbn", "authorName"]))])?.description
                == "books.authorName is a column of another resource, which the role does not see; give the role that field, too"
        )
        let hidden = error(["subjects": .init(), "books": .init(fields: .except(["isbn"]))])
        #expect(hidden?.member == .relation("books") && hidden?.resource == "subjects")
        #expect(
            error([
                "subjects": .init(relationOrders: ["books": [.field("title")]]),
                "books": .init(fields: .except(["isbn"])),
            ]) == nil)
        #expect(error(["books": .init(order: [SortField("size")])])?.member == .order)
        #expect(error(["books": .init(where: .isNull("size", true))])?.description == "books has no field size")
    }
}
