// Reads the JSON of a request that is passed on to the provider byte by byte, so that the provider reads what was priced here. Pure.
import { isNestedDeeper, maxJsonDepth, nameTwiceIn } from '#lib/json-text';
import { textStart } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';

/**
 * Returns its fields, or the reason if it is not passed on.
 *
 * @param known the fields whose cost the price covers
 */
export function readPassedJson(bytes: Buffer, known: ReadonlySet<string>): Readonly<Record<string, unknown>> | string {
  const text = bytes.toString('utf8');
  if (isNestedDeeper(text, maxJsonDepth)) return `the body is nested more than ${maxJsonDepth} levels deep.`;
  const fields = jsonOf(text);
  if (!isRecord(fields)) return 'the body is no JSON object.';
  const twice = nameTwiceIn(text);
  return twice === undefined ? (whyUnknown(Object.keys(fields), known) ?? fields) : `it has '${textStart(twice, 100)}' twice.`;
}

/** Fields that multiply answers, choose other models or start paid services would cost something else than was held. */
export function whyUnknown(names: readonly string[], known: ReadonlySet<string>): string | undefined {
  const unknown = names.find((name) => !known.has(name));
  return unknown === undefined ? undefined : `'${textStart(unknown, 100)}' is not passed on to the provider; leave it out.`;
}
