// Implements `view`: lists plugin views, renders one, and runs its actions.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { partWords, readCall, type View } from 'agent-harness/view';
import { makeSafe } from '#lib/terminal';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { createPaint } from '../paint.ts';
import { alignColumns } from '../table.ts';
import { paintedView } from '../view-lines.ts';

interface ListReply {
  readonly views: readonly { readonly name: string; readonly title: string; readonly description?: string }[];
}
interface ActReply {
  readonly view: View;
  readonly message?: string;
  readonly file?: { readonly name: string; readonly text: string };
}
interface Shown {
  readonly asJson: boolean;
  /** Prefix for the commands of actions. */
  readonly command: string;
}

/** Default width in columns, if the width of the terminal is unknown. */
const usualColumns = 100;

export const view: RunCommand = async (parts, { positionals, options, signal }, output) => {
  const [name, ...words] = positionals;
  const { json, chat, yes } = options;
  const how: Shown = { asJson: json === true, command: `${parts.services.product.command ?? parts.services.product.name} view` };
  return withServer(parts, signal, async (client) => {
    if (name === undefined) return list(client, how, output);
    const { parameters, call: called } = partWords(words);
    const about = new URLSearchParams({ ...parameters, ...(typeof chat === 'string' ? { chatId: chat } : {}) }).toString();
    const path = `/api/views/${encodeURIComponent(name)}`;
    const read = await client.call<View>('GET', about === '' ? path : `${path}?${about}`);
    if (called.length === 0) return show(read, how, output);
    const call = readCall(read, [...called, ...(yes === true ? ['--yes'] : [])]);
    if ('problem' in call) return refuseUse(output, makeSafe(call.problem));
    const { action, row, input } = call;
    const body = { parameters, ...(typeof chat === 'string' ? { chatId: chat } : {}), ...(row === undefined ? {} : { row }), ...(input ? { input } : {}) };
    const done = await client.call<ActReply>('POST', `${path}/actions/${encodeURIComponent(action.id)}`, body);
    // Never overwrites an existing file.
    if (done.file) await writeFile(basename(done.file.name), done.file.text, { flag: 'wx', mode: 0o600 });
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
  const lines = paintedView(shown, { columns, command }, paint);
  output.out(`${lines.join('\n')}\n`);
  return exitCodes.done;
}
