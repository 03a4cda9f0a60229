/// Cases for which this engine correctly returns a different result, with the reasons. `docs/graphql-conformance.md`
/// has the details.
enum KnownDifferences {
    static let reasons: [String: String] = [
        // parse
        "01f01e4e3cb9": "the place depends on how deep that implementation's call stack is",
        "6b4072f8f442": "the place depends on how deep that implementation's call stack is",
        // validate_sdl
        "33af74bcd827": "directives on directive definitions are not in the September 2025 edition",
        "06b22df5bf09": "extensions of directives are not in the September 2025 edition",
        // validate_schema
        "741dbce68974": "the schema's text lacks a type it refers to, which is an error of its own",
        "7b88633d7eac": "the schema's text refers to a type that does not exist, which is an error of its own",
        "33b5c6c99b68": "the schema's text refers to a type that does not exist, which is an error of its own",
        "76fb837a8123": "one place more in the suite, where a type's extension was printed into its definition",
        // validate
        "4e7ca5630aa5": "the September 2025 edition forbids @skip and @include on a subscription's top fields",
        "16f148891861": "that implementation's own bound on comparisons, set low for the test",
        "31f1a42618a3":
            "that implementation's own bound on comparisons; this one needs fewer, and the document is valid",
        "2a53a63a415f": "that implementation's own bound on comparisons; this one needs fewer",
        "577572ddd13c": "that implementation's own bound; here the errors about @skip reach their number first",
        "55c0710351cd": "that implementation's call stack; this one follows fragments without recursion",
        "041c2c4a0c2b": "that implementation's call stack; this one follows fragments without recursion",
        "60a2cfb828ad": "a rule of the suite's own that overflows that implementation's call stack",
        "02d1286299a2": "that implementation shortens names of 2,000 characters in messages; this one longer messages",
        "226354c3dc98": "that implementation leaves out some places of a conflict with very many",
    ]
}
