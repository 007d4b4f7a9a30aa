// What a person decided once and for all: for a chat, in memory only, so a restart asks again; for a workspace, on the disk, until it is taken back.
import { join } from 'node:path';
import type { Logger } from 'agent-harness/kernel';
import { messageOf } from 'agent-harness/lib/errors';
import { oneLine } from 'agent-harness/lib/text';
import { isRecord, stableJson } from 'agent-harness/lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import { callText } from 'agent-harness/transcript';
import type { RememberedRule } from './contract.ts';

export type RuleScope = RememberedRule['scope'];
type Place = { readonly chatId: string; readonly workspaceRoot: string };

export interface RememberedRules {
  /** Resolves when it is kept. The rule of before for the same calls is replaced. */
  remember(call: ToolCall, scope: RuleScope, decision: RememberedRule['decision']): Promise<void>;
  /** The rule that answers for the call, and notes that it did. Rejections come first, then the rules of the chat. */
  recall(call: ToolCall, decision: RememberedRule['decision']): Promise<RememberedRule | undefined>;
  /** Those of a chat and of its workspace, oldest first. */
  list(place: Place): Promise<RememberedRule[]>;
  /** Answers whether there was one. */
  remove(id: string): Promise<boolean>;
  /** The chat begins anew, or is gone. */
  forget(chatId: string): void;
}

/** As it is kept: with what it holds for. */
interface KeptRule extends RememberedRule {
  /** Id of a chat, or the folder of a workspace. */
  readonly place: string;
  readonly key: string;
}

/** Of all workspaces; the oldest go. */
const maxKept = 500;
const shownSubject = 120;

export function createRememberedRules(parts: {
  readonly services: { readonly storage: Pick<Storage, 'readJson' | 'updateJson' | 'createId'>; readonly product: Pick<Product, 'home'> };
  readonly log: Logger;
}): RememberedRules {
  const inChats = new Map<string, KeptRule[]>();
  let known: Promise<readonly KeptRule[]> | undefined;
  const path = (): string => join(parts.services.product.home, 'approval_rules.json');

  /** Read once; this process is the only one that writes while it serves. */
  function read(): Promise<readonly KeptRule[]> {
    known ??= parts.services.storage.readJson(path(), isRuleFile).then(
      (file) => file?.rules ?? [],
      (fault: unknown) => {
        known = undefined;
        throw fault;
      },
    );
    return known;
  }

  async function write(change: (rules: readonly KeptRule[]) => readonly KeptRule[]): Promise<void> {
    const edit = (file: RuleFile = { rules: [] }): RuleFile => ({ rules: change(file.rules).slice(-maxKept) });
    known = Promise.resolve((await parts.services.storage.updateJson(path(), edit, { shape: isRuleFile })).rules);
  }

  function note(rule: KeptRule): RememberedRule {
    const used = { ...rule, answered: rule.answered + 1, lastAt: new Date().toISOString() };
    const swap = (rules: readonly KeptRule[]): KeptRule[] => rules.map((one) => (one.id === rule.id ? used : one));
    if (rule.scope === 'chat') inChats.set(rule.place, swap(inChats.get(rule.place) ?? []));
    // What it answered is for people to read; the answer does not wait for it.
    else write(swap).catch((fault: unknown) => parts.log.warn(`it could not be noted that a rule answered: ${messageOf(fault)}`));
    return shown(used);
  }

  return {
    async remember(call, scope, decision) {
      const place = scope === 'chat' ? call.turn.chatId : call.turn.workspaceRoot;
      const key = keyOf(call);
      const rule: KeptRule = {
        id: parts.services.storage.createId('rule'),
        ...{ scope, decision, tool: call.tool.name, subject: subjectOf(call), since: new Date().toISOString(), answered: 0, place, key },
      };
      const put = (rules: readonly KeptRule[]): KeptRule[] => [...rules.filter((one) => one.place !== place || one.key !== key), rule];
      if (scope === 'chat') inChats.set(place, put(inChats.get(place) ?? []));
      else await write(put);
    },
    async recall(call, decision) {
      const key = keyOf(call);
      const { chatId, workspaceRoot } = call.turn;
      const fits = (rule: KeptRule): boolean => rule.key === key && rule.decision === decision;
      const found = inChats.get(chatId)?.find(fits) ?? (await read()).find((rule) => rule.place === workspaceRoot && fits(rule));
      return found && note(found);
    },
    async list({ chatId, workspaceRoot }) {
      return [...(await read()).filter(({ place }) => place === workspaceRoot), ...(inChats.get(chatId) ?? [])].map(shown);
    },
    async remove(id) {
      for (const [chatId, rules] of inChats) {
        if (!rules.some((rule) => rule.id === id)) continue;
        inChats.set(
          chatId,
          rules.filter((rule) => rule.id !== id),
        );
        return true;
      }
      const isThere = (await read()).some((rule) => rule.id === id);
      if (isThere) await write((rules) => rules.filter((rule) => rule.id !== id));
      return isThere;
    },
    forget: (chatId) => void inChats.delete(chatId),
  };
}

