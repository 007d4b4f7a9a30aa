// Defines the built-in approval rules: conditions on tool calls, each with a verdict and a reason.
import type { ToolCall } from 'agent-harness/plugins/agent';

export interface BuiltinRule {
  readonly name: string;
  readonly applies: (call: ToolCall) => boolean;
  readonly verdict: 'allow' | 'ask';
  /** Reason for the verdict, as a sentence for the user. */
  readonly reason: string;
}

const has = (call: ToolCall, effect: NonNullable<ToolCall['tool']['effects']>[number]): boolean => call.tool.effects?.includes(effect) === true;

function sendsAny({ tool: { sendsArguments }, args }: ToolCall): boolean {
  const kept = typeof sendsArguments === 'object' ? sendsArguments.except : [];
  return sendsArguments !== undefined && Object.keys(args).some((name) => !kept.includes(name));
}

/**
 * Returns the rules for turns that have read external content. They are checked first, and no remembered decision or allow rule overrides them, because the
 * external content may have caused the call.
 */
export const untrustedRules = (isNewAddress: (call: ToolCall) => boolean): readonly BuiltinRule[] => [
  {
    name: 'external-after-untrusted',
    applies: (call) => call.turn.isTainted && has(call, 'external'),
    verdict: 'ask',
    reason: 'This turn read external content, and the call would send data out.',
  },
  {
    name: 'arguments-after-untrusted',
    applies: (call) => call.turn.isTainted && sendsAny(call),
    verdict: 'ask',
    reason: 'This turn read external content, and the call would send its arguments out.',
  },
  {
    name: 'memory-after-untrusted',
    applies: (call) => call.turn.isTainted && call.tool.traits.includes('lasting') && has(call, 'write'),
    verdict: 'ask',
    reason: 'This turn read external content, and the call would store a note in the memory.',
  },
  {
    name: 'address-after-untrusted',
    applies: (call) => call.turn.isTainted && isNewAddress(call),
    verdict: 'ask',
    reason: 'This turn read external content, and the address occurs neither in your messages nor in the content: it could be used to send data out.',
  },
];

/** Rules that apply if no contributed rule does; the first match decides. */
export const defaultRules: readonly BuiltinRule[] = [
  {
    name: 'undeclared',
    applies: ({ tool }) => tool.effects === undefined || tool.effects.length === 0,
    verdict: 'ask',
    reason: 'The tool does not declare its effects.',
  },
  { name: 'execute', applies: (call) => has(call, 'execute'), verdict: 'ask', reason: 'The call runs a program on this machine.' },
  { name: 'external', applies: (call) => has(call, 'external'), verdict: 'ask', reason: 'The call has effects outside this machine that cannot be undone.' },
  {
    name: 'write-for-good',
    applies: (call) => has(call, 'write') && call.tool.undo !== 'checkpoint',
    verdict: 'ask',
    reason: 'The call changes something that cannot be undone.',
  },
  { name: 'harmless', applies: () => true, verdict: 'allow', reason: 'The call reads, or can be undone.' },
];
