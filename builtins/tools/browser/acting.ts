// Detects browser actions that affect an external site, and builds the reason for their approval.
import { oneLine } from '#lib/text';
import type { Browsers } from './browsers.ts';
import type { Action } from './inputs.ts';
import type { Tab } from './tab.ts';

/** Operations that may send data to the site or change its state. */
const actingOps: ReadonlySet<string> = new Set(['click', 'fill', 'type', 'press', 'select', 'check', 'uncheck', 'upload']);
const shownSteps = 12;

/** Returns the reason for an approval; `undefined` for a read-only call. Accepts unchecked arguments, because rules run before validation. */
export function whyActingAsks(args: object, chatId: string, browsers: Pick<Browsers, 'findInChat'>): string | undefined {
  const { sessionId, actions } = args as { readonly sessionId?: unknown; readonly actions?: unknown };
  const acting = (Array.isArray(actions) ? (actions as Action[]) : []).filter(isActing);
  if (acting.length === 0) return undefined;
  const tab = browsers.findInChat(chatId, String(sessionId));
  const steps = acting.slice(0, shownSteps).map((action) => describe(action, tab));
  const more = acting.length > shownSteps ? `; and ${acting.length - shownSteps} more` : '';
  return `The call acts on ${tab ? siteOf(tab.url) : 'a page'} and may send data: ${steps.join('; ')}${more}.`;
}

export function isActing({ op, accept }: Action): boolean {
  return actingOps.has(op) || (op === 'dialog' && accept === true);
}

function describe(action: Action, tab: Tab | undefined): string {
  const { op, ref, selector, text, paths } = action;
  const target = ref === undefined ? selector : (tab?.nameOf(ref) ?? ref);
  const words = [op === 'dialog' ? 'accept a dialog' : op, ...(target === undefined ? [] : [oneLine(target, 80)])];
  if (op === 'upload') words.push(`the files ${(paths ?? []).map((path) => oneLine(path, 60)).join(', ')}`);
  else if (text !== undefined) words.push(`"${oneLine(text, 60)}"`);
  return words.join(' ');
}

function siteOf(url: string): string {
  return URL.canParse(url) && new URL(url).host !== '' ? new URL(url).origin : oneLine(url, 80);
}
