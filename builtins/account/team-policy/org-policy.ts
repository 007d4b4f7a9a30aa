// Evaluates the organisation's current policy for tool calls, models and spending.
import { withLimit } from '#lib/async';
import { fitsPattern } from '#lib/name-patterns';
import { isRecord } from '#lib/values';
import type { HeldDocument, HeldState } from 'agent-harness/builtins/account/team-documents';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ModelRequest } from 'agent-harness/plugins/models';
import type { RuleVerdict } from 'agent-harness/plugins/policy';
import type { RegisteredTool } from 'agent-harness/plugins/tools';

/** A rule with the group it applies to; `everybody` for all members. */
export interface Placed {
  readonly from: string;
}

/** The rules of one user, as signed by the control plane. */
export interface EffectiveRules {
  readonly blockedTools: readonly (Placed & { readonly pattern: string })[];
  readonly forcedApprovals: readonly (Placed & { readonly pattern: string })[];
  readonly allowedModels: readonly (Placed & { readonly patterns: readonly string[] })[];
  readonly spendingCaps: readonly (Placed & { readonly of: string; readonly usd: number })[];
}

export interface OrgPolicy {
  readonly rules: EffectiveRules;
  readonly state: HeldState;
  /** Origin of the rules, for display: `the policy of Acme, revision 7`. */
  readonly source: string;
  take(claims: Readonly<Record<string, unknown>> | undefined, state: HeldState): void;
  follow(held: Pick<HeldDocument, 'state' | 'settled'>): void;
  /** Resolves when the current policy is known, or when the first start has waited long enough. */
  settled(): Promise<void>;
  decide(call: Pick<ToolCall, 'tool'>): Promise<RuleVerdict | undefined>;
  /** Returns the reason if a model is not allowed; `undefined` if it is allowed. */
  refuseModel(model: string): { readonly source: string; readonly allowed: string } | undefined;
  /** Removes the tools that the policy forbids from a request. */
  offer(request: ModelRequest): ModelRequest | undefined;
}

const nothing: EffectiveRules = { blockedTools: [], forcedApprovals: [], allowedModels: [], spendingCaps: [] };

/** Creates the policy, without rules until the first document. @param waitMs maximum time, in milliseconds, that the first start waits for the policy */
export function createOrgPolicy(waitMs: number): OrgPolicy {
  let rules = nothing;
  let held: Pick<HeldDocument, 'state' | 'settled'> | undefined;
  let onHeld: () => void = () => undefined;
  const isHeld = new Promise<void>((resolve) => (onHeld = resolve));
  const deadline = performance.now() + waitMs;
  let first: HeldState = { state: 'waiting' };
  const state = (): HeldState => held?.state ?? first;
  const source = (): string => {
    const { orgName, revision } = state();
    return `the policy of ${orgName ?? 'your organisation'}${revision === undefined ? '' : `, revision ${revision}`}`;
  };
  const place = ({ from }: Placed): string => `${source()}${from === 'everybody' ? '' : `, for the group '${from}'`}`;
  const blocking = (name: string): Placed | undefined => rules.blockedTools.find(({ pattern }) => fitsPattern(pattern, name));

  async function settled(): Promise<void> {
    if (!held) await withLimit(isHeld, deadline - performance.now(), () => undefined);
    await held?.settled(waitMs);
  }

  return {
    get rules() {
      return rules;
    },
    get state() {
      return state();
    },
    get source() {
      return source();
    },
    take(claims, taken) {
      // The first document is the saved policy until the connection to the control plane is established.
      first = taken;
      const effective = claims?.['effective'];
      rules = isRecord(effective) ? { ...nothing, ...(effective as Partial<EffectiveRules>) } : nothing;
    },
    follow(document) {
      held = document;
      onHeld();
    },
    settled,
    async decide({ tool }) {
      await settled();
      if (state().state === 'waiting') return onlyReads(tool) ? undefined : notLoaded;
      const blocked = blocking(tool.name);
      if (blocked) return { verdict: 'deny', reason: `${capitalized(place(blocked))}, blocks ${tool.name}.`, source: place(blocked) };
      const forced = rules.forcedApprovals.find(({ pattern }) => fitsPattern(pattern, tool.name));
      if (forced)
        return {
          verdict: 'ask',
          reason: `${capitalized(place(forced))}, requires approval of each call of ${tool.name}.`,
          source: place(forced),
          needsPerson: true,
        };
      return undefined;
    },
    refuseModel(model) {
      const unmet = rules.allowedModels.find(({ patterns }) => !patterns.some((pattern) => fitsPattern(pattern, model)));
      return unmet && { source: place(unmet), allowed: unmet.patterns.length === 0 ? 'none' : `only ${unmet.patterns.join(', ')}` };
    },
    offer(request) {
      const tools = request.tools.filter(({ name }) => blocking(name) === undefined);
      return tools.length === request.tools.length ? undefined : { ...request, tools };
    },
  };
}

const notLoaded: RuleVerdict = {
  verdict: 'deny',
  reason: 'The policy of your organisation is not available yet, so only reading tools can run. It is loaded when the control plane can be reached.',
  source: 'the policy of your organisation',
};

function onlyReads({ effects }: Pick<RegisteredTool, 'effects'>): boolean {
  return effects?.includes('read') === true && effects.every((effect) => effect === 'read');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