const shown = ({ place: _place, key: _key, ...rule }: KeptRule): RememberedRule => rule;

/** What is kept when a decision about the call is remembered for the chat, as a sentence for the person. */
export function describeMemory(call: ToolCall): string {
  const { name, incidental = [] } = call.tool;
  const free = incidental.filter((argument) => argument in call.args);
  const exact = `exactly this call of ${name}, with these arguments${free.length === 0 ? '' : `, whatever its ${free.join(' and ')}`}`;
  return `Holds in this chat for ${isAboutArguments(call) ? exact : `every call of ${name}, whatever its arguments`}.`;
}

/** What a rule about the call is about, in a few words: the command, or every call of the tool. */
export function subjectOf(call: ToolCall): string {
  const { tool, args } = call;
  if (!isAboutArguments(call)) return `every call of ${tool.name}`;
  const text = saidBy(call) ?? callText({ args });
  // What runs speaks for itself.
  return oneLine(tool.effects?.includes('execute') === true && text !== '' ? text : `${tool.name} ${text}`.trim(), shownSubject);
}

/** In the words of the tool. */
function saidBy({ tool, args }: ToolCall): string | undefined {
  try {
    const said = tool.display?.subject?.(args as never);
    return typeof said === 'string' && said !== '' ? said : undefined;
  } catch {
    return undefined; // then the arguments speak for themselves
  }
}

/** `always npm test here`: the rule as a person says it. */
export function wordsOf({ decision, subject, scope }: Pick<RememberedRule, 'decision' | 'subject' | 'scope'>): string {
  return `${decision === 'approve' ? 'always' : 'never'} ${subject} ${scope === 'chat' ? 'in this chat' : 'in this folder'}`;
}

/** A tool with its effects; with the arguments too, but those that change nothing, where it is they that make a call dangerous. */
function keyOf(call: ToolCall): string {
  const { tool } = call;
  return stableJson([tool.plugin, tool.name, [...(tool.effects ?? [])].sort(), ...(isAboutArguments(call) ? [essentialOf(call)] : [])]);
}

function essentialOf({ tool: { incidental = [] }, args }: ToolCall): ToolCall['args'] {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !incidental.includes(name)));
}

function isAboutArguments({ tool }: ToolCall): boolean {
  const effects = tool.effects ?? [];
  return effects.length === 0 || effects.includes('execute') || typeof tool.needsApproval === 'function';
}

interface RuleFile {
  readonly rules: readonly KeptRule[];
}

function isRuleFile(value: unknown): value is RuleFile {
  const texts = ['id', 'tool', 'subject', 'since', 'place', 'key'];
  return (
    isRecord(value) &&
    Array.isArray(value['rules']) &&
    value['rules'].every(
      (rule: unknown) =>
        isRecord(rule) &&
        rule['scope'] === 'workspace' &&
        (rule['decision'] === 'approve' || rule['decision'] === 'reject') &&
        typeof rule['answered'] === 'number' &&
        texts.every((name) => typeof rule[name] === 'string'),
    )
  );
}
