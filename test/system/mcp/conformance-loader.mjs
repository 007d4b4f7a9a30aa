// Node 20 lacks `globSync`, which the suite imports but does not need for clients.
import { register } from 'node:module';

const shim = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];";
const hooks = `export async function resolve(specifier, context, next) {
  const isMissing = /^(node:)?fs$/.test(specifier) && context.parentURL?.includes('/@modelcontextprotocol/conformance');
  return isMissing ? { url: 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(shim)}), shortCircuit: true, format: 'module' } : next(specifier, context);
}`;
if (!('globSync' in (await import('node:fs')))) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
