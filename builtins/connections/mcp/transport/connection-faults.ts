// Defines connection errors that can be fixed: by a sign-in of the user, or by a retry.

/** A sign-in is required first. */
export class SignInNeeded extends Error {}

/** The server was restarted meanwhile: it did nothing, and a new session may repeat the request. */
export class SessionLost extends Error {}
