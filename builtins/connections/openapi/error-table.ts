// Defines the errors of OpenAPI connections.
import type { ErrorSpec } from 'agent-harness/kernel';

export const errorTable = {
  SOURCE_MISSING: { message: 'Set either specUrl, the address of an OpenAPI document, or spec, the document itself.', status: 400 },
  SPEC_URL_INVALID: { message: 'specUrl must be an http or https address without a user name or password.', status: 400 },
  NOT_FETCHED: { message: 'The document could not be fetched: {why}.', status: 422 },
  NOT_READABLE: { message: 'The document could not be read: {why}.', status: 422 },
  NOT_OPENAPI: { message: 'This is not a supported OpenAPI document: it is {what}. Use OpenAPI 3.0 or 3.1.', status: 422 },
  VERSION_TOO_OLD: {
    message: 'This is a Swagger 2.0 document. Convert it to OpenAPI 3 first, for example with the Swagger Editor ("Convert to OpenAPI 3").',
    status: 422,
  },
  FOREIGN_REFERENCE: {
    message: 'The document has external references: {why}. Only parts on the same server as specUrl are read. Bundle the document into one file first.',
    status: 422,
  },
  TOO_LARGE: { message: 'The document is too large: {why}.', status: 413 },
  NO_OPERATIONS: { message: 'The document has no operations: no path has a method such as get or post.', status: 422 },
  NO_BASE_URL: { message: "The document does not name its server ('{url}'); set baseUrl.", status: 422 },
  BASE_URL_INVALID: { message: "baseUrl must be an http or https address without a user name or password; '{url}' is not.", status: 400 },
  BASE_URL_PRIVATE: {
    message: 'The document names the server {url}, which is on this machine or in a private network. To allow it, set it as baseUrl.',
    status: 422,
  },
  BASE_URL_NEEDED: {
    message: 'Tokens of an account are sent only to a server that you name yourself. The document names {url}; to allow it, set it as baseUrl.',
    status: 400,
  },
  SCHEME_UNKNOWN: { message: "The document has no security scheme '{scheme}'; it has: {known}.", status: 422 },
  CREDENTIAL_INVALID: { message: 'The {what} {why}', status: 400 },
  NAME_TAKEN: { message: "The tools of '{name}' could not be added: {why} Choose another name.", status: 409 },
  NOT_FOUND: { message: "There is no OpenAPI connection '{name}'.", status: 404 },
} as const satisfies Readonly<Record<string, ErrorSpec>>;

export type ErrorReason = keyof typeof errorTable;
