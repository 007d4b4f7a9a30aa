// Parses a JSON request that is forwarded unchanged, and rejects texts that the provider could interpret differently. Pure.
import { isNestedDeeper, maxJsonDepth, nameTwiceIn } from '#lib/json-text';
import { textStart } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';

/**
 * Returns the fields, or the reason if the request is not forwarded.
 *
 * @param known fields whose cost the price covers
 */
export function readPassedJson(bytes: Buffer, known: ReadonlySet<string>): Readonly<Record<string, unknown>> | string {
  const text = bytes.toString('utf8');
  if (isNestedDeeper(text, maxJsonDepth)) return `the body is nested more than ${maxJsonDepth} levels deep.`;
  const fields = jsonOf(text);
  if (!isRecord(fields)) return 'the body is not a JSON object.';
  const twice = nameTwiceIn(text);
  return twice === undefined ? (whyUnknown(Object.keys(fields), known) ?? fields) : `the field '${textStart(twice, 100)}' occurs more than once.`;
}

/** Returns the reason if a field is unknown: such a field may multiply answers, select other models or start paid services, and thus change the cost. */
export function whyUnknown(names: readonly string[], known: ReadonlySet<string>): string | undefined {
  const unknown = names.find((name) => !known.has(name));
  return unknown === undefined ? undefined : `'${textStart(unknown, 100)}' is not supported. Leave it out.`;
}
