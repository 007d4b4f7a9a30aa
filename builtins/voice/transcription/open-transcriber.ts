// Assembles the modules of transcription; loaded with the first recording.
import type { Chats } from 'agent-harness/plugins/chats';
import type { TranscriptionSettings } from './config.ts';
import { createTranscriber, type Transcriber, type TranscriberParts } from './transcriber.ts';
import { createVocabulary } from './vocabulary.ts';

export interface OpenParts extends Omit<TranscriberParts, 'namesFor'> {
  /** Values of the settings; read on every use, because they may change. */
  readonly settings: Pick<TranscriptionSettings, 'hasVocabulary'>;
  readonly chats: Pick<Chats, 'peek'>;
}

export function openTranscriber({ settings, chats, ...parts }: OpenParts): Transcriber {
  const vocabulary = createVocabulary();
  const namesFor = async (chatId: string): Promise<string | undefined> =>
    settings.hasVocabulary ? vocabulary.of((await chats.peek(chatId)).workspaceRoot) : undefined;
  return createTranscriber({ ...parts, namesFor });
}
