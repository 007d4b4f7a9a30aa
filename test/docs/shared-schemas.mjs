// Puts what stands several times in an OpenAPI document into its components, once: an entry of a transcript is described by dozens of routes.

/** Shorter ones are read more easily where they stand. Characters of JSON. */
const leastLength = 200;

/**
 * Changes the document. A shared schema is named after the place where it stands first.
 *
 * @param {Record<string, any>} document
 */
export function shareSchemas(document) {
  const counts = new Map();
  visit(document.paths, (schema) => {
    const text = JSON.stringify(schema);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return schema;
  });
  const isShared = (text) => text.length >= leastLength && (counts.get(text) ?? 0) > 1;
  const names = new Map();
  const schemas = { ...document.components?.schemas };

  const share = (schema, path) => {
    const text = JSON.stringify(schema);
    if (!isShared(text)) return undefined;
    let name = names.get(text);
    if (name === undefined) {
      name = freeName(path, schemas);
      names.set(text, name);
      schemas[name] = {};
      schemas[name] = visit(schema, (inner, at) => (inner === schema ? undefined : share(inner, at)), path);
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  document.paths = visit(document.paths, share);
  document.components = { ...document.components, schemas, responses: shareFailures(document.paths) };
}

/** The replies to what fails are the same for nearly all routes. Answers them by name. */
function shareFailures(paths) {
  const shared = {};
  const names = new Map();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      if (!/^[45]/.test(status)) continue;
      const text = JSON.stringify(response);
      const name = names.get(text) ?? freeName([`status${status}`], shared);
      names.set(text, name);
      shared[name] = response;
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return shared;
}

/** A copy in which each schema is what `change` answers for it; where that is nothing, its parts are looked at. */
function visit(node, change, path = [], isNames = false) {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((one) => visit(one, change, path));
  const changed = !isNames && isSchema(node) ? change(node, path) : undefined;
  if (changed !== undefined && changed !== node) return changed;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value, change, [...path, key], key === 'properties')]));
}

const isSchema = (node) => node.type === 'object' || Array.isArray(node.anyOf) || Array.isArray(node.enum);

/** The last name in the path that is one of the API's own. */
function freeName(path, taken) {
  const words = new Set('properties items anyOf schema content requestBody responses application/json parameters additionalProperties get put post patch delete'.split(' '));
  const own = path.findLast((part) => !words.has(part) && /^[A-Za-z]/.test(part)) ?? path.findLast((part) => part.startsWith('/'))?.replaceAll(/[^A-Za-z]+/g, ' ').trim() ?? 'shared';
  const base = own.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, next = '') => next.toUpperCase());
  const name = base.charAt(0).toUpperCase() + base.slice(1);
  let free = name;
  for (let more = 2; free in taken; more++) free = name + more;
  return free;
}
