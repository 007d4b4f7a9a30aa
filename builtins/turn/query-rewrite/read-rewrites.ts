// Takes questions and passage out of the model's answer, which may be anything.

const maxQueries = 3;
/** UTF-16 units. */
const maxText = 1_000;

/** Up to three questions and one passage, in this order; empty where the answer makes no sense. */
export function readRewrites(text: string): readonly string[] {
  const found = parse(text);
  const queries = Array.isArray(found?.queries) ? found.queries.filter(isText).slice(0, maxQueries) : [];
  const passage = isText(found?.passage) ? [found.passage] : [];
  return [...new Set([...queries, ...passage].map((one) => one.trim().slice(0, maxText)))];
}

function parse(text: string): { readonly queries?: unknown; readonly passage?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, ''));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
