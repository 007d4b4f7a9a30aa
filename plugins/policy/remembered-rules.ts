// Stores approval rules: rules of a chat in memory until a restart, rules of a workspace on disk until they are revoked.
import { join } from 'node:path';
import type { Logger } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import type { Trust } from 'agent-harness/plugins/trust';
import type { RememberedRule, RuleSubject, StandingRules } from './contract.ts';
import { exactSubject, kindsOf, subjectsOf } from './rule-subjects.ts';

export type RuleScope = 'chat' | 'workspace';

export interface RememberedRules extends StandingRules {
  /** Stores a rule; replaces an earlier rule for the same calls. Resolves when it is stored. */
  remember(call: ToolCall, scope: RuleScope, decision: RememberedRule['decision'], subject: RuleSubject): Promise<void>;
  /** Returns the rule with this decision that matches the call, and counts its use. Rules of the chat take precedence over rules of the workspace. */
  recall(call: ToolCall, decision: RememberedRule['decision']): Promise<RememberedRule | undefined>;
  /** Drops the rules of a reset or deleted chat. */
  forget(chatId: string): void;
}

/** A rule in its stored form. */
interface StoredRule extends RememberedRule {
  readonly scope: RuleScope;
  /** Id of a chat, folder of a workspace, or {@link everywhere}. */
  readonly place: string;
  /** Whether the rule is about a kind of call, see {@link RuleSubject.isKind}. The kinds of a call are computed only if such a rule exists. */
  readonly isKind?: true;
}

/** Value of `place` for rules that apply to all folders. No real folder has this path, so older versions never apply such a rule. */
const everywhere = '*';
/** Maximum number of rules for all workspaces; the oldest are dropped. */
const maxStored = 500;

