// The syntax tree and the errors are part of the engine's public interface, so that its users need one import.
@_exported public import DuetGraphQLLanguage
