// Parses the questions and the passage in the model's answer, which may be any text.
import { textStart } from '#lib/text';
import { answeredJson, isRecord } from '#lib/values';

const maxQueries = 3;
/** Maximum length of a question or passage in UTF-16 code units. */
const maxText = 1_000;

/** Returns up to three questions and one passage, in this order; an empty list for an invalid answer. */
export function readRewrites(text: string): readonly string[] {
  const found = answeredJson(text);
  const { queries: said, passage: written } = isRecord(found) ? found : {};
  const queries = Array.isArray(said) ? said.filter(isText).slice(0, maxQueries) : [];
  const passage = isText(written) ? [written] : [];
  return [...new Set([...queries, ...passage].map((one) => textStart(one.trim(), maxText)))];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
