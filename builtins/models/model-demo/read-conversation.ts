// Derives the state of the demo model from the conversation alone: the last request, and the results since then.
import type { ModelMessage } from 'agent-harness/plugins/models';
import { follow, planRequest, type Progress, type ToolResult } from './plan.ts';
import type { Step } from './steps.ts';

export interface Standing extends Progress {
  readonly steps: readonly Step[];
  /** Parts of an earlier request in this turn that a newer message replaced. */
  readonly dropped: readonly string[];
  /** Names of the attached files, which the demo model cannot read. */
  readonly attached: readonly string[];
  /** Whether an earlier reply of this conversation already explained the demo. */
  readonly isIntroduced: boolean;
}

interface Request {
  readonly text: string;
  readonly at: number;
}

const attachedLine = /^\[attached: (.+?), [^\n]*\]$/gm;
const addsOn = /^\s*(?:also|and|then|plus|after that|additionally)\b/i;

/** @param introduction text that identifies a reply in which the demo was explained */
export function readConversation(messages: readonly ModelMessage[], introduction: string): Standing {
  const { current, earlier } = requestsOfTurn(messages);
  const base = addsOn.test(current.text) ? (earlier[0] ?? current) : current;
  const texts = [...earlier.filter((one) => one.at >= base.at), current].map((one) => one.text);
  const steps = texts.flatMap((text) => planRequest(text.replace(attachedLine, '')));
  return {
    steps,
    ...follow(steps, resultsSince(messages, base.at)),
    dropped: base === current ? earlier.flatMap((one) => unfinished(messages, one, current.at)) : [],
    attached: [...current.text.matchAll(attachedLine)].map((found) => found[1] ?? ''),
    isIntroduced: messages.some((message) => message.role === 'assistant' && message.text.includes(introduction)),
  };
}

/** Returns the requests of the current turn, which starts after the last reply without calls. A message that joined the turn later is the current request. */
function requestsOfTurn(messages: readonly ModelMessage[]): { current: Request; earlier: Request[] } {
  const last = messages.findLastIndex(isAsked);
  if (last < 0) return { current: { text: '', at: -1 }, earlier: [] };
  const begin = messages.findLastIndex((message, index) => index < last && message.role === 'assistant' && message.toolCalls.length === 0);
  const requests: Request[] = [];
  messages.forEach((message, at) => {
    if (at > begin && at <= last && isAsked(message)) requests.push({ text: message.text, at });
  });
  const current = requests.pop() ?? { text: '', at: last };
  return { current, earlier: requests };
}

const isAsked = (message: ModelMessage): boolean => message.role === 'user' && message.isUntrusted !== true;

function resultsSince(messages: readonly ModelMessage[], at: number, until = messages.length): ToolResult[] {
  return messages.slice(at + 1, until).flatMap((message) => (message.role === 'tool' ? [{ text: withoutMarks(message.text), isError: message.isError }] : []));
}

function unfinished(messages: readonly ModelMessage[], request: Request, until: number): string[] {
  const results = resultsSince(messages, request.at, until);
  if (results.length === 0 || results.some((result) => /turn was aborted|^Interrupted /.test(result.text))) return [];
  const steps = planRequest(request.text);
  const { outcomes, next } = follow(steps, results);
  return next ? steps.slice(outcomes.length).map((step) => step.source) : [];
}

/** Removes the delimiters around external text. */
function withoutMarks(text: string): string {
  return /<<<\n([\s\S]*)\n>>>\s*$/.exec(text)?.[1] ?? text;
}
