extension CacheControl {
    /// The definitions of `@cacheControl` and its scopes. Add them to an SDL text that uses the directive.
    public static let directiveDefinitions = """
        "Whose caches may keep a response."
        enum CacheControlScope {
          "Every cache on the way."
          PUBLIC
          "Only that of the client who asked."
          PRIVATE
        }

        "How long a response may be kept that has the field, or an object of the type."
        directive @cacheControl(
          "For how many seconds."
          maxAge: Int
          "Whose caches may keep it."
          scope: CacheControlScope
          "Whether what is around the field says for how long."
          inheritMaxAge: Boolean
        ) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION

        """
}
