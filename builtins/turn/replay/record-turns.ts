// Records turns, and writes each record in the background after its turn.
import type { Emitter, Registry } from 'agent-harness/kernel';
import { createSerialQueues } from '#lib/async';
import { yieldToEventLoop } from '#lib/event-loop';
import { messageOf } from '#lib/errors';
import type { manifest } from './manifest.ts';
import { createRecordStore, type RecordStore } from './record-store.ts';
import { recordVersion, type LeftOut } from './record-types.ts';
import { createRecording, type Recording } from './recorder.ts';

/** Maximum size of one record, and of all records of a chat, in bytes. */
const limits = { ofTurn: 4 * 1024 * 1024, ofChat: 32 * 1024 * 1024 };

export function recordTurns(
  registry: Registry<typeof manifest>,
  emitter: Emitter,
  settings: () => { readonly isOn: boolean; readonly maxTurns: number },
): { readonly store: RecordStore; knownSecrets(): Promise<string[]>; idle(): Promise<void> } {
  const { chats, models, product, storage } = registry.services;
  const store = createRecordStore(chats, storage);
  const open = new Map<string, Recording>();
  const writing = createSerialQueues<string>();

  emitter.tap('turn.observe', (observers, turn, config) => {
    if (!settings().isOn) return observers;
    const recording = createRecording(turn, config, limits.ofTurn);
    open.set(turn.turnId, recording);
    return [...observers, recording.take];
  });
  emitter.on('message_accepted', (event) => {
    if (event.isSteer === true) open.get(event.turnId)?.join(event);
  });
  emitter.on('turn_end', ({ chatId, turnId }) => {
    const recording = open.get(turnId);
    open.delete(turnId);
    if (!recording) return;
    // Clients receive the end of the turn first. The next turn does not wait for the record.
    const work = yieldToEventLoop()
      .then(() => write(recording))
      .catch((fault: unknown) => registry.log.warn(`turn ${turnId} could not be recorded: ${messageOf(fault)}`));
    void writing.run(chatId, () => work);
  });
  // A pending write would recreate the folder that is being moved to the trash.
  emitter.tap('chat.close', (chatId) => writing.idle(chatId), { order: 'post' });
  emitter.tap('server.idle', async () => void (await import('./encode-record.ts')));
  emitter.tap('chat.fork', ({ from, to, turns }) => store.copy(from, to, turns));

  async function write(recording: Recording): Promise<void> {
    const { chatId, turnId } = recording.turn;
    const { encodeRecord, sealRecording } = await import('./encode-record.ts');
    const encoded = recording.isTooLarge ? undefined : await encodeRecord(sealRecording(recording), await knownSecrets());
    const isWhole = encoded !== undefined && Buffer.byteLength(encoded.text + encoded.texts) <= limits.ofTurn;
    const leftOut: LeftOut = { version: recordVersion, turnId, tooLarge: limits.ofTurn };
    await store.write(chatId, turnId, isWhole ? encoded : { text: JSON.stringify(leftOut) }, { ofChat: limits.ofChat, turns: settings().maxTurns });
  }

  /** Returns the API key, and secret values of `.env`. */
  async function knownSecrets(): Promise<string[]> {
    const dotenv = Object.entries((await product.readDotenv?.()) ?? {});
    const secret = dotenv.filter(([name, value]) => value.length >= 6 && (!name.startsWith('AGENT_') || /KEY|TOKEN|SECRET|PASS/.test(name)));
    return [models.route().apiKey ?? '', ...secret.map(([, value]) => value)].filter((value) => value !== '');
  }

  return { store, knownSecrets, idle: () => writing.idle() };
}
