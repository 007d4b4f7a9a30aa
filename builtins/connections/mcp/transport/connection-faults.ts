// Defines connection errors that have a remedy: a sign-in by the user, or a retry.

/** A sign-in is required first. */
export class SignInNeeded extends Error {}

/** The server was restarted before it ran the request, so the request may be repeated in a new session. */
export class SessionLost extends Error {}
