// Serves `GET /api/tts/clip/:clipId` with range requests; streams a clip that is still being produced.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { FileReply, Route } from 'agent-harness/plugins/http';
import type { Storage } from 'agent-harness/plugins/storage';
import type { MakeError } from '../errors.ts';
import type { SpeechCode } from '../open-speech.ts';

const schema = {
  params: Type.Object({ clipId: Type.String() }),
  query: Type.Object({ chatId: Type.Optional(Type.String({ description: 'Id of the chat; default: the active chat.' })) }, { additionalProperties: false }),
};

export interface ClipRouteParts {
  readonly chats: Chats;
  readonly storage: Pick<Storage, 'isId'>;
  code(): Promise<SpeechCode>;
  readonly makeError: MakeError;
}

export function clipRoute({ chats, storage, code, makeError }: ClipRouteParts): Route<typeof schema> {
  return {
    key: 'GET /api/tts/clip/:clipId',
    summary: 'Returns the audio of a clip. A clip in production is streamed without a length; range requests need a finished clip.',
    tag: 'audio',
    permission: 'chats.read',
    schema,
    mediaType: 'audio/wav',
    async handle({ params: { clipId }, query, headers }): Promise<FileReply> {
      if (!storage.isId('clip', clipId)) throw makeError('NOT_FOUND', { id: String(clipId).slice(0, 64) });
      const { maker, store, replies } = await code();
      const growing = await maker.growing(clipId);
      replies.fetched(clipId);
      if (growing && !growing.content && headers.range === undefined) return { content: { stream: growing.stream() }, type: growing.mimeType };
      const whole = growing ? await growing.whole() : undefined;
      if (whole) return fileOf(clipId, growing?.mimeType ?? '', whole);
      const { chatId } = await chats.peek(query.chatId);
      const kept = await store.read(chatId, clipId);
      if (!kept) throw makeError('NOT_FOUND', { id: clipId });
      return fileOf(clipId, kept.clip.mimeType, kept.content);
    },
  };
}

/** Returns the reply with a clip. It may be cached, because the bytes for a clip id never change. */
function fileOf(clipId: string, type: string, content: Buffer): FileReply {
  return { content, type, tag: clipId, isImmutable: true };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/tts/clip/:clipId': typeof schema;
  }
}
