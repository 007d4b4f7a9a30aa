// The types of the client's calls, from the OpenAPI document that the server serves.
import openapiTS, { astToString } from 'openapi-typescript';

export const apiTypesPath = 'builtins/clients/client/api-types.ts';
const head = '// Generated from the served OpenAPI document by `npm run docs:gen`; do not edit.\n';

/** @param {Record<string, unknown>} document @returns {Promise<string>} the text of the file */
export async function makeApiTypes(document) {
  // The document is changed while it is read.
  return head + astToString(await openapiTS(structuredClone(document)));
}
