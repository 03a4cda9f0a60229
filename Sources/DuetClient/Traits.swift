#if !Client
    #error("Enable the trait \"Client\" of the package duet for DuetClient.")
#endif
