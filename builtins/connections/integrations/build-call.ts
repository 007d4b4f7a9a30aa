// Builds a provider request from the arguments of an operation.
import type { ProviderTool } from './contract.ts';

export interface ProviderCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

/** Returns whether an operation is read-only. */
export function isReading({ method, isRead }: ProviderTool): boolean {
  return isRead === true || method === 'GET';
}

/** Builds the request of a call. Contract: the arguments match the tool's schema. */
export function buildCall(tool: ProviderTool, args: Readonly<Record<string, unknown>>): ProviderCall {
  const inPath = new Set([...tool.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(args[name]));
  const values = { ...tool.fixed, ...Object.fromEntries(Object.entries(args).filter(([name]) => !inPath.has(name))) };
  if (tool.method === 'GET' || tool.method === 'DELETE') return { method: tool.method, path, query: plainQuery(values) };
  return { method: tool.method, path, query: {}, body: tool.mail === undefined ? placed(values, tool.place ?? {}) : mailBody(tool.mail, values) };
}

/** Encodes a path segment, including the dots of `.` and `..`. */
function encodeSegment(value: unknown): string {
  const text = encodeURIComponent(textOf(value));
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%2E') : text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

function plainQuery(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));
}

/** Moves values to their paths: `{ text: 'x' }` with `{ text: 'a.b' }` becomes `{ a: { b: 'x' } }`. The paths come from the plugin, not from the model. */
function placed(values: Readonly<Record<string, unknown>>, places: Readonly<Record<string, string>>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const steps = (Object.hasOwn(places, name) ? (places[name] as string) : name).split('.');
    const last = steps.pop() as string;
    let at = body;
    for (const step of steps) at = (at[step] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return body;
}

/** Builds an e-mail (RFC 5322, base64url) without characters that could start another header. */
function mailBody(field: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const line = (value: unknown): string => textOf(value).replace(/[\r\n]+/g, ' ');
  const subject = `=?UTF-8?B?${Buffer.from(line(values['subject'])).toString('base64')}?=`;
  const head = [
    `To: ${line(values['to'])}`,
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ];
  const body = Buffer.from(textOf(values['body'])).toString('base64').replace(/.{76}/g, '$&\r\n');
  return { [field]: Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`).toString('base64url') };
}
