// Renders the plan in a terminal: the progress, and the steps around the active one.
import type { OpenTerminalPanel, TerminalChat, TerminalLine } from 'agent-harness/builtins/clients/cli';
import { isRecord } from '#lib/values';
import { textOfLine, viewParts, type Line } from 'agent-harness/view';
import { viewOfPlan } from './plan-view.ts';
import { isPlanShown, noPlan, planSummary, readPlan } from './ui/plan-model.ts';

/** Maximum number of displayed steps; leaves space for the conversation. */
const shownSteps = 4;
/** Maximum length of a step in columns; the terminal truncates it to its width. */
const stepColumns = 400;

export function openPlanPanel({ chatId, read, changed }: TerminalChat): OpenTerminalPanel {
  let plan = noPlan;
  let isNewer = false;
  read(`/api/plan?chatId=${encodeURIComponent(chatId)}`).then(
    (reply) => {
      // An event that was received in the meantime is newer than the reply.
      if (isNewer || !isRecord(reply)) return;
      plan = readPlan(reply['items'], reply['turnId']);
      changed();
    },
    () => undefined, // without permission or without a server, there is no plan to show
  );
  return {
    take(event) {
      if (event.kind !== 'plan_updated') return;
      isNewer = true;
      plan = readPlan(event['items'], event['turnId']);
      changed();
    },
    lines(most, turnId): TerminalLine[] {
      const { items } = plan;
      if (most < 1 || !isPlanShown(plan, turnId)) return [];
      const current = items.findIndex(({ status }) => status !== 'done');
      const count = Math.min(shownSteps, most - 1, items.length);
      const first = Math.max(0, Math.min(current < 0 ? items.length : current - 1, items.length - count));
      const steps = viewParts(viewOfPlan({ items: items.slice(first, first + count) }), { columns: stepColumns }).flatMap((part) =>
        'markdown' in part ? [] : part.lines.map(lineOf),
      );
      return [{ text: `Plan, ${planSummary(items)}`, look: 'weak' }, ...steps];
    },
  };
}

/** Returns one line of the view with the style for its state. */
function lineOf(line: Line): TerminalLine {
  const look = line.at(-1)?.look;
  return { text: `  ${textOfLine(line)}`, ...(look === 'strong' || look === 'weak' ? { look } : {}) };
}
