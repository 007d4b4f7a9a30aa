// Where the text of a call would go, by what its tool says of itself.
import type { SteeringFiles } from 'agent-harness/builtins/tools/files';
import { wayFrom } from 'agent-harness/lib/paths';
import type { ToolCall } from 'agent-harness/plugins/agent';
import { resolve } from 'node:path';

/** `address`: what a request carries that only reads. `external`: what is sent or done elsewhere. `steering`: a file that other programs obey. */
export const destinations = ['address', 'command', 'memory', 'external', 'steering'] as const;
export type Destination = (typeof destinations)[number];

export interface LeavingText {
  readonly text: string;
  /** For the beginning of a sentence. */
  readonly what: string;
  readonly isAddress: boolean;
}

export interface Leaving {
  readonly to: Destination;
  readonly texts: readonly LeavingText[];
  /** Whoever gets the call may read a file that it names. */
  readonly namesFiles: boolean;
}

const mostTexts = 60;
const deepest = 6;

/** The strictest one of a call; nothing for a call whose text stays here and is believed by nobody. */
export function leavingOf(call: ToolCall, steering: SteeringFiles | undefined): Leaving | undefined {
  const { tool, args } = call;
  const effects = tool.effects ?? [];
  const texts = (what: string, kept: readonly string[] = []): readonly LeavingText[] => textsIn(args, what, kept).slice(0, mostTexts);
  if (effects.includes('execute')) return { to: 'command', texts: texts('The command'), namesFiles: false };
  if (effects.includes('external')) return { to: 'external', texts: texts('The call'), namesFiles: true };
  if (effects.includes('network') || tool.sendsArguments !== undefined) {
    const kept = typeof tool.sendsArguments === 'object' ? tool.sendsArguments.except : [];
    return { to: 'address', texts: texts('The call', kept), namesFiles: tool.sendsArguments !== undefined };
  }
  if (!effects.includes('write')) return undefined;
  if (tool.traits.includes('lasting') || tool.traits.includes('knowledge')) return { to: 'memory', texts: texts('The note'), namesFiles: false };
  return steers(call, steering) ? { to: 'steering', texts: texts(`The file ${String(args['path'])}`, ['path']), namesFiles: false } : undefined;
}

function steers({ tool, args, turn }: ToolCall, steering: SteeringFiles | undefined): boolean {
  const path = args['path'];
  if (steering === undefined || typeof path !== 'string' || tool.effects?.includes('write') !== true) return false;
  return steering.why(wayFrom(turn.workspaceRoot, resolve(turn.workspaceRoot, path))) !== undefined;
}

function textsIn(value: unknown, what: string, kept: readonly string[], depth = 0, name = ''): LeavingText[] {
  if (typeof value === 'string') return value === '' ? [] : [leavingText(name, value, what)];
  if (typeof value === 'number') return [{ text: String(value), what, isAddress: false }];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  const fields = Object.entries(value).filter(([field]) => depth > 0 || !kept.includes(field));
  // A name can carry something, too, where it is not one of the tool's own.
  const names = depth > 0 && !Array.isArray(value) ? fields.map(([text]) => ({ text, what, isAddress: false })) : [];
  return [...fields.flatMap(([field, one]) => textsIn(one, what, kept, depth + 1, Array.isArray(value) ? name : field)), ...names];
}

function leavingText(name: string, text: string, what: string): LeavingText {
  if (/^(?:url|uri|href)$/i.test(name) || /^https?:\/\//i.test(text)) return { text, what: 'The address', isAddress: true };
  return { text, what: name === 'query' ? 'The search' : what, isAddress: false };
}
