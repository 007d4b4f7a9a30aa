// Formats the state and the runs of the heartbeat as lines for the terminal and the slash command.
import { localDay } from '#lib/local-day';
import { oneLine } from '#lib/text';
import { dayText, runText, stateText } from './ui/heartbeat-texts.ts';
import type { BeatDay, BeatRun } from './beat-ledger.ts';
import type { HeartbeatView } from './view.ts';

const surfaces = { off: 'are only logged', trace: 'appear as progress lines', assistant: 'appear as messages' } as const;

export function describeHeartbeat(view: HeartbeatView): string {
  const { isOn, surface, last, nudge, today, gate } = view;
  if (!isOn) return 'The heartbeat is off. Enable it in the settings, or with AGENT_HEARTBEAT=1.';
  const cost = today.cost === null ? 'unknown cost' : `${today.cost.toFixed(4)} USD`;
  return [
    `The heartbeat is on, and nudges ${surfaces[surface]}.`,
    `Now: ${stateText(view, 'idle')}.`,
    `Today: ${dayText(today)}${today.runs === 0 ? '' : `; ${cost}`}.`,
    ...(last ? [`Last run of this chat: ${runLine(last)}`] : []),
    ...(nudge ? [`Nudge: ${nudge.run.nudge?.text ?? ''} (after “${nudge.run.about}”)`] : []),
    ...(gate && gate.steps > 0
      ? [gate.now === null ? 'This chat gets no nudges.' : `Nudges in this chat need a confidence of at least ${Math.floor(gate.now * 100)} %.`]
      : []),
  ].join('\n');
}

export interface ListedRuns {
  /** Newest first. */
  readonly runs: readonly BeatRun[];
  readonly days: readonly (BeatDay & { readonly day: string })[];
}

export function describeRuns({ runs, days }: ListedRuns): string {
  if (runs.length === 0) return 'The heartbeat has not run yet.';
  const shown = days.slice(-7).toReversed();
  return [...runs.map(runLine), '', ...shown.map((day) => `${day.day}: ${dayText(day)}`)].join('\n');
}

function runLine(run: BeatRun): string {
  const nudge = run.nudge?.isShown ? ` Nudge: ${oneLine(run.nudge.text, 200)}${run.nudge.answer === undefined ? '' : ` (${run.nudge.answer})`}` : '';
  return `${localTime(run.at)}  ${oneLine(runText(run), 200)}${nudge}`;
}

/** Formats a time as `2026-11-22 19:05` in the machine's time zone. */
function localTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${localDay(at)} ${at.toLocaleTimeString('sv').slice(0, 5)}`;
}
