// Converts a server's response to a tool outcome: text, images, and descriptions of other content. All of them are external content.
import { usableImage } from '#lib/usable-image';
import { isRecord } from '#lib/values';
import type { ImagePart } from 'agent-harness/plugins/models';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { cutLine } from './foreign-text.ts';

const mostPictures = 4;
/** Maximum length of a text that may be an explanation, in characters. */
const shortText = 500;
const mostCompared = 100;

interface Read {
  readonly texts: string[];
  readonly images: ImagePart[];
}

/** @param result result of `tools/call`, of any shape */
export function readCallResult(result: unknown): ToolOutcome {
  if (!isRecord(result)) return { ok: false, error: 'The server returned an invalid result.', isUntrusted: true };
  const read: Read = { texts: [], images: [] };
  const content = Array.isArray(result['content']) ? result['content'] : [];
  for (const part of content as unknown[]) readPart(part, read);
  addStructured(result['structuredContent'], read);
  const output = read.texts.join('\n');
  if (result['isError'] === true) return { ok: false, error: output || 'The tool failed without a message.', isUntrusted: true };
  return finish(read, '(The result is empty.)');
}

/** @param result result of `resources/read` */
export function readResource(result: unknown): ToolOutcome {
  const read: Read = { texts: [], images: [] };
  const contents = isRecord(result) && Array.isArray(result['contents']) ? result['contents'] : [];
  for (const one of contents as unknown[]) readEmbedded(one, read);
  return finish(read, '(The resource is empty.)');
}

/** @param result result of `prompts/get` */
export function readPrompt(result: unknown): ToolOutcome {
  const read: Read = { texts: [], images: [] };
  const messages = isRecord(result) && Array.isArray(result['messages']) ? result['messages'] : [];
  for (const message of messages as unknown[]) {
    if (!isRecord(message)) continue;
    read.texts.push(`${message['role'] === 'assistant' ? 'assistant' : 'user'}:`);
    readPart(message['content'], read);
  }
  return finish(read, '(The prompt is empty.)');
}

function finish({ texts, images }: Read, empty: string): ToolOutcome {
  const output = texts.join('\n');
  const shown = output === '' && images.length === 0 ? empty : output;
  return { ok: true, output: shown, isUntrusted: true, ...(images.length > 0 ? { images } : {}) };
}

function readPart(part: unknown, read: Read): void {
  if (!isRecord(part)) return;
  if (part['type'] === 'text') read.texts.push(textOf(part['text']));
  else if (part['type'] === 'image') addPicture(part['mimeType'], part['data'], read);
  else if (part['type'] === 'audio') read.texts.push(`[Audio of type ${cutLine(textOf(part['mimeType']), 100)}, not shown.]`);
  else if (part['type'] === 'resource') readEmbedded(part['resource'], read);
  else if (part['type'] === 'resource_link') read.texts.push(`[Resource ${describeResource(part)}]`);
  else read.texts.push(JSON.stringify(part));
}

function readEmbedded(resource: unknown, read: Read): void {
  if (!isRecord(resource)) return;
  const label = describeResource(resource);
  if (typeof resource['text'] === 'string') read.texts.push(`[Resource ${label}]\n${resource['text']}`);
  else if (typeof resource['blob'] !== 'string') read.texts.push(`[Resource ${label} without content]`);
  else if (/^image\//.test(textOf(resource['mimeType']))) addPicture(resource['mimeType'], resource['blob'], read);
  else read.texts.push(`[Resource ${label}: ${Math.floor((resource['blob'].length * 3) / 4)} bytes, not text]`);
}

/** Describes a resource on one line. */
export function describeResource(resource: Readonly<Record<string, unknown>>): string {
  const uri = cutLine(textOf(resource['uri'] ?? resource['uriTemplate']), 1_000);
  const words = [resource['name'], resource['mimeType'], resource['description']].map((word) => cutLine(textOf(word), 300)).filter((word) => word !== '');
  return words.length === 0 ? uri : `${uri} (${words.join(', ')})`;
}

function addPicture(mimeType: unknown, base64: unknown, { texts, images }: Read): void {
  const type = textOf(mimeType);
  const usable = usableImage({ mimeType: type, base64: textOf(base64) });
  if (usable.ok && images.length < mostPictures) images.push(usable.part);
  else texts.push(`[Image of type ${cutLine(type, 100) || 'unknown'}, omitted: ${usable.ok ? `at most ${mostPictures} are shown` : `it ${usable.why}`}.]`);
}

/** Omits structured data that the text already contains, because servers repeat it for clients that do not support it. */
function addStructured(structured: unknown, read: Read): void {
  if (!isRecord(structured)) return;
  const text = read.texts.join('\n');
  if (isSaidBy(text, structured)) return;
  const json = JSON.stringify(structured);
  // The structured data is the complete answer; a short text may explain it.
  if (text.length > Math.max(shortText, json.length / 4)) read.texts.length = 0;
  read.texts.push(json);
}

/** Returns whether the text contains each value; checks only samples if there are many values. */
function isSaidBy(text: string, structured: Record<string, unknown>): boolean {
  const values = valuesIn(structured);
  if (values.length === 0) return true;
  const step = Math.max(1, Math.floor(values.length / mostCompared));
  return values.every((value, at) => at % step !== 0 || text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1)));
}

function valuesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn);
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
