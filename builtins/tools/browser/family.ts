// Defines the descriptors of the browser tools; their code is imported on first use.
import type { ToolFamily } from 'agent-harness/plugins/tools';
import { browserActInput, browserOpenInput, type BrowserActArgs } from './inputs.ts';
import type { ToolPorts } from './browser-tools.ts';

export function browserFamily(ports: ToolPorts): ToolFamily {
  return {
    name: 'browser',
    description: 'A real browser: read pages, click, fill in forms, take screenshots.',
    traits: ['reads_web'],
    tools: [
      {
        name: 'browser_open',
        display: { icon: 'globe' },
        description:
          'Opens a web page in a fresh browser, which closes when this turn ends. Returns a sessionId and the page as a tree whose elements have refs ([ref=e12]) for browser_act. ' +
          'Use it for pages that need scripts, forms or screenshots; for plain reading, web_fetch is faster.',
        input: browserOpenInput,
        effects: ['read', 'network'],
        undo: 'none',
        replay: 'never',
        timeoutMs: 60_000,
      },
      {
        name: 'browser_act',
        display: { icon: 'globe' },
        description:
          'Runs up to 40 actions on an open page. Returns the result of each and the changes of the page; a snapshot action returns the whole page. ' +
          'goto, back, forward, scroll, hover, wait, read, screenshot and snapshot run without approval. click, fill, type, press, select, check, uncheck, upload and accepting a dialog ' +
          'need it, so put all steps of a form into one call, and follow plain links with goto and their /url. ' +
          'Dialogs are dismissed unless a dialog action with accept: true precedes the action that opens one.',
        input: browserActInput,
        effects: ['network'],
        undo: 'none',
        replay: 'never',
        timeoutMs: 150_000,
        async needsApproval(args: BrowserActArgs, context) {
          const [{ whyActingAsks }, { decideUploads }] = await Promise.all([import('./acting.ts'), import('./uploads.ts')]);
          decideUploads(args.actions, context, ports.workspaceFiles());
          return whyActingAsks(args, context.chatId, ports.browsers);
        },
      },
    ],
    load: () => import('./browser-tools.ts').then(({ createBrowserTools }) => createBrowserTools(ports)),
  };
}
