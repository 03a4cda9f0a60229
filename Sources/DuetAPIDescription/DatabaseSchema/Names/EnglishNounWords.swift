extension EnglishNoun {
    /// Nouns whose singular and plural are equal, nouns without a plural, and abbreviations that end in S.
    static let invariable: Set<String> = [
        "series", "species", "news", "data", "media", "sheep", "fish", "deer", "moose", "aircraft", "spacecraft",
        "offspring",
        "information", "equipment", "money", "feedback", "staff", "furniture", "luggage", "baggage", "traffic",
        "weather",
        "knowledge", "police", "cattle", "headquarters", "crossroads", "means", "corps", "chassis", "politics",
        "mathematics", "physics", "economics", "electronics", "logistics", "analytics", "genetics", "ethics",
        "athletics",
        "goods", "clothes", "thanks", "scissors", "trousers", "pants", "jeans", "diabetes", "rabies", "stuff", "advice",
        "research", "progress", "salmon", "trout", "bison", "swine", "kudos", "sms", "mms", "gps", "dns", "tls",
        "https",
        "css", "js", "aws", "ios", "os", "pos", "cms", "rss", "us", "yes", "always", "whereas", "as", "is", "this",
        "has",
        "was", "its", "info", "misc", "etc",
    ]

    /// Singulars with irregular plurals.
    static let plurals: [String: String] = [
        "person": "people", "child": "children", "grandchild": "grandchildren", "foot": "feet", "tooth": "teeth",
        "goose": "geese", "mouse": "mice", "louse": "lice", "ox": "oxen", "die": "dice",
        "criterion": "criteria", "phenomenon": "phenomena", "bacterium": "bacteria", "curriculum": "curricula",
        "memorandum": "memoranda", "stratum": "strata", "erratum": "errata", "addendum": "addenda",
        "spectrum": "spectra",
        "automaton": "automata", "ovum": "ova", "quantum": "quanta",
        "matrix": "matrices", "vertex": "vertices", "vortex": "vortices", "appendix": "appendices", "index": "indexes",
        "axis": "axes", "quiz": "quizzes", "bureau": "bureaux", "plateau": "plateaux",
        "alumnus": "alumni", "cactus": "cacti", "fungus": "fungi", "nucleus": "nuclei", "radius": "radii",
        "stimulus": "stimuli", "syllabus": "syllabi", "terminus": "termini", "bacillus": "bacilli",
        "larva": "larvae", "alga": "algae", "vertebra": "vertebrae", "nebula": "nebulae",
        "wolf": "wolves", "life": "lives", "wife": "wives", "housewife": "housewives", "knife": "knives",
        "leaf": "leaves",
        "shelf": "shelves", "bookshelf": "bookshelves", "half": "halves", "self": "selves", "elf": "elves",
        "calf": "calves", "loaf": "loaves", "thief": "thieves", "scarf": "scarves", "hoof": "hooves",
        // These singulars end in S and have a regular plural, but no rule recognizes them as singulars.
        "alias": "aliases", "bias": "biases", "atlas": "atlases", "canvas": "canvases", "gas": "gases",
        "lens": "lenses",
        "pancreas": "pancreases", "christmas": "christmases", "iris": "irises", "trellis": "trellises",
        "pelvis": "pelvises", "mantis": "mantises", "metropolis": "metropolises", "summons": "summonses",
        "chaos": "chaoses", "cosmos": "cosmoses",
        "rhinoceros": "rhinoceroses", "thermos": "thermoses",
    ]

    /// The singulars of the plurals that the rules cannot convert, keyed by plural.
    static let nouns: [String: String] = {
        var nouns = Dictionary(plurals.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        nouns["indices"] = "index"
        nouns["persons"] = "person"
        nouns["formulae"] = "formula"
        nouns["antennae"] = "antenna"
        for stem in [
            "analy", "paraly", "cataly", "cri", "the", "hypothe", "synthe", "parenthe", "prosthe", "diagno", "progno",
            "neuro", "psycho", "metamorpho", "oa", "synop", "ellip", "empha", "gene", "dialy", "neme", "antithe",
            "photosynthe",
        ] {
            nouns[stem + "ses"] = stem + "sis"
        }
        // These words end in I or U. The rules treat their plurals as singulars, because the plurals end in `is` or
        // `us`.
        for word in [
            "taxi", "ski", "kiwi", "bikini", "rabbi", "safari", "alibi", "emoji", "wiki", "api", "uri", "kpi", "sushi",
            "tsunami",
            "gui", "cli", "ui", "wifi", "roi", "menu", "submenu", "guru", "emu", "haiku", "sku", "cpu", "gpu",
            "plateau",
            "bureau", "zebu", "tutu", "caribou", "ecu",
        ] {
            nouns[word + "s"] = word
        }
        return nouns
    }()

    /// Singulars that the rules would treat as plurals.
    static let singulars: Set<String> = ["ethos", "pathos", "asbestos", "texas", "mars", "wales", "paris"]

    /// Endings of words that end in `men` or `man` but are not compounds of `man`.
    static let noPersons = [
        "specimen", "regimen", "abdomen", "omen", "acumen", "semen", "stamen", "hymen", "dolmen", "examen", "human",
        "german",
        "roman", "norman", "ottoman", "shaman", "talisman", "caiman",
    ]

    /// Words that end in `ie`. Their plurals end in `ies`, like the plurals of words that end in `y`.
    static let ie: Set<String> = [
        "tie", "pie", "lie", "die", "movie", "cookie", "zombie", "calorie", "selfie", "brownie", "rookie", "hoodie",
        "genie",
        "prairie", "smoothie", "foodie", "goalie", "birdie", "bookie", "caddie", "newbie", "freebie", "indie", "junkie",
        "pixie", "veggie", "talkie", "techie", "auntie", "beanie", "groupie", "roadie", "sortie", "menagerie",
        "reverie",
        "patisserie", "rotisserie", "brasserie", "eerie", "townie", "hippie", "necktie", "magpie", "boogie", "doggie",
    ]

    /// Words that end in `che`. Their plurals end in `ches`, like the plurals of words that end in `ch`.
    static let che: Set<String> = [
        "ache", "toothache", "backache", "earache", "heartache", "stomachache", "panache", "moustache", "mustache",
        "niche",
        "quiche", "pastiche", "psyche", "tranche", "avalanche", "creche", "cliche", "brioche", "gouache", "cartouche",
        "microfiche", "porsche", "apache",
    ]

    /// Words that end in `oe`. Their plurals end in `oes`, like the plurals of some words that end in `o`.
    static let oe: Set<String> = [
        "toe", "foe", "hoe", "doe", "roe", "woe", "floe", "aloe", "oboe", "canoe", "tiptoe", "mistletoe", "throe",
    ]

    /// The word `use` and words that end in `use`. Their plurals end in `uses`, like the plurals of words that end in
    /// `us`.
    static let use: Set<String> = [
        "use", "reuse", "fuse", "muse", "ruse", "abuse", "excuse", "refuse", "misuse", "recluse", "disuse",
    ]

    /// Words that end in `o` and whose plural ends in `oes`.
    static let esAfterO: Set<String> = [
        "hero", "superhero", "potato", "tomato", "echo", "torpedo", "veto", "cargo", "mosquito", "volcano", "embargo",
        "tornado",
        "domino", "mango", "buffalo",
    ]

    /// Endings of words in which `ch` is pronounced like K. Their plurals end in `chs`.
    static let hardCH = ["stomach", "monarch", "patriarch", "matriarch", "epoch", "loch", "tech", "eunuch"]
}
