// Determines the destination of the text in a call from the declarations of its tool.
import type { SteeringFiles } from 'agent-harness/builtins/tools/files';
import { wayFrom } from '#lib/paths';
import { isRecord } from '#lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';
import { resolve } from 'node:path';

/**
 * `address`: the address of a read-only request. `external`: data sent to an external service, or actions in it. `steering`: a file that controls other
 * programs.
 */
export const destinations = ['address', 'command', 'memory', 'external', 'steering'] as const;
export type Destination = (typeof destinations)[number];

export interface LeavingText {
  readonly text: string;
  /** Noun phrase that names the text, for use at the beginning of a sentence. */
  readonly what: string;
  readonly isAddress: boolean;
}

export interface Leaving {
  readonly to: Destination;
  readonly texts: readonly LeavingText[];
  /** Whether the receiver of the call may read a file that the text names. */
  readonly namesFiles: boolean;
  /** Limit that excluded some texts from the search, as a sentence. */
  readonly limit?: string;
}

/** Limits per call: number of texts, and nesting depth of objects and lists. */
const most = { texts: 2_000, depth: 64 };

/** The destination of the text in a call, and the arguments that are not sent. */
interface Route extends Pick<Leaving, 'to' | 'namesFiles'> {
  /** Noun phrase that names the text, for use at the beginning of a sentence. */
  readonly what: string;
  readonly kept?: readonly string[];
}

/** The parts of a call that determine the destination of its text. */
interface GivenCall extends Pick<ToolCall, 'tool' | 'args'> {
  readonly turn: Pick<ToolCall['turn'], 'workspaceRoot'>;
}

/** Returns whether the text leaves this machine. */
export const leaves = ({ to }: Pick<Leaving, 'to'>): boolean => to === 'address' || to === 'external';

/** Returns the most restricted destination of a call; `undefined` for a call whose text stays on this machine and controls nothing. */
export function routeOf({ tool, args, turn }: GivenCall, steering: SteeringFiles | undefined): Route | undefined {
  const effects = tool.effects ?? [];
  if (effects.includes('execute')) return { to: 'command', what: 'The command', namesFiles: false };
  if (effects.includes('external')) return { to: 'external', what: 'The call', namesFiles: true };
  if (effects.includes('network') || tool.sendsArguments !== undefined) {
    const kept = typeof tool.sendsArguments === 'object' ? tool.sendsArguments.except : [];
    return { to: 'address', what: 'The call', kept, namesFiles: tool.sendsArguments !== undefined };
  }
  if (!effects.includes('write')) return undefined;
  if (tool.traits.includes('lasting') || tool.traits.includes('knowledge')) return { to: 'memory', what: 'The note', namesFiles: false };
  const path = args['path'];
  if (steering === undefined || typeof path !== 'string') return undefined;
  const isSteering = steering.why(wayFrom(turn.workspaceRoot, resolve(turn.workspaceRoot, path))) !== undefined;
  return isSteering ? { to: 'steering', what: `The file ${path}`, kept: ['path'], namesFiles: false } : undefined;
}

export function leavingOf(call: GivenCall, { to, namesFiles, what, kept = [] }: Route): Leaving {
  const values: LeavingText[] = [];
  const names: LeavingText[] = [];
  let limit: string | undefined;
  const declared = new Set([...Object.keys(propertiesOf(call.tool.input)), ...kept]);

  function collect(value: unknown, name: string, depth: number): void {
    if (depth > most.depth) limit ??= `The arguments of the call are nested more than ${most.depth} levels deep, so they cannot be searched for secrets.`;
    else if (values.length + names.length >= most.texts) limit ??= `The call has more than ${most.texts} texts, so it cannot be searched for secrets.`;
    else if (typeof value === 'object' && value !== null) collectFields(value, name, depth);
    else if (value !== null && value !== undefined && value !== '')
      values.push(leavingText(name, typeof value === 'string' ? value : JSON.stringify(value), what));
  }

  function collectFields(value: object, name: string, depth: number): void {
    for (const [field, inner] of Object.entries(value)) {
      if (depth === 0 && kept.includes(field)) continue;
      // The model can also put text into the name of an undeclared field.
      if (!Array.isArray(value) && (depth > 0 || !declared.has(field))) names.push({ text: field, what, isAddress: false });
      collect(inner, Array.isArray(value) ? name : field, depth + 1);
    }
  }

  collect(call.args, '', 0);
  return { to, namesFiles, texts: [...values, ...names], ...(limit === undefined ? {} : { limit }) };
}

function propertiesOf(input: unknown): object {
  return (isRecord(input) && isRecord(input['properties']) && input['properties']) || {};
}

function leavingText(name: string, text: string, what: string): LeavingText {
  if (/^(?:url|uri|href)$/i.test(name) || /^https?:\/\//i.test(text)) return { text, what: 'The address', isAddress: true };
  return { text, what: name === 'query' ? 'The search' : what, isAddress: false };
}
