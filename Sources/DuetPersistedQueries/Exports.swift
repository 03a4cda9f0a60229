// The interface of this module contains types of these modules, so its users need one import.

@_exported public import DuetPersistedDocuments
@_exported public import DuetSQLDatabase
