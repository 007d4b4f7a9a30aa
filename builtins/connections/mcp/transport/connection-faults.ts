// Defines failures of a connection that can be fixed: by the user in a browser, or by a second try.

/** A sign-in is required first. */
export class SignInNeeded extends Error {}

/** The server was restarted meanwhile: it did nothing, and a new session may repeat the request. */
export class SessionLost extends Error {}
