// Queues tool calls that wait for an approval: announces them, accepts the first decision, and enforces the time limit.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Decision, PendingApproval, Rehearsal, RuleSubject } from './contract.ts';
import { approvalLimit } from './policy-config.ts';
import { previewOf } from './preview.ts';
import { initialPreview, seenOf } from './preview-view.ts';
import { readDecision, type Outcome } from './read-decision.ts';
import type { RememberedRules } from './remembered-rules.ts';
import { describeMemory, exactSubject, kindsOf, subjectOf } from './rule-subjects.ts';
import { createResolvedIds } from './resolved-ids.ts';
import type { manifest } from './manifest.ts';

export interface ApprovalQueue {
  /** Requests a decision from the user. Resolves when the decision is on disk. */
  request(call: ToolCall, ask: ApprovalAsk): Promise<Outcome>;
  /** Records an automatic decision. Resolves when the decision is on disk. */
  record(call: ToolCall, outcome: Outcome): Promise<void>;
  decide(approvalId: string, decision: Decision): Promise<void>;
  pending(): PendingApproval[];
}

export interface ApprovalAsk {
  readonly reason: string;
  readonly canRemember: boolean;
  readonly source?: string;
  readonly rehearsal?: Rehearsal;
}

interface Waiting {
  approval: PendingApproval;
  readonly call: ToolCall;
  readonly canRemember: boolean;
  /** Ends the request with an outcome. The first call takes effect immediately; later calls have no effect. */
  settle(outcome: Outcome): Promise<void>;
}

export function createApprovalQueue(registry: Registry<typeof manifest>, emitter: Emitter, memory: RememberedRules): ApprovalQueue {
  const { services } = registry;
  const waiting = new Map<string, Waiting>();
  const resolved = createResolvedIds();

  async function announce(call: ToolCall, approvalId: string, outcome: Outcome): Promise<void> {
    const { chatId, turnId } = call.turn;
    emitter.emit('approval_decision', { chatId, turnId, callId: call.callId, approvalId, ...outcome });
    await services.eventLog.flushed(chatId);
  }

  /** Waits for a decision, the time limit, the end of the turn, or the unloading of the plugin. */
  function wait(call: ToolCall, approval: PendingApproval, limitMs: number | undefined, canRemember: boolean): Promise<Outcome> {
    const { approvalId } = approval;
    const stops = [call.turn.signal, registry.signal];
    return new Promise((resolve, reject) => {
      const putBack = call.turn.waiting('approval');
      const endBy = (by: 'timeout' | 'abort') => (): void => void settle({ decision: 'reject', by }).catch(() => undefined); // the caller also gets this error
      const timer = limitMs === undefined ? undefined : setTimeout(endBy('timeout'), limitMs);
      const onAbort = endBy('abort');
      for (const stop of stops) stop.addEventListener('abort', onAbort, { once: true });

      async function settle(outcome: Outcome): Promise<void> {
        if (!waiting.delete(approvalId)) return;
        resolved.add(approvalId, outcome.by === 'timeout' ? 'expired' : 'decided');
        clearTimeout(timer);
        for (const stop of stops) stop.removeEventListener('abort', onAbort);
        putBack();
        try {
          await announce(call, approvalId, outcome);
        } catch (fault) {
          reject(fault);
          throw fault;
        }
        resolve(outcome);
      }

      waiting.set(approvalId, { approval, call, canRemember, settle });
      emitter.emit('tool_approval', approval);
      if (stops.some((stop) => stop.aborted)) onAbort();
    });
  }

  /** Adds a preview to a pending approval as soon as it is ready. */
  function showLater({ chatId, turnId, callId, approvalId }: PendingApproval, { shown }: Rehearsal): void {
    void shown.then((rehearsal) => {
      const found = waiting.get(approvalId);
      if (!found) return;
      found.approval = { ...found.approval, rehearsal };
      emitter.emit('approval_rehearsed', { chatId, turnId, callId, approvalId, rehearsal });
    });
  }

  async function kindOf(call: ToolCall, kind: string, kept: 'approve' | 'reject'): Promise<RuleSubject> {
    const found = kept === 'approve' && !call.turn.isTainted ? (await kindsOf(call)).find(({ subject }) => subject === kind) : undefined;
    if (!found) throw registry.error('INVALID_REQUEST', { why: `'${kind}' is not one of the kinds of this call for which a decision can be remembered.` });
    return found;
  }

  return {
    async request(call, { reason, canRemember, source, rehearsal }) {
      // Rules about a kind of call do not apply in a turn that has read external content.
      const hasKinds = canRemember && !call.turn.isTainted;
      const [preview, shown, kinds] = await Promise.all([
        previewOf(call, registry.log),
        rehearsal && initialPreview(call, rehearsal),
        hasKinds ? kindsOf(call) : [],
      ]);
      if (call.turn.signal.aborted) return { decision: 'reject', by: 'abort' };
      const limitMs = approvalLimit(registry.config.approvalTimeoutMs);
      const approval: PendingApproval = {
        approvalId: services.storage.createId('appr'),
        chatId: call.turn.chatId,
        turnId: call.turn.turnId,
        callId: call.callId,
        name: call.tool.name,
        args: call.args,
        effects: call.tool.effects ?? [],
        reason,
        ...(source === undefined ? {} : { source }),
        ...(call.turn.isTainted ? { afterOutside: true as const } : {}),
        ...(preview === undefined ? {} : { preview }),
        ...(shown === undefined ? {} : { rehearsal: shown }),
        ...(canRemember ? { remembers: describeMemory(call), always: subjectOf(call) } : {}),
        ...(kinds.length > 0 ? { kinds: kinds.map(({ subject }) => subject) } : {}),
        ...(limitMs === undefined ? {} : { expiresAt: new Date(Date.now() + limitMs).toISOString() }),
      };
      const outcome = wait(call, approval, limitMs, canRemember);
      if (rehearsal && shown?.state === 'running') showLater(approval, rehearsal);
      return outcome;
    },
    record: (call, outcome) => announce(call, services.storage.createId('appr'), outcome),
    async decide(approvalId, decision) {
      const found = waiting.get(approvalId);
      if (!found) throw resolved.whyGone(registry, approvalId);
      const outcome = { ...readDecision(registry, found.call, decision), ...seenOf(registry, decision, found) };
      const { remember = 'once', kind, principal } = decision;
      const decided = { ...found.call, ...(outcome.args === undefined ? {} : { args: outcome.args }) };
      const kept = outcome.decision === 'reject' ? 'reject' : 'approve';
      if (remember === 'workspace' && (kept === 'reject' || (principal && principal.kind !== 'owner'))) throw registry.error('RULE_REFUSED', {});
      const subject = kind === undefined ? exactSubject(decided) : await kindOf(decided, kind, kept);
      // Settles first, because another decision could arrive while a rule is being written.
      const settled = found.settle(outcome);
      if (remember !== 'once' && found.canRemember) await memory.remember(decided, remember, kept, subject);
      await settled;
    },
    pending: () => [...waiting.values()].map(({ approval }) => approval),
  };
}
