import ArgumentParser
import DuetOperationGenerator

// This product contains only the command, for the plugin. The product `duet` would require building the whole server.
GenerateCommand.main()
