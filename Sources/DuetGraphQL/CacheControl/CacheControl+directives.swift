extension CacheControl {
    /// The definitions of `@cacheControl` and its scopes. Append them to a text in the schema definition language that
    /// uses the directive.
    public static let directiveDefinitions = """
        "The caches that may store a response."
        enum CacheControlScope {
          "All caches, shared and private."
          PUBLIC
          "Only the cache of the client that sent the request."
          PRIVATE
        }

        "The time for which caches may store a response. It applies if the response contains the field, or an object of the type."
        directive @cacheControl(
          "The maximum age in seconds."
          maxAge: Int
          "The caches that may store the response."
          scope: CacheControlScope
          "If true, the maximum age of the enclosing field applies."
          inheritMaxAge: Boolean
        ) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION

        """
}
