#if !Crypto
    #error("Enable the trait \"Crypto\" of the package duet for DuetTokens.")
#endif
