// Takes questions and passage out of the model's answer, which may be anything.
import { textStart } from 'agent-harness/lib/text';
import { answeredJson, isRecord } from 'agent-harness/lib/values';

const maxQueries = 3;
/** UTF-16 units. */
const maxText = 1_000;

/** Up to three questions and one passage, in this order; empty where the answer makes no sense. */
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
