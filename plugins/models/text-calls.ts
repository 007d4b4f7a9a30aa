// Parses tool calls that a model wrote as text, in the formats on which local models are trained. Pure.
import { isRecord, jsonOf } from '#lib/values';

export interface TextCall {
  readonly name: string;
  /** Arguments as the JSON text of an object. */
  readonly argsText: string;
}

/** Matches the markers that begin a call at the start of a line: Qwen, Hermes, Llama, Mistral, Claude's XML format. */
export const callMark = /(?:^|\n)[ \t]*(<tool_call>|<function_call>|<\|tool_call\|>|<function=|<\|python_tag\|>|\[TOOL_CALLS\]|<invoke name=|<function_calls>)/;
/** Maximum length of a marker in UTF-16 code units, rounded up. */
export const maxMarkLength = 20;

const callName = /^[\w.-]{1,64}$/;
const nameKeys = ['name', 'tool', 'tool_name', 'function', 'function_name'];
const argsKeys = ['arguments', 'parameters', 'args', 'input', 'params'];
const tags = /<\/?(?:tool_call|function_call|function_calls)>|<\|\/?tool_call\|>|<\|python_tag\|>|<\|(?:eom|eot|im_end)[^|]*\|>/g;
const xmlCall = /<(?:function=|invoke name=")([\w.-]+)"?>([^]*?)(?:<\/(?:function|invoke)>|$)/g;
const xmlParameter = /<parameter(?:=| name=")([\w.-]+)"?>([^]*?)<\/parameter>/g;

/** Parses text that begins with a marker. Returns an empty list if any part of it is not a call. */
export function readMarkedCalls(text: string): TextCall[] {
  const xml = [...text.matchAll(xmlCall)].flatMap(([, name = '', body = '']) => xmlOf(name, body));
  if (xml.length > 0) return xml;
  const mistral = /\[TOOL_CALLS\]\s*(?:([\w.-]+)(?:\[CALL_ID\]\w+)?\[ARGS\])?([^]*)$/.exec(text);
  if (mistral) {
    const [, name, body = ''] = mistral;
    return callsOf(name === undefined ? jsonOf(body.trim()) : { name, arguments: jsonOf(body.trim()) });
  }
  const calls = text
    .split(tags)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => callsOf(jsonOf(piece)));
  return calls.some((found) => found.length === 0) ? [] : calls.flat();
}

/** Parses a whole reply that is the JSON of one or more calls, with or without a code block. */
export function readWholeCalls(text: string, isTool: (name: string) => boolean): TextCall[] {
  const [, fenced] = /^```(?:json|tool_code)?\s*\n([^]*?)\n?```$/.exec(text.trim()) ?? [];
  const calls = callsOf(jsonOf((fenced ?? text).trim()));
  return calls.every(({ name }) => isTool(name)) ? calls : [];
}

/** Returns whether the beginning of a reply may be the JSON of calls; `undefined` if the decision needs more text. */
export function mayBeCalls(text: string): boolean | undefined {
  const start = text.trimStart();
  const shape = /^(?:```(?:json|tool_code)?\s*\n\s*)?\[?\s*\{\s*"(?:name|tool|tool_name|function|function_name|type|id)"\s*:/;
  if (shape.test(start)) return true;
  const isShort = start.length < 48;
  return isShort && /^(?:`{0,3}|```(?:j|js|jso|json|tool_code)?\s*)?(?:\n\s*)?\[?\s*(?:\{\s*(?:"[a-z_]*"?\s*)?)?$/.test(start) ? undefined : false;
}

function callsOf(value: unknown): TextCall[] {
  if (Array.isArray(value)) {
    const calls = value.map((one) => callsOf(one));
    return calls.some((found) => found.length !== 1) ? [] : calls.flat();
  }
  if (!isRecord(value)) return [];
  if (isRecord(value['function'])) return callsOf(value['function']);
  const name = nameKeys.map((key) => value[key]).find((one) => typeof one === 'string');
  const key = argsKeys.find((one) => one in value);
  const given: unknown = key === undefined ? {} : value[key];
  const args: unknown = typeof given === 'string' ? jsonOf(given) : (given ?? {});
  return typeof name === 'string' && callName.test(name) && isRecord(args) ? [{ name, argsText: JSON.stringify(args) }] : [];
}

function xmlOf(name: string, body: string): TextCall[] {
  const json = jsonOf(body.trim());
  if (isRecord(json)) return [{ name, argsText: JSON.stringify(json) }];
  const args = [...body.matchAll(xmlParameter)].map(([, key = '', text = '']) => {
    const value = text.replace(/^\n|\n$/g, '');
    const parsed = jsonOf(value.trim());
    return [key, parsed === undefined || typeof parsed === 'string' ? value : parsed] as const;
  });
  return [{ name, argsText: JSON.stringify(Object.fromEntries(args)) }];
}
