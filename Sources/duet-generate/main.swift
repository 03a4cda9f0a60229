import ArgumentParser
import OperationGenerator

// The command alone, for the plugin: `duet` would build the whole server.
GenerateCommand.main()
