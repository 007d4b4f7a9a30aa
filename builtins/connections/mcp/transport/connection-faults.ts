// Defines connection errors that can be fixed: by a sign-in of the user, or by a retry.

/** A sign-in is required first. */
export class SignInNeeded extends Error {}

/** The server was restarted without running the request, so a new session may repeat it. */
export class SessionLost extends Error {}
