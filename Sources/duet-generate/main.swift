import ArgumentParser
import DuetOperationGenerator

// This program contains only the command `generate`, which the build plugin runs. To use the program `duet` instead,
// the plugin would have to build the whole server.
GenerateCommand.main()
