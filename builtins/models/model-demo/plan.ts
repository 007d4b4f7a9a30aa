// Plain text → steps; steps and what came back → what is next. Pure.
import { parseStep } from './parse-step.ts';
import { splitRequest } from './split-request.ts';
import type { Step, StepOutcome, ToolStep } from './steps.ts';

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

export interface Progress {
  readonly outcomes: readonly StepOutcome[];
  /** The call to make now, with its final arguments; left out at the end. */
  readonly next?: ToolStep;
}

/** Rules of thumb are for short texts, in characters; what is longer is no request for a demo. */
const longestRequest = 8_000;
/** Patterns with several optional gaps take very long over one huge gap. */
const longGap = /(\s{40})\s+/g;

export function planRequest(text: string): Step[] {
  if (text.length > longestRequest) return [{ kind: 'unknown', source: `${text.slice(0, 60).trim()}…` }];
  return splitRequest(text.replace(longGap, '$1')).map(parseStep);
}

/** Walks the steps along the results so far. A step that fails does not stop those that do not need it. */
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

/** `undefined` where it needs what no earlier step brought. */
function fillIn(step: ToolStep, outcomes: readonly StepOutcome[]): ToolStep | undefined {
  if (!step.contentFrom) return step;
  const wantsAnswer = step.contentFrom === 'answer';
  const source = outcomes.findLast((outcome) => 'output' in outcome && (wantsAnswer ? outcome.step.tool === 'ask_user' : outcome.step.tool !== 'write_file'));
  if (source?.state !== 'done') return undefined;
  const text = source.output.endsWith('\n') ? source.output : `${source.output}\n`;
  return { ...step, args: { ...step.args, content: step.args['mode'] === 'append' ? `\n${text}` : text } };
}
