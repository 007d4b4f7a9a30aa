// Serves the routes that upload and transcribe recordings.
import type { Readable } from 'node:stream';
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { Clips } from './clips.ts';
import { mostClipBytes, type TranscriptionSettings } from './config.ts';
import type { MakeError } from './errors.ts';
import type { Transcriber } from './transcriber.ts';

export interface RouteParts {
  /** Values of the settings; read on every use, because they may change. */
  readonly settings: TranscriptionSettings;
  readonly chats: Chats;
  readonly clips: Clips;
  transcriber(): Promise<Transcriber>;
  readonly makeError: MakeError;
}

const tag = 'audio';
const query = Type.Object(
  { chatId: Type.Optional(Type.String({ description: 'Id of the chat; default: the active chat.' })) },
  { additionalProperties: false },
);
export const longestPrompt = 1_500;
export const languagePattern = '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$';
export const timestampKinds = Type.Union([Type.Literal('none'), Type.Literal('segment'), Type.Literal('word')]);

const upload = {
  query,
  body: Type.Unsafe<Readable>({
    type: 'object',
    required: ['dataUrl'],
    properties: { dataUrl: { type: 'string', description: 'The recording as a base64 data URL.' }, name: { type: 'string' } },
  }),
  reply: Type.Object({
    attachmentId: Type.String(),
    mimeType: Type.String({ description: 'Type of the audio, detected from its bytes.' }),
    bytes: Type.Integer(),
  }),
};
const transcribe = {
  query,
  body: Type.Object(
    {
      attachmentId: Type.String({ maxLength: 100 }),
      language: Type.Optional(Type.String({ pattern: languagePattern, description: 'Language of the speech: `en`, `pt-BR`.' })),
      prompt: Type.Optional(Type.String({ maxLength: longestPrompt, description: 'Names and words that are likely to occur.' })),
      timestamps: Type.Optional(timestampKinds),
      chatId: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    text: Type.String({ description: 'Empty if there is no speech.' }),
    durationSec: Type.Union([Type.Number(), Type.Null()]),
    language: Type.String(),
    cost: Type.Union([Type.Number(), Type.Null()], { description: 'USD; null if unknown.' }),
    segments: Type.Optional(Type.Array(Type.Object({ start: Type.Number(), end: Type.Number(), text: Type.String() }))),
    engine: Type.String(),
    model: Type.Optional(Type.String()),
  }),
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the list contains routes with different schemas
export function transcriptionRoutes({ settings, chats, clips, transcriber, makeError }: RouteParts): Route<any>[] {
  const assertEnabled = (): void => {
    if (!settings.isEnabled) throw makeError('DISABLED');
  };
  return [
    {
      key: 'POST /api/audio/upload',
      command: 'upload_audio',
      summary: 'Stores a recording of a chat. Replies after it is on disk.',
      tag,
      permission: 'chats.write',
      schema: upload,
      bodyKind: 'json-stream',
      bodyLimit: Math.ceil((mostClipBytes * 4) / 3) + 64 * 1024,
      waitsForReady: true,
      async handle({ body, query: { chatId }, headers }) {
        assertEnabled();
        const { maxBytes } = settings;
        const contentLength = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
        if (contentLength !== undefined && contentLength > Math.ceil(maxBytes / 3) * 4 + 16 * 1024) throw makeError('TOO_LARGE', { limit: maxBytes });
        const chat = await chats.get(chatId);
        const { readUpload } = await import('./read-upload.ts');
        const { bytes } = await readUpload(body, { maxBytes, contentLength }, makeError);
        const clip = await clips.keep(chat.chatId, bytes);
        return { attachmentId: clip.attachmentId, mimeType: clip.mimeType, bytes: clip.bytes };
      },
    } satisfies Route<typeof upload>,
    {
      key: 'POST /api/transcribe',
      command: 'transcribe',
      summary: 'Transcribes an uploaded recording. If the transcription fails, the recording stays.',
      tag,
      permission: 'chats.write',
      schema: transcribe,
      waitsForReady: true,
      async handle({ body, query: { chatId }, signal }) {
        assertEnabled();
        const chat = await chats.get(body.chatId ?? chatId);
        const clip = await clips.find(chat.chatId, body.attachmentId);
        const { language, prompt, timestamps = 'none' } = body;
        const wish = { chatId: chat.chatId, timestamps, ...(language === undefined ? {} : { language }), ...(prompt === undefined ? {} : { prompt }) };
        const { segments, ...transcript } = await (await transcriber()).transcribe(clip, wish, signal);
        return { ...transcript, ...(segments ? { segments: [...segments] } : {}) };
      },
    } satisfies Route<typeof transcribe>,
  ];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/audio/upload': Omit<typeof upload, 'body'> & { readonly body: Type.TUnsafe<{ readonly dataUrl: string; readonly name?: string }> };
    'POST /api/transcribe': typeof transcribe;
  }
}
