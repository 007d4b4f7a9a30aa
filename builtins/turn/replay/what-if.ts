// A recorded turn with something changed, beside the turn as it went: from the record alone, or apart with plugins and settings of now.
import type { KernelError, Services } from 'agent-harness/kernel';
import { messageOf } from 'agent-harness/lib/errors';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { ModelMessage, ModelReply, ModelRequest, ModelUsage } from 'agent-harness/plugins/models';
import type { UserPlugins } from 'agent-harness/plugins/settings';
import type { ApartHome } from './apart/apart-home.ts';
import type { ApartPlayed } from './apart/apart-types.ts';
import { splitSettings } from './loop-settings.ts';
import { playChanged, type ChangedTurn, type PlayedChanged } from './play-changed.ts';
import type { Replayed } from './played-types.ts';
import type { SaidEvent } from './player-types.ts';
import type { ShownRequest, TurnRecord } from './record-types.ts';
import { callsOf, firstDifference, playTurn, withPrompt } from './replay-turn.ts';

/** What is to be another thing. */
export interface Change {
  readonly model?: string;
  /** What the user says. */
  readonly prompt?: string;
  readonly system?: string;
  /** Call id, or the name of a tool → what it answers. */
  readonly tools?: Readonly<Record<string, string>>;
  /** Variable → text. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Other versions of plugins, or further ones: `NAME=PATH` or a path, absolute. */
  readonly plugins?: readonly string[];
  /** Names of plugins that are left out. */
  readonly without?: readonly string[];
  /** Ask the model where the record has no answer. */
  readonly asksModel?: boolean;
}

export interface WhatIf extends Replayed {
  /** From this request on the turn would go another way; left out where all is answered. */
  readonly differs?: { readonly key: string; readonly recorded?: ShownRequest; readonly changed?: ShownRequest };
  readonly notRun: readonly string[];
  readonly asked: number;
  /** Of the requests that the model was asked now. */
  readonly usage: ModelUsage;
  /** Plugins that asked a model what was not recorded, and had no answer. */
  readonly unanswered: readonly string[];
  /** What went wrong in plugins with the change, and does not without it. */
  readonly faults: readonly string[];
  /** Plugins of now were asked, too. */
  readonly isLive: boolean;
}

/** A turn that was found. */
export interface FoundTurn {
  readonly chatId: string;
  readonly turnId: string;
  readonly record: TurnRecord;
  readonly before: readonly JournalEvent[];
  readonly said: readonly SaidEvent[];
  readonly others: number;
}

export interface WhatIfParts {
  readonly services: Pick<Services, 'chats' | 'kernel' | 'models' | 'product' | 'tools' | 'turns'>;
  readonly userPlugins: UserPlugins | undefined;
  /** Messages of a chat as its requests have them now: the hook `conversation.read`. */
  asRead(chatId: string, messages: readonly ModelMessage[]): Promise<readonly ModelMessage[]>;
  /** Whoever wants it owns this server. */
  readonly isOwner: boolean;
  error(reason: 'INVALID_CHANGE', details: Readonly<Record<string, unknown>>): KernelError;
  readonly signal: AbortSignal;
}

export async function playWhatIf(change: Change, found: FoundTurn, parts: WhatIfParts): Promise<WhatIf> {
  const { services, error, signal } = parts;
  const { chatId, turnId, record, before, said, others } = found;
  const settings = splitSettings(change.settings ?? {}, services.kernel);
  if ('problem' in settings) throw error('INVALID_CHANGE', { why: settings.problem });
  const turn: ChangedTurn = {
    ...{ record, before: withPrompt(before, turnId, change.prompt), outcomes: outcomesOf(change.tools ?? {}, said, error), settings: settings.ofLoop },
    ...(change.model === undefined ? {} : { model: change.model }),
    ...(change.system === undefined ? {} : { system: change.system }),
  };
  let asked = 0;
  let usage: ModelUsage = { input: 0, output: 0, cached: 0 };
  const ask = async (request: ModelRequest, until: AbortSignal): Promise<ModelReply> => {
    asked++;
    // The record has what was taken out of the conversation since; a model does not get it again.
    const messages = await parts.asRead(chatId, request.messages);
    const reply = await services.models.stream({ ...request, messages, plugin: 'replay' }, unwatched, until);
    usage = sum(usage, reply.usage);
    return reply;
  };
  const isLive = Object.keys(settings.ofPlugins).length > 0 || (change.plugins ?? []).length > 0 || (change.without ?? []).length > 0;
  // Which code runs, and which files it is told to read, is for whoever may install it.
  if (isLive && !parts.isOwner)
    throw error('INVALID_CHANGE', { why: 'Only the owner of this server plays a turn with other plugins, or other settings of theirs.' });
  const asks = change.asksModel ? { ask } : {};
  const { base, played, unanswered, faults } = isLive
    ? await playApart(change, turn, settings.ofPlugins, found, parts, asks)
    : await playHere(turn, found, parts, asks);
  const key = played.changed?.key ?? played.missing?.key;
  const recorded = base.find((request) => request.key === key);
  const difference = firstDifference(said, played.events);
  return {
    ...{ chatId, turnId, recorded: said, events: played.events, others, notRun: played.notRun, asked, usage, unanswered, faults, isLive },
    ...(difference ? { difference } : {}),
    ...(key === undefined ? {} : { differs: { key, ...(recorded ? { recorded } : {}), ...(played.changed ? { changed: played.changed } : {}) } }),
  };

  async function playHere(changed: ChangedTurn, asWas: FoundTurn, { services: { tools, turns } }: WhatIfParts, how: Asks): Promise<Both> {
    const { requests } = await playTurn(asWas.record, asWas.before, turns);
    const until = how.ask ? { ask: (request: ModelRequest, stop: AbortSignal) => ask(request, AbortSignal.any([stop, signal])) } : {};
    return { base: requests, unanswered: [], faults: [], played: await playChanged({ ...changed, answered: requests }, { turns, tools, ...until }) };
  }
}

