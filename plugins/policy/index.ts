// Registers policy: decides which tool calls need approval, requests approvals, and asks the user the model's questions.
import * as Type from 'typebox';
import type { Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import { isOwnersWord } from 'agent-harness/transcript';
import { createApprovals } from './approvals.ts';
import { modeOf, offerForMode } from './chat-modes.ts';
import { createApprovalQueue } from './approval-queue.ts';
import { createRequiredPolicyCheck } from './required-policy-check.ts';
import { createGate } from './gate.ts';
import { createGuard } from './guard.ts';
import { modeCommand } from './mode-command.ts';
import { policyEvents } from './policy-events.ts';
import { answerRoute, approveRoute, pendingRoute, type MayAnswer } from './policy-routes.ts';
import { createQuestionQueue } from './question-queue.ts';
import { blockedRoundLimit, countFailure, isStuck, refuseRepeated } from './repeated-failures.ts';
import { createRememberedRules } from './remembered-rules.ts';
import { createRuleSet } from './rule-set.ts';
import { rulesCommand } from './rules-command.ts';
import { listRulesRoute, removeRuleRoute } from './rules-routes.ts';
import { createSeenAddresses } from './seen-addresses.ts';
import type { manifest } from './manifest.ts';

export { manifest } from './manifest.ts';

const configFields = Type.Object({
  approvalTimeoutMs: Type.Optional(Type.Number({ description: 'Approval timeout in milliseconds; omitted if AGENT_APPROVAL_TIMEOUT_MS is invalid.' })),
});

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const seen = createSeenAddresses();
  const rules = createRuleSet(seen, createRequiredPolicyCheck(registry.services.kernel, emitter));
  const memory = createRememberedRules(registry);
  const approvalQueue = createApprovalQueue(registry, emitter, memory);
  const questionQueue = createQuestionQueue(registry, emitter);
  const guard = createGuard({
    config: registry.config,
    rules,
    memory,
    queue: approvalQueue,
    modeOf: (chatId) => modeOf(registry.services.chats, chatId),
    judge: (call) => emitter.call('approval.judge', [call]),
    rehearse: (call) => emitter.call('approval.rehearse', [call], { signal: call.turn.signal }),
  });
  const { gate, grants } = createGate({ emitter, services: registry.services, guard });
  const approvals = createApprovals(approvalQueue, questionQueue, memory);

  registry.point('approval_rule', rules.point);
  registry.provide('approvals', () => approvals);
  registry.provide('gate', () => gate);
  registry.add('tool_gate', grants);
  registry.add('slash_command', modeCommand(registry.services));
  registry.add('slash_command', rulesCommand(memory));
  registry.add('reply_section', {
    route: 'GET /api/config',
    name: 'approvalTimeoutMs',
    fields: configFields,
    read: () => ({ approvalTimeoutMs: registry.config.approvalTimeoutMs }),
  });
  for (const event of policyEvents) registry.add('wire_event', event);
  const mayAnswer: MayAnswer = async (kind, id, principal) => {
    const said = principal && (await emitter.call('approval.answer', [{ kind, id, principal }]));
    if (said) throw registry.error('ANSWER_REFUSED', { why: said.refuse });
  };
  registry.add('route', approveRoute(approvalQueue, mayAnswer));
  registry.add('route', answerRoute(questionQueue, mayAnswer));
  registry.add('route', listRulesRoute(memory, registry.services));
  registry.add(
    'route',
    removeRuleRoute(memory, (id) => registry.error('RULE_NOT_FOUND', { id })),
  );
  registry.add('route', pendingRoute(approvals, registry.services));

  emitter.hook('tool.prepare', 'waterfall', { onError: 'throw' });
  emitter.hook('tool.before', 'bail', {
    onError: ({ plugin }) => ({ deny: `The check of plugin '${plugin}' failed, so the call was refused.`, hint: 'Nothing was run. Tell the user.' }),
  });
  emitter.hook('approval.answer', 'bail', { onError: 'throw' });
  emitter.hook('approval.judge', 'bail', { onError: 'skip' });
  emitter.hook('approval.rehearse', 'bail', { onError: 'skip' });
  // Runs after the taps that add tools.
  emitter.tap('model.request', (request) => offerForMode(request, registry.services), { order: 'post' });
  emitter.tap('tool.before', (call) => refuseRepeated(call));
  emitter.tap('tool.after', (outcome, call) => countFailure(outcome, call));
  emitter.tap('model.request', (_, turn) => {
    if (isStuck(turn)) throw registry.error('REPEATED_CALLS', { rounds: blockedRoundLimit });
  });
  emitter.on('message_accepted', (message) => (isOwnersWord(message) ? seen.note(message.chatId, message.text) : undefined));
  // Runs before the taps that shorten the output.
  emitter.tap('tool.after', (outcome, call) => seen.noteOutcome(call, outcome.ok ? outcome.output : outcome.error), { order: 'pre' });
  // Runs after the taps that mark outcomes as untrusted.
  emitter.tap('tool.after', (outcome, call) => (outcome.isUntrusted === true ? seen.noteSource(call) : undefined), { order: 'post' });
  emitter.tap('session.reset', ({ chatId, mode }) => {
    seen.forget(chatId);
    if (mode === 'hard') memory.forget(chatId);
  });
  emitter.tap('chat.close', (chatId) => {
    seen.forget(chatId);
    memory.forget(chatId);
  });
}

declare module 'agent-harness/plugins/http' {
  interface ReplyFields {
    'GET /api/config approvalTimeoutMs': typeof configFields;
  }
}
