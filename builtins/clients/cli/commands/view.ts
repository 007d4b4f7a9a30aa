// `view`: lists what plugins show, shows one of them, and has something done in it.
import type { CliOutput } from 'agent-harness/plugins/commands';
import { readCall, textOfLine, viewParts, type Look, type View } from 'agent-harness/view';
import { makeSafe } from 'agent-harness/lib/terminal';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { createPaint, type Paint } from '../paint.ts';
import { alignColumns } from '../table.ts';

interface ListReply {
  readonly views: readonly { readonly name: string; readonly title: string; readonly description?: string }[];
}
interface ActReply {
  readonly view: View;
  readonly message?: string;
}
interface Shown {
  readonly asJson: boolean;
  /** How actions are called. */
  readonly command: string;
}

/** Where nobody says how wide the terminal is. */
const usualColumns = 100;

export const view: RunCommand = async (parts, { positionals, options, signal }, output) => {
  const [name, ...words] = positionals;
  const { json, chat, yes } = options;
  const how: Shown = { asJson: json === true, command: `${parts.services.product.command ?? parts.services.product.name} view` };
  return withServer(parts, signal, async (client) => {
    if (name === undefined) return list(client, how, output);
    const about = typeof chat === 'string' ? `?chatId=${encodeURIComponent(chat)}` : '';
    const path = `/api/views/${encodeURIComponent(name)}`;
    const read = await client.call<View>('GET', `${path}${about}`);
    if (words.length === 0) return show(read, how, output);
    const call = readCall(read, [...words, ...(yes === true ? ['--yes'] : [])]);
    if ('problem' in call) return refuseUse(output, makeSafe(call.problem));
    const { action, row, input } = call;
    const body = { ...(typeof chat === 'string' ? { chatId: chat } : {}), ...(row === undefined ? {} : { row }), ...(input ? { input } : {}) };
    const done = await client.call<ActReply>('POST', `${path}/actions/${encodeURIComponent(action.id)}`, body);
    if (done.message !== undefined && !how.asJson) output.err(`${makeSafe(done.message)}\n`);
    return show(done.view, how, output);
  });
};

async function list(client: Client, { asJson }: Shown, output: CliOutput): Promise<number> {
  const { views } = await client.call<ListReply>('GET', '/api/views');
  if (asJson) output.out(`${JSON.stringify(views, undefined, 2)}\n`);
  else if (views.length === 0) output.out('No plugin has a view.\n');
  else output.out(alignColumns(views.map((one) => [one.name, makeSafe(one.description ?? one.title)])));
  return exitCodes.done;
}

function show(shown: View, { asJson, command }: Shown, output: CliOutput): number {
  if (asJson) {
    output.out(`${JSON.stringify(shown, undefined, 2)}\n`);
    return exitCodes.done;
  }
  const paint = createPaint(output);
  const columns = output.isTerminal ? (process.stdout.columns ?? usualColumns) : usualColumns;
  const lines = viewParts(shown, { columns, command }).flatMap((part) =>
    'markdown' in part
      ? [makeSafe(part.markdown).trimEnd()]
      : part.lines.map((line) => textOfLine(line.map((run) => ({ text: brushOf(paint, run.look)(run.text) })))),
  );
  output.out(`${lines.join('\n')}\n`);
  return exitCodes.done;
}

function brushOf({ bold, dim, red, green, yellow }: Paint, look: Look | undefined): (text: string) => string {
  const brushes = { strong: bold, weak: dim, good: green, bad: red, busy: yellow, accent: bold };
  return look === undefined ? (text) => text : brushes[look];
}
