// The JSON of a request whose very bytes go on to the provider, which has to read in them what was priced here. Pure.
import { isNestedDeeper, maxJsonDepth, nameTwiceIn } from 'agent-harness/lib/json-text';
import { textStart } from 'agent-harness/lib/text';
import { isRecord, jsonOf } from 'agent-harness/lib/values';

/** Its fields, or why it is not passed on. */
export function readPassedJson(bytes: Buffer): Readonly<Record<string, unknown>> | string {
  const text = bytes.toString('utf8');
  if (isNestedDeeper(text, maxJsonDepth)) return `the body is nested more than ${maxJsonDepth} levels deep.`;
  const fields = jsonOf(text);
  if (!isRecord(fields)) return 'the body is no JSON object.';
  const twice = nameTwiceIn(text);
  return twice === undefined ? fields : `it has '${textStart(twice, 100)}' twice.`;
}
