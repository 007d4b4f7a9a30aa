// Failures of a connection that somebody can mend: a person in a browser, or a second try.

/** Somebody must sign in first. */
export class SignInNeeded extends Error {}

/** The server was started again meanwhile: it did nothing, and a new session may ask once more. */
export class SessionLost extends Error {}
