// Parses and serialises the text frames of the desktop protocol between client and server.
import { isNestedDeeper, maxJsonDepth } from '#lib/json-text';
import { frameOf, framesOf } from '#lib/socket-frames';
import { textStart } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';
import type { DispatchReply } from 'agent-harness/plugins/http';
import type { Wire } from 'agent-harness/plugins/stream';
import type { MakeError } from './error-table.ts';
import { limits } from './limits.ts';

export const version = 1;

/** Id that a client chooses to match a reply with its command. */
export type FrameId = string | number;

export interface Command {
  readonly id: FrameId;
  readonly command: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A parsed frame from a client: a command, or the reason why the frame is invalid, with the id for the reply. */
export type ReadFrame = { readonly command: Command } | { readonly fault: Error; readonly id: FrameId | null };

const fields = new Set(['v', 'id', 'command', 'data']);

export function readFrame(content: string | Buffer, makeError: MakeError): ReadFrame {
  const invalid = (why: string, id: FrameId | null = null): ReadFrame => ({ fault: makeError('INVALID_REQUEST', { why }), id });
  if (typeof content !== 'string') return invalid('it is binary; commands are JSON texts.');
  if (isNestedDeeper(content, maxJsonDepth)) return invalid(`it is nested more than ${maxJsonDepth} levels deep.`);
  const frame = jsonOf(content);
  if (!isRecord(frame)) return invalid('it is not a JSON object.');
  const { v, id, command, data = {} } = frame;
  if (!isId(id)) return invalid(`"id" must be a whole number, or a text of 1 to ${limits.idLength} characters.`);
  if (v !== version) return { fault: makeError('UNKNOWN_VERSION', { version: textStart(JSON.stringify(v ?? null), 40), supported: version }), id };
  if (typeof command !== 'string' || command === '') return invalid('"command" must be a text.', id);
  if (!isRecord(data)) return invalid('"data" must be an object.', id);
  const other = Object.keys(frame).find((name) => !fields.has(name));
  if (other !== undefined) return invalid(`${JSON.stringify(textStart(other, 40))} is not a field of a frame.`, id);
  return { command: { id, command, data } };
}

function isId(id: unknown): id is FrameId {
  return typeof id === 'string' ? id.length > 0 && id.length <= limits.idLength : Number.isSafeInteger(id);
}

/** Serialises a reply. The body is inserted unchanged, because it is already JSON. */
export function replyFrame(id: FrameId | null, { status, body }: DispatchReply): Buffer {
  const head = `{"v":${version},"re":${JSON.stringify(id)},"ok":${status < 400},"status":${status}`;
  if (status < 400) return frameOf([Buffer.from(`${head},"data":`), body.length === 0 ? Buffer.from('{}') : body, brace]);
  const said = jsonOf(body.toString());
  return framesOf([`${head},"error":${JSON.stringify(isRecord(said) ? said['error'] : null)}}`]);
}

const brace = Buffer.from('}');

export function answer(data: Readonly<Record<string, unknown>>): DispatchReply {
  return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(data)) };
}

/** Wire format for events: each event is a separate frame. */
export const socketWire: Wire = {
  name: 'desktop-protocol',
  event: ({ id, kind, chatId, json }) => `${eventHead(kind, chatId)},"id":${id},"data":${json}}`,
  notice: (kind, json, chatId) => `${eventHead(kind, chatId)},"data":${json}}`,
  alive: `${eventHead('alive')},"data":{"kind":"alive"}}`,
  bytesOf: framesOf,
};

function eventHead(kind: string, chatId?: string): string {
  return `{"v":${version},"event":${JSON.stringify(kind)},"chatId":${JSON.stringify(chatId ?? null)}`;
}
