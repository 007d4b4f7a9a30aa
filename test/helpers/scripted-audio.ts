// Runs an audio provider for tests: a real HTTP server on loopback that accepts recordings in both request formats and returns scripted replies.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAfterTest } from './close-after-test.ts';

export interface AudioAsked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly wire: 'multipart' | 'json' | 'other';
  /** Form fields without the audio. A repeated field is a list. */
  readonly fields: Readonly<Record<string, any>>;
  readonly sound: Buffer;
  /** `audio/wav`, or the format named in a JSON request. */
  readonly soundType: string;
  /** Number of the request, from 1. */
  readonly at: number;
}

export interface AudioAnswer {
  readonly status?: number;
  /** Objects are sent as JSON. */
  readonly body?: object | string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly until?: Promise<unknown>;
  readonly write?: (response: ServerResponse) => void;
}

export interface ScriptedAudio {
  readonly asked: AudioAsked[];
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startScriptedAudio(script: (asked: AudioAsked) => AudioAnswer | Promise<AudioAnswer>): Promise<ScriptedAudio> {
  const asked: AudioAsked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      void (async () => {
        const one = await read(request.url ?? '', request.headers, Buffer.concat(chunks), asked.length + 1);
        asked.push(one);
        const answer = await script(one);
        await answer.until;
        if (answer.write) return answer.write(response);
        const { body = {} } = answer;
        const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
        response.writeHead(answer.status ?? 200, { 'content-type': isJson ? 'application/json' : 'text/plain', ...answer.headers });
        response.end(isJson ? JSON.stringify(body) : body);
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const audio: ScriptedAudio = {
    asked,
    url,
    environment: { AGENT_API_BASE_URL: url, AGENT_API_KEY: 'main-key', AGENT_RETRY_MAX_DELAY_MS: '1' },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  closeAfterTest(() => audio.close());
  return audio;
}

async function read(path: string, headers: IncomingHttpHeaders, body: Buffer, at: number): Promise<AudioAsked> {
  const type = headers['content-type'] ?? '';
  const base = { path, headers, at };
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(body as unknown as BodyInit, { headers: { 'content-type': type } }).formData();
    const file = form.get('file') as File | null;
    const fields: Record<string, unknown> = {};
    form.forEach((_, name) => void (name === 'file' || (fields[name] = one(form.getAll(name)))));
    return { ...base, wire: 'multipart', fields, sound: file ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0), soundType: file?.type ?? '' };
  }
  if (!type.startsWith('application/json')) return { ...base, wire: 'other', fields: {}, sound: body, soundType: '' };
  const { input_audio: sound, ...fields } = JSON.parse(body.toString() || '{}') as Record<string, any>;
  return { ...base, wire: 'json', fields, sound: Buffer.from(sound?.data ?? '', 'base64'), soundType: sound?.format ?? '' };
}

const one = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values);
