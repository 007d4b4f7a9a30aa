// A document that somebody typed as JSON. Pure.
import { messageOf } from 'agent-harness/lib/errors';
import { isRecord } from 'agent-harness/lib/values';

export type ParsedDocument<T> = { readonly value: T; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: string };

/** What stands in it is checked where it is published. */
export function parseDocument<T extends object>(text: string): ParsedDocument<T> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { value: value as T } : { problem: 'It has to be an object: { … }.' };
  } catch (fault) {
    return { problem: `This is no JSON: ${messageOf(fault)}.` };
  }
}