export function createRememberedRules(parts: {
  readonly services: {
    readonly storage: Pick<Storage, 'readJson' | 'updateJson' | 'createId'>;
    readonly product: Pick<Product, 'home'>;
    readonly trust?: Pick<Trust, 'areFilesTrusted'> | undefined;
  };
  readonly log: Logger;
}): RememberedRules {
  const inChats = new Map<string, StoredRule[]>();
  let known: Promise<readonly StoredRule[]> | undefined;
  const path = (): string => join(parts.services.product.home, 'approval_rules.json');

  /** Reads the file once; this process is its only writer as long as it runs. */
  function read(): Promise<readonly StoredRule[]> {
    known ??= parts.services.storage.readJson(path(), isRuleFile).then(
      (file) => file?.rules ?? [],
      (fault: unknown) => {
        known = undefined;
        throw fault;
      },
    );
    return known;
  }

  async function write(change: (rules: readonly StoredRule[]) => readonly StoredRule[]): Promise<void> {
    const edit = (file: RuleFile = { rules: [] }): RuleFile => ({ rules: change(file.rules).slice(-maxStored) });
    known = Promise.resolve((await parts.services.storage.updateJson(path(), edit, { shape: isRuleFile })).rules);
  }

  function note(rule: StoredRule): RememberedRule {
    const lastAt = new Date().toISOString();
    // Increments the count of the stored rule, not of `rule`, which may be outdated.
    const use = (one: StoredRule): StoredRule => ({ ...one, answered: one.answered + 1, lastAt });
    const swap = (rules: readonly StoredRule[]): StoredRule[] => rules.map((one) => (one.id === rule.id ? use(one) : one));
    if (rule.scope === 'chat') inChats.set(rule.place, swap(inChats.get(rule.place) ?? []));
    // The count is for display, so the decision does not wait for it.
    else write(swap).catch((fault: unknown) => parts.log.warn(`the use of an approval rule could not be recorded: ${messageOf(fault)}`));
    return shown(use(rule));
  }

  async function keep(
    place: string,
    scope: RuleScope,
    decision: RememberedRule['decision'],
    tool: string,
    { subject, key, isKind }: RuleSubject,
  ): Promise<void> {
    const rule: StoredRule = {
      id: parts.services.storage.createId('rule'),
      ...{ scope, decision, tool, subject, since: new Date().toISOString(), answered: 0, place, key },
      ...(isKind ? { isKind } : {}),
    };
    const put = (rules: readonly StoredRule[]): StoredRule[] => [...rules.filter((one) => one.place !== place || one.key !== key), rule];
    if (scope === 'chat') inChats.set(place, put(inChats.get(place) ?? []));
    else await write(put);
  }

  /** Returns whether rules for all folders apply in a folder. The user must trust its files, because they determine the effects of commands. */
  const holdsEverywhere = async (workspaceRoot: string): Promise<boolean> =>
    (await parts.services.trust?.areFilesTrusted(workspaceRoot).catch(() => false)) === true;

  /** Returns the rule for all folders that matches the call. @param rules the rules with the requested decision */
  async function ruleOfAllFolders(call: ToolCall, rules: readonly StoredRule[]): Promise<StoredRule | undefined> {
    if (rules.length === 0 || call.turn.isTainted) return undefined;
    const { key } = exactSubject(call);
    const found = rules.find((rule) => rule.key === key) ?? (await ruleOfKind(call, rules));
    return found && (await holdsEverywhere(call.turn.workspaceRoot)) ? found : undefined;
  }

  return {
    remember: (call, scope, decision, subject) => keep(scope === 'chat' ? call.turn.chatId : call.turn.workspaceRoot, scope, decision, call.tool.name, subject),
    allow: (workspaceRoot, tool, subject) => keep(workspaceRoot, 'workspace', 'approve', tool, subject),
    allowEverywhere: (tool, subject) => keep(everywhere, 'workspace', 'approve', tool, subject),
    holdsEverywhere,
    subjectsOf,
    async recall(call, decision) {
      const { key } = exactSubject(call);
      const { chatId, workspaceRoot } = call.turn;
      const ofFolder = (await read()).filter((rule) => rule.place === workspaceRoot && rule.decision === decision);
      const ofChat = (inChats.get(chatId) ?? []).filter((rule) => rule.decision === decision);
      const found =
        ofChat.find((rule) => rule.key === key) ??
        ofFolder.find((rule) => rule.key === key) ??
        // In a tainted turn, external content may have determined the other parts of such a call.
        (call.turn.isTainted ? undefined : await ruleOfKind(call, [...ofChat, ...ofFolder])) ??
        (await ruleOfAllFolders(
          call,
          (await read()).filter((rule) => rule.place === everywhere && rule.decision === decision),
        ));
      return found && note(found);
    },
    async list({ chatId, workspaceRoot }) {
      return [...(await read()).filter(({ place }) => place === workspaceRoot || place === everywhere), ...(inChats.get(chatId) ?? [])].map(shown);
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

async function ruleOfKind(call: ToolCall, rules: readonly StoredRule[]): Promise<StoredRule | undefined> {
  const ofKinds = rules.filter(({ isKind, tool }) => isKind === true && tool === call.tool.name);
  if (ofKinds.length === 0) return undefined;
  const keys = (await kindsOf(call)).map(({ key }) => key);
  return ofKinds.find(({ key }) => keys.includes(key));
}

const shown = ({ place, isKind: _isKind, ...rule }: StoredRule): RememberedRule => ({ ...rule, ...(place === everywhere ? { scope: 'everywhere' } : {}) });

/** Formats a rule for display: `always npm test in this folder`. */
export function wordsOf({ decision, subject, scope }: Pick<RememberedRule, 'decision' | 'subject' | 'scope'>): string {
  return `${decision === 'approve' ? 'always' : 'never'} ${subject} ${places[scope]}`;
}

const places = { chat: 'in this chat', workspace: 'in this folder', everywhere: 'in all folders that you trust' } as const;

interface RuleFile {
  readonly rules: readonly StoredRule[];
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
