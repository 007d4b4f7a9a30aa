// Plans the demo model's steps from plain text, and determines the next step from the previous results. Pure.
import { parseStep } from './parse-step.ts';
import { splitRequest } from './split-request.ts';
import type { Step, StepOutcome, ToolStep } from './steps.ts';

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

export interface Progress {
  readonly outcomes: readonly StepOutcome[];
  /** The next call with its final arguments; omitted at the end. */
  readonly next?: ToolStep;
}

/** Maximum length of a request in characters; the rules are designed for short texts. */
const longestRequest = 8_000;
/** Matches a long gap. Gaps are shortened, because patterns with several optional gaps take very long to match them. */
const longGap = /(\s{40})\s+/g;

export function planRequest(text: string): Step[] {
  if (text.length > longestRequest) return [{ kind: 'unknown', source: `${text.slice(0, 60).trim()}…` }];
  return splitRequest(text.replace(longGap, '$1')).map(parseStep);
}

/** Replays the steps with the results so far. A failed step does not stop steps that do not need its result. */
export function follow(steps: readonly Step[], results: readonly ToolResult[]): Progress {
  const outcomes: StepOutcome[] = [];
  let used = 0;
  for (const step of steps) {
    if (step.kind === 'unknown') {
      outcomes.push({ state: 'unknown', step });
      continue;
    }
    const ready = fillIn(step, outcomes);
    if (!ready) {
      outcomes.push({ state: 'skipped', step });
      continue;
    }
    const result = results[used++];
    if (!result) return { outcomes, next: ready };
    outcomes.push({ state: result.isError ? 'failed' : 'done', step: ready, output: result.text });
  }
  return { outcomes };
}

/** Fills in values from earlier steps. Returns `undefined` if the step needs a value that no earlier step has provided. */
function fillIn(step: ToolStep, outcomes: readonly StepOutcome[]): ToolStep | undefined {
  if (!step.contentFrom) return step;
  const wantsAnswer = step.contentFrom === 'answer';
  const source = outcomes.findLast((outcome) => 'output' in outcome && (wantsAnswer ? outcome.step.tool === 'ask_user' : outcome.step.tool !== 'write_file'));
  if (source?.state !== 'done') return undefined;
  const text = source.output.endsWith('\n') ? source.output : `${source.output}\n`;
  return { ...step, args: { ...step.args, content: step.args['mode'] === 'append' ? `\n${text}` : text } };
}
