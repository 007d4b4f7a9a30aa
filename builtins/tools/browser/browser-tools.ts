// Implements the tools `browser_open` and `browser_act`.
import type { RunTool, ToolContext, ToolOutcome, Artifacts } from 'agent-harness/plugins/tools';
import { runAction, type ActionPlace } from './actions.ts';
import { defaultSize, type Action, type BrowserActArgs, type BrowserOpenArgs } from './inputs.ts';
import { createAnswer, type Answer } from './answer.ts';
import { goTo, refusePrivate } from './go-to.ts';
import type { Tab } from './tab.ts';
import { faultText } from './fault-text.ts';
import type { Browsers } from './browsers.ts';
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import { oneLine } from '#lib/text';

export interface ToolPorts {
  readonly browsers: Browsers;
  readonly artifacts: Artifacts;
  /** Returns the current value of the setting. */
  allowedHosts(): string;
  /** Returns the service for workspace files; `undefined` without the file tools. */
  workspaceFiles(): WorkspaceFiles | undefined;
}

/** Time in milliseconds after which the remaining actions of a call are not started. */
const callMs = 100_000;

export function createBrowserTools(ports: ToolPorts): Readonly<Record<string, RunTool>> {
  const { browsers } = ports;

  async function open({ url, waitFor, size }: BrowserOpenArgs, context: ToolContext): Promise<ToolOutcome> {
    try {
      await refusePrivate(url, ports.allowedHosts());
    } catch (fault) {
      return { ok: false, error: faultText(fault) };
    }
    const tab = await browsers.openTab(context, size ?? defaultSize);
    const browser = browsers.browserOf(context.turnId);
    if (!browser) throw new Error('The browser was closed.');
    const answer = createAnswer(tab, browser, { artifacts: ports.artifacts, chatId: context.chatId });
    const place: ActionPlace = { tab, browser, call: context, files: ports.workspaceFiles(), signal: context.signal };
    try {
      const { note } = await goTo(tab, browser, url);
      if (note !== undefined) answer.addLine(`Opened: ${note}.`);
    } catch (fault) {
      return answer.failure(`${oneLine(url, 200)} could not be opened: ${faultText(fault)}`);
    }
    if (waitFor !== undefined) {
      await runAction({ op: 'wait', text: waitFor }, place).catch(() => answer.addLine(`The text "${oneLine(waitFor, 80)}" did not appear within 10 s.`));
    }
    return answer.success();
  }

  async function act({ sessionId, actions }: BrowserActArgs, context: ToolContext): Promise<ToolOutcome> {
    const tab = browsers.findTab(context.turnId, sessionId);
    const browser = browsers.browserOf(context.turnId);
    if (!tab || !browser) {
      return { ok: false, error: `Page ${sessionId} is not open in this turn.`, hint: 'Pages close when a turn ends. Open one with browser_open.' };
    }
    const answer = createAnswer(tab, browser, { artifacts: ports.artifacts, chatId: context.chatId });
    const place: ActionPlace = { tab, browser, call: context, files: ports.workspaceFiles(), signal: context.signal };
    tab.beginCall();
    if (actions.some(({ op, ref, selector }) => op === 'snapshot' && ref === undefined && selector === undefined)) answer.showWhole();
    const isDone = await runAll(actions, place, answer);
    return isDone ? answer.success() : answer.failure();
  }

  return {
    browser_open: (args: BrowserOpenArgs, context) => owned(context, () => open(args, context)),
    browser_act: (args: BrowserActArgs, context) => owned(context, () => act(args, context)),
  };

  /** Runs work that is ended together with the whole browser when the call is aborted. */
  async function owned(context: ToolContext, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
    let ending: Promise<void> | undefined;
    const onAbort = (): void => void (ending = browsers.endTurn(context.turnId).catch(() => undefined));
    context.signal.addEventListener('abort', onAbort, { once: true });
    try {
      context.signal.throwIfAborted();
      return await work();
    } catch (fault) {
      if (context.signal.aborted) return { ok: false, error: 'The browser was closed because the call was aborted.' };
      return { ok: false, error: faultText(fault) };
    } finally {
      context.signal.removeEventListener('abort', onAbort);
      await ending;
    }
  }
}

/** Returns whether all actions succeeded. */
async function runAll(actions: readonly Action[], place: ActionPlace, answer: Answer): Promise<boolean> {
  const end = performance.now() + callMs;
  for (const [index, action] of actions.entries()) {
    const step = `${index + 1}. ${stepText(action, place.tab)}`;
    const left = actions.length - index;
    if (performance.now() > end) {
      answer.addLine(`The call took more than ${callMs / 1000} s; the last ${left} actions were not run.`);
      return false;
    }
    try {
      const done = await runAction(action, place);
      await answer.step(step, done);
    } catch (fault) {
      place.signal.throwIfAborted();
      answer.addLine(`${step}: FAILED. ${faultText(fault)}${left > 1 ? ` The ${left - 1} later actions were not run.` : ''}`);
      return false;
    }
  }
  return true;
}

function stepText({ op, ref, selector }: Action, tab: Tab): string {
  if (ref === undefined) return selector === undefined ? op : `${op} ${oneLine(selector, 80)}`;
  return `${op} ${ref}${tab.nameOf(ref) === undefined ? '' : ` (${oneLine(tab.nameOf(ref) ?? '', 80)})`}`;
}
