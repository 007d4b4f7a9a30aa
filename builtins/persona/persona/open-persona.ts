// Assembles the modules of the persona; loaded on first use.
import { join } from 'node:path';
import { isIncognito } from '#lib/chat-tags';
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import { createBootstrap, type Bootstrap } from './bootstrap.ts';
import { createChatSwitch, type ChatSwitch } from './chat-switch.ts';
import type { PersonaState } from './contract.ts';
import type { Revision } from './store/revision.ts';
import { createRevisions } from './store/revisions.ts';
import { preferenceIn } from './learn.ts';
import { longestLine } from './living.ts';
import { whyUnsafe } from './make/unsafe-text.ts';
import type { PersonaParts } from './persona-parts.ts';
import { createPersonaService, type PersonaService } from './persona-service.ts';
import { sectionOf, withSection } from './prompt-section.ts';

export interface OpenPersona {
  readonly service: PersonaService;
  readonly bootstrap: Bootstrap;
  readonly chatSwitch: ChatSwitch;
  /** Adds the prompt section of the persona that was active at the start of the turn. */
  addTo(prompt: Prompt, turn: Turn): Promise<Prompt | undefined>;
  /**
   * Creates a persona and waits until it is complete; the inputs `default`, `reset` and `clear` remove it. Rejects if no persona was created.
   * @param signal aborts the run
   */
  set(input: string, signal?: AbortSignal): Promise<PersonaState>;
  /** Starts {@link OpenPersona.set}; resolves when the request is on disk. */
  begin(input: string): Promise<void>;
  /** Finds a preference about how to address the user in the message of a finished turn, and stores it. Resolves with the preference. */
  learnFrom(turn: Turn): Promise<string | undefined>;
  /** Deletes everything, including a running creation and the revisions. */
  wipe(): Promise<void>;
}

const noteKey = 'persona';

export function openPersona(parts: PersonaParts): OpenPersona {
  const { services, emitter, log } = parts;
  const folder = join(services.product.home, 'persona');
  const revisions = createRevisions(folder, services.storage, {
    onOutside(path, isWaiting) {
      const what = isWaiting ? 'It has no effect until you accept it: on the Persona page, or with /persona.' : 'The file was restored.';
      emitter.emit('error', {
        source: 'plugin',
        plugin: 'persona',
        code: 'persona_file_changed',
        message: `${join(folder, 'active', path)} was changed by something other than the agent's own persona service. ${what}`,
      });
    },
    onFault: (fault) => log.error(`the files of the persona could not be written and are retried: ${String(fault)}`),
  });
  const changed = ({ profile, revision, by }: Revision): void => emitter.emit('persona_changed', { label: profile?.label ?? '', revision, change: by });
  const bootstrap = createBootstrap(parts, folder, revisions, changed);
  const chatSwitch = createChatSwitch(services);
  const service = createPersonaService(parts, revisions, bootstrap, chatSwitch, changed);

  const isRestoring = (input: string): boolean => /^(?:default|reset|clear)$/i.test(input.trim());

  async function begin(input: string): Promise<void> {
    if (input.trim() === '') throw parts.error('INVALID_REQUEST', { why: 'the sentence is empty' });
    if (!isRestoring(input)) return bootstrap.begin(input.trim());
    if ((await bootstrap.status()).state === 'running') throw parts.error('RUNNING');
    await service.clear('removed');
    emitter.emit('persona_progress', { stage: 'done' });
  }

  async function sectionFor(turn: Turn): Promise<ReturnType<typeof sectionOf>> {
    if (await chatSwitch.isOff(turn.chatId)) return undefined;
    // Each turn checks once whether another program changed the files. Such a change is reported, but not used.
    await revisions.outside();
    return sectionOf(await revisions.current());
  }

  return {
    service,
    bootstrap,
    chatSwitch,
    async addTo(prompt, turn) {
      if (!turn.notes.has(noteKey)) turn.notes.set(noteKey, await sectionFor(turn));
      const section = turn.notes.get(noteKey) as ReturnType<typeof sectionOf>;
      return section && withSection(prompt, section);
    },
    begin,
    async set(input, signal) {
      await begin(input);
      const stop = (): void => void bootstrap.cancel();
      signal?.addEventListener('abort', stop, { once: true });
      // The signal was aborted during the start, so no caller is waiting for the result.
      if (signal?.aborted) stop();
      const why = isRestoring(input) ? undefined : await bootstrap.ended();
      signal?.removeEventListener('abort', stop);
      if (why !== undefined) throw parts.error('NOT_MADE', { why });
      return service.read();
    },
    async learnFrom(turn) {
      const sentence = preferenceIn(turn.text);
      if (sentence === undefined || sentence.length > longestLine || (await chatSwitch.isOff(turn.chatId))) return undefined;
      if (isIncognito(await services.chats.get(turn.chatId))) return undefined;
      const before = await revisions.current();
      if (!before.profile || whyUnsafe(sentence) !== undefined) return undefined;
      const { chatId, turnId } = turn;
      const said = `said on ${new Date().toISOString().slice(0, 10)} in ${chatId}`;
      const { revision } = await parts.track({ chatId, turnId }, () => service.learn(sentence, said));
      return revision === before.revision ? undefined : sentence;
    },
    async wipe() {
      const { label } = await service.read();
      await bootstrap.forget();
      await revisions.wipe();
      emitter.emit('persona_changed', { label: '', revision: 0, change: 'reset' });
      if (label !== '') log.info(`the persona '${label}' was deleted`);
    },
  };
}
