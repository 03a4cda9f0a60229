import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import Testing

@Suite("The sentence of a filter") struct FilterSentenceTests {
    private static func rows(_ filter: Filter, of name: String = "books", claims: JSONObject? = nil) throws -> String {
        let catalogue = try RoleLibrary.catalogue()
        return FilterSentence(catalogue, claims: claims).rows(filter, of: try #require(catalogue[name]))
    }

    @Test(
        "names the fields and the values",
        arguments: [
            (.everything, "all rows"), (.any([]), "no rows"),
            (.compare("language", .equal, ["EN"]), #"rows whose language equals "EN""#),
            (.compare("published", .notEqual, [2000]), "rows whose published does not equal 2000"),
            (.compare("published", .less, [2000]), "rows whose published is less than 2000"),
            (.compare("published", .lessOrEqual, [2000]), "rows whose published is at most 2000"),
            (.compare("published", .greater, [2000]), "rows whose published is greater than 2000"),
            (.compare("published", .greaterOrEqual, [2000]), "rows whose published is at least 2000"),
            (.compare("title", .like, ["A \"*"]), #"rows whose title matches "A \"*""#),
            (.compare("language", .in, ["EN", "FR"]), #"rows whose language is one of "EN", "FR""#),
            (.compare("language", .in, ["EN"]), #"rows whose language equals "EN""#),
            (.isNull("published", true), "rows whose published is null"),
            (.isNull("published", false), "rows whose published is not null"),
        ] as [(Filter, String)])
    func comparisons(_ filter: Filter, _ expected: String) throws {
        #expect(try Self.rows(filter) == expected)
    }

    private static let isEnglish = Filter.compare("language", .equal, ["EN"])
    private static let isNew = Filter.compare("published", .greater, [2000])
    private static let isFree = Filter.isNull("price", true)

    @Test(
        "has parentheses where and and or meet, and applies a negation to the comparisons",
        arguments: [
            (.all([isEnglish, isNew]), #"rows whose language equals "EN" and whose published is greater than 2000"#),
            (
                .all([isEnglish, .any([isNew, isFree])]),
                #"rows whose language equals "EN" and (whose published is greater than 2000 or whose price is null)"#
            ),
            (.all([isEnglish, .all([])]), #"rows whose language equals "EN""#),
            (.all([isEnglish, .any([])]), "no rows"), (.any([isEnglish, .all([])]), "all rows"),
            (
                .aggregate(
                    of: "copies",
                    .all([
                        .compare(Aggregate(.count), .greaterOrEqual, [.integer(3)]),
                        .isNull(Aggregate(.max, "shelf"), false),
                    ]), .everything),
                "rows whose copies.count is at least 3 and whose copies.shelf.max is not null"
            ),
            (
                .not(
                    .aggregate(
                        of: "copies", .compare(Aggregate(.count), .less, [.integer(3)]),
                        .compare("shelf", .equal, ["A"]))),
                #"rows whose copies.count of rows whose shelf equals "A" is at least 3"#
            ),
            (.not(.everything), "no rows"), (.not(.not(isFree)), "rows whose price is null"),
            (
                .not(.any([isEnglish, isNew])),
                #"rows whose language does not equal "EN" and whose published is at most 2000"#
            ),
            (
                .not(.all([isFree, .compare("title", .like, ["A*"]), .compare("language", .in, ["EN", "FR"])])),
                #"rows whose price is not null or whose title does not match "A*" or whose language is none of "EN", "FR""#
            ),
        ] as [(Filter, String)])
    func connectives(_ filter: Filter, _ expected: String) throws {
        #expect(try Self.rows(filter) == expected)
    }

    @Test("names related rows")
    func relations() throws {
        let shelf = Filter.compare("shelf", .equal, ["A"])
        #expect(
            try Self.rows(.related("copies", exists: true, shelf))
                == #"rows with some related copies whose shelf equals "A""#)
        #expect(
            try Self.rows(.not(.related("copies", exists: true, .all([shelf, .isNull("shelf", false)]))))
                == #"rows without related copies (whose shelf equals "A" and whose shelf is not null)"#)
        #expect(try Self.rows(.related("copies", exists: false, .everything)) == "rows without related copies")
        #expect(try Self.rows(.related("copies", exists: false, .any([]))) == "all rows")
        let day = try #require(CalendarDate(iso: "1900-01-02"))
        #expect(
            try Self.rows(.related("author", exists: true, .compare("born", .less, [.date(day)])))
                == "rows with a related author whose born is less than 1900-01-02")
    }

    @Test("names the claims, and their values if they are known")
    func claims() throws {
        let filter = Filter.all([
            .compare("language", .in, [.parameter("app.languages")]),
            .not(.compare("title", .equal, [.parameter(#"["a.b"]"#)])),
        ])
        #expect(
            try Self.rows(filter)
                == #"rows whose language is in the claim app.languages and whose title does not equal the claim ["a.b"]"#
        )
        #expect(
            try Self.rows(filter, claims: ["app": ["languages": ["EN", "FR"]]])
                == #"rows whose language is in the claim app.languages (["EN","FR"]) and whose title does not equal the claim ["a.b"] (missing)"#
        )
    }
}
