import DuetAPIDescription
import Testing

@Suite("Singular and plural")
struct NounTests {
    /// Singulars and their plurals.
    static let nouns: [(String, String)] = [
        ("customer", "customers"), ("employee", "employees"), ("title", "titles"), ("salary", "salaries"),
        ("department", "departments"), ("order", "orders"), ("category", "categories"), ("company", "companies"),
        ("city", "cities"), ("country", "countries"), ("currency", "currencies"), ("activity", "activities"),
        ("property", "properties"), ("gallery", "galleries"), ("study", "studies"), ("body", "bodies"),
        ("lady", "ladies"),
        ("day", "days"), ("key", "keys"), ("boy", "boys"), ("guy", "guys"), ("survey", "surveys"), ("query", "queries"),
        ("address", "addresses"), ("class", "classes"), ("process", "processes"), ("business", "businesses"),
        ("status", "statuses"), ("bus", "buses"), ("virus", "viruses"), ("campus", "campuses"), ("bonus", "bonuses"),
        ("census", "censuses"), ("focus", "focuses"), ("house", "houses"), ("warehouse", "warehouses"),
        ("cause", "causes"),
        ("clause", "clauses"), ("use", "uses"), ("spouse", "spouses"), ("excuse", "excuses"), ("nurse", "nurses"),
        ("course", "courses"), ("response", "responses"), ("expense", "expenses"), ("license", "licenses"),
        ("purchase", "purchases"), ("release", "releases"), ("database", "databases"), ("base", "bases"),
        ("phase", "phases"),
        ("case", "cases"), ("phrase", "phrases"), ("disease", "diseases"), ("alias", "aliases"), ("bias", "biases"),
        ("canvas", "canvases"), ("atlas", "atlases"), ("gas", "gases"), ("lens", "lenses"), ("exercise", "exercises"),
        ("franchise", "franchises"), ("promise", "promises"), ("analysis", "analyses"), ("crisis", "crises"),
        ("thesis", "theses"), ("hypothesis", "hypotheses"), ("diagnosis", "diagnoses"), ("synopsis", "synopses"),
        ("axis", "axes"), ("iris", "irises"), ("purpose", "purposes"), ("dose", "doses"), ("rose", "roses"),
        ("box", "boxes"), ("tax", "taxes"), ("index", "indexes"), ("matrix", "matrices"), ("vertex", "vertices"),
        ("prefix", "prefixes"), ("dish", "dishes"), ("batch", "batches"), ("branch", "branches"), ("match", "matches"),
        ("cache", "caches"), ("niche", "niches"), ("headache", "headaches"), ("avalanche", "avalanches"),
        ("stomach", "stomachs"), ("epoch", "epochs"), ("quiz", "quizzes"), ("buzz", "buzzes"), ("size", "sizes"),
        ("prize", "prizes"), ("waltz", "waltzes"), ("hero", "heroes"), ("potato", "potatoes"), ("echo", "echoes"),
        ("photo", "photos"), ("video", "videos"), ("logo", "logos"), ("memo", "memos"), ("radio", "radios"),
        ("shoe", "shoes"), ("toe", "toes"), ("canoe", "canoes"), ("movie", "movies"), ("cookie", "cookies"),
        ("zombie", "zombies"), ("tie", "ties"), ("pie", "pies"), ("calorie", "calories"), ("person", "people"),
        ("child", "children"), ("man", "men"), ("woman", "women"), ("salesman", "salesmen"),
        ("saleswoman", "saleswomen"),
        ("human", "humans"), ("german", "germans"), ("specimen", "specimens"), ("foot", "feet"), ("tooth", "teeth"),
        ("mouse", "mice"), ("goose", "geese"), ("wolf", "wolves"), ("life", "lives"), ("knife", "knives"),
        ("leaf", "leaves"), ("shelf", "shelves"), ("half", "halves"), ("wave", "waves"), ("cave", "caves"),
        ("move", "moves"), ("olive", "olives"), ("archive", "archives"), ("roof", "roofs"), ("chief", "chiefs"),
        ("criterion", "criteria"), ("phenomenon", "phenomena"), ("curriculum", "curricula"), ("cactus", "cacti"),
        ("nucleus", "nuclei"), ("radius", "radii"), ("taxi", "taxis"), ("wiki", "wikis"), ("api", "apis"),
        ("menu", "menus"), ("area", "areas"), ("schema", "schemas"), ("camera", "cameras"), ("id", "ids"),
        ("ip", "ips"),
        ("url", "urls"), ("type", "types"), ("value", "values"), ("image", "images"), ("message", "messages"),
        ("language", "languages"), ("invoice", "invoices"), ("price", "prices"), ("employer", "employers"),
        ("track", "tracks"), ("playlist", "playlists"), ("genre", "genres"), ("store", "stores"),
        ("setting", "settings"),
        ("metric", "metrics"), ("log", "logs"), ("tree", "trees"), ("plateau", "plateaux"),
        ("soliloquy", "soliloquies"),
    ]

    @Test("A noun has distinct singular and plural forms, and each form is converted to the other", arguments: nouns)
    func inflected(_ singular: String, _ plural: String) {
        #expect(APIName.plural(of: singular) == plural)
        #expect(APIName.singular(of: plural) == singular)
        #expect(APIName.singular(of: singular) == singular)
        #expect(APIName.plural(of: plural) == plural)
    }

    @Test(
        "Alternative plural forms are recognized",
        arguments: [("indices", "index"), ("persons", "person"), ("formulae", "formula")])
    func otherPlurals(_ plural: String, _ singular: String) {
        #expect(APIName.singular(of: plural) == singular)
        #expect(APIName.plural(of: plural) == plural)
    }

    @Test(
        "For a word with only one form, the singular and the plural are nil",
        arguments: [
            "species", "series", "news", "data", "metadata", "order_data", "media", "sheep", "equipment", "information",
            "software",
            "staff", "sms", "userInfo", "name2", "größen", "x", "", "_", "名前",
        ])
    func invariable(_ word: String) {
        #expect(APIName.singular(of: word) == nil)
        #expect(APIName.plural(of: word) == nil)
    }

    @Test(
        "Only the last word of a name changes, regardless of case",
        arguments: [
            ("order_details", "order_detail"), ("orderDetails", "orderDetail"), ("OrderDetails", "OrderDetail"),
            ("ORDER_DETAILS", "ORDER_DETAIL"), ("Order Details", "Order Detail"), ("CUSTOMERS", "CUSTOMER"),
            ("Customers", "Customer"), ("salesPeople", "salesPerson"), ("SALES_PEOPLE", "SALES_PERSON"),
            ("People", "Person"), ("orderIDs", "orderID"), ("company_addresses", "company_address"),
            ("customers_", "customer_"), ("newsCategories", "newsCategory"), ("dept_emps", "dept_emp"),
        ])
    func lastWord(_ plural: String, _ singular: String) {
        #expect(APIName.singular(of: plural) == singular)
        #expect(APIName.plural(of: singular) == plural)
    }
}
