// Implements the service `audioEngines`: checks which engines are available, and selects the configured one or the first.
import type { KernelError, PointHandler } from 'agent-harness/kernel';
import type { AudioEngine, AudioEngines, AudioKind, EngineInUse, KnownEngine } from './contract.ts';

export interface EnginesParts {
  /** Name of the configured engine; `auto` for the first available one. */
  chosen(kind: AudioKind): string;
  readonly makeError: (reason: 'NO_ENGINE', details: Readonly<Record<string, unknown>>) => KernelError;
}

interface Slot<K extends AudioKind = AudioKind> {
  readonly entry: AudioEngine<K>;
  readonly plugin: string;
  loading?: Promise<EngineInUse<K>['engine']>;
}

const tasks: Readonly<Record<AudioKind, string>> = { transcription: 'transcribe speech', speech: 'speak' };
const variables: Readonly<Record<AudioKind, string>> = { transcription: 'AGENT_TRANSCRIBE_ENGINE', speech: 'AGENT_TTS_ENGINE' };

export function createEngines({ chosen, makeError }: EnginesParts): { readonly service: AudioEngines; readonly point: PointHandler<AudioEngine> } {
  const slots: Slot[] = [];

  function slotsOf<K extends AudioKind>(kind: K): Slot<K>[] {
    const found = slots.filter((slot): slot is Slot<K> => slot.entry.kind === kind);
    return found.sort((a, b) => a.entry.rank - b.entry.rank || (a.entry.name < b.entry.name ? -1 : 1));
  }

  async function infoOf({ entry, plugin }: Slot): Promise<KnownEngine> {
    const { name, title, place } = entry;
    const [state, goesTo] = await Promise.all([entry.state(), place === 'provider' ? entry.goesTo?.() : undefined]);
    return { name, title, plugin, place, ...(goesTo === undefined ? {} : { goesTo }), state };
  }

  /** Returns the engines that the setting allows. */
  function candidates<K extends AudioKind>(kind: K): Slot<K>[] {
    const name = chosen(kind);
    return slotsOf(kind).filter(({ entry }) => name === 'auto' || entry.name === name);
  }

  async function find<K extends AudioKind>(
    kind: K,
  ): Promise<{ readonly slot?: Slot<K>; readonly info?: KnownEngine; readonly refused: readonly KnownEngine[] }> {
    const refused: KnownEngine[] = [];
    for (const slot of candidates(kind)) {
      const info = await infoOf(slot);
      if (info.state.isUsable) return { slot, info, refused };
      refused.push(info);
    }
    return { refused };
  }

  /** A failed load is retried on the next call. */
  async function load<K extends AudioKind>(slot: Slot<K>): Promise<EngineInUse<K>['engine']> {
    try {
      return await (slot.loading ??= slot.entry.load());
    } catch (fault) {
      delete slot.loading;
      throw fault;
    }
  }

  function whyNone(kind: AudioKind, refused: readonly KnownEngine[]): string {
    const reasons = refused.map(({ title, state }) => `${title}: ${state.isUsable ? '' : state.reason}`);
    if (reasons.length > 0) return reasons.join(' ');
    const name = chosen(kind);
    return name === 'auto' ? 'No engine is installed.' : `There is no engine '${name}'; ${variables[kind]} can also be 'auto'.`;
  }

  return {
    service: {
      engines: (kind) => Promise.all(slotsOf(kind).map(infoOf)),
      inUse: async (kind) => (await find(kind)).info,
      async engine<K extends AudioKind>(kind: K) {
        const { slot, info, refused } = await find(kind);
        if (!slot || !info) throw makeError('NO_ENGINE', { task: tasks[kind], why: whyNone(kind, refused) });
        return { info, engine: await load(slot), variant: slot.entry.variant?.() ?? '' };
      },
    },
    point: {
      validate({ kind, name }, owner) {
        const taken = slots.find(({ entry }) => entry.kind === kind && entry.name === name);
        return taken && `the engine '${name}' for ${kind} comes from '${taken.plugin}' and from '${owner}'; disable one of them.`;
      },
      added: (entry, plugin) => void slots.push({ entry, plugin }),
      removed: (entry) =>
        void slots.splice(
          slots.findIndex((slot) => slot.entry === entry),
          1,
        ),
    },
  };
}
