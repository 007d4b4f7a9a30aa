// What can go wrong between socket and route.
import type { ErrorSpec, KernelError } from 'agent-harness/kernel';

export const errors = {
  HOST_NOT_ALLOWED: {
    message: "The host '{host}' is not allowed; open the server as localhost, or say in {variable} by which name it is reached.",
    status: 403,
  },
  ORIGIN_NOT_ALLOWED: { message: "Pages of '{origin}' may not call this server; add the origin to AGENT_WEB_CORS_ORIGINS to allow it.", status: 403 },
  UNAUTHORIZED: { message: 'This needs the web token: send it as Authorization: Bearer <token>.', status: 401 },
  FORBIDDEN: {
    message: "That needs the permission '{permission}', which the role {role} has where it is not limited to other areas. An owner can give it.",
    status: 403,
  },
  ENTITLEMENT_REQUIRED: { message: "This needs '{entitlement}', which the plan does not include.", status: 403 },
  TOO_MANY_ATTEMPTS: { message: 'Too many wrong tokens or codes from this address; try again in {retryAfter} seconds.', status: 429 },
  NOT_FOUND: { message: 'There is nothing at {method} {path}.', status: 404 },
  INVALID_REQUEST: { message: 'The request is not valid: {why}', status: 400 },
  UNSUPPORTED_MEDIA_TYPE: { message: 'Send the body as JSON, with the header Content-Type: application/json.', status: 415 },
  TOO_LARGE: { message: 'The request is larger than the {limit} bytes that fit here.', status: 413 },
  RANGE_NOT_SATISFIABLE: { message: 'There is no such part: it has {bytes} bytes.', status: 416 },
  REQUEST_TIMEOUT: { message: 'The request took too long to arrive; send it again.', status: 408 },
  HEADERS_TOO_LARGE: { message: "The request's headers are too large.", status: 431 },
  NOT_READY: { message: 'The server is starting or stopping; try again in a moment.', status: 503 },
  INTERNAL_ERROR: { message: "Something went wrong inside the server; its log says more under this request's id.", status: 500 },
  PORT_IN_USE: { message: 'Port {port} on {host} is in use. Stop the program that has it, or choose another port with PORT.', status: 409 },
  LISTEN_FAILED: { message: 'Cannot listen on {host} port {port}: {why}', status: 500 },
  BIND_REFUSED: {
    message:
      "'{host}' can be reached from other machines. Set AGENT_WEB_TOKEN (or pair a device) before binding to it, or leave AGENT_WEB_BIND_HOST at 127.0.0.1.",
    status: 403,
  },
  TOKEN_GUESSABLE: {
    message: "'{host}' can be reached from other machines, and an AGENT_WEB_TOKEN of fewer than {least} characters can be guessed there. Set a longer one.",
    status: 403,
  },
  TOKEN_FIXED: { message: 'The web token is set by AGENT_WEB_TOKEN; change it there.', status: 409 },
} as const satisfies Record<string, ErrorSpec>;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
