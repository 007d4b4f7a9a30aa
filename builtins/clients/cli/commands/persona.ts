// Implements `persona`: shows, sets and undoes the agent's character.
import { makeSafe } from '#lib/terminal';
import { oneLine } from '#lib/text';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, refuseAction, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { makePersona, type PersonaReply } from '../make-persona.ts';
import { createPaint } from '../paint.ts';
import { alignColumns } from '../table.ts';

interface VersionsReply {
  readonly versions: readonly { readonly version: number; readonly at: string; readonly label: string; readonly why: string }[];
}

export const persona: RunCommand = async (parts, { positionals, options, signal }, output) => {
  const [action = 'show', given, ...more] = positionals;
  const asJson = options['json'] === true;
  const takes = { show: 0, set: 1, reset: 0, history: 0, back: 1 }[action];
  if (takes === undefined) return refuseAction(output, 'persona', action, ['show', 'set', 'reset', 'history', 'back']);
  if (more.length > 0 || (takes === 0 && given !== undefined))
    return refuseUse(output, `'persona ${action}' takes no further arguments; put a sentence in quotes.`);
  if (action === 'set' && (given ?? '').trim() === '') return refuseUse(output, "'persona set' needs a sentence in quotes.");
  if (action === 'back' && given !== undefined && !/^\d+$/.test(given))
    return refuseUse(output, "'persona back' takes the number of a version; 'persona history' lists them.");
  return withServer(parts, signal, async (client) => {
    switch (action) {
      case 'set': {
        const made = await makePersona(client, given ?? '', createPaint(output), signal, (text) => (asJson ? undefined : output.err(text)));
        if (made.bootstrap.error === undefined) return show(made, asJson, output);
        output.err(`No persona was created: ${makeSafe(made.bootstrap.error)}\n`);
        return exitCodes.failed;
      }
      case 'reset':
        await client.call('POST', '/api/persona/bootstrap', { input: 'reset' });
        break;
      case 'history':
        return history(client, asJson, output);
      case 'back': {
        const version = given ?? (await client.call<VersionsReply>('GET', '/api/persona/history')).versions[1]?.version;
        if (version === undefined) {
          output.err('There is no version before this one.\n');
          return exitCodes.failed;
        }
        await client.call('POST', '/api/persona/revert', { version: Number(version) });
        break;
      }
    }
    return show(await client.call<PersonaReply>('GET', '/api/persona'), asJson, output);
  });
};

function show(reply: PersonaReply, asJson: boolean, output: CliOutput): number {
  if (asJson) return printJson(reply, output);
  const { label, slices, bootstrap } = reply;
  if (slices.length === 0) {
    output.out('There is no persona. \'persona set "<sentence>"\' creates one.\n');
    return exitCodes.done;
  }
  const paint = createPaint(output);
  output.out(`${paint.bold(makeSafe(label) || 'No persona')}\n`);
  if (bootstrap.notice !== undefined) output.out(`${makeSafe(bootstrap.notice)}\n`);
  for (const { name, text, outside } of slices) {
    if (text === '' && !outside) continue;
    output.out(`\n${paint.dim(name)}\n${makeSafe(text)}\n`);
    if (outside) output.out(`${paint.yellow(`Its file was edited; the edit has no effect until you accept it: "${makeSafe(oneLine(outside.text, 300))}"`)}\n`);
  }
  return exitCodes.done;
}

async function history(client: Client, asJson: boolean, output: CliOutput): Promise<number> {
  const { versions } = await client.call<VersionsReply>('GET', '/api/persona/history');
  if (asJson) return printJson(versions, output);
  const rows = versions.map(({ version, at, label, why }) => [
    String(version),
    at.slice(0, 16).replace('T', ' '),
    makeSafe(label) || '–',
    makeSafe(oneLine(why, 100)),
  ]);
  output.out(rows.length === 0 ? 'There was no persona yet.\n' : `${alignColumns(rows)}\n`);
  return exitCodes.done;
}

function printJson(reply: unknown, output: CliOutput): number {
  output.out(`${JSON.stringify(reply, undefined, 2)}\n`);
  return exitCodes.done;
}
