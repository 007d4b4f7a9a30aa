// Determines the possible subjects of an approval rule for a call: exactly the call, every call of its tool, or a kind of call that the tool defines.
import { oneLine } from '#lib/text';
import { stableJson } from '#lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';
import { callText } from 'agent-harness/transcript';
import type { RuleSubject } from './contract.ts';

type Call = Pick<ToolCall, 'tool' | 'args'>;

const shownSubject = 120;
const mostKinds = 8;

/** Returns the subjects, narrowest first. */
export async function subjectsOf(call: Call): Promise<RuleSubject[]> {
  return [exactSubject(call), ...(await kindsOf(call))];
}

/** Returns the narrowest subject: exactly the call if its arguments make it dangerous, otherwise every call of the tool. */
export function exactSubject(call: Call): RuleSubject {
  return { subject: subjectOf(call), key: keyOf(call.tool, isAboutArguments(call) ? [essentialOf(call)] : []) };
}

/** Returns the kinds that the tool defines; none if the tool fails. */
export async function kindsOf({ tool, args }: Call): Promise<RuleSubject[]> {
  try {
    const said: unknown = await tool.kinds?.(args as never);
    if (!Array.isArray(said)) return [];
    const words = said.filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= shownSubject && oneLine(one) === one);
    return words.slice(0, mostKinds).map((subject) => ({ subject, key: keyOf(tool, ['kind', subject]), isKind: true }));
  } catch {
    return [];
  }
}

/** Describes, in a sentence for the user, the later calls to which a decision for the chat applies. */
export function describeMemory(call: Call): string {
  const { name, incidental = [] } = call.tool;
  const free = incidental.filter((argument) => argument in call.args);
  const exact = `exactly this call of ${name}, with these arguments${free.length === 0 ? '' : `, whatever its ${free.join(' and ')}`}`;
  return `Applies in this chat to ${isAboutArguments(call) ? exact : `every call of ${name} with any arguments`}.`;
}

/** Returns the subject of a rule in a few words: the command, or every call of the tool. */
export function subjectOf(call: Call): string {
  const { tool, args } = call;
  if (!isAboutArguments(call)) return `every call of ${tool.name}`;
  const text = saidBy(call) ?? callText({ args });
  // A command is self-explanatory without the name of its tool.
  return oneLine(tool.effects?.includes('execute') === true && text !== '' ? text : `${tool.name} ${text}`.trim(), shownSubject);
}

/** Returns the tool's own description of the call; `undefined` if it fails. */
function saidBy({ tool, args }: Call): string | undefined {
  try {
    const said = tool.display?.subject?.(args as never);
    return typeof said === 'string' && said !== '' ? said : undefined;
  } catch {
    return undefined; // the arguments are described instead
  }
}

/** Returns the key of a subject. The key contains the effects of the tool, because a rule must not apply after they have changed. */
function keyOf({ plugin, name, effects = [] }: ToolCall['tool'], about: readonly unknown[]): string {
  return stableJson([plugin, name, [...effects].sort(), ...about]);
}

/** Returns the arguments without those that do not influence the effects of the call. */
function essentialOf({ tool: { incidental = [] }, args }: Call): ToolCall['args'] {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !incidental.includes(name)));
}

function isAboutArguments({ tool }: Call): boolean {
  const effects = tool.effects ?? [];
  return effects.length === 0 || effects.includes('execute') || typeof tool.needsApproval === 'function';
}