interface Asks {
  readonly ask?: (request: ModelRequest, until: AbortSignal) => Promise<ModelReply>;
}

/** The requests of the turn where nothing is changed, and the turn with the change. */
interface Both {
  readonly base: readonly ShownRequest[];
  readonly played: PlayedChanged;
  readonly unanswered: readonly string[];
  readonly faults: readonly string[];
}

/** Twice: with everything as it is now, and with the change; what both have in common is not the change's work. */
async function playApart(
  { plugins = [], without = [] }: Change,
  turn: ChangedTurn,
  settings: Readonly<Record<string, string>>,
  found: FoundTurn,
  { services, userPlugins, error, signal }: WhatIfParts,
  { ask }: Asks,
): Promise<Both> {
  const [{ makeApartHome }, { playInApart }] = await Promise.all([import('./apart/apart-home.ts'), import('./apart/open-apart.ts')]);
  const rows = services.kernel.report().plugins;
  for (const name of without) {
    const row = rows.find((one) => one.name === name);
    if (row?.state !== 'active') throw error('INVALID_CHANGE', { why: `There is no plugin '${name}' at work that could be left out.` });
    if (row.isFixed || row.origin === 'platform') throw error('INVALID_CHANGE', { why: `The plugin '${name}' cannot be left out.` });
  }
  const off = rows.filter(({ state }) => state === 'disabled').map(({ name }) => name);
  const withHome = async <T>(others: readonly string[], before: readonly JournalEvent[], play: (home: ApartHome) => Promise<T>): Promise<T> => {
    const home = await makeApartHome({ services, userPlugins }, { chatId: found.chatId, turnId: found.turnId, before }, others).catch((fault: unknown) => {
      throw error('INVALID_CHANGE', { why: messageOf(fault) });
    });
    try {
      return await play(home);
    } finally {
      await home.remove();
    }
  };
  const asWas = { record: found.record, before: found.before, outcomes: {}, settings: {} };
  const base = await withHome([], found.before, (home) =>
    playInApart({ turn: asWas, disabled: off, asksModel: false }, { services, home, settings: {}, signal }),
  );
  const played = await withHome(plugins, turn.before, async (home): Promise<ApartPlayed> => {
    const task = {
      turn: { ...turn, answered: base.requests },
      disabled: [...off, ...without],
      said: base.said,
      helped: base.helped,
      asksModel: ask !== undefined,
    };
    const answer = await playInApart(task, { services, home, settings, signal, ...(ask ? { ask: (request) => ask(request, signal) } : {}) });
    for (const name of home.names) {
      const row = answer.plugins.find((one) => one.name === name);
      if (row?.state !== 'active') throw error('INVALID_CHANGE', { why: `The plugin '${name}' does not run there: ${row?.reason ?? 'it was not loaded'}` });
    }
    return answer;
  });
  const fresh = ask ? [] : [...new Set(played.unanswered)].filter((one) => !base.unanswered.includes(one));
  return { base: base.requests, played, unanswered: fresh, faults: played.faults.filter((one) => !base.faults.includes(one)) };
}

/** Of each call what it answers instead. */
function outcomesOf(results: Readonly<Record<string, string>>, said: readonly SaidEvent[], error: WhatIfParts['error']): Record<string, string> {
  const calls = callsOf(said);
  for (const name of Object.keys(results))
    if (!calls.some((call) => call.id === name || call.name === name)) throw error('INVALID_CHANGE', { why: `The turn has no call '${name}'.` });
  return Object.fromEntries(
    calls.flatMap(({ id, name }) => {
      const text = results[id] ?? results[name];
      return text === undefined ? [] : [[id, text] as const];
    }),
  );
}

function sum(one: ModelUsage, other: ModelUsage): ModelUsage {
  const cost = one.cost === undefined && other.cost === undefined ? {} : { cost: (one.cost ?? 0) + (other.cost ?? 0) };
  return { input: one.input + other.input, output: one.output + other.output, cached: one.cached + other.cached, ...cost };
}

const unwatched = { text: ignore, reasoning: ignore, toolCall: ignore, toolArgs: ignore, retry: ignore };

function ignore(): void {}
