// The types of the calls of the client and of the pages of the control plane, from the OpenAPI documents that are served.
import openapiTS, { astToString } from 'openapi-typescript';
import { shareSchemas } from './shared-schemas.mjs';

export const apiTypesPath = 'builtins/clients/client/api-types.ts';
export const commandTypesPath = 'builtins/clients/client/command-types.ts';
export const planeTypesPath = 'builtins/control-plane/plane-pages/app/api-types.ts';
const head = '// Generated from the served OpenAPI document by `npm run docs:gen`; do not edit.\n';

/** @param {Record<string, unknown>} document @returns {Promise<string>} the text of the file */
export async function makeApiTypes(document) {
  // The document is changed while it is read.
  const own = structuredClone(document);
  shareSchemas(own);
  return head + astToString(await openapiTS(own));
}

/** Which route each command of the desktop protocol stands for. @param {readonly (readonly [command: string, key: string])[]} commands */
export function makeCommandTypes(commands) {
  return `${head}\nexport interface Commands {\n${commands.map(([command, key]) => `  ${command}: '${key}';`).join('\n')}\n}\n`;
}
